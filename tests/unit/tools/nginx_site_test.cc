// ctl: the settings read from the configuration that nginx prints.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "../../table.h"
#include "tools/console/nginx_site.h"
#include "tools/doctor/doctor.h"

namespace data_import {

namespace {

const std::string other_site =
    "# configuration file /etc/nginx/nginx.conf:\nuser www-data;\nhttp {\ninclude sites-enabled/*;\n}\n\n"
    "# configuration file /etc/nginx/sites-enabled/other:\nserver {\n listen 444 ssl;\n server_name "
    "other.example;\n"
    " ssl_certificate /other.pem;\n}\n\n";

const std::string head =
    other_site +
    "# configuration file /etc/nginx/sites-enabled/data-import:\n"
    "upstream data_import_import { server unix:/run/data-import/import.sock max_fails=0; }\n";

struct Limits {
    std::string name;
    std::string text;
    std::uint64_t answer_seconds;
    std::uint64_t longest_body;
};

std::string snippet(const std::string& name, const std::string& text) {
    return "# configuration file /etc/nginx/snippets/data-import/" + name + ":\n" + text + "\n\n";
}

const std::vector<Limits> limits = {
    {"no snippet", head, 0, 0},
    {"the package's",
     head + "location / { fastcgi_read_timeout 600s; client_max_body_size 1k; }\n" +
         snippet("fastcgi.conf", "# how long\nfastcgi_read_timeout 60s;") +
         snippet("import.conf", "client_max_body_size 10485760;") +
         snippet("long-bodies.conf",
                 "client_max_body_size 10485760;\nlocation @x { client_max_body_size 0; }"),
     60, 10485760},
    {"other units",
     snippet("fastcgi.conf", "fastcgi_read_timeout 2m;") +
         snippet("import.conf", "client_max_body_size 20m;") +
         snippet("long-bodies.conf", "client_max_body_size 1G;"),
     120, 20971520},
    {"no unit and no limit",
     snippet("fastcgi.conf", "fastcgi_read_timeout 90;") + snippet("import.conf", "client_max_body_size 0;"),
     90, 0},
    {"the smaller one",
     snippet("import.conf", "client_max_body_size 2g;") +
         snippet("long-bodies.conf", "client_max_body_size 512k;"),
     0, 524288},
    {"another form", snippet("fastcgi.conf", "fastcgi_read_timeout 1m30s;"), 0, 0},
    {"only the settings of other files", snippet("errors.conf", "client_max_body_size 5;"), 0, 0},
};

struct Dump {
    std::string name;
    std::string text;
    int port;
    std::string address;
    std::vector<std::string> names;
    std::vector<std::string> certificates;
    std::vector<std::string> keys;
    bool takes_proxy_protocol = false;
};

const std::vector<Dump> dumps = {
    {"nothing", "", 0, "127.0.0.1", {}, {}, {}},
    {"other sites only", other_site, 0, "127.0.0.1", {}, {}, {}},
    {"the package's form",
     head + "server {\n  listen 443 ssl; listen [::]:443 ssl;\n server_name _;\n}\n"
            "server { listen 127.0.0.1:9642; server_name localhost; }\n\n"
            "# configuration file /etc/nginx/snippets/data-import/certificate.conf:\n"
            "ssl_certificate /a.pem;\nssl_certificate_key /a.key;\n",
     443,
     "127.0.0.1",
     {},
     {"/a.pem"},
     {"/a.key"}},
    {"a site to which somebody gave HTTP/2",
     head + "server {\n  listen 443 ssl; listen [::]:443 ssl; http2 on;\n server_name _;\n}\n",
     443,
     "127.0.0.1",
     {},
     {},
     {}},
    {"a certificate for each kind of key",
     head + "server { listen 443 ssl; }\n"
            "# configuration file /etc/nginx/snippets/data-import/certificate.conf:\n"
            "ssl_certificate /r.pem;\nssl_certificate_key /r.key;\n"
            "ssl_certificate /e.pem;\nssl_certificate_key /e.key;\n",
     443,
     "127.0.0.1",
     {},
     {"/r.pem", "/e.pem"},
     {"/r.key", "/e.key"}},
    {"a listener behind a balancer",
     head + "server { listen 443 ssl proxy_protocol; listen [::]:443 ssl proxy_protocol; }",
     443,
     "127.0.0.1",
     {},
     {},
     {},
     true},
    {"a balancer before another listener",
     head + "server { listen 80 proxy_protocol; listen 443 ssl; }",
     443,
     "127.0.0.1",
     {},
     {},
     {}},
    {"an address, names, quotes and comments",
     head + "server {\n  # listen 1 ssl;\n listen 127.0.0.2:8443 ssl;\n"
            " server_name import.example.com \"www.example.com\" *.example.org .example.net ~^x$;\n"
            " ssl_certificate '/a b.pem'; # ssl_certificate /c.pem;\n}\n",
     8443,
     "127.0.0.2",
     {"import.example.com", "www.example.com"},
     {"/a b.pem"},
     {}},
    {"a plain listener first", head + "server { listen 80; listen [::]:8443 ssl; }", 8443, "::1", {}, {}, {}},
    {"an address alone", head + "server { listen 192.0.2.1 ssl; }", 443, "192.0.2.1", {}, {}, {}},
    {"not finished", head + "server { listen 192.0.2.1:12 ssl", 0, "127.0.0.1", {}, {}, {}},
};

struct Acting {
    std::string name;
    std::string text;
    /// The doctor's expected findings if the setting operator_workers is 2: for each finding a line, which is
    /// a part of the finding's text.
    std::string findings;
};

std::string acting_server(const std::string& more, const std::string& person = "$remote_user") {
    return "http { server { listen 443 ssl; server_name operators.example.com;" + more +
           " location ^~ /operator/acts/ { include x; fastcgi_param DATA_IMPORT_OPERATOR " + person +
           "; fastcgi_pass data_import_operator; } location / { proxy_pass http://127.0.0.1:9642; } } }";
}

const std::vector<Acting> acting = {
    {"passwords", acting_server("auth_basic x;"), "signs people in as $remote_user"},
    {"a sign-on", acting_server("auth_request /a;", "$di_operator"), "signs people in as $di_operator"},
    {"certificates", acting_server("ssl_verify_client on;", "$ssl_client_s_dn_cn"),
     "signs people in as $ssl_client_s_dn_cn"},
    {"nobody signs in", acting_server(""), "signs nobody in"},
    {"certificates are a wish", acting_server("ssl_verify_client optional;"), "signs nobody in"},
    {"passwords are off for acts",
     "server { listen 1 ssl; auth_basic x; location / { auth_basic off; "
     "fastcgi_param DATA_IMPORT_OPERATOR $remote_user; fastcgi_pass data_import_operator; } }",
     "signs nobody in"},
    {"passwords for acts alone",
     "server { location / { auth_basic x; fastcgi_param DATA_IMPORT_OPERATOR $remote_user; "
     "fastcgi_pass data_import_operator; } listen 1 ssl; }",
     "signs people in as $remote_user"},
    {"no TLS", acting_server("auth_basic x; listen 80;"), "has a listener without ssl"},
    {"no name", "server { listen 1 ssl; auth_basic x; location / { fastcgi_pass data_import_operator; } }",
     "passes no DATA_IMPORT_OPERATOR"},
    {"everybody is jane", acting_server("auth_basic x;", "jane"), "takes the name of the person from jane"},
    {"a header", acting_server("auth_basic x;", "$http_x_user"),
     "takes the name of the person from $http_x_user"},
    {"a header in a variable", acting_server("auth_basic x; set $who $http_x_user;", "$who"),
     "takes the name of the person from $who"},
    {"the name of a password that nobody checks", acting_server("auth_request /a;"),
     "takes the name of the person from $remote_user"},
    {"the same in a variable", acting_server("ssl_verify_client on; set $who $remote_user;", "$who"),
     "takes the name of the person from $who"},
    {"a password or a sign-on", acting_server("auth_basic x; auth_request /a; satisfy any;"),
     "takes the name of the person from $remote_user"},
    {"a password and a sign-on", acting_server("auth_basic x; auth_request /a; satisfy all;"),
     "signs people in as $remote_user"},
    {"a password in a variable", acting_server("auth_basic x; set $who $remote_user;", "$who"),
     "signs people in as $who"},
    {"none", "server { listen 80; fastcgi_pass data_import_health; }", "operator_workers is 2"},
    {"two", acting_server("auth_basic x;") + acting_server(""),
     "signs people in as $remote_user\nsigns nobody in"},
};

}  // namespace

class NginxSiteTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NginxSiteTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_dumps);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_limits);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_acting);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_limits(TestSuiteBuilderContextType& context) {
        for (const Limits& row : limits) {
            tests::add_row(context, "limits: " + row.name, [row] {
                const console::SiteFacts facts = console::read_site(row.text);
                CPPUNIT_ASSERT_EQUAL(row.answer_seconds, facts.answer_seconds);
                CPPUNIT_ASSERT_EQUAL(row.longest_body, facts.longest_body);
            });
        }
    }

    static void add_acting(TestSuiteBuilderContextType& context) {
        for (const Acting& row : acting) {
            tests::add_row(context, "acts: " + row.name, [row] {
                std::istringstream expected(row.findings);
                for (const doctor::Finding& finding :
                     doctor::judge_acting_servers(console::acting_servers(row.text), 2)) {
                    std::string words;
                    std::getline(expected, words);
                    CPPUNIT_ASSERT_MESSAGE(finding.text, finding.text.find(words) != std::string::npos);
                    CPPUNIT_ASSERT_EQUAL(words.starts_with("signs people in"),
                                         finding.health == doctor::Health::ok);
                }
                CPPUNIT_ASSERT(expected.peek() == EOF);
            });
        }
    }

    static void add_dumps(TestSuiteBuilderContextType& context) {
        for (const Dump& row : dumps) {
            tests::add_row(context, row.name, [row] {
                const console::SiteFacts facts = console::read_site(row.text);
                CPPUNIT_ASSERT_EQUAL(row.port, facts.port);
                CPPUNIT_ASSERT_EQUAL(row.address, facts.address);
                CPPUNIT_ASSERT(row.names == facts.names);
                CPPUNIT_ASSERT(row.certificates == facts.certificates);
                CPPUNIT_ASSERT(row.keys == facts.certificate_keys);
                CPPUNIT_ASSERT_EQUAL(row.takes_proxy_protocol, facts.takes_proxy_protocol);
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(NginxSiteTest);

}  // namespace data_import
