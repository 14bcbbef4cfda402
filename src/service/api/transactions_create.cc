#include <algorithm>

#include "base/util/limits.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/store/columns.h"
#include "data/store/transactions.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"
#include "service/api/transactions_echo.h"

namespace data_import::api {

namespace {

constexpr std::string_view check_previously_added = "check_previously_added";
constexpr std::string_view force_add_to_current_statement = "force_add_to_current_statement";

/// Returns the least and the greatest id of the transactions, in the order of PostgreSQL's collation C, and
/// their earliest and latest date.
store::TransactionBounds bounds_of(const json::Value& transactions) {
    const json::Value first = *transactions.items().begin();
    const std::string_view id = first.at("transaction_id").text();
    const std::string_view date = first.at("transaction_date").text();
    store::TransactionBounds bounds{id, id, date, date};
    for (const json::Value transaction : transactions.items()) {
        json::MembersInTurn members(transaction);
        const std::string_view one_id = members.find("transaction_id").value().text();
        const std::string_view one_date = members.find("transaction_date").value().text();
        bounds = {std::min(bounds.least_id, one_id), std::max(bounds.greatest_id, one_id),
                  std::min(bounds.earliest, one_date), std::max(bounds.latest, one_date)};
    }
    return bounds;
}

store::Import import(const http::Context& context) {
    const json::Value transactions = context.body().at("transactions");
    store::Columns rows = store::columns_of(payload::transaction(), transactions);
    std::vector<store::RowSet> items;
    for (store::Columns::Part& part : rows.parts)
        items.emplace_back(std::move(part.columns), std::move(part.owners));
    return store::import_transactions(
        import_target(context),
        {.check_previously_added = context.query.flag(check_previously_added),
         .most_stored = std::max(
             util::limits::stored_transactions,
             2 * context.request.body.size() + transactions.size() * util::limits::moved_transaction),
         .force_add_to_statement = context.query.flag(force_add_to_current_statement)},
        bounds_of(transactions), store::RowSet(std::move(rows.columns), 1), std::move(items));
}

schema::Violation violation_of(const store::MisdatedTransaction& misdated, const json::Value& transactions) {
    const json::Value date = transactions.item(misdated.index).at("transaction_date");
    std::string attr = "transactions." + std::to_string(misdated.index) + ".transaction_date";
    if (misdated.period_first_day && misdated.period_last_day) {
        return schema::violation_of(std::move(attr), Code::transaction_outside_statement_period,
                                    "The date must lie in the open statement period, " +
                                        *misdated.period_first_day + " to " + *misdated.period_last_day + ".",
                                    date);
    }
    return {.attr = std::move(attr),
            .code = Code::no_open_statement_period,
            .detail = "The account has no open statement period, so no transaction can be added to it.",
            .position = date.position()};
}

void require_well_dated(const std::vector<store::MisdatedTransaction>& misdated,
                        const json::Value& transactions) {
    if (misdated.empty()) return;
    std::vector<schema::Violation> violations;
    for (const store::MisdatedTransaction& one : misdated) {
        violations.push_back(violation_of(one, transactions));
    }
    throw http::validation_error(std::move(violations));
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const store::TransactionsImported imported = store::read_imported_transactions(rows);
    const json::Value sent = context.body().at("transactions");
    require_done(imported.verdict);
    if (imported.is_too_much_stored) {
        throw http::Problem{Code::payload_too_large,
                            "The answer would be too long, because it repeats the transactions that are "
                            "already stored: send fewer of them at a time."};
    }
    require_well_dated(imported.misdated, sent);
    static const store::ImportedTransaction as_sent;
    json::Writer writer;
    writer.begin_object().key("results").begin_array();
    std::size_t index = 0;
    std::size_t differing = 0;
    for (const json::Value item : sent.items()) {
        const auto remarkable = imported.remarkable.find(index++);
        if (!context.is_success_told && remarkable == imported.remarkable.end()) continue;
        if (write_result(writer, item,
                         remarkable == imported.remarkable.end() ? as_sent : remarkable->second))
            ++differing;
    }
    writer.end_array().end_object();
    const auto already = std::ranges::count_if(imported.remarkable,
                                               [](const auto& one) { return one.second.stored.has_value(); });
    return {.status = 201,
            .body = writer.take(),
            .differing = differing,
            .stored = sent.size() - static_cast<std::size_t>(already)};
}

schema::Schema answer() {
    const auto result =
        schema::object()
            .need("status", schema::choice({"TRANSACTION_ADDED_TO_ACCOUNT", "TRANSACTION_ALREADY_EXISTS"}),
                  "Whether the transaction is new, or the account had it already.")
            .may("differs", schema::boolean(),
                 "True if the account has it with other content; otherwise left out.")
            .need("transaction_data", payload::echoed_transaction(),
                  "The transaction as the account has it.");
    return schema::object().need("results", schema::array(result), "Results in the order of the request.");
}

// Declares the answer that refuses a transaction (contract, section 5.4). It has three members in addition to
// those of every error.
schema::Schema failing_transaction() {
    return http::error_schema({&codes::row_of(Code::validation_error), 1})
        .need("status", schema::choice({"TRANSACTION_IMPORT_ERROR"}), "Always this.")
        .need("error_detail", schema::text(1, 4096),
              "A sentence on the first failing transaction; its wording may change.")
        .need("transaction_data", schema::anything_like(payload::transaction()),
              "The first failing transaction, exactly as it was sent: a fault in it is still there.");
}

}  // namespace

http::Endpoint transactions_create() {
    const payload::DeclaredImport& declared = payload::import_of("transactions");
    return {
        .method = "POST",
        .path = declared.path,
        .summary = "Add financial transactions to an imported account, inside its open statement period.",
        .tag = http::Tag::account_data,
        .supplier = http::SupplierIn::body,
        .stores = declared.stores,
        .identity = "Two transactions of an account are the same if their `transaction_id` is the same.",
        .body = declared.body,
        .query =
            {{check_previously_added,
              "Skip transactions whose `transaction_id` the account has already. `false` adds them again.",
              true},
             {force_add_to_current_statement,
              "Change a date outside the account's open statement period to the nearest day of the period, "
              "and pin a note to the account. The answer has a `description` of the change in the "
              "transaction. `false` refuses the request.",
              true}},
        .answers =
            {{201,
              "The result for each transaction, in the order of the request. `differs` is true if the "
              "account "
              "has the transaction already, but with other content; the stored transaction does not change.",
              answer()},
             {400, "No transaction of the request was stored. The answer has the first failing one.",
              failing_transaction()}},
        .rule_codes = {Code::duplicate_transaction_ids, Code::start_date_later_than_end_date,
                       Code::line_item_units_must_be_two_values, Code::no_open_statement_period,
                       Code::transaction_outside_statement_period},
        .import = import,
        .reply = reply,
        .extend_refusal = write_failing_transaction};
}

}  // namespace data_import::api
