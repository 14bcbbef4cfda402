#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"
#include "data/payload/rules.h"
#include "data/schema/content.h"

namespace data_import::payload {

namespace {

using schema::boolean;
using schema::code;
using schema::date;
using schema::object;

constexpr std::size_t max_statements = 1000;

schema::Schema statement_id() {
    return code(128);
}

void covers_a_period(const json::Value& statement, schema::Report& report) {
    check_period(statement, "bill_period_from_date", "bill_period_to_date", report);
}

void has_each_statement_once(const json::Value& request, schema::Report& report) {
    check_repetitions(request,
                      {.array = "statements",
                       .field = "statement_id",
                       .form = statement_id(),
                       .max_items = max_statements,
                       .code = Code::duplicate,
                       .detail = "An earlier statement of this request has the same statement_id."},
                      report);
}

}  // namespace

schema::Object historical_statement() {
    return object()
        .need("statement_id", statement_id(),
              "Identifier of the statement in the supplier's system. A statement with the same identifier is "
              "stored once.")
        .need("bill_period_from_date", date(), "First day of the period of the statement.")
        .need("bill_period_to_date", date(), "Last day of the period, inclusive.")
        .may("issued_date", date(), "Day on which the statement was issued.")
        .may("number", code(128), "Number printed on the statement.")
        .may("gross_amount", schema::decimal(14, 2),
             "In the currency's main unit (86.42): total of the statement including tax.")
        .may("statement_path", schema::document_path(), about::document_path)
        .may("supply_type", code(32), "What was supplied, for example `ELECTRICITY`.")
        .may("is_annulled", boolean(), "Whether the statement has been annulled; false if left out.")
        .as_of_1_0(
            "statement_id bill_period_from_date bill_period_to_date issued_date? number? gross_amount? "
            "statement_path? supply_type?",
            {"is_annulled"})
        .rule({"bill_period_from_date", "bill_period_to_date"}, covers_a_period);
}

// The text is the same whether is_annulled is false or left out, because both mean the same.
std::string content_of_historical_statement(const json::Value& statement) {
    static const schema::Schema content = historical_statement();
    const auto is_annulled = statement.find("is_annulled");
    return schema::content_text(content, statement) +
           (is_annulled && is_annulled->boolean() ? "annulled" : "valid");
}

schema::Object historical_statements() {
    return account_scoped()
        .need("statements", schema::array(historical_statement()).min(1).max(max_statements),
              "The statements, in any order. Either all are stored, or none.")
        .rule({}, has_each_statement_once);
}

}  // namespace data_import::payload
