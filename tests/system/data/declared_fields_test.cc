// Every field that a payload declares is stored: what is sent with all fields comes back with all of them.
#include <Poco/URI.h>
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/load.h"
#include "../../support/schema_sample.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/records/kinds.h"
#include "data/schema/canonical.h"
#include "data/schema/node.h"

namespace data_import::tests {

namespace {

Answer post(std::string_view path, const std::string& body) {
    return ask(world().stack(), {.method = "POST",
                                 .target = std::string(path),
                                 .headers = {{"Host", "localhost"},
                                             {"Content-Type", "application/json"},
                                             {"Authorization", "Token " + *world().shared("token")}},
                                 .body = body});
}

/// The forms of a record: the alternatives of a variant.
std::vector<schema::Schema> forms_of(const schema::Schema& record) {
    const auto* variant = std::get_if<schema::VariantNode>(&record.node().kind);
    if (variant == nullptr) return {record};
    std::vector<schema::Schema> forms;
    for (const auto& [name, alternative] : variant->alternatives) forms.push_back(alternative);
    return forms;
}

std::string take_account_with_period() {
    const std::string account = world().take_account("imported");
    run_ctl(world().stack(), "statement open ACME " + account + " 2024-01-01:2024-12-31");
    return account;
}

/// The only record of its kind that the account has, in the canonical form.
std::string stored_record(const std::string& account, std::string_view kind) {
    HttpConnection connection(Poco::URI(world().stack().value("METRICS_URL")).getPort());
    const Answer answer = connection.ask({"GET",
                                          "/operator/records/ACME/" + account + '/' + std::string(kind) + '/',
                                          {{"Host", "localhost"}, {"Connection", "close"}},
                                          ""});
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
    const json::Document document = json::read(answer.body);
    const json::Value records = document.root().at("records");
    CPPUNIT_ASSERT_EQUAL_MESSAGE(answer.body, std::size_t{1}, records.size());
    json::Writer writer;
    for (const json::Value record : records.items()) writer.value(record.at("record"));
    return writer.take();
}

/// The columns, among those of the object's declared fields, that are NULL in all rows that meet the
/// condition.
std::string empty_columns(const schema::ObjectNode& object, const std::string& table,
                          const std::string& condition, const std::string& prefix = "") {
    std::string empty;
    for (const schema::Field& field : object.fields) {
        if (const schema::ObjectNode* inside = schema::object_in(field.schema)) {
            empty += empty_columns(*inside, table, condition, prefix + field.name + '_');
        } else if (!std::holds_alternative<schema::ArrayNode>(field.schema.node().kind) &&
                   world().database().count("SELECT count(" + prefix + field.name + ") FROM data_import." +
                                            table + " WHERE " + condition) == 0) {
            empty += table + '.' + prefix + field.name + ' ';
        }
    }
    return empty;
}

const schema::ObjectNode& items_of(const schema::Object& object, std::string_view name) {
    for (const schema::Field& field : schema::object_in(object)->fields) {
        if (field.name == name)
            return *schema::object_in(std::get<schema::ArrayNode>(field.schema.node().kind).item);
    }
    throw std::out_of_range("no such array");
}

std::string canonical(const schema::Schema& declared, const std::string& record) {
    std::string text;
    schema::append_canonical(text, declared, json::read(record).root());
    return text;
}

/// Returns the column canonical_content of a record in the view platform.record. The record has the kind
/// `kind`, and its field `field` has the value `number`.
std::string content_of(const std::string& kind, const std::string& field, const std::string& number) {
    return world().database().value(
        "SELECT canonical_content FROM platform.record WHERE kind = $1 AND content ->> $2 = $3",
        {kind, field, number});
}

std::string with(std::string text, const std::string& part, const std::string& other) {
    const std::size_t at = text.find(part);
    CPPUNIT_ASSERT_MESSAGE(text, at != std::string::npos);
    return text.replace(at, part.size(), other);
}

}  // namespace

class DeclaredFieldsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DeclaredFieldsTest);
    CPPUNIT_TEST(of_every_kind_are_stored);
    CPPUNIT_TEST(of_market_participants_and_price_sheets_are_stored);
    CPPUNIT_TEST_SUITE_END();

public:
    void of_every_kind_are_stored() {
        for (const records::Kind& kind : records::kinds()) {
            const payload::DeclaredImport& import = payload::import_of(kind.name);
            // leaves out payment instructions, which store the vendor's answer instead of all fields sent
            if (!import.in_bulk) continue;
            for (const schema::Schema& form : forms_of(kind.record)) {
                const std::string account = take_account_with_period();
                const std::string record = full_sample_of(form);
                const std::string value = import.is_list ? '[' + record + ']' : record;
                const Answer answer =
                    post(import.path, R"({"import_supplier":"ACME","external_account_number":")" + account +
                                          R"(",")" + std::string(import.field) + "\":" + value + '}');
                CPPUNIT_ASSERT_EQUAL_MESSAGE(record + shown(answer), 201, answer.status);
                const std::string sent = canonical(kind.record, record);
                CPPUNIT_ASSERT_EQUAL(sent, stored_record(account, kind.name));
                CPPUNIT_ASSERT_EQUAL(
                    sent,
                    world().database().value("SELECT canonical_content FROM platform.record WHERE kind = $1 "
                                             "AND import_supplier = 'ACME' AND external_account_number = $2",
                                             {std::string(kind.name), account}));
            }
        }
    }

    void of_market_participants_and_price_sheets_are_stored() {
        const std::string code = world().take_code();
        const schema::Object participant = payload::market_participant();
        const std::string sent_participant =
            with(full_sample_of(participant), "\"code\":1,", "\"code\":" + code + ',');
        const Answer created = post("/v1/data-import/market-participant/import/", sent_participant);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(created), 201, created.status);
        const schema::Object sheet = payload::price_sheet();
        const std::string sent_sheet = with(full_sample_of(sheet), "\"market_participant_code\":1,",
                                            "\"market_participant_code\":" + code + ',');
        const Answer imported = post("/v1/data-import/market-participant-fees/import/",
                                     R"({"price_sheets":[)" + sent_sheet + "]}");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(imported), 201, imported.status);
        const std::string of_participant = "market_participant_code = " + code;
        CPPUNIT_ASSERT_EQUAL(
            std::string(),
            empty_columns(*schema::object_in(participant), "market_participant", "code = " + code) +
                empty_columns(items_of(participant, "contact_details"), "market_participant_contact",
                              of_participant) +
                empty_columns(*schema::object_in(sheet), "price_sheet", of_participant) +
                empty_columns(items_of(sheet, "article_prices"), "article_price", of_participant));
        CPPUNIT_ASSERT_EQUAL(canonical(participant, sent_participant),
                             content_of("market_participants", "code", code));
        CPPUNIT_ASSERT_EQUAL(canonical(sheet, sent_sheet),
                             content_of("price_sheets", "market_participant_code", code));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DeclaredFieldsTest);

}  // namespace data_import::tests
