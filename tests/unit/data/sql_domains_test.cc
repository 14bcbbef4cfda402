// sql/schema/01-foundation.sql: its domains have the limits of util/limits.h and the states and statuses that
// the programs know. Run from the top of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/util/limits.h"
#include "data/store/accounts.h"
#include "data/store/suppliers.h"

namespace data_import::tests {

namespace {

/// The CHECK of a domain.
std::string check_of(const std::string& domain) {
    std::ostringstream text;
    text << std::ifstream("sql/schema/01-foundation.sql").rdbuf();
    const std::string sql = text.str();
    const std::size_t begin = sql.find("CREATE DOMAIN data_import." + domain + " ");
    CPPUNIT_ASSERT_MESSAGE("there is no domain " + domain, begin != std::string::npos);
    return sql.substr(begin, sql.find(';', begin) - begin);
}

void require_length(const std::string& domain, std::size_t longest) {
    const std::string check = check_of(domain);
    const std::string limit = "VALUE, " + std::to_string(longest) + ")";
    CPPUNIT_ASSERT_MESSAGE(check, check.find(limit) != std::string::npos);
}

template <typename Words>
void require_words(const std::string& domain, const Words& words) {
    std::string list;
    for (const std::string_view word : words) ((list += list.empty() ? "IN ('" : ", '") += word) += '\'';
    const std::string check = check_of(domain);
    CPPUNIT_ASSERT_MESSAGE(check, check.find(list + ")") != std::string::npos);
}

}  // namespace

class SqlDomainsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SqlDomainsTest);
    CPPUNIT_TEST(lengths_are_the_limits);
    CPPUNIT_TEST(words_are_those_of_the_programs);
    CPPUNIT_TEST_SUITE_END();

public:
    void lengths_are_the_limits() {
        require_length("supplier_code", util::limits::supplier_code);
        require_length("account_number", util::limits::external_account_number);
        require_length("service_number", util::limits::service_account_number);
        require_length("label", util::limits::label);
        require_length("reason", util::limits::reason);
    }

    void words_are_those_of_the_programs() {
        require_words("supplier_status", store::supplier_statuses);
        require_words("account_state", store::account_states);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SqlDomainsTest);

}  // namespace data_import::tests
