// net: proxies as they are configured, and servers that are reached without a proxy.
#include "base/net/proxy.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <map>
#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

struct Given {
    std::string text;
    std::string proxy;  ///< empty for none
};

const std::vector<Given> proxies = {
    {"http://proxy.test:3128", "proxy.test:3128 "},
    {"HTTP://proxy.test:3128/", "proxy.test:3128 "},
    {"proxy.test:3128", "proxy.test:3128 "},
    {"http://proxy.test", "proxy.test:80 "},
    {"http://[::1]:3128", "[::1]:3128 "},
    {"http://user:pass%40word@proxy.test:3128", "proxy.test:3128 Basic dXNlcjpwYXNzQHdvcmQ="},
    {"http://user@proxy.test:3128", "proxy.test:3128 Basic dXNlcjo="},
    {"http://u:" + std::string(60, 'p') + "@p:1",
     "p:1 Basic dTpwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHA="},
    {"https://proxy.test:3128", ""},
    {"socks5://proxy.test:1080", ""},
    {"http://proxy.test:0", ""},
    {"http://proxy.test:x", ""},
    {"http://proxy.test:3128/path", ""},
    {"http://:pass@proxy.test:3128", ""},
    {"http://", ""},
    {"", ""}};

struct Exemption {
    std::string list;
    std::string host;
    bool is_exempt;
};

const std::vector<Exemption> exemptions = {{"import.test", "import.test", true},
                                           {"IMPORT.test", "import.TEST", true},
                                           {"test", "import.test", true},
                                           {".test", "import.test", true},
                                           {"*.test", "import.test", true},
                                           {".import.test", "import.test", true},
                                           {"port.test", "import.test", false},
                                           {"a, b\timport.test", "import.test", true},
                                           {"import.test:8443", "import.test", true},
                                           {"import.test:443", "import.test", false},
                                           {"*", "import.test", true},
                                           {"127.0.0.1", "127.0.0.1", true},
                                           {"127.0.0.2", "127.0.0.1", false},
                                           {"127.0.0.1:8443", "127.0.0.1", true},
                                           {"127.0.0.0/8", "127.1.2.3", true},
                                           {"127.0.0.0/8", "128.1.2.3", false},
                                           {"127.0.0.0/33", "127.0.0.1", false},
                                           {"127.0.0.0/8", "import.test", false},
                                           {"::1", "::1", true},
                                           {"[::1]:8443", "::1", true},
                                           {"fe80::/10", "fe80::1", true},
                                           {"::/0", "127.0.0.1", false},
                                           {"", "import.test", false},
                                           {", ,", "import.test", false}};

struct Environment {
    std::map<std::string, std::string> variables;
    std::string proxy;  ///< empty for none
};

const std::vector<Environment> environments = {
    {{}, ""},
    {{{"https_proxy", "http://a:1"}, {"HTTPS_PROXY", "http://b:1"}}, "a:1"},
    {{{"https_proxy", ""}, {"HTTPS_PROXY", "http://b:1"}}, "b:1"},
    {{{"all_proxy", "http://c:1"}}, "c:1"},
    {{{"http_proxy", "http://d:1"}}, ""},
    {{{"https_proxy", "http://a:1"}, {"NO_PROXY", "import.test"}}, ""},
    {{{"https_proxy", "http://a:1"}, {"no_proxy", "other.test"}}, "a:1"},
    {{{"https_proxy", "socks5://u:secret@a:1"}, {"no_proxy", "import.test"}}, ""},
    {{{"HTTPS_PROXY", "socks5://u:secret@a:1"}},
     "the variable HTTPS_PROXY of the environment must be http://[USER:PASSWORD@]HOST[:PORT]"}};

}  // namespace

class ProxyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ProxyTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Given& row : proxies) {
            tests::add_row(context, "proxy " + row.text, [row] {
                const auto proxy = net::parse_proxy(row.text);
                CPPUNIT_ASSERT_EQUAL(
                    row.proxy, proxy ? net::authority_of(proxy->server) + ' ' + proxy->authorization : "");
            });
        }
        for (const Exemption& row : exemptions) {
            tests::add_row(context, "no_proxy " + row.list + " for " + row.host, [row] {
                CPPUNIT_ASSERT_EQUAL(row.is_exempt, net::is_exempt({row.host, 8443}, row.list));
            });
        }
        for (const Environment& row : environments)
            tests::add_row(context, "proxy of the environment: " + row.proxy, [row] { look_up(row); });
    }

private:
    static void look_up(const Environment& row) {
        std::string seen;
        try {
            const auto proxy = net::proxy_of_environment({"import.test", 8443}, [&](const char* name) {
                const auto found = row.variables.find(name);
                return found == row.variables.end() ? nullptr : found->second.c_str();
            });
            if (proxy) seen = net::authority_of(proxy->server);
        } catch (const net::NoProxy& error) {
            seen = error.what();
        }
        CPPUNIT_ASSERT_EQUAL(row.proxy, seen);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ProxyTest);

}  // namespace data_import
