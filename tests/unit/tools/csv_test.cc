// ctl: CSV by RFC 4180, and the rows of `account load`.
#include "base/util/csv.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../../table.h"
#include "tools/ctl/account_rows.h"
#include "tools/ctl/command.h"

namespace data_import {

namespace {

/// Returns the records as text: the number of the line and the fields in brackets, or `LINE!` for a wrong
/// record.
std::string read_all(const std::string& file, std::size_t piece) {
    std::size_t position = 0;
    util::CsvReader reader([&](char* buffer, std::size_t size) {
        const std::size_t count = std::min({size, piece, file.size() - position});
        std::copy_n(file.data() + position, count, buffer);
        position += count;
        return count;
    });
    util::CsvRecord record;
    std::string text;
    while (reader.next(record)) {
        text += std::to_string(record.line());
        if (!record.error().empty()) text += "!";
        for (std::size_t field = 0; record.error().empty() && field < record.size(); ++field) {
            text += "[" + std::string(record.field(field)) + "]";
        }
        text += " ";
    }
    return text;
}

struct File {
    std::string name;
    std::string bytes;
    std::string records;
};

const std::vector<File> files = {
    {"nothing", "", ""},
    {"line feeds", "a,b\nc,d\n", "1[a][b] 2[c][d] "},
    {"carriage returns and line feeds", "a,b\r\nc,d\r\n", "1[a][b] 2[c][d] "},
    {"no line end at the end", "a,b\nc,d", "1[a][b] 2! "},
    {"no line end behind the header", "a,b", "1! "},
    {"no line end behind a quoted field", "a,b\nc,\"d\"", "1[a][b] 2! "},
    {"blanks without a line end at the end", "a,b\nc,d\n ,", "1[a][b] 2[c][d] "},
    {"half a line end at the end", "a,b\r\nc,d\r", "1[a][b] 2[c][d] "},
    {"empty fields", "a,b,c\n1,,\n", "1[a][b][c] 2[1][][] "},
    {"blank rows", "\n,,\r\na,b\n,\n\n  ,\"\"\nc,d\n,,,,,\n", "3[a][b] 7[c][d] "},
    {"semicolons", "a;b,c;d\n1,5;\"x;y\";z\n", "1[a][b,c][d] 2[1,5][x;y][z] "},
    {"tabs", "a\tb\n1,5\t2;5\n", "1[a][b] 2[1,5][2;5] "},
    {"a separator that is told from outside quotes", "\"a,b,c\";d\n1;2\n", "1[a,b,c][d] 2[1][2] "},
    {"one column", "a\nb;c\n", "1[a] 2[b;c] "},
    {"a line sep=", "sep=;\r\na;b\r\n1;2\r\n", "2[a][b] 3[1][2] "},
    {"a line sep= for one column", "SEP=;\na\n1;2\n", "2[a] 3[1][2] "},
    {"a quoted line sep=", "\"sep=,\"\na;b,c\n", "2[a;b][c] "},
    {"a line sep= that a spreadsheet has kept", "sep=,,,\na,b\n", "2[a][b] "},
    {"a line sep=|", "sep=|\na|b,c\n", "2[a][b,c] "},
    {"a line sep= of two", "sep=ab\n1\n", "1[sep=ab] 2[1] "},
    {"a line #TYPE", "#TYPE System.Data.DataRow\r\n\"a\";\"b\"\r\n\"1\";\"2\"\r\n", "2[a][b] 3[1][2] "},
    {"carriage returns", "a,b\r1,\"x\ry\"\r\r2,3\r", "1[a][b] 2[1][x\ry] 5[2][3] "},
    {"carriage returns and line ends of others", "a\rb\nc\r\nd\r", "1[a] 2[b] 3[c] 4[d] "},
    {"a carriage return alone in a wrong record", "a\rb\"\rc\r", "1[a] 2! 3[c] "},
    {"line ends written twice", "a,b\r\r\n1,2\r\r\n", "1[a][b] 3[1][2] "},
    {"quoted fields", "\"a\",\"\"\n", "1[a][] "},
    {"commas in quotes", "\"a,b\",c\n", "1[a,b][c] "},
    {"doubled quotes", "\"a\"\"b\",\"\"\"\"\n", "1[a\"b][\"] "},
    {"line ends in quotes", "\"a\nb\r\nc\",d\ne\n", "1[a\nb\r\nc][d] 4[e] "},
    {"blanks are kept", " a , b\n", "1[ a ][ b] "},
    {"bytes above 127", "\xC3\xA4,\xFF\n", "1[\xC3\xA4][\xFF] "},
    {"a quote inside a plain field", "a\"b,c\nd\n", "1! 2[d] "},
    {"text behind a closing quote", "\"a\"b,c\nd\n", "1! 2[d] "},
    {"a carriage return alone", "x\na\rb\nc\n", "1[x] 2! 3[c] "},
    {"a quote never closed", "a\n\"b,c\nd\n", "1[a] 2! "},
    {"a record that is too long", std::string(70000, 'x') + "\nb\n", "1! 2[b] "},
    {"a quoted field that is too long", "\"" + std::string(70000, 'x') + "\"\nb\n", "1! "},
    {"too many fields", std::string(2000, ',') + "\nb\n", "1! 2[b] "},
};

struct Row {
    std::string text;
    std::string wrong;  ///< the beginning of the error message; empty if the row is right
};

const std::vector<Row> rows = {
    {"x,staged,,,,", ""},
    {"x,in_progress,,,,", ""},
    {"x,failed,,,,", ""},
    {"x,imported,,,,", ""},
    {"x,imported,A-1,2024-05-31T08:30:00Z,2024-05-01,2024-05-31", ""},
    {"x,imported,,,2024-05-31,2024-05-31", ""},
    {",staged,,,,", "external_account_number is empty"},
    {"\" \",staged,,,,", "external_account_number is blank"},
    {"\"a\tb\",staged,,,,", "external_account_number holds a control character"},
    {"\xFF,staged,,,,", "external_account_number is not UTF-8"},
    {std::string(129, 'x') + ",staged,,,,", "external_account_number is longer than 128 characters"},
    {"x,,,,,", "state has to be staged, in_progress, failed or imported"},
    {"x,Staged,,,,", "state has to be"},
    {"x,staged,A-1,,,", "service_account_number must be empty, because the state is staged"},
    {"x,failed,,2024-05-31T08:30:00Z,,", "account_created_at must be empty"},
    {"x,in_progress,,,2024-05-01,2024-05-31", "statement_from must be empty"},
    {"x,staged,,,,2024-05-31", "statement_to must be empty"},
    {"x,imported," + std::string(65, '1') + ",,,", "service_account_number is longer than 64 characters"},
    {"x,imported,,2024-05-31,,", "account_created_at has to be a time"},
    {"x,imported,,,2024-05-32,2024-06-01", "statement_from has to be a date"},
    {"x,imported,,,2024-05-01,soon", "statement_to has to be a date"},
    {"x,imported,,,2024-05-01,", "statement_from and statement_to must both be given, or neither"},
    {"x,imported,,,,2024-05-01", "statement_from and statement_to must both be given, or neither"},
    {"x,imported,,,2024-05-31,2024-05-01", "statement_to is before statement_from"},
    {"x,staged", "there are 2 columns where the header has 6"},
    {"x,staged,,,,,", "there are 7 columns where the header has 6"},
    {"\"x\"y,staged,,,,", "text stands behind a closing quotation mark"},
};

const std::string right_header =
    "external_account_number,state,service_account_number,account_created_at,statement_from,statement_to";

struct Header {
    std::string text;
    std::string wrong;
};

const std::vector<Header> headers = {
    {right_header, ""},
    {"statement_to,statement_from,account_created_at,service_account_number,state,external_account_number",
     ""},
    {right_header + ",,", ""},
    {" External_Account_Number ,STATE,service_account_number,account_created_at,statement_from,Statement_To",
     ""},
    {"external_account_number;state;service_account_number;account_created_at;statement_from;statement_to",
     ""},
    {",external_account_number,state", "column 1 has no name"},
    {"external_account_number,state", "lacks column service_account_number"},
    {right_header + ",state", "column state stands twice"},
    {right_header + ",comment", "a column that is not known, comment"},
    {"External_Account_Number,state", "lacks column service_account_number"},
    {"external_account_number state", "a column that is not known"},
};

util::CsvRecord first_record(const std::string& text) {
    std::size_t position = 0;
    util::CsvReader reader([&](char* buffer, std::size_t size) {
        const std::size_t count = std::min(size, text.size() - position);
        std::copy_n(text.data() + position, count, buffer);
        position += count;
        return count;
    });
    util::CsvRecord record;
    CPPUNIT_ASSERT(reader.next(record));
    return record;
}

}  // namespace

class CsvTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CsvTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_files);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_headers);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(writes_rows_as_copy_reads_them);
    CPPUNIT_TEST(the_end_of_a_record_is_not_looked_for_without_end);
    CPPUNIT_TEST_SUITE_END();

public:
    // reads each file also one byte at a time, because the end of a buffer must not make a difference
    static void add_files(TestSuiteBuilderContextType& context) {
        for (const File& row : files) {
            tests::add_row(context, "CSV with " + row.name, [row] {
                CPPUNIT_ASSERT_EQUAL(row.records, read_all(row.bytes, 1'000'000));
                CPPUNIT_ASSERT_EQUAL(row.records, read_all(row.bytes, 1));
            });
        }
    }

    /// The file is a record of a terabyte.
    void the_end_of_a_record_is_not_looked_for_without_end() {
        std::uint64_t left = std::uint64_t{1} << 40U;
        util::CsvReader reader([&](char* buffer, std::size_t size) {
            const std::size_t count = std::min<std::uint64_t>(size, left);
            std::fill_n(buffer, count, 'x');
            left -= count;
            return count;
        });
        util::CsvRecord record;
        CPPUNIT_ASSERT(reader.next(record));
        CPPUNIT_ASSERT_EQUAL(std::string("the record is too long"), std::string(record.error()));
        CPPUNIT_ASSERT(reader.is_lost());
        CPPUNIT_ASSERT(!reader.next(record));
    }

    static void add_headers(TestSuiteBuilderContextType& context) {
        for (const Header& row : headers) {
            tests::add_row(context, "header " + row.text, [row] {
                std::string sentence;
                try {
                    ctl::AccountRows{first_record(row.text + "\n")};
                } catch (const std::runtime_error& failure) {
                    sentence = failure.what();
                }
                CPPUNIT_ASSERT_EQUAL(row.wrong.empty(), sentence.empty());
                CPPUNIT_ASSERT(sentence.find(row.wrong) != std::string::npos);
            });
        }
    }

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, "row " + row.text.substr(0, 60), [row] {
                const ctl::AccountRows reader{first_record(right_header + "\n")};
                const util::CsvRecord record = first_record(row.text + "\n");
                store::LoadedAccount account;
                const std::string sentence = reader.read(record, account).value_or("");
                CPPUNIT_ASSERT_EQUAL(row.wrong, sentence.substr(0, row.wrong.size()));
                CPPUNIT_ASSERT_EQUAL(row.wrong.empty(), sentence.empty());
            });
        }
    }

    void writes_rows_as_copy_reads_them() {
        std::string text;
        store::append_copy_row(text, {.line = 7,
                                      .external_account_number = "a\\b",
                                      .state = "imported",
                                      .service_account_number = "",
                                      .account_created_at = "2024-05-31T08:30:00Z",
                                      .statement_first_day = "",
                                      .statement_last_day = ""});
        CPPUNIT_ASSERT_EQUAL(std::string("7\ta\\\\b\timported\t\\N\t2024-05-31T08:30:00Z\t\\N\t\\N\n"), text);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CsvTest);

}  // namespace data_import
