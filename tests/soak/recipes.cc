#include "recipes.h"

#include <algorithm>
#include <array>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/schema_sample.h"
#include "data/json/reader.h"
#include "data/payload/imports.h"
#include "data/records/kinds.h"

namespace data_import::soak {

namespace {

constexpr std::string_view note =
    R"({"body":"{id}.{n} called about the bill","document_paths":[{"document_path":"{id}/{n}.pdf"}]})";
constexpr std::string_view dated_note =
    R"({"body":"{id}.{n}","created_at":"2024-05-01T10:00:00Z","is_pinned":true})";
constexpr std::string_view long_note =
    R"({"body":"{id}.{n} Meter reading by telephone: the customer says that the display shows 004711.0 and that the seal is )"
    R"(unbroken; a photograph will follow by post. Asked for a change of the monthly instalment from the next bill on, )"
    R"(was told that this needs the reading, agreed. ÄÖÜ äöü ß €","created_at":"2024-05-02T10:00:00+02:00"})";
constexpr std::string_view payment =
    R"({"type":"PAYMENT","transaction_id":"{id}.{n}","transaction_date":"2024-05-15","amount":12.34,"reference":"R"})";
constexpr std::string_view charge =
    R"({"type":"SUPPLY_CHARGE","transaction_id":"{id}.{n}","transaction_date":"2024-05-31","amount":71.40,)"
    R"("product_code":"ELECTRICITY","display_note":"Electricity in May","line_items":[)"
    R"({"start_date":"2024-05-01","end_date":"2024-05-15","number_of_units":100.5,"net_amount":30,"units":[1,2]},)"
    R"({"start_date":"2024-05-16","end_date":"2024-05-31","number_of_units":99.5,"net_amount":30}],)"
    R"("tax_items":[{"amount":11.4,"tax_type":"VAT","value_taxed":60,"rate":0.19,"unit_type":"PROPORTION"}]})";
constexpr std::string_view early_credit =
    R"({"type":"CREDIT","transaction_id":"{id}.{n}","transaction_date":"2024-04-30","amount":-5,"reason":"IMPORTED_CREDIT"})";
constexpr std::string_view statement =
    R"({"statement_id":"{id}.{n}","bill_period_from_date":"2023-12-01","bill_period_to_date":"2023-12-31",)"
    R"("gross_amount":-86.40,"statement_path":"statements/{id}/{n}.pdf"})";
constexpr std::string_view delivery_note =
    R"("delivery_note":{"malo_number":"50812345678","amounts":[{items}],"cancelled":false,"validation_status":true,)"
    R"("edifact_reference_number":"{id}.0"})";
constexpr std::string_view delivered_amount =
    R"({"period_start_at":"2022-01-01T00:00:00+01:00","period_end_at":"2022-02-01T00:00:00+01:00",)"
    R"("product_identifier":"1-1:1.29.0","product_identifier_type":"SRW","quantity":"245.123000000",)"
    R"("quantity_unit":"KWH","line_item_identifier":"{n}"})";
constexpr std::string_view energy_amount =
    R"("energy_amount":{"malo_number":"50812345678","period_start_at":"2022-01-01T00:00:00+01:00",)"
    R"("period_end_at":"2022-02-01T00:00:00+01:00","product_identifier":"1-1:1.29.0","product_identifier_type":"SRW",)"
    R"("quantity":"245.123000000","quantity_unit":"KWH","line_item_identifier":"1","cancelled":false,)"
    R"("edifact_reference_number":"{id}.0"})";
constexpr std::string_view invoice =
    R"("market_participant_invoice":{"invoice_type":"INVOICE","invoice_document_type":"NNE","invoice_number":"{id}.0",)"
    R"("status":"CLOSED","issued_at":"2022-02-05T09:00:00+01:00","due_at":"2022-02-19T00:00:00Z",)"
    R"("malo_number":"50812345678","amount_total":2499,"amount_due":2499,"external_id":"{id}","sender_id":1,)"
    R"("recipient_id":2,"sender_address":{"name":"Grid"},"recipient_address":{"name":"Supply"},"line_items":[{items}],)"
    R"("tax_amounts":[{"tax_rate":"19.0000","tax_rate_type":"S","tax_amount_assessment_basis":2100,"tax_amount":399}]})";
constexpr std::string_view invoice_line =
    R"({"position":{n},"article":"a","article_type":"t","quantity":"245.123000000","quantity_unit":"KWH",)"
    R"("period_start_at":"2022-01-01T00:00:00Z","period_end_at":"2022-02-01T00:00:00Z","amount_net":2100,)"
    R"("price":"0.085671000","tax_rate":"19.0000","tax_rate_type":"S"})";
constexpr std::string_view participant =
    R"("code":{code},"code_type":"BDEW","name":"{id}.0","role":"NETWORK_OPERATOR","energy":"ELECTRICITY",)"
    R"("contact_details":[{items}])";
constexpr std::string_view price_sheet =
    R"({"market_participant_code":{participant},"price_sheet_type":"Z32","document_number":"PRICAT-1",)"
    R"("active_from":"2024-01-01T00:00:00+01:00","external_id":"{id}.{n}","article_prices":[)"
    R"({"article_id":"1-01-6-001","price_cents":"1250.0000"},{"article_id":"1-01-6-002","price_cents":3}]})";
constexpr std::string_view sheet_of_nobody =
    R"({"market_participant_code":9999999999999,"price_sheet_type":"Z32","document_number":"PRICAT-1",)"
    R"("active_from":"2024-01-01T00:00:00+01:00","external_id":"{id}.{n}","article_prices":[]})";

/// Returns a recipe for requests with one payment instruction, whose JSON fields are `content`. The field
/// `vendor` names a simulated vendor, and so chooses how the vendor behaves. A recipe with twice the `weight`
/// is chosen twice as often. `hopeless` is true if the vendor never answers well.
constexpr Recipe instruction(long weight, std::string_view content, bool hopeless = false) {
    return {.kind = "payment_instructions", .weight = weight, .content = content, .hopeless = hopeless};
}

constexpr auto own_recipes = std::to_array<Recipe>({
    {.kind = "notes", .weight = 12, .content = R"("notes":[{items}])", .item = note, .most_items = 5},
    {.kind = "notes", .weight = 8, .content = R"("notes":[{items}])", .item = dated_note, .most_items = 20},
    {.kind = "notes", .weight = 1, .content = R"("notes":[{items}])", .item = long_note, .most_items = 600},
    {.kind = "transactions",
     .weight = 8,
     .content = R"("transactions":[{items}])",
     .item = payment,
     .most_items = 4},
    {.kind = "transactions",
     .weight = 8,
     .content = R"("transactions":[{items}])",
     .item = charge,
     .most_items = 20},
    {.kind = "transactions",
     .weight = 6,
     .query = "?check_previously_added=false",
     .content = R"("transactions":[{items}])",
     .item = charge,
     .most_items = 4,
     .retryable = false},
    {.kind = "transactions",
     .weight = 6,
     .query = "?check_previously_added=false",
     .content = R"("transactions":[{items}])",
     .item = charge,
     .most_items = 4,
     .needs_key = true},
    {.kind = "transactions",
     .weight = 4,
     .content = R"("transactions":[{items}])",
     .item = early_credit,
     .most_items = 4,
     .moves_dates = true},
    {.kind = "historical_statements",
     .weight = 6,
     .content = R"("statements":[{items}])",
     .item = statement,
     .most_items = 6},
    {.kind = "delivery_notes",
     .weight = 5,
     .content = delivery_note,
     .item = delivered_amount,
     .most_items = 30},
    {.kind = "energy_amounts", .weight = 5, .content = energy_amount},
    {.kind = "market_participant_invoices",
     .weight = 5,
     .content = invoice,
     .item = invoice_line,
     .most_items = 20},
    {.kind = "market_participants",
     .weight = 2,
     .content = participant,
     .item = R"({"category":"INVOICING","name":"Desk {n}"})",
     .most_items = 5,
     .where = Where::nowhere},
    {.kind = "price_sheets",
     .weight = 3,
     .content = R"("price_sheets":[{items}])",
     .item = price_sheet,
     .most_items = 5,
     .where = Where::nowhere},
    instruction(4, R"("vendor":"good","reference":"{id}.0","type":"CARD")"),
    instruction(2, R"("vendor":"flaky","reference":"{id}.0","type":"CARD")"),
    instruction(1, R"("vendor":"flaky_resets","reference":"{id}.0","type":"CARD")"),
    instruction(1, R"("vendor":"slow","reference":"{id}.0","type":"CARD")"),
    instruction(1, R"("vendor":"too_flaky","reference":"{id}.0","type":"CARD")"),
    instruction(1, R"("vendor":"closes","reference":"{id}.0","type":"CARD")", true),
    {.kind = "payment_instructions",
     .weight = 1,
     .content = R"("vendor":"status_404","reference":"{id}.0","type":"CARD")",
     .refusal = 400},
    {.kind = "notes",
     .weight = 2,
     .content = R"("notes":[{items}])",
     .item = note,
     .most_items = 5,
     .where = Where::foreign,
     .refusal = 404},
    {.kind = "notes",
     .weight = 2,
     .content = R"("notes":[{items}])",
     .item = note,
     .most_items = 5,
     .where = Where::staged,
     .refusal = 404},
    {.kind = "notes",
     .weight = 2,
     .content = R"("notes":[{items},{"body":"{id}.99","created_at":"yesterday"}])",
     .item = note,
     .most_items = 20,
     .refusal = 400},
    {.kind = "transactions",
     .weight = 2,
     .query = "?force_add_to_current_statement=false",
     .content =
         R"("transactions":[{"type":"PAYMENT","transaction_id":"{id}.99","transaction_date":"2024-05-15","amount":1},{items}])",
     .item = early_credit,
     .most_items = 4,
     .refusal = 400},
    {.kind = "price_sheets",
     .weight = 1,
     .content = R"("price_sheets":[{items}])",
     .item = sheet_of_nobody,
     .most_items = 5,
     .where = Where::nowhere,
     .refusal = 400},
});

/// Returns `record`, a sample, with `{id}.{n}` as the value of one text field. Chooses the first field that
/// may hold an ID, and by which the service tells two records of this kind apart. Throws std::logic_error if
/// the sample has no such field.
std::string with_id(const records::Kind& kind, const std::string& record) {
    constexpr std::string_view any_text = R"("x")";
    const auto sent = [&](std::size_t at, std::string_view id) {
        std::string text = record;
        return text.replace(at, any_text.size(), '"' + std::string(id) + '"');
    };
    for (std::size_t at = 0; (at = record.find(any_text, at)) != std::string::npos; ++at) {
        const json::Document one = json::read(sent(at, "soak-000-1000000.1000"));
        if (!schema::check(kind.record, one.root(), schema::UnknownFields::refuse).empty()) continue;
        const json::Document other = json::read(sent(at, "soak-000-1000000.1001"));
        if (kind.identity == nullptr || kind.identity(one.root()) != kind.identity(other.root()))
            return sent(at, "{id}.{n}");
    }
    throw std::logic_error("soak: no sample of " + std::string(kind.name) +
                           " has a text for an ID: give it a recipe of its own");
}

/// Makes a recipe for a kind that has none in this file: a record with only the fields that its declaration
/// requires.
Recipe recipe_of(const records::Kind& kind) {
    static std::deque<std::string> texts;
    const payload::DeclaredImport& import = payload::import_of(kind.name);
    const std::string_view record = texts.emplace_back(with_id(kind, tests::sample_of(kind.record)));
    const bool is_whole = import.field.empty();
    const std::string field = is_whole ? "" : '"' + std::string(import.field) + "\":";
    return {.kind = kind.name,
            .weight = 5,
            .content = texts.emplace_back(field + (import.is_list ? "[{items}]" : "{items}")),
            .item = is_whole ? record.substr(1, record.size() - 2) : record,
            .most_items = import.is_list ? 5 : 1};
}

}  // namespace

std::span<const Recipe> all_recipes() {
    static const std::vector<Recipe> all = [] {
        std::vector<Recipe> made(own_recipes.begin(), own_recipes.end());
        for (const records::Kind& kind : records::kinds()) {
            if (std::ranges::find(made, kind.name, &Recipe::kind) == made.end())
                made.push_back(recipe_of(kind));
        }
        return made;
    }();
    return all;
}

}  // namespace data_import::soak
