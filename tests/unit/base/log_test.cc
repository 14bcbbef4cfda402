#include "base/util/log.h"

#include <cppunit/extensions/HelperMacros.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "base/util/file_descriptor.h"
#include "base/util/systemd_journal.h"

namespace {

using data_import::util::format_log_line;
using data_import::util::LogField;
using data_import::util::Severity;

struct Case {
    const char* name;
    std::string value;
    const char* expected;
};

/// Returns the texts that `work` writes to standard error, one for each write().
std::vector<std::string> writes_of(const std::function<void()>& work) {
    int ends[2];
    CPPUNIT_ASSERT_EQUAL(0, ::pipe2(ends, O_CLOEXEC | O_DIRECT));  // a read gets the bytes of one write()
    const data_import::util::FileDescriptor out(ends[0]);
    data_import::util::FileDescriptor in(ends[1]);
    const data_import::util::FileDescriptor standard_error(::dup(STDERR_FILENO));
    ::dup2(in.get(), STDERR_FILENO);
    work();
    ::dup2(standard_error.get(), STDERR_FILENO);
    in.close();
    std::vector<std::string> writes;
    std::string bytes(2 * data_import::util::max_log_line, '\0');
    for (ssize_t count = 0; (count = ::read(out.get(), bytes.data(), bytes.size())) > 0;)
        writes.push_back(bytes.substr(0, static_cast<std::size_t>(count)));
    return writes;
}

const Case values[] = {
    {"plain", "abc-1", "<6>m k=abc-1\n"},
    {"empty", "", "<6>m k=\"\"\n"},
    {"blank", "a b", "<6>m k=\"a b\"\n"},
    {"quote", "a\"b", "<6>m k=\"a\\\"b\"\n"},
    {"backslash", "a\\b", "<6>m k=\"a\\\\b\"\n"},
    {"equals sign", "a=b", "<6>m k=\"a=b\"\n"},
    {"line break", "a\nb", "<6>m k=\"a\\nb\"\n"},
    {"control character", "a\x1b[0m", "<6>m k=\"a\\x1b[0m\"\n"},
    {"C1 control character", "a\xc2\x9b[0m", "<6>m k=\"a\\xc2\\x9b[0m\"\n"},
    {"direction control", "a\xe2\x80\xaez", "<6>m k=\"a\\xe2\\x80\\xaez\"\n"},
    {"null byte", std::string("a\0b", 3), "<6>m k=\"a\\x00b\"\n"},
    {"utf-8", "Z\xc3\xbcrich", "<6>m k=Z\xc3\xbcrich\n"},
    {"no utf-8", "Z\xfcrich", "<6>m k=\"Z\\xfcrich\"\n"},
};

class LogTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LogTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_values);
    CPPUNIT_TEST(carries_the_priority);
    CPPUNIT_TEST(keeps_a_message_on_one_line);
    CPPUNIT_TEST(writes_numbers);
    CPPUNIT_TEST(shortens_long_lines);
    CPPUNIT_TEST(writes_lines_together);
    CPPUNIT_TEST(writes_entries_of_the_journal);
    CPPUNIT_TEST(writes_to_standard_error_unless_it_is_the_journal);
    CPPUNIT_TEST(knows_the_names_of_severities);
    CPPUNIT_TEST_SUITE_END();

    static void add_values(TestSuiteBuilderContextType& context) {
        for (const Case& row : values) {
            const auto test = [&row] {
                const std::string line = format_log_line(Severity::info, "m", {{"k", row.value}});
                CPPUNIT_ASSERT_EQUAL(std::string(row.expected), line);
            };
            context.addTest(
                new CppUnit::TestCaller<LogTest>(context.getTestNameFor(row.name), test, new LogTest));
        }
    }

    void carries_the_priority() {
        CPPUNIT_ASSERT_EQUAL(std::string("<3>m\n"), format_log_line(Severity::error, "m"));
        CPPUNIT_ASSERT_EQUAL(std::string("<7>m\n"), format_log_line(Severity::debug, "m"));
    }

    void keeps_a_message_on_one_line() {
        CPPUNIT_ASSERT_EQUAL(std::string("<6>a\\nb \"c\"\n"), format_log_line(Severity::info, "a\nb \"c\""));
    }

    void writes_numbers() {
        CPPUNIT_ASSERT_EQUAL(std::string("<6>m a=-1 b=2\n"),
                             format_log_line(Severity::info, "m", {{"a", -1}, {"b", std::size_t{2}}}));
    }

    void shortens_long_lines() {
        std::string value;
        while (value.size() < 2 * data_import::util::max_log_line) value += "\xc3\xbc";
        const std::string line = format_log_line(Severity::info, "m", {{"k", value}});
        CPPUNIT_ASSERT(line.size() <= data_import::util::max_log_line);
        CPPUNIT_ASSERT(line.ends_with("\xc3\xbc...\n"));
    }

    void writes_lines_together() {
        using data_import::util::log;
        const std::string half(data_import::util::max_log_line / 2, 'x');
        const std::vector<std::string> writes = writes_of([&] {
            log(Severity::info, "alone");
            {
                const data_import::util::LinesTogether lines;
                log(Severity::info, "first");
                log(Severity::error, "second");
                log(Severity::info, half);
                log(Severity::info, half);
            }
            log(Severity::info, "alone again");
        });
        const std::vector<std::string> expected{"<6>alone\n", "<6>first\n<3>second\n<6>" + half + '\n',
                                                "<6>" + half + '\n', "<6>alone again\n"};
        CPPUNIT_ASSERT(expected == writes);
    }

    void writes_entries_of_the_journal() {
        const LogField fields[] = {{"request_id", "0f"}, {"api-key", 3}, {"reason", "a\nb"}};
        const std::vector<std::string> expected = {"PRIORITY=3",
                                                   "SYSLOG_IDENTIFIER=unit-tests",
                                                   "MESSAGE=request request_id=0f api-key=3 reason=\"a\\nb\"",
                                                   "REQUEST_ID=0f",
                                                   "API_KEY=3",
                                                   "REASON=a\nb"};
        CPPUNIT_ASSERT(expected ==
                       data_import::util::format_journal_entry(Severity::error, "request", fields));
    }

    /// tests/package/inside/walk tests this with a real journal.
    void writes_to_standard_error_unless_it_is_the_journal() {
        struct stat status {};
        ::fstat(STDERR_FILENO, &status);
        const std::string stream = std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
        ::setenv("JOURNAL_STREAM", stream.c_str(), 1);
        const bool is_journal = data_import::util::is_standard_error_the_journal();
        ::setenv("JOURNAL_STREAM", "0:0", 1);
        const bool is_another = data_import::util::is_standard_error_the_journal();
        ::unsetenv("JOURNAL_STREAM");
        CPPUNIT_ASSERT(is_journal && !is_another);
        CPPUNIT_ASSERT(!data_import::util::is_standard_error_the_journal());
    }

    void knows_the_names_of_severities() {
        CPPUNIT_ASSERT(data_import::util::parse_severity("warning") == Severity::warning);
        CPPUNIT_ASSERT(data_import::util::parse_severity("debug") == Severity::debug);
        CPPUNIT_ASSERT(!data_import::util::parse_severity("loud"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LogTest);

}  // namespace
