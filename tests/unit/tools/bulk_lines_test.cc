// export/bulk_lines: writes records as lines of bulk requests.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/export/bulk_lines.h"

namespace data_import::tests {

namespace {

using exports::BulkLines;

struct Added {
    std::string_view kind;
    std::string number;
    std::int64_t copy;
    std::string record;
};

std::vector<std::string> lines_of(const std::vector<Added>& records) {
    std::vector<std::string> lines;
    BulkLines bulk("ACME", [&](std::string_view line) { lines.emplace_back(line); });
    for (const Added& record : records)
        bulk.add(payload::import_of(record.kind), record.number, record.copy, record.record);
    bulk.end();
    return lines;
}

std::vector<Added> notes(std::size_t count, const std::string& record) {
    return std::vector<Added>(count, {"notes", "1", 1, record});
}

}  // namespace

class BulkLinesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BulkLinesTest);
    CPPUNIT_TEST(records_of_one_account_and_kind_share_a_line);
    CPPUNIT_TEST(copies_are_added_again);
    CPPUNIT_TEST(records_without_account);
    CPPUNIT_TEST(lines_have_an_end);
    CPPUNIT_TEST_SUITE_END();

public:
    void records_of_one_account_and_kind_share_a_line() {
        const std::vector<std::string> expected = {
            R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":"ACME",)"
            R"("external_account_number":"\"1\"","notes":[{"a":1},{}]}})"
            "\n",
            R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":"ACME",)"
            R"("external_account_number":"2","notes":[{}]}})"
            "\n",
            R"({"path":"/v1/data-import/delivery-note/create/","body":{"import_supplier":"ACME",)"
            R"("external_account_number":"2","delivery_note":{"b":2}}})"
            "\n",
            R"({"path":"/v1/data-import/delivery-note/create/","body":{"import_supplier":"ACME",)"
            R"("external_account_number":"2","delivery_note":{}}})"
            "\n",
            R"({"path":"/v1/data-import/payment-instruction/create/","body":{"import_supplier":"ACME",)"
            R"("external_account_number":"2","vendor":"V"}})"
            "\n"};
        CPPUNIT_ASSERT(expected == lines_of({{"notes", "\"1\"", 1, R"({"a":1})"},
                                             {"notes", "\"1\"", 1, "{}"},
                                             {"notes", "2", 1, "{}"},
                                             {"delivery_notes", "2", 1, R"({"b":2})"},
                                             {"delivery_notes", "2", 1, "{}"},
                                             {"payment_instructions", "2", 1, R"({"vendor":"V"})"}}));
    }

    void copies_are_added_again() {
        const auto lines = lines_of({{"transactions", "1", 1, "{}"},
                                     {"transactions", "1", 2, "{}"},
                                     {"transactions", "1", 2, "{}"},
                                     {"transactions", "1", 3, "{}"}});
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, lines.size());
        CPPUNIT_ASSERT(lines[0].starts_with(R"({"path":"/v1/data-import/transactions/create/",)"));
        for (const std::size_t again : {1, 2})
            CPPUNIT_ASSERT(lines[again].starts_with(
                R"({"path":"/v1/data-import/transactions/create/?check_previously_added=false",)"));
        CPPUNIT_ASSERT(lines[1].ends_with("\"transactions\":[{},{}]}}\n"));
    }

    void records_without_account() {
        const std::vector<std::string> expected = {
            "{\"path\":\"/v1/data-import/market-participant/import/\",\"body\":{\"code\":1}}\n",
            "{\"path\":\"/v1/data-import/market-participant-fees/import/"
            "\",\"body\":{\"price_sheets\":[{},{}]}"
            "}\n"};
        CPPUNIT_ASSERT(expected == lines_of({{"market_participants", "", 1, R"({"code":1})"},
                                             {"price_sheets", "", 1, "{}"},
                                             {"price_sheets", "", 1, "{}"}}));
    }

    void lines_have_an_end() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, lines_of(notes(201, "{}")).size());
        const std::string long_note = "{\"body\":\"" + std::string(200'000, 'x') + "\"}";
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, lines_of(notes(3, long_note)).size());
        CPPUNIT_ASSERT(lines_of({}).empty());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BulkLinesTest);

}  // namespace data_import::tests
