#include "base/config/settings.h"

#include <cppunit/extensions/HelperMacros.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "base/config/setting_table.h"

namespace {

using namespace data_import;

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A configuration in a directory of its own, removed at the end.
class Directory {
public:
    Directory() {
        std::string name = (std::filesystem::temp_directory_path() / "data-import-settings-XXXXXX").string();
        CPPUNIT_ASSERT(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { std::filesystem::remove_all(path_); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }
    [[nodiscard]] std::filesystem::path main() const { return path_ / "main.conf"; }
    [[nodiscard]] config::Settings load() const { return config::load(main()); }

    /// The error of loading, without the directory's name.
    [[nodiscard]] std::string error() const {
        try {
            static_cast<void>(load());
        } catch (const config::ConfigError& problem) {
            const std::string text = problem.what();
            const std::string prefix = path_.string() + "/";
            return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
        }
        return "no error";
    }

private:
    std::filesystem::path path_;
};

struct Case {
    const char* name;
    const char* text;
    const char* expected;
};

const Case refused[] = {
    {"below the range", "import_workers = 0",
     "main.conf:1: `import_workers = 0` is not possible: expected a number from 1 to 1024"},
    {"above the range", "\n# c\naccess_refresh = 10",
     "main.conf:3: `access_refresh = 10` is not possible: expected seconds from 1 to 9"},
    {"negative", "max_requests = -1",
     "main.conf:1: `max_requests = -1` is not possible: expected a number from 0 to 1000000000"},
    {"empty number", "import_workers =",
     "main.conf:1: `import_workers = ` is not possible: expected a number from 1 to 1024"},
    {"trailing letters", "import_workers = 8x",
     "main.conf:1: `import_workers = 8x` is not possible: expected a number from 1 to 1024"},
    {"far too large", "import_workers = 99999999999999999999999",
     "main.conf:1: `import_workers = 99999999999999999999999` is not possible: expected a number from 1 to "
     "1024"},
    {"unit of a time", "request_timeout = 55s",
     "main.conf:1: `request_timeout = 55s` is not possible: expected seconds from 1 to 3600"},
    {"unknown unit", "max_body_bytes = 10 MB",
     "main.conf:1: `max_body_bytes = 10 MB` is not possible: expected bytes, or a number of KiB, MiB or GiB, "
     "from 1KiB "
     "to 1GiB"},
    {"overflowing unit", "max_body_bytes = 18014398509481985 KiB",
     "main.conf:1: `max_body_bytes = 18014398509481985 KiB` is not possible: expected bytes, or a number of "
     "KiB, MiB "
     "or GiB, from 1KiB to 1GiB"},
    {"unknown word", "unknown_fields = drop",
     "main.conf:1: `unknown_fields = drop` is not possible: expected refuse or ignore"},
    {"yes in another way", "log_requests = true",
     "main.conf:1: `log_requests = true` is not possible: expected yes or no"},
    {"relative path", "keys_directory = keys",
     "main.conf:1: `keys_directory = keys` is not possible: expected an absolute path"},
    {"empty connection parameters",
     "database =", "main.conf:1: `database = ` is not possible: expected text that is not empty"},
    {"misspelt", "import_wokers = 3",
     "main.conf:1: unknown setting `import_wokers`: did you mean `import_workers`?"},
    {"unlike any", "x = 3",
     "main.conf:1: unknown setting `x`: data-importd --sample-config lists all settings"},
    {"twice", "log_level = info\nlog_level = debug", "main.conf:2: `log_level` stands in line 1 already"},
    {"byte order mark", "\xEF\xBB\xBFlog_level = info",
     "main.conf:1: begins with a byte order mark: save the file without it"},
    {"no equals sign", "log_level info",
     "main.conf:1: expected `key = value`, a comment that begins with #, or nothing"},
    {"control character", "socket_group = a\x01z",
     "main.conf:1: `socket_group = a?z` is not possible: expected text"},
};

const Case masked[] = {
    {"none", "host=h user=u", "host=h user=u"},
    {"keyword", "host=h password=secret user=u", "host=h password=*** user=u"},
    {"blanks around", "password = secret user=u", "password = *** user=u"},
    {"quoted", R"(password='se \' cret' user=u)", "password=*** user=u"},
    {"escaped blank", R"(password=se\ cret user=u)", "password=*** user=u"},
    {"behind a closing quote", "password='se'cret user=u", "password=*** user=u"},
    {"of a key", "sslpassword=secret", "sslpassword=***"},
    {"capitals", "PASSWORD=secret", "PASSWORD=***"},
    {"password file", "passfile=/etc/pass", "passfile=/etc/pass"},
    {"uri", "postgresql://u:secret@h/d", "postgresql://u:***@h/d"},
    {"uri with parameter", "postgres://u@h/d?password=secret&sslmode=require",
     "postgres://u@h/d?password=***&sslmode=require"},
    {"misspelt keyword", "host=h pasword=secret user=u", "host=h pasword=*** user=u"},
    {"misspelt keyword of a uri", "postgres://u@h/d?pasword=secret&sslmode=require",
     "postgres://u@h/d?pasword=***&sslmode=require"},
    {"blank in it", "password=sec ret user=u", "password=*** *** user=u"},
    {"a tab between two", "host=h\tpassword=secret\tuser=u", "host=h\tpassword=***\tuser=u"},
    {"? in a uri", "postgresql://u:se?cret@h/d?sslmode=require", "postgresql://u:***@h/d?sslmode=require"},
    {"@ in a query", "postgresql://h:5432/d?password=se@cret", "postgresql://h:5432/d?password=***"},
    {"@ in a uri", "postgresql://u:se@cret@h/d", "postgresql://u:***@h/d"},
    {"/ in a uri", "postgresql://u:se/cret@h/d", "postgresql://u:***@h/d"},
    {"uri as a value", "dbname=postgresql://u:secret@h/d", "dbname=***"},
    {"uri behind another word", "x postgresql://u:secret@h/d", "*** ***"},
    {"uri of another program", "mysql://u:secret@h/d", "***"},
};

class SettingsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SettingsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_refused);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_masked);
    CPPUNIT_TEST(has_defaults);
    CPPUNIT_TEST(reads_values);
    CPPUNIT_TEST(reads_parts_in_order);
    CPPUNIT_TEST(names_the_part_that_is_wrong);
    CPPUNIT_TEST(reads_valid_settings);
    CPPUNIT_TEST(refuses_a_missing_file);
    CPPUNIT_TEST(prints_the_settings_it_reads);
    CPPUNIT_TEST(keeps_settings_that_wait_for_a_restart);
    CPPUNIT_TEST(ships_the_sample);
    CPPUNIT_TEST(accepts_the_sample_with_all_lines_in_force);
    CPPUNIT_TEST(describes_every_setting);
    CPPUNIT_TEST_SUITE_END();

    static void add(TestSuiteBuilderContextType& context, const std::string& name,
                    std::function<void()> test) {
        context.addTest(new CppUnit::TestCaller<SettingsTest>(context.getTestNameFor(name), std::move(test),
                                                              new SettingsTest));
    }

    static void add_refused(TestSuiteBuilderContextType& context) {
        for (const Case& row : refused) {
            add(context, std::string("refused: ") + row.name, [&row] {
                const Directory directory;
                directory.write("main.conf", row.text);
                CPPUNIT_ASSERT_EQUAL(std::string(row.expected), directory.error());
            });
        }
    }

    static void add_masked(TestSuiteBuilderContextType& context) {
        for (const Case& row : masked) {
            add(context, std::string("masked: ") + row.name, [&row] {
                config::Settings settings;
                settings.database = row.text;
                const std::string expected = std::string("database = ") + row.expected + "\n";
                CPPUNIT_ASSERT_EQUAL(expected, config::print(settings).substr(0, expected.size()));
            });
        }
    }

    void has_defaults() {
        const Directory directory;
        directory.write("main.conf", "");
        const config::Settings settings = directory.load();
        CPPUNIT_ASSERT_EQUAL(std::size_t{8}, settings.import_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{10485760}, settings.max_body_bytes);
        CPPUNIT_ASSERT(settings.request_timeout == std::chrono::seconds(55));
        CPPUNIT_ASSERT_EQUAL(std::string("refuse"), settings.unknown_fields);
        CPPUNIT_ASSERT(!settings.log_requests);
    }

    void reads_values() {
        const Directory directory;
        directory.write(
            "main.conf",
            "# comment\r\n\r\n  import_workers=3\t\r\nmax_body_bytes = 2 MiB\nsocket_group =\n"
            "database = host=/tmp dbname=d options='-c a=#b'\nkeys_directory = /a/../b/\nlog_requests = yes");
        const config::Settings settings = directory.load();
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, settings.import_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{2097152}, settings.max_body_bytes);
        CPPUNIT_ASSERT_EQUAL(std::string(), settings.socket_group);
        CPPUNIT_ASSERT_EQUAL(std::string("host=/tmp dbname=d options='-c a=#b'"), settings.database);
        CPPUNIT_ASSERT_EQUAL(std::string("/b/"), settings.keys_directory.string());
        CPPUNIT_ASSERT(settings.log_requests);
    }

    void reads_parts_in_order() {
        const Directory directory;
        directory.write("main.conf", "import_workers = 1\nlisting_workers = 1\nvendor_workers = 1\n");
        directory.write("conf.d/20.conf", "import_workers = 20\n");
        directory.write("conf.d/10.conf", "import_workers = 10\nlisting_workers = 10\n");
        directory.write("conf.d/30.conf.dpkg-old", "import_workers = 30\n");
        directory.write("conf.d/.hidden.conf", "import_workers = 40\n");
        const config::Settings settings = directory.load();
        CPPUNIT_ASSERT_EQUAL(std::size_t{20}, settings.import_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{10}, settings.listing_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, settings.vendor_workers);
    }

    void names_the_part_that_is_wrong() {
        const Directory directory;
        directory.write("main.conf", "");
        directory.write("conf.d/10.conf", "\nlog_level = loud\n");
        CPPUNIT_ASSERT_EQUAL(
            std::string("conf.d/10.conf:2: `log_level = loud` is not possible: expected error, "
                        "warning, notice, info or debug"),
            directory.error());
    }

    void reads_valid_settings() {
        const Directory directory;
        directory.write("main.conf",
                        "import_workers = many\nno_setting = 1\nlisting_workers = 3\nnginx_config = /a\n");
        directory.write("conf.d/10.conf", "vendor_workers = 4\nno line of a setting\n");
        directory.write("conf.d/20.conf", "listing_workers = 5\nlisting_workers = 6\n");
        directory.write("conf.d/30.conf", "nginx_config = /b\n");
        const config::Settings settings = config::load_valid_rows(directory.main());
        CPPUNIT_ASSERT_EQUAL(std::size_t{8}, settings.import_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, settings.listing_workers);
        CPPUNIT_ASSERT_EQUAL(std::size_t{8}, settings.vendor_workers);
        CPPUNIT_ASSERT_EQUAL(std::string("/b"), settings.nginx_config.string());
        CPPUNIT_ASSERT_EQUAL(std::string("/etc/nginx/nginx.conf"),
                             config::load_valid_rows("/nonexistent/main.conf").nginx_config.string());
    }

    void refuses_a_missing_file() {
        const Directory directory;
        CPPUNIT_ASSERT_EQUAL(std::string("main.conf: cannot be read: No such file or directory"),
                             directory.error());
        std::filesystem::create_directory(directory.main());
        CPPUNIT_ASSERT_EQUAL(std::string("main.conf: is a directory"), directory.error());
    }

    void prints_the_settings_it_reads() {
        const Directory directory;
        directory.write("main.conf", "max_body_bytes = 3145728\nimport_workers = 5\nlog_requests = yes\n");
        const std::string printed = config::print(directory.load());
        directory.write("main.conf", printed);
        CPPUNIT_ASSERT_EQUAL(printed, config::print(directory.load()));
        CPPUNIT_ASSERT(printed.find("import_workers = 5\n") != std::string::npos);
    }

    void keeps_settings_that_wait_for_a_restart() {
        const Directory directory;
        directory.write("main.conf", "socket_group = a\n");
        const config::Settings running = directory.load();
        directory.write("main.conf", "socket_group = b\nimport_workers = 5\n");
        config::Settings settings = directory.load();
        CPPUNIT_ASSERT(config::keep_until_restart(settings, running) ==
                       std::vector<std::string>{"socket_group"});
        CPPUNIT_ASSERT_EQUAL(std::string("a"), settings.socket_group);
        CPPUNIT_ASSERT_EQUAL(std::size_t{5}, settings.import_workers);
        CPPUNIT_ASSERT(config::keep_until_restart(settings, running).empty());
    }

    void ships_the_sample() { CPPUNIT_ASSERT_EQUAL(config::sample(), contents("etc/data-import.conf")); }

    void accepts_the_sample_with_all_lines_in_force() {
        const Directory directory;
        directory.write("main.conf", config::sample());
        const std::string defaults = config::print(directory.load());
        std::string text;
        std::istringstream lines(config::sample());
        for (std::string line; std::getline(lines, line);) {
            text += (line.size() > 1 && line[0] == '#' && line[1] != ' ' ? line.substr(1) : line) + "\n";
        }
        directory.write("main.conf", text);
        CPPUNIT_ASSERT_EQUAL(defaults, config::print(directory.load()));
    }

    void describes_every_setting() {
        for (const config::Setting& setting : config::table()) {
            const std::string name(setting.name);
            CPPUNIT_ASSERT_MESSAGE(name, !allowed(setting).empty() && explanation(setting).ends_with('.'));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SettingsTest);

}  // namespace
