// payment_vendors/configuration: the files of vendors.d.
#include "data/payment_vendors/configuration.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

using std::chrono::seconds;

/// The folder of an installation, which the destructor removes. `@` in written texts stands for its path.
class Directory {
public:
    Directory() {
        std::string name = (std::filesystem::temp_directory_path() / "data-import-vendors-XXXXXX").string();
        CPPUNIT_ASSERT(::mkdtemp(name.data()) != nullptr);
        path_ = name;
        write("secret", "s3cret\n", 0640);
        write("empty", "\n", 0600);
        write("open", "s3cret\n", 0644);
        write("two", "two words\n", 0600);
        write("long", std::string(4097, 'x'), 0600);
        write("ca.pem", "no certificate", 0644);
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { std::filesystem::remove_all(path_); }

    void write(const std::string& name, const std::string& text, unsigned mode = 0644) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << with_path(text);
        std::filesystem::permissions(path_ / name, std::filesystem::perms(mode));
    }
    void vendor(const std::string& name, const std::string& text) const { write("vendors.d/" + name, text); }
    [[nodiscard]] std::vector<payment_vendors::Vendor> load(seconds request_timeout = seconds(55)) const {
        return payment_vendors::load_vendors(path_ / "main.conf", request_timeout);
    }
    /// The error of load(), with `@` in the place of the folder's path.
    [[nodiscard]] std::string error() const {
        try {
            static_cast<void>(load());
        } catch (const config::ConfigError& problem) {
            return without_path(problem.what());
        }
        return "no error";
    }

private:
    [[nodiscard]] std::string with_path(std::string text) const {
        for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos;)
            text.replace(at, 1, path_.string());
        return text;
    }
    [[nodiscard]] std::string without_path(std::string text) const {
        for (std::size_t at = 0; (at = text.find(path_.string())) != std::string::npos;)
            text.replace(at, path_.string().size(), "@");
        return text;
    }

    std::filesystem::path path_;
};

const std::string good = "code = NORDPAY\nbase_url = https://pay.test/v1\nsecret_file = @/secret\n";

struct Wrong {
    const char* name;
    std::string text;
    std::string error;
};

const std::vector<Wrong> refused = {
    {"empty file", "", "@/vendors.d/a.conf: `code` is missing"},
    {"no base_url", "code = A\nsecret_file = @/secret\n", "@/vendors.d/a.conf: `base_url` is missing"},
    {"no secret", "code = A\nbase_url = https://a\n", "@/vendors.d/a.conf: `secret_file` is missing"},
    {"unknown key", good + "secret = s3cret\n",
     "@/vendors.d/a.conf:4: unknown key `secret`: the keys of a vendor are code, base_url, secret_file, "
     "connect_timeout, total_timeout, ca_file, retries, proxy"},
    {"twice", good + "code = B\n", "@/vendors.d/a.conf:4: `code` stands in line 1 already"},
    {"no equals sign", "code\n",
     "@/vendors.d/a.conf:1: expected `key = value`, a comment that begins with #, or nothing"},
    {"code that turns text round",
     "code = A\xE2\x80\xAE"
     "B\n",
     "@/vendors.d/a.conf:1: `code` has to be 1 to 64 characters in UTF-8, no control characters among them"},
    {"empty code", "code =\n",
     "@/vendors.d/a.conf:1: `code` has to be 1 to 64 characters in UTF-8, no control characters among them"},
    {"long code", "code = " + std::string(65, 'x') + "\n",
     "@/vendors.d/a.conf:1: `code` has to be 1 to 64 characters in UTF-8, no control characters among them"},
    {"http", "base_url = http://pay.test\n",
     "@/vendors.d/a.conf:1: `base_url` has to be https://HOST[:PORT][/PATH], without user, query and "
     "fragment"},
    {"relative secret", "secret_file = secret\n",
     "@/vendors.d/a.conf:1: `secret_file` has to be an absolute path"},
    {"missing secret", "secret_file = @/nothing\n",
     "@/vendors.d/a.conf:1: `secret_file`: @/nothing cannot be read: No such file or directory"},
    {"secret that is a folder", "secret_file = @/vendors.d\n",
     "@/vendors.d/a.conf:1: `secret_file`: @/vendors.d is not a regular file"},
    {"empty secret", "secret_file = @/empty\n", "@/vendors.d/a.conf:1: `secret_file`: @/empty is empty"},
    {"open secret", "secret_file = @/open\n",
     "@/vendors.d/a.conf:1: `secret_file`: @/open is accessible to others: type chmod o="},
    {"secret of two words", "secret_file = @/two\n",
     "@/vendors.d/a.conf:1: `secret_file`: @/two must hold one word of printable ASCII characters and "
     "nothing else"},
    {"long secret", "secret_file = @/long\n",
     "@/vendors.d/a.conf:1: `secret_file`: @/long is longer than a secret may be, 4096 bytes"},
    {"connect_timeout 0", "connect_timeout = 0\n",
     "@/vendors.d/a.conf:1: `connect_timeout` has to be seconds from 1 to 60"},
    {"connect_timeout with unit", "connect_timeout = 5s\n",
     "@/vendors.d/a.conf:1: `connect_timeout` has to be seconds from 1 to 60"},
    {"total_timeout 3601", "total_timeout = 3601\n",
     "@/vendors.d/a.conf:1: `total_timeout` has to be seconds from 1 to 3600"},
    {"total above the request's time", good + "total_timeout = 55\n",
     "@/vendors.d/a.conf:4: `total_timeout` of 55 seconds has to be below request_timeout, which is 55"},
    {"connect above total", good + "total_timeout = 3\n",
     "@/vendors.d/a.conf:4: `connect_timeout` of 5 seconds must not be above total_timeout, which is 3"},
    {"retries 11", "retries = 11\n", "@/vendors.d/a.conf:1: `retries` has to be a number from 0 to 10"},
    {"proxy without port", "proxy = http://proxy.test\n",
     "@/vendors.d/a.conf:1: `proxy` has to be http://HOST:PORT"},
    {"ca_file without certificate", "ca_file = @/ca.pem\n",
     "@/vendors.d/a.conf:1: `ca_file`: @/ca.pem holds no certificate in PEM format"},
    {"missing ca_file", "ca_file = @/nothing\n",
     "@/vendors.d/a.conf:1: `ca_file`: @/nothing cannot be read: No such file or directory"},
};

struct Url {
    const char* text;
    const char* parts;  ///< host, port and path; empty for a text that is refused
};

const Url urls[] = {
    {"https://pay.test", "pay.test 443 "},
    {"https://pay.test/", "pay.test 443 "},
    {"https://pay.test:8443", "pay.test 8443 "},
    {"https://127.0.0.1:1/a/b/", "127.0.0.1 1 /a/b"},
    {"https://[::1]:8443/v1", "::1 8443 /v1"},
    {"https://pay.test/a%20b", "pay.test 443 /a%20b"},
    {"http://pay.test", ""},
    {"HTTPS://pay.test", ""},
    {"https://", ""},
    {"https:///v1", ""},
    {"https://user:password@pay.test", ""},
    {"https://pay.test?x=1", ""},
    {"https://pay.test/v1?x=1", ""},
    {"https://pay.test/v1#x", ""},
    {"https://pay.test:0", ""},
    {"https://pay.test:", ""},
    {"https://pay.test:65536", ""},
    {"https://pay.test:8443x", ""},
    {"https://[::1", ""},
    {"https://[pay.test]", ""},
    {"https://[::1]8443", ""},
    {"https://pay test", ""},
    {"https://pay.test/a b", ""},
    {"https://pay.test/a//b", ""},
    {"https://pay.test/a/../b", ""},
    {"https://pay.test/%2e%2e", ""},
    {"https://pay.test/%zz", ""},
    {"https://p\u00e4y.test", ""},
};

std::string parts_of(const char* text) {
    const auto url = payment_vendors::parse_base_url(text);
    return url ? url->server.host + ' ' + std::to_string(url->server.port) + ' ' + url->path : "";
}

}  // namespace

class VendorConfigurationTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorConfigurationTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_refused);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_urls);
    CPPUNIT_TEST(needs_no_vendors);
    CPPUNIT_TEST(takes_the_defaults);
    CPPUNIT_TEST(takes_the_configured_values);
    CPPUNIT_TEST(wants_codes_to_differ);
    CPPUNIT_TEST(tells_no_secret);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_refused(TestSuiteBuilderContextType& context) {
        for (const Wrong& row : refused) {
            tests::add_row(context, row.name, [row] {
                const Directory directory;
                directory.vendor("a.conf", row.text);
                CPPUNIT_ASSERT_EQUAL(row.error, directory.error());
            });
        }
    }

    static void add_urls(TestSuiteBuilderContextType& context) {
        for (const Url& row : urls) {
            tests::add_row(context, row.text,
                           [row] { CPPUNIT_ASSERT_EQUAL(std::string(row.parts), parts_of(row.text)); });
        }
    }

    void needs_no_vendors() {
        const Directory directory;
        CPPUNIT_ASSERT(directory.load().empty());
        directory.vendor("README", "no file of a vendor");
        directory.vendor(".hidden.conf", "nor this");
        CPPUNIT_ASSERT(directory.load().empty());
    }

    void takes_the_defaults() {
        const Directory directory;
        directory.vendor("a.conf", "# a vendor\n\n" + good);
        const payment_vendors::Vendor vendor = directory.load().at(0);
        CPPUNIT_ASSERT_EQUAL(std::string("NORDPAY"), vendor.code);
        CPPUNIT_ASSERT_EQUAL(std::string("s3cret"), vendor.secret);
        CPPUNIT_ASSERT(vendor.connect_timeout == seconds(5) && vendor.total_timeout == seconds(20));
        CPPUNIT_ASSERT_EQUAL(2U, vendor.retries);
        CPPUNIT_ASSERT(!vendor.proxy && vendor.ca_file.empty());
    }

    void takes_the_configured_values() {
        const Directory directory;
        directory.vendor(
            "b.conf", good + "connect_timeout=2\ntotal_timeout = 10\nretries = 0\nproxy = http://p:3128\n");
        directory.vendor("a.conf", "code = Ä B\nbase_url = https://a:444\nsecret_file = @/secret\n");
        const auto vendors = directory.load();
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, vendors.size());
        CPPUNIT_ASSERT_EQUAL(std::string("Ä B"), vendors[0].code);
        CPPUNIT_ASSERT(vendors[1].connect_timeout == seconds(2) && vendors[1].total_timeout == seconds(10));
        CPPUNIT_ASSERT_EQUAL(0U, vendors[1].retries);
        CPPUNIT_ASSERT_EQUAL(std::string("p:3128"), net::authority_of(*vendors[1].proxy));
    }

    void wants_codes_to_differ() {
        const Directory directory;
        directory.vendor("a.conf", good);
        directory.vendor("b.conf", good);
        CPPUNIT_ASSERT_EQUAL(
            std::string("@/vendors.d/b.conf: `code` NORDPAY is that of @/vendors.d/a.conf already"),
            directory.error());
    }

    void tells_no_secret() {
        const Directory directory;
        directory.vendor("a.conf", good);
        for (const auto& [key, value] : payment_vendors::describe(directory.load().at(0)))
            CPPUNIT_ASSERT_MESSAGE(key, value.find("s3cret") == std::string::npos);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorConfigurationTest);

}  // namespace data_import
