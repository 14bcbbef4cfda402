// Requests of one kind become one call: its arrays tell which values belong to which request, and the rows of
// the result tell to which request they belong.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <libpq-fe.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "../array_elements.h"
#include "data/store/import.h"

namespace data_import {

namespace {

using enum database::ElementType;

constexpr std::array fields = {uuid, text, uuid, bigint, boolean};
const store::ImportFunction function{"import_things", "SELECT ...", fields};
constexpr std::array one_text = {text};
constexpr std::array two_texts = {text, text};

/// A request's id, or a made-up key.
std::string id(char digit) {
    return std::string(32, digit);
}

store::Import import_of(std::string_view account, std::string_view request_id) {
    return {function,
            {.import_supplier = "ACME",
             .external_account_number = account,
             .request_id = request_id,
             .api_key_id = "7"}};
}

/// Makes a result of PostgreSQL from `rows`. Each row has the place of a request in the call, from 1, and the
/// verdict on this request.
database::Rows answer_of(const std::vector<std::array<std::string, 2>>& rows) {
    PGresult* result = PQmakeEmptyPGresult(nullptr, PGRES_TUPLES_OK);
    std::array<PGresAttDesc, 2> columns{};
    std::string name = "column";
    for (PGresAttDesc& column : columns) column.name = name.data();
    PQsetResultAttrs(result, static_cast<int>(columns.size()), columns.data());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            std::string text = rows[row][column];
            PQsetvalue(result, static_cast<int>(row), static_cast<int>(column), text.data(),
                       static_cast<int>(text.size()));
        }
    }
    return database::Rows(result);
}

void has_arrays(const std::vector<std::string>& expected, const database::Call& call) {
    CPPUNIT_ASSERT_EQUAL(expected.size(), call.binary.size());
    for (std::size_t at = 0; at < expected.size(); ++at)
        CPPUNIT_ASSERT_EQUAL_MESSAGE(std::to_string(at), expected[at], tests::elements_of(call.binary[at]));
}

}  // namespace

class ImportTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ImportTest);
    CPPUNIT_TEST(an_account_has_the_key_that_sql_gives_it);
    CPPUNIT_TEST(one_request_is_a_call_of_its_own);
    CPPUNIT_TEST(requests_keep_their_rows);
    CPPUNIT_TEST(objects_become_one_array);
    CPPUNIT_TEST(each_request_gets_its_rows_back);
    CPPUNIT_TEST(a_request_without_an_answer_is_noticed);
    CPPUNIT_TEST_SUITE_END();

public:
    /// The expected key is the result of SELECT data_import.account_key('ACME', 'Zähler 4711').
    void an_account_has_the_key_that_sql_gives_it() {
        CPPUNIT_ASSERT_EQUAL(std::string("c5eb8807553faa9837c13fa5a2d2337a"),
                             store::account_key("ACME", "Zähler 4711"));
    }

    void one_request_is_a_call_of_its_own() {
        const std::string request = id('a');
        store::Import import = import_of("1", request);
        import.fields.emplace_back("t");
        import.rows.emplace_back(two_texts).add(1, {"a \"b\" \\", std::nullopt});
        import.retryable = false;
        const store::Import* const alone = &import;
        const database::Call call = store::together({&alone, 1});
        CPPUNIT_ASSERT(call.parameters.empty());
        has_arrays({store::account_key("ACME", "1"), "ACME", request, "7", "t", "1", R"(a "b" \)", "NULL"},
                   call);
        CPPUNIT_ASSERT_EQUAL(std::string("import_things"), std::string(call.name));
        CPPUNIT_ASSERT(!call.retryable);
    }

    void requests_keep_their_rows() {
        std::vector<store::Import> imports;
        const std::string request = id('b');
        for (const char* account : {"1", "2", "3"}) {
            store::Import& import = imports.emplace_back(import_of(account, request));
            store::RowSet things(one_text);
            store::RowSet parts(one_text);
            database::ArrayBinary column(integer);
            column.add(account);
            column.add("0");
            things.add(1, {"first"});
            if (imports.size() != 2) {
                things.add(1, {"second"});
                parts.add(2, {std::string("part of ") + account});
            }
            import.rows = {things, store::RowSet(std::vector{column}), store::RowSet(std::vector{column}, 1)};
            import.parts = {parts};
        }
        const std::vector<const store::Import*> all = {&imports[0], &imports[1], &imports[2]};
        const database::Call call = store::together(all);
        const std::string keys = store::account_key("ACME", "1") + '|' + store::account_key("ACME", "2") +
                                 '|' + store::account_key("ACME", "3");
        has_arrays({keys, "ACME|ACME|ACME", request + '|' + request + '|' + request, "7|7|7", "1|1|2|3|3",
                    "first|second|first|first|second", "0|2|4|6", "1|0|2|0|3|0", "1|1|2|2|3|3", "1|0|2|0|3|0",
                    "2|5", "part of 1|part of 3"},
                   call);
    }

    void objects_become_one_array() {
        std::vector<store::Import> imports;
        for (const char* account : {"1", "2", "3"}) {
            store::Import& import = imports.emplace_back(import_of(account, id('c')));
            import.row = std::string("{\"a\":") + account + '}';
        }
        const std::vector<const store::Import*> all = {&imports[0], &imports[1], &imports[2]};
        const database::Call call = store::together(all);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, call.parameters.size());
        CPPUNIT_ASSERT_EQUAL(std::string(R"([{"a":1},{"a":2},{"a":3}])"), call.parameters[0].value());
    }

    void each_request_gets_its_rows_back() {
        const auto parts = store::by_request(
            answer_of({{"1", "done"}, {"1", "done"}, {"2", "account_locked"}, {"3", "account_not_found"}}),
            3);
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, parts[0].size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, parts[1].size());
        CPPUNIT_ASSERT(!store::is_locked(parts[0]));
        CPPUNIT_ASSERT(store::is_locked(parts[1]));
        CPPUNIT_ASSERT(store::read_import_verdict(parts[2]) == store::ImportVerdict::account_not_found);
        CPPUNIT_ASSERT_THROW((void)parts[2].text(1, 0), std::logic_error);
    }

    void a_request_without_an_answer_is_noticed() {
        CPPUNIT_ASSERT_THROW((void)store::by_request(answer_of({{"1", "done"}, {"3", "done"}}), 3),
                             std::logic_error);
        CPPUNIT_ASSERT_THROW((void)store::by_request(answer_of({{"1", "done"}}), 2), std::logic_error);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ImportTest);

}  // namespace data_import
