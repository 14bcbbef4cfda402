// database/conninfo: connection strings made of the setting `database`.
#include "data/database/conninfo.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/database/hosts.h"

namespace data_import {

namespace {

constexpr const char* defaults =
    "client_encoding=UTF8 connect_timeout=2 dbname=d host=HOST keepalives_count=3 keepalives_idle=2 "
    "keepalives_interval=1 PORT target_session_attrs=read-write tcp_user_timeout=3000";

std::string with(const std::string& host, const std::string& port) {
    std::string text = defaults;
    text.replace(text.find("HOST"), 4, host);
    return text.replace(text.find("PORT "), 5, port.empty() ? "" : "port=" + port + ' ');
}

struct Row {
    std::string conninfo;
    std::vector<std::string> hosts;
};

const std::vector<Row> lists = {
    {"host=/run/postgresql dbname=d", {with("/run/postgresql", "")}},
    {"host=a,b,c port=5433 dbname=d", {with("a", "5433"), with("b", "5433"), with("c", "5433")}},
    {"host=a,b port=1,2 dbname=d", {with("a", "1"), with("b", "2")}},
    {"postgresql://a:1,b:2/d", {with("a", "1"), with("b", "2")}},
};

const std::vector<std::string> refused = {
    "host=a,b port=1,2,3",
    "host=a,b,c hostaddr=127.0.0.1,127.0.0.2",
    "host=a hostaddr=127.0.0.1,127.0.0.2",
    "host='a b'",
    "nonsense",
};

/// Wrong parameters and the messages about them.
const std::vector<std::pair<std::string, std::string>> sentences = {
    {"host=h pasword=secret", "unknown connection parameter `pasword`: did you mean `password`?"},
    {"hots=h", "unknown connection parameter `hots`: did you mean `host`?"},
    {"postgresql://h/d?sslmod=require", "unknown connection parameter `sslmod`: did you mean `sslmode`?"},
    {"password=a b3=secret", "connection parameters are key=value pairs or a postgresql:// address"},
    {"password=a secret", "connection parameters are key=value pairs or a postgresql:// address"},
};

}  // namespace

class ConninfoTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ConninfoTest);
    CPPUNIT_TEST(each_host_has_its_own_parameters);
    CPPUNIT_TEST(addresses_belong_to_hosts);
    CPPUNIT_TEST(given_values_replace_defaults);
    CPPUNIT_TEST(hosts_are_asked_alone);
    CPPUNIT_TEST(a_misfit_is_refused);
    CPPUNIT_TEST(an_unknown_keyword_is_named);
    CPPUNIT_TEST_SUITE_END();

public:
    void each_host_has_its_own_parameters() {
        for (const auto& [conninfo, hosts] : lists)
            CPPUNIT_ASSERT(hosts == database::conninfo_by_host({.conninfo = conninfo}));
    }

    void addresses_belong_to_hosts() {
        const auto hosts = database::conninfo_by_host(
            {.conninfo = "host=a,b hostaddr=127.0.0.1,127.0.0.2", .application_name = "name"});
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, hosts.size());
        CPPUNIT_ASSERT(hosts[1].find("host=b hostaddr=127.0.0.2 ") != std::string::npos);
        CPPUNIT_ASSERT(hosts[1].starts_with("application_name=name "));
    }

    void given_values_replace_defaults() {
        const auto hosts = database::conninfo_by_host({.conninfo = "keepalives_idle=9 connect_timeout=7"});
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, hosts.size());
        CPPUNIT_ASSERT(hosts[0].find("keepalives_idle=9 ") != std::string::npos);
        CPPUNIT_ASSERT(hosts[0].find("connect_timeout=7 ") != std::string::npos);
    }

    void hosts_are_asked_alone() {
        const auto hosts = database::hosts_of("host=a,/run/b port=1, dbname=d");
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, hosts.size());
        CPPUNIT_ASSERT_EQUAL(std::string("a:1"), hosts[0].name);
        CPPUNIT_ASSERT_EQUAL(std::string("/run/b"), hosts[1].name);
        CPPUNIT_ASSERT(hosts[0].conninfo.find(" host=a ") != std::string::npos);
        CPPUNIT_ASSERT(hosts[0].conninfo.ends_with(" target_session_attrs=any"));
    }

    void a_misfit_is_refused() {
        for (const std::string& conninfo : refused) {
            CPPUNIT_ASSERT_THROW_MESSAGE(
                conninfo, static_cast<void>(database::conninfo_by_host({.conninfo = conninfo})),
                std::invalid_argument);
        }
    }

    void an_unknown_keyword_is_named() {
        for (const auto& [conninfo, sentence] : sentences) {
            std::string said;
            try {
                static_cast<void>(database::parse_conninfo(conninfo));
            } catch (const std::invalid_argument& wrong) {
                said = wrong.what();
            }
            CPPUNIT_ASSERT_EQUAL(sentence, said);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ConninfoTest);

}  // namespace data_import
