// The views of the schema platform: how they show records, and how their comments describe every view and
// column.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/load.h"
#include "../../support/world.h"
#include "base/util/crypto.h"
#include "data/json/reader.h"
#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"
#include "data/records/fingerprint.h"
#include "data/schema/node.h"
#include "data/store/import.h"

namespace data_import::tests {

namespace {

AdminSession& database() {
    return world().database();
}

// --- declarations

/// A view, the declaration of its fields and, if its rows are items of a list, the name of that array in the
/// record.
struct Declared {
    std::string view;
    schema::Schema record;
    std::string array = {};
};

std::vector<Declared> declared_views() {
    return {{"note", payload::note()},
            {"financial_transaction", payload::transaction()},
            {"transaction_line_item", payload::transaction(), "line_items"},
            {"transaction_tax_item", payload::transaction(), "tax_items"},
            {"historical_statement", payload::historical_statement()},
            {"delivery_note", payload::delivery_note()},
            {"delivery_note_amount", payload::delivery_note(), "amounts"},
            {"energy_amount", payload::energy_amount()},
            {"market_participant_invoice", payload::market_participant_invoice()},
            {"invoice_line_item", payload::market_participant_invoice(), "line_items"},
            {"invoice_tax_amount", payload::market_participant_invoice(), "tax_amounts"},
            {"payment_instruction", payload::payment_instruction([](std::string_view) { return true; })},
            {"market_participant", payload::market_participant()},
            {"market_participant_contact", payload::market_participant(), "contact_details"},
            {"price_sheet", payload::price_sheet()},
            {"article_price", payload::price_sheet(), "article_prices"}};
}

bool is_list(const schema::Field& field) {
    const auto* array = std::get_if<schema::ArrayNode>(&schema::without_null(field.schema).node().kind);
    return array != nullptr && schema::object_in(array->item) != nullptr && field.name != "document_paths";
}

/// The name of a field's column. The column `position` of an invoice's lines is their place in the list, so
/// the field of this name has another column.
std::string column_of(const Declared& declared, const std::string& field) {
    const bool is_taken = declared.view == "invoice_line_item" && field == "position";
    return is_taken ? "position_on_invoice" : field;
}

using Sentences = std::multimap<std::string, std::string>;  ///< by column; "" is the view itself

void add_fields(Sentences& sentences, const Declared& declared, const schema::ObjectNode& object,
                const std::string& prefix, bool is_inside) {
    for (const schema::Field& field : object.fields) {
        if (!is_inside && field.name == declared.array) {
            sentences.emplace("", field.sentence);
            const auto& array = std::get<schema::ArrayNode>(field.schema.node().kind);
            add_fields(sentences, declared, *schema::object_in(array.item), prefix, true);
        } else if (is_inside == declared.array.empty() || is_list(field)) {
            continue;
        } else if (const schema::ObjectNode* inside = schema::object_in(field.schema)) {
            add_fields(sentences, declared, *inside, prefix + field.name + '_', is_inside);
        } else {
            sentences.emplace(prefix + column_of(declared, field.name), field.sentence);
        }
    }
}

Sentences sentences_of(const Declared& declared) {
    Sentences sentences;
    const auto* variant = std::get_if<schema::VariantNode>(&declared.record.node().kind);
    if (variant == nullptr) {
        add_fields(sentences, declared, *schema::object_in(declared.record), "", false);
    } else {
        for (const auto& [name, form] : variant->alternatives)
            add_fields(sentences, declared, *schema::object_in(form), "", false);
    }
    return sentences;
}

/// Descriptions of a view's columns, and of the view itself under "".
std::map<std::string, std::string> comments_on(const std::string& view) {
    std::map<std::string, std::string> comments;
    for (const auto& row :
         database().rows("SELECT coalesce(attname, ''), coalesce(description, '') "
                         "FROM (SELECT 0 AS number, NULL AS attname UNION ALL SELECT attnum, attname "
                         "FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0) AS described "
                         "LEFT JOIN pg_description ON objoid = $1::regclass AND objsubid = number",
                         {"platform." + view}))
        comments.emplace(row.at(0), row.at(1));
    return comments;
}

// --- records

struct Import {
    std::string path;
    std::string members;
};

/// The records of tests/fingerprint-vectors.json, the published examples of digests, each in a request of its
/// own.
std::vector<Import> published_imports() {
    static const std::map<std::string, std::pair<std::string, std::string>> endpoints = {
        {"notes", {"notes/create/", "notes"}},
        {"transactions", {"transactions/create/", "transactions"}},
        {"historical_statements", {"historical-statements/create/", "statements"}},
        {"delivery_notes", {"delivery-note/create/", "delivery_note"}},
        {"energy_amounts", {"energy-amount/create/", "energy_amount"}},
        {"market_participant_invoices",
         {"market-participant-invoice/create/", "market_participant_invoice"}}};
    std::ostringstream text;
    text << std::ifstream("tests/fingerprint-vectors.json").rdbuf();
    const json::Document published = json::read(text.str());
    std::vector<Import> imports;
    for (const json::Value vector : published.root().at("vectors").items()) {
        const auto endpoint = endpoints.find(std::string(vector.at("kind").text()));
        if (endpoint == endpoints.end()) continue;
        const auto& [path, field] = endpoint->second;
        const std::string record(vector.at("input").text());
        imports.push_back({path, '"' + field + "\":" + (field.ends_with('s') ? '[' + record + ']' : record)});
    }
    return imports;
}

/// Records with values that are written in another way than they are stored.
std::vector<Import> odd_imports() {
    const std::string charge =
        R"({"type":"CHARGE","transaction_id":"a\\b😀'","transaction_date":"2024-03-05","amount":12.50,"reason":"R","tax_items":[]})";
    const std::string amount =
        R"("period_end_at":"2024-02-01T00:00:00.000100+01:00","product_identifier_type":"SRW","quantity":)";
    const std::string line =
        R"("article":"a","article_type":"t","quantity":1e-9,"quantity_unit":"DAY","period_start_at":"2024-01-01T00:00:00Z",)"
        R"("period_end_at":"2024-01-01T00:00:00Z","amount_net":-1,"price":"-0.10","tax_rate":19,"tax_rate_type":"S",)";
    return {
        {"notes/create/",
         R"("notes":[{"body":"no time \\ 😀 \"quoted\" \u0001"},)"
         R"({"body":"with time","created_at":"1999-12-31T23:59:59.999999-14:00","is_pinned":true,)"
         R"("unpin_at":"2024-02-29T12:00:00.120000+02:00"},{"body":"with time"},)"
         R"({"body":"with time","created_at":"2024-02-29T12:00:00Z","is_pinned":false},)"
         R"({"document_paths":[{"document_path":"b/ü.pdf"},{"document_path":"a.pdf"}]}])"},
        {"transactions/create/", R"("transactions":[)" + charge + "]"},
        {"transactions/create/?check_previously_added=false", R"("transactions":[)" + charge + "]"},
        {"transactions/create/",
         R"("transactions":[{"type":"PAYMENT","transaction_id":"moved","transaction_date":"2020-01-01","amount":"0030.0"}])"},
        {"historical-statements/create/",
         R"("statements":[{"statement_id":"\\x00","bill_period_from_date":"1900-01-01","bill_period_to_date":"2999-12-31",)"
         R"("gross_amount":1E2,"is_annulled":false,"statement_path":"s.pdf"}])"},
        {"delivery-note/create/",
         R"("delivery_note":{"malo_number":"12345678901","cancelled":true,"validation_status":false,)"
         R"("edifact_reference_number":"E","last_validation_at":"2024-01-01T00:00:00.5Z","amounts":[)"
         R"({"period_start_at":"2024-01-01T00:00:00Z","product_identifier":"p","quantity_unit":"KWH","line_item_identifier":"1",)" +
             amount +
             R"("-0.500"},{"period_start_at":"2024-01-01T00:00:00+05:45","product_identifier":"q",)"
             R"("quantity_unit":"KW","line_item_identifier":"1",)" +
             amount + "1e3}]}"},
        {"energy-amount/create/",
         R"("energy_amount":{"malo_number":"12345678901","period_start_at":"2024-01-01T00:00:00Z",)"
         R"("period_end_at":"2024-01-01T00:00:00Z","product_identifier":"p","product_identifier_type":"t","quantity":0.0,)"
         R"("quantity_unit":"KWH","line_item_identifier":"1","cancelled":true,"cancelled_at":null,"cancelled_reference":null,)"
         R"("plausibility_indications":[],"measurement_classifications":["a","b,c","\"d\""],"edifact_reference_number":"E"})"},
        {"market-participant-invoice/create/",
         R"("market_participant_invoice":{"invoice_type":"t","invoice_document_type":"d","invoice_number":"n","status":"s",)"
         R"("issued_at":"2024-01-01T00:00:00Z","due_at":"2024-01-01T00:00:00Z","malo_number":"12345678901","melo_number":null,)"
         R"("service_conducted_at":null,"amount_total":-0,"amount_due":9223372036854775807,"amount_discount":null,)"
         R"("is_duplicate":false,"external_id":"x","sender_id":0,"recipient_id":9999999999999,)"
         R"("sender_address":{"name":"n","city":"😀"},"recipient_address":{"name":"n"},"line_items":[{"position":7,)" +
             line +
             R"("quantity_interval":1e2,"quantity_interval_type":"1e2","quantity_correction_factor":1.50,"price_interval":null},)"
             R"({"position":7,)" +
             line +
             R"("quantity_interval":-0,"quantity_interval_type":true,"quantity_correction_factor":1200,"price_interval":0.0}],)"
             R"("tax_amounts":[{"tax_rate":"07.00","tax_rate_type":"S","amount_paid_in_advance":1E1,)"
             R"("tax_amount_paid_in_advance":null,"tax_amount_assessment_basis":1,"tax_amount":1}]})"},
        {"payment-instruction/create/", R"("vendor":"NORDPAY","reference":"PI-1","type":"CARD")"}};
}

void import(const std::string& account, const Import& record) {
    const Answer answer =
        ask(world().stack(), {.method = "POST",
                              .target = "/v1/data-import/" + record.path,
                              .headers = {{"Host", "localhost"},
                                          {"Content-Type", "application/json"},
                                          {"Authorization", "Token " + *world().shared("token")}},
                              .body = R"({"import_supplier":"ACME","external_account_number":")" + account +
                                      "\"," + record.members + '}'});
    CPPUNIT_ASSERT_EQUAL_MESSAGE(record.members + shown(answer), 201, answer.status);
}

/// Imports the records of published_imports() and odd_imports() into a new account of ACME, and returns the
/// number of the account.
std::string import_odd_book() {
    const std::string account = world().take_account("imported");
    run_ctl(world().stack(), "statement open ACME " + account + " 2024-01-01:2024-12-31");
    for (const Import& record : published_imports()) import(account, record);
    for (const Import& record : odd_imports()) import(account, record);
    return account;
}

using Fingerprints = std::map<std::pair<std::string, std::string>, std::string>;  ///< of account and kind

/// Fingerprints of all accounts of ACME, as the service computes them from its tables.
Fingerprints held_fingerprints() {
    const Answer answer = ask(world().stack(), get_request("/v1/data-import/account-control-totals/ACME/",
                                                           *world().shared("token")));
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    const json::Document document = json::read(answer.body);
    Fingerprints held;
    for (const json::Value account : document.root().items()) {
        for (const auto& [kind, totals] : account.at("kinds").members())
            held[{std::string(account.at("external_account_number").text()), std::string(kind)}] =
                totals.at("fingerprint").text();
    }
    return held;
}

/// Fingerprints of all accounts of ACME, computed from platform.record alone.
Fingerprints read_fingerprints() {
    std::map<std::pair<std::string, std::string>, records::Fingerprint> sums;
    for (const auto& row : database().rows("SELECT external_account_number, kind, canonical_content "
                                           "FROM platform.record WHERE import_supplier = 'ACME'"))
        sums[{row.at(0), row.at(1)}].add(records::digest_head(row.at(1), row.at(0)) + row.at(2));
    Fingerprints read;
    for (const auto& [place, sum] : sums) read[place] = sum.to_text();
    return read;
}

/// Computes the identifier of a record without the database; the result has no hyphens.
std::string record_id(std::string_view kind, std::string_view account_key, std::string_view name) {
    std::string bytes(kind);
    for (std::size_t at = 0; at < account_key.size(); at += 2)
        bytes += static_cast<char>(std::stoi(std::string(account_key.substr(at, 2)), nullptr, 16));
    return util::to_hex(util::bytes_of(util::sha256(bytes.append(name))).substr(0, 16));
}

/// The only record_id of the account's rows that meet the condition, without hyphens.
std::string identifier_in(const std::string& view, const std::string& account, const std::string& condition) {
    return database().value("SELECT DISTINCT replace(record_id::text, '-', '') FROM platform." + view +
                                " WHERE import_supplier = 'ACME' AND external_account_number = $1 AND " +
                                condition,
                            {account});
}

/// Fails unless the view has one row for each item of this list in all records of the kind.
void check_list(const std::string& view, const std::string& kind, const std::string& list) {
    CPPUNIT_ASSERT_EQUAL_MESSAGE(
        view,
        database().value("SELECT coalesce(sum(jsonb_array_length(content -> $2)), 0) FROM platform.record "
                         "WHERE kind = $1",
                         {kind, list}),
        database().value("SELECT count(*) FROM platform." + view +
                             " JOIN (SELECT record_id FROM "
                             "platform.record WHERE kind = $1) AS record USING (record_id)",
                         {kind}));
}

}  // namespace

class PlatformViewsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PlatformViewsTest);
    CPPUNIT_TEST(every_field_has_a_column_with_its_sentence);
    CPPUNIT_TEST(everything_is_described);
    CPPUNIT_TEST(contents_have_the_fingerprints_of_control_totals);
    CPPUNIT_TEST(records_have_the_same_identifier_everywhere);
    CPPUNIT_TEST(columns_have_what_was_sent_and_what_became_of_it);
    CPPUNIT_TEST_SUITE_END();

public:
    void every_field_has_a_column_with_its_sentence() {
        std::string wrong;
        for (const Declared& declared : declared_views()) {
            const auto comments = comments_on(declared.view);
            for (const auto& [column, sentence] : sentences_of(declared)) {
                const auto known = comments.find(column);
                if (known == comments.end())
                    wrong += declared.view + " has no column " + column + '\n';
                else if (known->second.find(sentence) == std::string::npos)
                    wrong += declared.view + ' ' + column + " is not described by: " + sentence + '\n';
            }
        }
        CPPUNIT_ASSERT_EQUAL(std::string(), wrong);
    }

    void everything_is_described() {
        std::string wrong;
        for (const auto& view :
             database().rows("SELECT relname FROM pg_class WHERE relnamespace = 'platform'::regnamespace")) {
            for (const auto& [column, comment] : comments_on(view.at(0)))
                if (comment.empty()) wrong += view.at(0) + ' ' + column + '\n';
        }
        CPPUNIT_ASSERT_EQUAL(std::string(), wrong);
        CPPUNIT_ASSERT_EQUAL(0L, database().count("SELECT count(*) FROM pg_proc WHERE pronamespace = "
                                                  "'platform'::regnamespace "
                                                  "AND obj_description(oid, 'pg_proc') IS NULL"));
    }

    // records that other tests have imported count, too
    void contents_have_the_fingerprints_of_control_totals() {
        const std::string account = import_odd_book();
        const Fingerprints held = held_fingerprints();
        const Fingerprints read = read_fingerprints();
        for (const char* kind : {"notes", "transactions", "historical_statements", "delivery_notes",
                                 "energy_amounts", "market_participant_invoices", "payment_instructions"})
            CPPUNIT_ASSERT_MESSAGE(kind, held.contains({account, kind}));
        for (const auto& [place, fingerprint] : held) {
            const auto known = read.find(place);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(place.first + ' ' + place.second, fingerprint,
                                         known == read.end() ? "none" : known->second);
        }
        CPPUNIT_ASSERT_EQUAL(held.size(), read.size());
    }

    void records_have_the_same_identifier_everywhere() {
        const std::string account = import_odd_book();
        const std::string key = store::account_key("ACME", account);
        using namespace std::string_literals;
        CPPUNIT_ASSERT_EQUAL(record_id("transactions", key, "\0\0\0\2a\\b😀'"s),
                             identifier_in("financial_transaction", account, "copy = 2"));
        CPPUNIT_ASSERT_EQUAL(record_id("historical_statements", key, "\\x00"),
                             identifier_in("historical_statement", account, "statement_id <> 'S-1'"));
        CPPUNIT_ASSERT_EQUAL(record_id("payment_instructions", key, "NORDPAY\0PI-1"s),
                             identifier_in("payment_instruction", account, "true"));
        const std::string identity(util::bytes_of(util::sha256("Bwith time")).substr(0, 16));
        CPPUNIT_ASSERT_EQUAL(record_id("notes", key, identity + "\0\6\x12\x83\xFF\xAF\xF0\0"s),
                             identifier_in("note", account, "created_at = '2024-02-29 12:00:00+00'"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("0"),
            database().value("SELECT count(*) - count(DISTINCT record_id) FROM platform.record"));
        for (const auto& [view, kind] :
             std::map<std::string, std::string>{{"financial_transaction", "transactions"},
                                                {"historical_statement", "historical_statements"},
                                                {"delivery_note", "delivery_notes"},
                                                {"energy_amount", "energy_amounts"},
                                                {"market_participant_invoice", "market_participant_invoices"},
                                                {"payment_instruction", "payment_instructions"},
                                                {"market_participant", "market_participants"},
                                                {"price_sheet", "price_sheets"}})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(
                view, 0L,
                database().count("SELECT count(*) FROM (SELECT record_id FROM platform." + view +
                                     ") AS one FULL JOIN (SELECT record_id FROM platform.record WHERE kind = "
                                     "$1) AS other USING (record_id) "
                                     "WHERE one.record_id IS NULL OR other.record_id IS NULL",
                                 {kind}));
        check_list("transaction_line_item", "transactions", "line_items");
        check_list("transaction_tax_item", "transactions", "tax_items");
        check_list("delivery_note_amount", "delivery_notes", "amounts");
        check_list("invoice_line_item", "market_participant_invoices", "line_items");
        check_list("invoice_tax_amount", "market_participant_invoices", "tax_amounts");
        check_list("market_participant_contact", "market_participants", "contact_details");
        check_list("article_price", "price_sheets", "article_prices");
    }

    void columns_have_what_was_sent_and_what_became_of_it() {
        const std::string account = import_odd_book();
        const auto one = [&](const std::string& select, const std::string& view,
                             const std::string& condition) {
            return database().value(
                "SELECT " + select + " FROM platform." + view +
                    " WHERE import_supplier = 'ACME' AND external_account_number = $1 AND " + condition,
                {account});
        };
        CPPUNIT_ASSERT_EQUAL(std::string("2024-01-01 2020-01-01 1"),
                             one("concat_ws(' ', transaction_date, sent_transaction_date, copy)",
                                 "financial_transaction", "transaction_id = 'moved'"));
        CPPUNIT_ASSERT_EQUAL(one("data_import.location_in_bucket(document_root, 'b/ü.pdf')",
                                 "account JOIN platform.import_supplier ON code = import_supplier", "true"),
                             one("document_locations[1]", "note", "document_paths[2] = 'a.pdf'"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("0 7 100 \"1e2\" 1.50, 1 7 0 true 1200 0.0"),
            one("string_agg(concat_ws(' ', position, position_on_invoice, quantity_interval, "
                "quantity_interval_type, quantity_correction_factor, price_interval), ', ' "
                "ORDER BY position)",
                "invoice_line_item", "article = 'a'"));
        CPPUNIT_ASSERT_EQUAL(std::string("0 p SRW KWH, 1 q SRW KW"),
                             one("string_agg(concat_ws(' ', position, product_identifier, "
                                 "product_identifier_type, quantity_unit), ', ' ORDER BY position)",
                                 "delivery_note_amount", "product_identifier IN ('p', 'q')"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("imported 2024-01-01 2024-12-31"),
            one("concat_ws(' ', state, statement_period_first_day, statement_period_last_day)", "account",
                "service_account_number IS NOT NULL"));
        CPPUNIT_ASSERT_EQUAL(std::string("t"), one("bool_or(is_by_service)", "note", "true"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PlatformViewsTest);

}  // namespace data_import::tests
