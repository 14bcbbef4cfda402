// schema: the violations of payloads, their places and their order (contract, sections 2.1, 2.4 and 3.1).
#include "data/schema/schema.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../schema_summary.h"
#include "../../table.h"
#include "data/json/reader.h"

namespace data_import {

namespace {

using namespace schema;
using tests::repeated;
using tests::summary;

std::string detail_of(const Schema& schema, const std::string& text) {
    const json::Document document = json::read(text);
    return check(schema, document.root(), UnknownFields::refuse).at(0).detail;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string a_umlaut = "\xC3\xA4";

/// A value and its violations.
struct Row {
    std::string value;
    std::string violations;
};

void body_or_document_paths(const json::Value& note, Report& report) {
    if (note.find("body") || note.find("document_paths")) return;
    report.add(Code::note_body_or_document_path_not_found, "A note must have a body or document paths.");
}

void body_is_not_forbidden(const json::Value& note, Report& report) {
    const auto body = note.find("body");
    if (body && body->text() == "forbidden") report.add("body", Code::invalid, "This body is forbidden.");
    if (body && body->text() == "absent") report.add("unpin_at", Code::required, "This field is due.");
    if (body && body->text() == "deep")
        report.add("document_paths.1.document_path", Code::duplicate, "Once only.");
}

void reports_itself(const json::Value&, Report& report) {
    report.add(Code::invalid, "The rule ran.");
}

void reports_without_end(const json::Value&, Report& report) {
    for (int number = 0; number < 1000; ++number) report.add(Code::invalid, "Again.");
}

int looks = 0;

void looks_while_taken(const json::Value& value, Report& report) {
    for (; looks < 1000 && report.takes(value); ++looks) report.add(Code::invalid, "Again.");
}

void looks_once(const json::Value&, Report&) {
    ++looks;
}

Schema notes() {
    const Object path = object().need("document_path", document_path());
    const Object note = object()
                            .may("body", text(1, 20))
                            .may("document_paths", array(path).min(1).max(100))
                            .may("is_pinned", boolean())
                            .rule({"body", "document_paths"}, body_or_document_paths)
                            .rule({"body", "document_paths"}, body_is_not_forbidden);
    return object()
        .need("import_supplier", text(1, 64))
        .need("external_account_number", text(1, 128))
        .need("notes", array(note).min(1).max(1000));
}

std::string notes_payload(const std::string& items) {
    return R"({"import_supplier":"s","external_account_number":"e","notes":[)" + items + "]}";
}

/// The items of a payload of notes, and their violations.
struct NotesRow {
    std::string items;
    std::string violations;
};

const std::vector<NotesRow> notes_rows = {
    {R"({"body":"a"})", ""},
    {R"({"body":"a"},{"document_paths":[{"document_path":"a/b"}]})", ""},
    {"", "notes:empty"},
    {"{}", "notes.0:note_body_or_document_path_not_found"},
    {R"({"body":"a"},{})", "notes.1:note_body_or_document_path_not_found"},
    {"1", "notes.0:invalid"},
    {"null", "notes.0:null"},
    {"[]", "notes.0:invalid"},
    {R"({"body":null})", "notes.0.body:null"},
    {R"({"body":""})", "notes.0.body:blank"},
    {R"({"body":"a","document_paths":[]})", "notes.0.document_paths:empty"},
    {R"({"body":"a"},{"document_paths":[{"document_path":"a"},{"document_path":"/b"}]})",
     "notes.1.document_paths.1.document_path:invalid_document_path"},
    {R"({"document_paths":[{}]})", "notes.0.document_paths.0.document_path:required"},
    {R"({"body":"a","colour":1})", "notes.0.colour:unknown_field"},
    {R"({"colour":1})", "notes.0:note_body_or_document_path_not_found notes.0.colour:unknown_field"},
    {R"({"Body":"a"})", "notes.0:note_body_or_document_path_not_found notes.0.Body:unknown_field"},
    {R"({"is_pinned":"x"})", "notes.0:note_body_or_document_path_not_found notes.0.is_pinned:invalid"},
    {R"({"is_pinned":true})", "notes.0:note_body_or_document_path_not_found"},
    // violations come in the order of the payload, not of the declaration
    {R"({"is_pinned":1,"z":1,"body":1})",
     "notes.0.is_pinned:invalid notes.0.z:unknown_field notes.0.body:invalid"},
    {R"({"body":1},{},{"body":2})",
     "notes.0.body:invalid notes.1:note_body_or_document_path_not_found notes.2.body:invalid"},
    // body_is_not_forbidden() reports a violation of one of the note's fields, not of the note as a whole
    {R"({"is_pinned":true,"body":"forbidden","x":1})", "notes.0.body:invalid notes.0.x:unknown_field"},
    {R"({"x":1,"body":"absent"})", "notes.0.unpin_at:required notes.0.x:unknown_field"},
    {R"({"body":"deep","document_paths":[{"document_path":"a"},{"y":1,"document_path":"b"}]})",
     "notes.0.document_paths.1.y:unknown_field"},
    {R"({"body":"deep","document_paths":[{"document_path":"a"},{"document_path":"b"}],"x":1})",
     "notes.0.document_paths.1.document_path:duplicate notes.0.x:unknown_field"},
    {R"({"body":"deep","document_paths":[{"document_path":"a"}]})",
     "notes.0.document_paths.1.document_path:duplicate"}};

/// Whole payloads, and the violations that the schema of notes finds in them.
const std::vector<Row> payload_rows = {
    {"[]", ":invalid"},
    {"null", ":invalid"},
    {"1", ":invalid"},
    {R"("a")", ":invalid"},
    {"true", ":invalid"},
    {"{}", "import_supplier:required external_account_number:required notes:required"},
    {R"({"x":1})",
     "x:unknown_field import_supplier:required external_account_number:required notes:required"},
    {R"({"notes":[{"body":1}],"import_supplier":""})",
     "notes.0.body:invalid import_supplier:blank external_account_number:required"},
    {R"({"notes":{},"external_account_number":1,"import_supplier":"a"})",
     "notes:invalid external_account_number:invalid"},
    {R"({"notes":[{"document_paths":[{}]}]})",
     "notes.0.document_paths.0.document_path:required import_supplier:required "
     "external_account_number:required"},
    {R"({"a.b":1,"":2,"import_supplier":"a","external_account_number":"b","notes":[{"body":"a"}]})",
     "a.b:unknown_field :unknown_field"}};

Schema transactions() {
    const Object charge = object().need("amount", decimal(12, 2)).need("reason", text(1, 64));
    const Object supply = object()
                              .need("amount", decimal(12, 2))
                              .need("product_code", text(1, 9))
                              .rule({"amount"}, reports_itself);
    return object().need("items", array(variant("type", {{"CHARGE", charge}, {"SUPPLY", supply}})));
}

const std::vector<Row> transaction_rows = {
    {R"({"type":"CHARGE","amount":1,"reason":"a"})", ""},
    {R"({"amount":1,"reason":"a","type":"CHARGE"})", ""},
    {R"({"amount":"x","reason":1})", "items.0.type:required"},
    {R"({"amount":"x","type":null})", "items.0.type:null"},
    {R"({"amount":"x","type":1})", "items.0.type:invalid"},
    {R"({"amount":"x","type":"charge"})", "items.0.type:invalid_choice"},
    {R"({"amount":"x","type":"CHARGE"})", "items.0.amount:invalid items.0.reason:required"},
    {R"({"type":"SUPPLY","amount":1,"reason":"a"})",
     "items.0:invalid items.0.reason:unknown_field items.0.product_code:required"},
    {R"({"type":"SUPPLY","amount":1,"product_code":"a"})", "items.0:invalid"},
    {"[]", "items.0:invalid"},
    {"null", "items.0:null"}};

}  // namespace

class SchemaTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SchemaTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_notes);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_payloads);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_transactions);
    CPPUNIT_TEST(drops_unknown_fields);
    CPPUNIT_TEST(takes_fields_that_are_called_alike);
    CPPUNIT_TEST(stops_at_a_hundred);
    CPPUNIT_TEST(looks_at_nothing_behind_a_hundred);
    CPPUNIT_TEST(tells_the_first_hundred_in_order);
    CPPUNIT_TEST(puts_missing_fields_last);
    CPPUNIT_TEST(stops_at_max_items);
    CPPUNIT_TEST(runs_rules_on_sound_fields_only);
    CPPUNIT_TEST(cuts_long_unknown_names);
    CPPUNIT_TEST(says_the_limit);
    CPPUNIT_TEST(refuses_wrong_declarations);
    CPPUNIT_TEST(shares_without_changing);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_notes(TestSuiteBuilderContextType& context) {
        for (const NotesRow& row : notes_rows) {
            tests::add_row(context, "notes " + row.items, [row] {
                CPPUNIT_ASSERT_EQUAL(row.violations, summary(notes(), notes_payload(row.items)));
            });
        }
    }

    static void add_payloads(TestSuiteBuilderContextType& context) {
        for (const Row& row : payload_rows) {
            tests::add_row(context, "payload " + row.value,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.violations, summary(notes(), row.value)); });
        }
    }

    static void add_transactions(TestSuiteBuilderContextType& context) {
        for (const Row& row : transaction_rows) {
            tests::add_row(context, "transaction " + row.value, [row] {
                CPPUNIT_ASSERT_EQUAL(row.violations,
                                     summary(transactions(), "{\"items\":[" + row.value + "]}"));
            });
        }
    }

    void takes_fields_that_are_called_alike() {
        const Object sums =
            object().may("count", integer(0)).may_each("of:", 2, decimal(3, 1)).names_are_choices();
        const std::vector<Row> rows = {
            {R"({})", ""},
            {R"({"count": 1, "of:a": 1.5, "of:\u00e4\u00e4": "2"})", ""},
            {R"({"of:a": 1.55, "of:b": 1, "of:c": null})", "of:a:max_decimal_places of:c:null"},
            {R"({"of:": 1, "of:abc": 1, "of": 1, "counts": 1})",
             "of::invalid_choice of:abc:invalid_choice of:invalid_choice counts:invalid_choice"},
        };
        for (const Row& row : rows) {
            for (const UnknownFields unknown : {UnknownFields::refuse, UnknownFields::ignore})
                CPPUNIT_ASSERT_EQUAL(row.violations, summary(sums, row.value, unknown));
        }
        CPPUNIT_ASSERT(contains(detail_of(sums, R"({"x": 1})"), "count, of:..."));
    }

    void drops_unknown_fields() {
        const std::string payload =
            notes_payload(R"({"x":null,"body":"a","document_paths":[{"document_path":"a","y":{}}]})");
        CPPUNIT_ASSERT_EQUAL(std::string(), summary(notes(), payload, UnknownFields::ignore));
        CPPUNIT_ASSERT_EQUAL(std::string("notes.0.x:unknown_field notes.0.document_paths.0.y:unknown_field"),
                             summary(notes(), payload));
        CPPUNIT_ASSERT_EQUAL(std::string("notes.0:note_body_or_document_path_not_found"),
                             summary(notes(), notes_payload(R"({"x":1})"), UnknownFields::ignore));
    }

    void stops_at_a_hundred() {
        const auto count = [](const Schema& schema, const std::string& payload) {
            const json::Document document = json::read(payload);
            return check(schema, document.root(), UnknownFields::refuse).size();
        };
        CPPUNIT_ASSERT_EQUAL(max_violations, count(array(boolean()), "[1" + repeated(",1", 90'000) + "]"));
        std::string many = "{\"a\":1";
        for (int number = 0; number < 9'000; ++number) many += ",\"x" + std::to_string(number) + "\":1";
        CPPUNIT_ASSERT_EQUAL(max_violations, count(object().may("a", boolean()), many + "}"));
        CPPUNIT_ASSERT_EQUAL(max_violations, count(object().rule({}, reports_without_end), "{}"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{99}, count(array(boolean()), "[1" + repeated(",1", 98) + "]"));
    }

    void looks_at_nothing_behind_a_hundred() {
        const auto looks_at = [](const Schema& schema, const std::string& payload) {
            const json::Document document = json::read(payload);
            looks = 0;
            CPPUNIT_ASSERT_EQUAL(max_violations,
                                 check(schema, document.root(), UnknownFields::refuse).size());
            return looks;
        };
        const std::string wrong = "[1" + repeated(",1", 99) + "]";
        const Object looking = object().may("a", array(boolean())).rule({}, looks_once);
        CPPUNIT_ASSERT_EQUAL(100, looks_at(object().rule({}, looks_while_taken).rule({}, looks_once), "{}"));
        CPPUNIT_ASSERT_EQUAL(1, looks_at(looking, "{\"a\":" + wrong + "}"));
        CPPUNIT_ASSERT_EQUAL(0, looks_at(object().may("a", array(boolean())).may("b", array(looking)),
                                         "{\"a\":" + wrong + ",\"b\":[{},{}]}"));
        CPPUNIT_ASSERT_EQUAL(100, looks_at(array(object().need("b", date()).rule({}, looks_once)),
                                           "[{}" + repeated(",{}", 999) + "]"));
    }

    /// Violations are reported in the order of the payload. They are found in another order, because the
    /// rules of an object run after the checks of its fields.
    void tells_the_first_hundred_in_order() {
        const auto wrong = [](int count) {
            return "[1" + repeated(",1", static_cast<std::size_t>(count) - 1) + "]";
        };
        const Object marked = object().may("a", array(boolean())).may("z", date()).rule({}, reports_itself);
        const auto first = [](const Schema& schema, const std::string& payload) {
            const std::string all = summary(schema, payload);
            CPPUNIT_ASSERT_EQUAL(max_violations, static_cast<std::size_t>(std::ranges::count(all, ' ')) + 1);
            return all.substr(0, all.find(' ')) + " ... " + all.substr(all.rfind(' ') + 1);
        };
        CPPUNIT_ASSERT_EQUAL(std::string(":invalid ... a.98:invalid"),
                             first(marked, "{\"a\":" + wrong(150) + ",\"z\":1}"));
        CPPUNIT_ASSERT_EQUAL(
            std::string("a.0:invalid ... z:invalid"),
            first(object().may("a", array(boolean())).may("z", date()).rule({"z"}, reports_itself),
                  "{\"a\":" + wrong(99) + ",\"z\":1}"));
        // At most 100 violations are reported, and a violation of the whole object is the first of them. So
        // the rule, which reports the whole object, has to run even after 100 violations of the field `a`.
        // The rule reads the field `z`, so it does not run after a violation of `z`.
        const Object reading =
            object().may("a", array(boolean())).may("z", array(date())).rule({"z"}, reports_itself);
        CPPUNIT_ASSERT_EQUAL(std::string("a.0:invalid ... a.99:invalid"),
                             first(reading, "{\"a\":" + wrong(150) + ",\"z\":[\"2024-02-29\",1]}"));
        CPPUNIT_ASSERT_EQUAL(std::string(":invalid ... a.98:invalid"),
                             first(reading, "{\"a\":" + wrong(150) + ",\"z\":[\"2024-02-29\"]}"));
    }

    /// Violations inside a value come before missing fields, even if a rule finds them after the missing
    /// fields.
    void puts_missing_fields_last() {
        const Object inner = object().need("b", integer()).may("c", integer());
        const Object outer = object().may("a", inner).rule({}, [](const json::Value&, Report& report) {
            report.add("a.c", Code::duplicate, "Once only.");
        });
        CPPUNIT_ASSERT_EQUAL(std::string("a.c:duplicate a.b:required"), summary(outer, R"({"a":{"c":1}})"));
    }

    void stops_at_max_items() {
        CPPUNIT_ASSERT_EQUAL(std::string("a:max_items a.1:invalid"),
                             summary(object().need("a", array(boolean()).max(2)), R"({"a":[true,1,1,1]})"));
    }

    void runs_rules_on_sound_fields_only() {
        const Object inner = object().need("n", integer()).may("m", integer()).rule({"n"}, reports_itself);
        const Object outer =
            object().may("inner", inner).may("other", integer()).rule({"inner"}, reports_itself);
        const auto of = [&](const std::string& payload) { return summary(outer, payload); };
        CPPUNIT_ASSERT_EQUAL(std::string(":invalid"), of("{}"));
        CPPUNIT_ASSERT_EQUAL(std::string(":invalid other:invalid"), of(R"({"other":true})"));
        CPPUNIT_ASSERT_EQUAL(std::string("inner:invalid inner.m:invalid"),
                             of(R"({"inner":{"n":1,"m":true}})"));
        CPPUNIT_ASSERT_THROW(static_cast<void>(object().rule({"n"}, reports_itself)), std::logic_error);
        CPPUNIT_ASSERT_EQUAL(std::string("inner.n:invalid"), of(R"({"inner":{"n":true}})"));
        // A rule runs although another required field is missing. A violation that a rule reports keeps the
        // rules of outer objects from running.
        CPPUNIT_ASSERT_EQUAL(std::string("inner:invalid inner.n:required"), of(R"({"inner":{}})"));
        CPPUNIT_ASSERT_EQUAL(std::string(":invalid x:unknown_field"), of(R"({"x":1})"));
    }

    void cuts_long_unknown_names() {
        const std::string payload = "{\"" + repeated(a_umlaut, 5000) + "\":1}";
        CPPUNIT_ASSERT_EQUAL(repeated(a_umlaut, 256) + ":unknown_field", summary(object(), payload));
    }

    void says_the_limit() {
        const auto field = [](const Schema& schema) { return object().may("f", schema); };
        CPPUNIT_ASSERT(
            contains(detail_of(field(text(1, 64)), "{\"f\":\"" + std::string(65, 'x') + "\"}"), "64"));
        CPPUNIT_ASSERT(contains(detail_of(field(array(scalar()).exactly(2, Code::max_items)), R"({"f":[1]})"),
                                "exactly 2 items."));
        CPPUNIT_ASSERT(contains(detail_of(field(integer(1, 7)), R"({"f":8})"), "7"));
        CPPUNIT_ASSERT(contains(detail_of(field(integer(1, 7)), R"({"f":0})"), "1"));
        CPPUNIT_ASSERT(contains(detail_of(field(choice({"A", "B"})), R"({"f":"C"})"), "A, B"));
        CPPUNIT_ASSERT(contains(detail_of(field(decimal(12, 2)), R"({"f":1.234})"), "2 digits after"));
        CPPUNIT_ASSERT(
            contains(detail_of(field(decimal(12, 2)), R"({"f":12345678901})"), "10 digits before"));
        CPPUNIT_ASSERT(
            contains(detail_of(field(array(scalar()).max(1)), R"({"f":[1,2]})"), "at most 1 item."));
        CPPUNIT_ASSERT(contains(detail_of(object().need("body", scalar()), "{}"), "body"));
        CPPUNIT_ASSERT(contains(detail_of(field(scalar()), R"({"g":1})"), "Known fields are: f"));
        CPPUNIT_ASSERT(contains(detail_of(transactions(), R"({"items":[{"type":"X"}]})"), "CHARGE, SUPPLY"));
    }

    void refuses_wrong_declarations() {
        CPPUNIT_ASSERT_THROW(static_cast<void>(object().may("a", date()).need("a", date())),
                             std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(decimal(2, 3)), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(object().may("f", text(2, 3))), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(object().may("f", array(scalar()).min(2))), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(object().need_one_of({"a"}, Code::required, "")),
                             std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(variant("type", {{"A", object().may("type", date())}})),
                             std::logic_error);
    }

    void shares_without_changing() {
        const Object base = object().need("a", integer());
        const Object extended = base.need("b", integer());
        CPPUNIT_ASSERT_EQUAL(std::string(), summary(base, R"({"a":1})"));
        CPPUNIT_ASSERT_EQUAL(std::string("b:required"), summary(extended, R"({"a":1})"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SchemaTest);

}  // namespace data_import
