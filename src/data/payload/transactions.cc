#include "data/payload/declarations.h"

#include "base/util/datetime.h"
#include "data/payload/account_scoped.h"
#include "data/payload/rules.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::choice;
using schema::code;
using schema::date;
using schema::decimal;
using schema::object;
using schema::text;

constexpr std::size_t units_of_line_item = 2;

void ends_after_start(const json::Value& line_item, schema::Report& report) {
    const auto start = line_item.find("start_date");
    const auto end = line_item.find("end_date");
    if (!start || !end || util::parse_date(start->text()) <= util::parse_date(end->text())) return;
    report.add("end_date", Code::start_date_later_than_end_date,
               "end_date must not be earlier than start_date.");
}

schema::Object line_item() {
    return object()
        .need("start_date", date(), "First day of the line's period.")
        .need("end_date", date(), "Last day of the line's period, inclusive.")
        .need("number_of_units", decimal(16, 4),
              "In the units of the product, such as kWh: the charged quantity.")
        .need("net_amount", decimal(20, 10),
              "In the currency's main unit (12.50): the price of this quantity without tax.")
        .may("price_per_unit", decimal(15, 7), "In the currency's main unit (0.30): the price of one unit.")
        .may("rate_band", code(64), "Code of the rate that applies, for example `CONSUMPTION_STANDARD`.")
        .may("units",
             array(decimal(16, 4)).exactly(units_of_line_item, Code::line_item_units_must_be_two_values),
             "In the units of the product: exactly two figures of the supplier's system.")
        .rule({"start_date", "end_date"}, ends_after_start);
}

schema::Array tax_items() {
    return array(object()
                     .need("amount", decimal(20, 10), "In the currency's main unit (12.50): the tax.")
                     .need("tax_type", code(32), "Code of the tax, for example `VAT`.")
                     .need("value_taxed", decimal(20, 5),
                           "In the currency's main unit (12.50), or in kWh if `unit_type` is "
                           "CURRENCY_PER_KWH: the taxed value.")
                     .need("rate", decimal(20, 5),
                           "As a proportion (0.19), or in the currency's main unit per kWh: see `unit_type`.")
                     .need("unit_type", choice({"PROPORTION", "CURRENCY_PER_KWH"}),
                           "Meaning of `rate`: a proportion of the value, or money for each kWh."))
        .max(100);
}

schema::Schema transaction_id() {
    return code(128);
}

/// Declares the fields that transactions of every type have. `amount` is the schema of the field `amount`.
schema::Object any_transaction(const schema::Schema& amount) {
    return object()
        .need("transaction_id", transaction_id(),
              "Identifier of the transaction in the supplier's system. A transaction with the same "
              "identifier is added once.")
        .need("transaction_date", date(),
              "Day of the transaction. It must be inside the open statement period, unless the service may "
              "move it there.")
        .need("amount", amount, "In the currency's main unit (12.50): the amount.")
        .may("note", text(1, 4096), "Internal note, which the customer does not see.");
}

schema::Object credit(const schema::Schema& amount) {
    return any_transaction(amount)
        .need("reason", text(1, 64),
              "Code of the reason, for example `IMPORTED_CHARGE` or `IMPORTED_CREDIT`.")
        .may("display_note", text(1, 4096), "Note that the customer sees.");
}

schema::Object charge(const schema::Schema& amount) {
    return credit(amount).may("tax_items", tax_items(), "Taxes that the amount contains.");
}

schema::Object payment(const schema::Schema& amount) {
    return any_transaction(amount)
        .may("reason", text(1, 64),
             "Code of the reason, for example `ACCOUNT_CHARGE_PAYMENT` or `FULL_CREDIT_REFUND`.")
        .may("reference", text(1, 512), "Reference of the payment at the bank or payment provider.")
        .may("payment_type", code(64),
             "Code of the payment method, for example `DD_REGULAR_COLLECTION` or `DIRECT_CREDIT`.")
        .may("display_note", text(1, 4096), "Note that the customer sees.");
}

schema::Object supply_charge(const schema::Schema& amount) {
    return any_transaction(amount)
        .need("product_code", code(128), "Code of the charged product.")
        .may("display_note", text(1, 4096), "Note that the customer sees.")
        .need("line_items", array(line_item()).min(1).max(1000), "The lines of the charge.")
        .may("tax_items", tax_items(), "Taxes on the charge.");
}

constexpr std::string_view about_type =
    "Kind of the transaction. It determines which other fields are allowed.";

using Types = std::vector<std::pair<std::string, schema::Object>>;

/// Declares the types of transactions. `amount_paid` declares the amount of payments and repayments. It has
/// to be above 0, because the type says in which direction the money goes.
Types types(const schema::Schema& amount, const schema::Schema& amount_paid) {
    return {{"CHARGE", charge(amount)},
            {"CREDIT", credit(amount)},
            {"PAYMENT", payment(amount_paid)},
            {"REPAYMENT", payment(amount_paid)},
            {"SUPPLY_CHARGE", supply_charge(amount)}};
}

void has_each_id_once(const json::Value& payload, schema::Report& report) {
    check_repetitions(payload,
                      {.array = "transactions",
                       .field = "transaction_id",
                       .form = transaction_id(),
                       .max_items = max_transactions,
                       .code = Code::duplicate_transaction_ids,
                       .detail = "This transaction_id is in the payload more than once."},
                      report);
}

}  // namespace

const schema::Schema& transaction() {
    static const schema::Schema schema =
        schema::variant("type", types(decimal(12, 2), schema::positive_decimal(12, 2)), about_type);
    return schema;
}

schema::Schema echoed_transaction() {
    const auto amount = schema::fixed_decimal(12, 2);
    Types echoed = types(amount, amount);
    for (auto& [name, type] : echoed) {
        type = type.may("description", text(1, 512), "Reason why the service changed the date, if it did.")
                   .may("status", choice({"TRANSACTION_IMPORT_SUCCESS"}),
                        "Present in a transaction that the account had already.");
    }
    return schema::variant("type", echoed, about_type);
}

schema::Object transactions() {
    return account_scoped()
        .need("transactions", array(transaction()).min(1).max(max_transactions),
              "The transactions, in any order. Either all are added, or none.")
        .rule({}, has_each_id_once);
}

}  // namespace data_import::payload
