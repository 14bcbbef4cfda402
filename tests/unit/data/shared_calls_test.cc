// Imports of one kind share a call. Imports for the same account keep their order.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "data/store/import.h"

namespace data_import {

namespace {

const store::ImportFunction notes{"notes", "SELECT ..."};
const store::ImportFunction statements{"statements", "SELECT ..."};
const store::ImportFunction documents{.name = "documents", .sql = "SELECT ...", .most = 3};
const store::ImportFunction invoices{"invoices", "SELECT ..."};

const store::ImportFunction& function_of(char kind) {
    static const std::map<char, const store::ImportFunction*> functions = {
        {'n', &notes}, {'s', &statements}, {'d', &documents}, {'i', &invoices}};
    return *functions.at(kind);
}

/// Makes an import from a text such as `A:n` or `A:d1`: the account (A), the letter of the import function by
/// function_of() (n: notes, d: documents), and Import::content (empty or 1).
store::Import import_of(std::string_view text) {
    store::Import import(function_of(text[2]), {.import_supplier = "ACME",
                                                .external_account_number = text.substr(0, 1),
                                                .request_id = "",
                                                .api_key_id = "1"});
    import.content = text.substr(3);
    return import;
}

struct Case {
    const char* name;
    const char* imports;  ///< separated by spaces, each as import_of() reads it, such as `A:d1`
    const char* calls;    ///< the texts of `imports` in the order of execution, with a bar between two calls
};

constexpr Case cases[] = {
    {"none", "", ""},
    {"different accounts", "A:n B:n C:n", "A:n B:n C:n"},
    {"an account twice", "A:n A:n", "A:n | A:n"},
    {"different kinds of an account", "A:n A:s", "A:n | A:s"},
    {"kinds meet", "A:n A:s B:n B:s", "A:n B:n | A:s B:s"},
    {"in another order", "A:n A:s B:s B:n", "A:n | A:s B:s | B:n"},
    {"an account that comes later to a kind", "A:s B:n B:s", "B:n | A:s B:s"},
    {"different contents of an account", "A:i1 A:i2 B:i1", "A:i1 A:i2 B:i1"},
    {"the same content of an account", "A:i1 A:i1 A:i2", "A:i1 | A:i1 A:i2"},
    {"the same content of an account, with others between", "A:i1 A:i2 A:i1", "A:i1 A:i2 | A:i1"},
    {"as many as the function takes", "A:d1 B:d1 C:d1 D:d1", "A:d1 B:d1 C:d1 | D:d1"},
    {"the kind behind one of several calls", "A:d1 A:d2 A:d3 A:i1 B:d1 B:d2 B:d3 B:i1",
     "A:d1 A:d2 A:d3 | B:d1 B:d2 B:d3 | A:i1 B:i1"},
    {"an account with a kind of its own", "A:n A:i1 B:n B:s B:i1", "A:n B:n | B:s | A:i1 B:i1"},
};

}  // namespace

class SharedCallsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SharedCallsTest);
    CPPUNIT_TEST(imports_of_a_kind_share_calls);
    CPPUNIT_TEST(every_import_has_one_call_in_its_accounts_order);
    CPPUNIT_TEST_SUITE_END();

public:
    void imports_of_a_kind_share_calls() {
        for (const Case& tried : cases)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(tried.name, std::string(tried.calls), calls_of(tried.imports));
    }

    /// Tries all sequences of five imports from `choices`. In `A:d1`, `A` is the account, `d` is the import
    /// function `documents`, and `1` is Import::content.
    void every_import_has_one_call_in_its_accounts_order() {
        const std::vector<std::string> choices = {"A:n", "A:d1", "A:d2", "B:n", "B:d1", "B:i1"};
        for (std::size_t number = 0; number < 6 * 6 * 6 * 6 * 6; ++number) {
            std::vector<store::Import> imports;
            for (std::size_t rest = number, place = 0; place < 5; ++place, rest /= 6)
                imports.push_back(import_of(choices[rest % 6]));
            check_order(imports);
        }
    }

private:
    static std::vector<std::vector<std::size_t>> share(const std::vector<store::Import>& imports) {
        std::vector<const store::Import*> pointers;
        for (const store::Import& import : imports) pointers.push_back(&import);
        return store::shared_calls(pointers);
    }

    static std::string calls_of(std::string_view text) {
        std::vector<std::string> names;
        std::vector<store::Import> imports;
        std::istringstream words{std::string(text)};
        for (std::string name; words >> name; names.push_back(name)) imports.push_back(import_of(name));
        std::string calls;
        for (const std::vector<std::size_t>& call : share(imports)) {
            if (!calls.empty()) calls += " |";
            for (const std::size_t place : call) (calls += calls.empty() ? "" : " ") += names[place];
        }
        return calls;
    }

    static void check_order(const std::vector<store::Import>& imports) {
        std::vector<std::size_t> all;
        std::map<std::string, std::size_t> last;
        for (const std::vector<std::size_t>& call : share(imports)) {
            CPPUNIT_ASSERT(!call.empty());
            for (const std::size_t place : call) {
                all.push_back(place);
                CPPUNIT_ASSERT(imports[place].function == imports[call.front()].function);
                const auto [before, is_first] = last.emplace(imports[place].fields.front(), place);
                CPPUNIT_ASSERT(is_first || before->second < place);
                before->second = place;
            }
        }
        std::ranges::sort(all);
        std::vector<std::size_t> expected(imports.size());
        std::iota(expected.begin(), expected.end(), 0);
        CPPUNIT_ASSERT(expected == all);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SharedCallsTest);

}  // namespace data_import
