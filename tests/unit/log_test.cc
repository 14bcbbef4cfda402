#include "util/log.h"

#include <cppunit/extensions/HelperMacros.h>

#include <functional>

namespace {

using data_import::util::format_log_line;
using data_import::util::LogField;
using data_import::util::Severity;

struct Case {
    const char* name;
    std::string value;
    const char* expected;
};

const Case values[] = {
    {"plain", "abc-1", "<6>m k=abc-1\n"},
    {"empty", "", "<6>m k=\"\"\n"},
    {"blank", "a b", "<6>m k=\"a b\"\n"},
    {"quote", "a\"b", "<6>m k=\"a\\\"b\"\n"},
    {"backslash", "a\\b", "<6>m k=\"a\\\\b\"\n"},
    {"equals sign", "a=b", "<6>m k=\"a=b\"\n"},
    {"line break", "a\nb", "<6>m k=\"a\\nb\"\n"},
    {"control character", "a\x1b[0m", "<6>m k=\"a\\x1b[0m\"\n"},
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

    void knows_the_names_of_severities() {
        CPPUNIT_ASSERT(data_import::util::parse_severity("warning") == Severity::warning);
        CPPUNIT_ASSERT(data_import::util::parse_severity("debug") == Severity::debug);
        CPPUNIT_ASSERT(!data_import::util::parse_severity("loud"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LogTest);

}  // namespace
