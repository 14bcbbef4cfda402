// client: reading files as requests (also compressed files, directories and CSV), and checking them without a
// service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../../gzip.h"
#include "../../table.h"
#include "../../utf16.h"
#include "base/command_line/invocation.h"
#include "base/util/file_descriptor.h"
#include "data/json/reader.h"
#include "data/payload/imports.h"
#include "tools/client/check_run.h"
#include "tools/client/files_to_load.h"
#include "tools/client/input.h"
#include "tools/client/invisible_codes.h"
#include "tools/client/options.h"
#include "tools/client/stop.h"
#include "tools/client/summary.h"

namespace data_import {

namespace {

/// A directory that exists while a test runs.
class Directory {
public:
    Directory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "data-import-input-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
    }
    ~Directory() { std::filesystem::remove_all(path_); }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    std::string add(const std::string& name, const std::string& text) const {
        const std::string path = path_ / name;
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

std::string packed_by_zstandard(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

/// Returns `number:request|` for each line, `number!fault|` for a line that is no request, and `error: ...`
/// if reading ends with an error.
std::string requests_in(const std::vector<std::string>& files, const client::CsvReading& reading = {}) {
    std::string seen;
    try {
        client::Input input(files, -1, reading);
        while (const auto line = input.next()) {
            seen += std::to_string(line->number);
            seen += line->fault.empty() ? ":" + std::string(line->request_text()) : "!" + line->fault;
            seen += "|";
        }
    } catch (const std::runtime_error& error) {
        seen += std::string("error: ") + error.what();
    }
    return seen;
}

std::string requests_in(const std::string& name, const std::string& text) {
    const Directory directory;
    return requests_in({directory.add(name, text)});
}

struct Csv {
    std::string name;
    std::string text;
    /// The expected result of requests_in(): `LINE:REQUEST|` for each request in the text, and `LINE!FAULT|`
    /// for each line that is no request. LINE is the number of the line.
    std::string requests;
};

const std::string account = R"("import_supplier":"ACME","external_account_number":)";
const std::string notes = R"({"path":"/v1/data-import/notes/create/","body":{)" + account;
const std::string transactions = R"({"path":"/v1/data-import/transactions/create/","body":{)" + account;
const std::string energy = R"({"path":"/v1/data-import/energy-amount/create/","body":{)" + account;

const std::vector<Csv> csvs = {
    {"records of one account share a request",
     "import_supplier,external_account_number,body\nACME,1,a\nACME,1,b\nACME,2,c\nACME,1,d\n",
     "2:" + notes + R"("1","notes":[{"body":"a"},{"body":"b"}]}}|4:)" + notes +
         R"("2","notes":[{"body":"c"}]}}|5:)" + notes + R"("1","notes":[{"body":"d"}]}}|)"},
    {"an empty cell is not sent",
     "import_supplier,external_account_number,body,is_pinned,created_at\r\nACME,1,a,true,\r\nACME,1,b,,x\r\n",
     "2:" + notes + R"("1","notes":[{"body":"a","is_pinned":true},{"body":"b","created_at":"x"}]}}|)"},
    {"quotes, line ends in a field, no end of the last line",
     "import_supplier,external_account_number,body\nACME,1,\"say \"\"a, b\"\"\nc\"\n\nACME,2,z",
     "2:" + notes + R"("1","notes":[{"body":"say \"a, b\"\nc"}]}}|)" +
         "5!the last record has no line end: is the file complete? If it is, add one|"},
    {"items inside items",
     "import_supplier,external_account_number,document_paths.0.document_path,document_paths.1.document_path\n"
     "ACME,1,a.pdf,b.pdf\nACME,1,,c.pdf\n",
     "2:" + notes +
         R"("1","notes":[{"document_paths":[{"document_path":"a.pdf"},{"document_path":"b.pdf"}]},)"
         R"({"document_paths":[{"document_path":"c.pdf"}]}]}}|)"},
    {"transactions of several types, with line and tax items",
     "external_account_number,import_supplier,type,transaction_id,transaction_date,amount,reason,product_"
     "code,"
     "line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,line_items.0.net_amount,"
     "tax_items.0.amount\n1,ACME,CHARGE,a,2024-01-01,12.50,R,,,,,,\n"
     "1,ACME,SUPPLY_CHARGE,b,2024-01-02,1,,P,2024-01-01,2024-01-31,2,0.5,3\n",
     R"(2:{"path":"/v1/data-import/transactions/create/","body":{"external_account_number":"1",)"
     R"("import_supplier":"ACME","transactions":[{"type":"CHARGE","transaction_id":"a",)"
     R"("transaction_date":"2024-01-01","amount":"12.50","reason":"R"},{"type":"SUPPLY_CHARGE",)"
     R"("transaction_id":"b","transaction_date":"2024-01-02","amount":"1","product_code":"P","line_items":)"
     R"([{"start_date":"2024-01-01","end_date":"2024-01-31","number_of_units":"2","net_amount":"0.5"}],)"
     R"("tax_items":[{"amount":"3"}]}]}}|)"},
    {"a document is a request of its own",
     "import_supplier,external_account_number,malo_number,period_start_at,period_end_at,product_identifier,"
     "product_identifier_type,quantity,quantity_unit,line_item_identifier,cancelled,edifact_reference_"
     "number\n"
     "ACME,1,m,s,e,p,t,1.5,K,l,no,r\nACME,1,m,s,e,p,t,1.5,K,l,false,r\n",
     "2:" + energy +
         R"("1","energy_amount":{"malo_number":"m","period_start_at":"s","period_end_at":"e",)"
         R"("product_identifier":"p","product_identifier_type":"t","quantity":"1.5","quantity_unit":"K",)"
         R"("line_item_identifier":"l","cancelled":"no","edifact_reference_number":"r"}}}|3:)" +
         energy +
         R"("1","energy_amount":{"malo_number":"m","period_start_at":"s","period_end_at":"e",)"
         R"("product_identifier":"p","product_identifier_type":"t","quantity":"1.5","quantity_unit":"K",)"
         R"("line_item_identifier":"l","cancelled":false,"edifact_reference_number":"r"}}}|)"},
    {"participants have no account",
     "code,code_type,name,role,energy,contact_details.0.category\n7,BDEW,N,R,E,X\n07,BDEW,N,R,E,\n",
     R"(2:{"path":"/v1/data-import/market-participant/import/","body":{"code":7,"code_type":"BDEW","name":"N",)"
     R"("role":"R","energy":"E","contact_details":[{"category":"X"}]}}|)"
     R"(3:{"path":"/v1/data-import/market-participant/import/","body":{"code":"07","code_type":"BDEW",)"
     R"("name":"N","role":"R","energy":"E"}}|)"},
    {"wrong records are told of, the others are taken",
     "import_supplier,external_account_number,body\nACME,1\nACME,1,a\nACME,1,\"a\"x\nACME,1,\xff\nACME,1,b\n",
     "2!the record has 2 fields, the header has 3|3:" + notes +
         R"("1","notes":[{"body":"a"}]}}|4!text stands behind a closing quotation mark|)"
         "5!the record is not UTF-8 (byte 8) but probably Windows-1252 or Latin-1: "
         "iconv -f WINDOWS-1252 -t UTF-8 converts such a file; Excel saves UTF-8 as \"CSV UTF-8\"|6:" +
         notes + R"("1","notes":[{"body":"b"}]}}|)"},
    {"a byte order mark", "\xEF\xBB\xBFimport_supplier,external_account_number,body\nACME,1,a\n",
     "2:" + notes + R"("1","notes":[{"body":"a"}]}}|)"},
    {"a byte order mark before quotes",
     "\xEF\xBB\xBF\"import_supplier\";\"external_account_number\";\"body\"\r\n\"ACME\";\"1\";\"a\"\r\n",
     "2:" + notes + R"("1","notes":[{"body":"a"}]}}|)"},
    {"a separator that is named, blank rows, columns without a name, names in any case",
     "sep=;\r\n "
     "Import_Supplier;EXTERNAL_ACCOUNT_NUMBER;body;;\r\n\r\nACME;1;a;;\r\n;;;;\r\nACME;1;b;;x\r\nACME;1;"
     "c\r\n",
     "4:" + notes + R"("1","notes":[{"body":"a"}]}}|6!the record has 5 fields, the header has 3|7:)" + notes +
         R"("1","notes":[{"body":"c"}]}}|)"},
    {"booleans as spreadsheets write them",
     "import_supplier,external_account_number,body,is_pinned\nACME,1,a,TRUE\nACME,1,b,False\nACME,1,c,1\n"
     "ACME,1,d,0\nACME,1,e,WAHR\n",
     "2:" + notes +
         R"("1","notes":[{"body":"a","is_pinned":true},{"body":"b","is_pinned":false},)"
         R"({"body":"c","is_pinned":true},{"body":"d","is_pinned":false},{"body":"e","is_pinned":"WAHR"}]}}|)"},
    {"a decimal comma, which is told",
     "import_supplier;external_account_number;type;transaction_id;transaction_date;amount;reason\n"
     "ACME;1;CHARGE;1,5;2024-01-01;12,50;R\nACME;1;CHARGE;2;2024-01-01;12.50;R\n",
     "2!amount: 12,50 has a decimal comma: correct it or, if all numbers of the file are like this, use "
     "--decimal-comma|3:" +
         transactions +
         R"("1","transactions":[{"type":"CHARGE","transaction_id":"2","transaction_date":"2024-01-01",)"
         R"("amount":"12.50","reason":"R"}]}}|)"},
    {"nothing", "", ""},
    {"a header alone", "import_supplier,external_account_number,body\n", ""}};

/// The reading that these options of the command line choose.
client::CsvReading reading_of(const std::string& options) {
    std::vector<std::string> words = {"--check", "file"};
    for (std::istringstream rest(options); rest >> std::ws && !rest.eof();) rest >> words.emplace_back();
    return client::options_of(command_line::parse(client::program_table(), words)).csv;
}

struct Written {
    std::string options;
    std::string text;
    /// The expected result of requests_in(): `LINE:REQUEST|` for each request in the text, and `LINE!FAULT|`
    /// for each line that is no request. LINE is the number of the line.
    std::string requests;
};

std::string charge(const std::string& date, const std::string& amount) {
    return transactions +
           R"("1","transactions":[{"type":"CHARGE","transaction_id":"1","transaction_date":")" + date +
           R"(","amount":")" + amount + R"(","reason":"R"}]}}|)";
}

std::string charge_csv(const std::string& date, const std::string& amount) {
    return "import_supplier;external_account_number;type;transaction_id;transaction_date;amount;reason\n"
           "ACME;1;CHARGE;1;" +
           date + ";" + amount + ";R\n";
}

std::string invoice_csv(const std::string& field, const std::string& amount) {
    return "import_supplier;external_account_number;malo_number;period_start_at;period_end_at;"
           "product_identifier;product_identifier_type;quantity;quantity_unit;line_item_identifier;cancelled;"
           "edifact_reference_number\nACME;1;m;s;e;p;t;" +
           field + ";" + amount + ";l;false;r\n";
}

const std::vector<Written> written = {
    // amounts
    {"--decimal-comma", charge_csv("2024-05-03", "12,50-"), "2:" + charge("2024-05-03", "-12.50")},
    {"--decimal-comma", charge_csv("2024-05-03", "(12,50)"), "2:" + charge("2024-05-03", "-12.50")},
    {"--decimal-comma", charge_csv("2024-05-03", "12,50 €"), "2:" + charge("2024-05-03", "12.50")},
    {"--decimal-comma", charge_csv("2024-05-03", "−1'234,50"), "2:" + charge("2024-05-03", "-1234.50")},
    {"--decimal-comma", charge_csv("2024-05-03", "0.125"),
     "2!amount: 0.125 has no decimal comma, which --decimal-comma expects: 12,50 or 1.234,50|"},
    {"--decimal-comma", charge_csv("2024-05-03", "0.123,45"),
     "2!amount: 0.123,45 is no number with a decimal comma: 12,50 or 1.234,50|"},
    {"", charge_csv("2024-05-03", "12.50-"),
     "2!amount: 12.50- has its minus after it: correct it or, if all numbers of the file are like this, use "
     "--decimal-comma|"},
    {"", charge_csv("2024-05-03", "12,50 €"),
     "2!amount: 12,50 € has a decimal comma, a currency: correct it or, if all numbers of the file are like "
     "this, use --decimal-comma|"},
    {"--decimal-comma", charge_csv("2024-05-03", "1 €") + "ACME;2;CHARGE;1;2024-05-03;1 $;R\n",
     "2:" + charge("2024-05-03", "1") +
         "3!amount: 1 $ is in USD, but earlier amounts of the file are in EUR: amounts are sent without "
         "their "
         "currency|"},
    {"--decimal-comma", invoice_csv("1,5 €", "K"),
     "2!quantity: 1,5 € has a currency, but this field holds no amount in a currency's main unit|"},
    // dates
    {"--dates DD.MM.YYYY", charge_csv("03.05.2024", "1"), "2:" + charge("2024-05-03", "1")},
    {"--dates d.m.yyyy", charge_csv("3.5.2024", "1"), "2:" + charge("2024-05-03", "1")},
    {"--dates YYYYMMDD", charge_csv("20240503", "1"), "2:" + charge("2024-05-03", "1")},
    {"--dates MM/DD/YYYY", charge_csv("05/03/2024", "1"), "2:" + charge("2024-05-03", "1")},
    {"--dates DD.MM.YYYY", charge_csv("2024-05-03", "1"), "2:" + charge("2024-05-03", "1")},
    {"--dates DD.MM.YYYY", charge_csv("05/03/2024", "1"),
     "2!transaction_date: 05/03/2024 is no date like DD.MM.YYYY, which --dates expects|"},
    {"--dates DD.MM.YYYY", charge_csv("30.02.2024", "1"),
     "2!transaction_date: 30.02.2024 is no day of the calendar from 1900 to 2999|"},
    {"", charge_csv("03.05.2024", "1"),
     "2!transaction_date: 03.05.2024 is not written as YYYY-MM-DD: correct it or, if all dates of the file "
     "are "
     "like this, use --dates DD.MM.YYYY|"},
    {"", charge_csv("05/03/2024", "1"),
     "2!transaction_date: 05/03/2024 is not written as YYYY-MM-DD: correct it or, if all dates of the file "
     "are "
     "like this, use --dates DD/MM/YYYY or MM/DD/YYYY|"},
    {"--dates DD.MM.YYYY",
     "import_supplier,external_account_number,body,created_at\nACME,1,a,03.05.2024 13:45:00+02:00\n"
     "ACME,2,b,03.05.2024T13:45:00Z\nACME,3,c,2024-05-03T13:45:00Z\nACME,4,d,03.05.2024 13:45\n",
     "2:" + notes + R"("1","notes":[{"body":"a","created_at":"2024-05-03T13:45:00+02:00"}]}}|3:)" + notes +
         R"("2","notes":[{"body":"b","created_at":"2024-05-03T13:45:00Z"}]}}|4:)" + notes +
         R"("3","notes":[{"body":"c","created_at":"2024-05-03T13:45:00Z"}]}}|5:)" + notes +
         R"("4","notes":[{"body":"d","created_at":"2024-05-03T13:45"}]}}|)"},
    // columns
    {"--map vkont=External_Account_Number --map Text=body --map ACME=import_supplier",
     "acme;VKONT; Text \nACME;1;a\n", "2:" + notes + R"("1","notes":[{"body":"a"}]}}|)"},
    {"--ignore-column comment --ignore-column BODY --map text=body",
     "import_supplier,external_account_number,comment,body,text,Comment\nACME,1,x,y,a,z\n",
     "2:" + notes + R"("1","notes":[{"body":"a"}]}}|)"},
    {"--map a=b=body", "import_supplier,external_account_number,a=b\nACME,1,x\n",
     "2:" + notes + R"("1","notes":[{"body":"x"}]}}|)"},
    {"--decimal-comma --dates DD.MM.YYYY --map betrag=amount",
     "import_supplier;external_account_number;type;transaction_id;transaction_date;Betrag;reason\n"
     "ACME;1;CHARGE;1;03.05.2024;12,50;R\nACME;1;CHARGE;1;03.05.2024;12.50;R\n",
     "2:" + charge("2024-05-03", "12.50") +
         "3!betrag: 12.50 has no decimal comma, which --decimal-comma expects: 12,50 or 1.234,50|"},
};

struct BadHeader {
    std::string header;
    std::string reason;  ///< a part of the reason
};

const std::vector<BadHeader> bad_headers = {
    {"import_supplier,external_account_number,boddy,created_at", "it has no field boddy"},
    {"import_supplier,external_account_number,body,comment",
     "it has no field comment; --ignore-column comment leaves a column out, and --map comment=FIELD names "
     "its "
     "field"},
    {"external_account_number,body", "it needs import_supplier"},
    {"import_supplier,external_account_number,body,body", "a.csv line 1: the column body is there twice"},
    {"import_supplier,external_account_number,amount,amount", "the column amount is there twice"},
    {"ACME,0001000000,x,2024-01-01T00:00:00Z", "a.csv line 1: this line is no header: none of its columns"},
    {"import_supplier,external_account_number,notes.0.body,notes.0.created_at",
     "it has no field notes.0.body, notes.0.created_at; columns have no prefix notes.0."},
    {"import_supplier,external_account_number,energy_amount.quantity",
     "columns have no prefix energy_amount."},
    {"import_supplier,,external_account_number,body", "a.csv line 1: the header: column 2 has no name"},
    {"import_supplier,external_account_number,document_paths", "it has no field document_paths"},
    {"import_supplier,external_account_number,document_paths.1000.document_path", "document_paths.1000"},
    {"import_supplier,external_account_number,document_paths.x.document_path", "document_paths.x"},
    {"import_supplier,external_account_number,body.0", "body.0"},
    {"import_supplier,external_account_number,body.", "body."},
    {"import_supplier,external_account_number,transaction_id,type,transaction_date", "it needs amount"},
    {"x", "the header is one column, x: fields are parted by"}};

struct Checked {
    std::string line;
    std::string faults;  ///< `status code attr` of each fault
};

std::string sheet(const std::string& participant, const std::string& id, const std::string& price) {
    return R"({"market_participant_code":)" + participant +
           R"(,"price_sheet_type":"T","document_number":"D",)" +
           R"("active_from":"2024-01-01T00:00:00Z","external_id":")" + id +
           R"(","article_prices":[{"article_id":"A","price_cents":)" + price + "}]}";
}

std::string price_sheets(const std::string& sheets) {
    return R"({"path":"/v1/data-import/market-participant-fees/import/","body":{"price_sheets":[)" + sheets +
           "]}}";
}

const std::vector<Checked> checks = {
    {R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":"A","external_account_number":"1","notes":[{"body":"x"}]}})",
     ""},
    {R"({"path":"/v1/data-import/nots/create/","body":{}})", "404 not_found "},
    {R"({"path":"/v1/data-import/notes/create/?x=1","body":{"a" 1}})", "400 parse_error "},
    {R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":"A","external_account_number":"1","notes":[{"body":""},{}]}})",
     "400 blank notes.0.body|400 note_body_or_document_path_not_found notes.1"},
    {R"({"path":"/v1/data-import/notes/create/?&&check_previously_added=true","body":{"import_supplier":"A","external_account_number":"1","notes":[{"body":""}]}})",
     "400 unknown_field check_previously_added|400 blank notes.0.body"},
    {R"({"path":"/v1/data-import/transactions/create/?check_previously_added=no&force_add_to_current_statement&&check_previously_added=1","body":{"import_supplier":"A","external_account_number":"1","transactions":[{"type":"CREDIT","transaction_id":"1","transaction_date":"2024-03-05","amount":1,"reason":"R"}]}})",
     "400 invalid check_previously_added|400 invalid force_add_to_current_statement|400 invalid "
     "check_previously_added"},
    {R"({"path":"/v1/data-import/transactions/create/?check_previously_added=False&force_add_to_current_statement=1","body":{"import_supplier":"A","external_account_number":"1","transactions":[{"type":"CREDIT","transaction_id":"1","transaction_date":"2024-03-05","amount":1,"reason":"R"}]}})",
     ""},
    {R"({"path":"/v1/data-import/notes/create/","body":{"import_supplier":"A","external_account_number":"1","notes":[{"body":"x","unpin_at":"2024-01-01T00:00:00Z"},{"body":"x","unpin_at":"2024-01-01T00:00:00Z"},{"body":"y","unpin_at":"2999-01-01T00:00:00Z"},{"body":"z","created_at":"2023-01-01T00:00:00Z","unpin_at":"2024-01-01T00:00:00Z"},{"body":"z","unpin_at":"2024-01-01T00:00:00Z"}]}})",
     "400 note_unpin_at_earlier_than_creation_date notes.0.unpin_at"},
    {price_sheets(sheet("1", "E", "1.5") + "," + sheet("2", "E", "1") + "," + sheet("1", "F", "2") + "," +
                  sheet("1", "E", "\"1.50\"") + "," + sheet("1", "E", "2")),
     "400 duplicate price_sheets.4.external_id"},
    {R"({"path":"/v1/data-import/payment-instruction/create/","body":{"import_supplier":"A","external_account_number":"1","vendor":"any","reference":"1","type":"C"}})",
     ""}};

}  // namespace

class LoadInputTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadInputTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(unpacks_packed_files);
    CPPUNIT_TEST(refuses_cut_files_and_large_windows);
    CPPUNIT_TEST(takes_the_files_of_a_directory);
    CPPUNIT_TEST(skips_what_other_programs_leave);
    CPPUNIT_TEST(tells_formats_by_the_beginning_of_a_file);
    CPPUNIT_TEST(reads_utf_16);
    CPPUNIT_TEST(decodes_utf16_that_comes_byte_by_byte);
    CPPUNIT_TEST(tells_lines_of_another_encoding);
    CPPUNIT_TEST(names_formats_that_are_not_read);
    CPPUNIT_TEST(reads_a_decimal_comma);
    CPPUNIT_TEST(warns_of_numbers_that_may_be_others);
    CPPUNIT_TEST(warns_of_codes_with_invisible_characters);
    CPPUNIT_TEST(a_second_header_is_told_as_one);
    CPPUNIT_TEST(asks_of_a_cut_line_whether_the_file_is_complete);
    CPPUNIT_TEST(takes_no_file_twice);
    CPPUNIT_TEST(counts_lines_over_all_files_and_notices_each_change);
    CPPUNIT_TEST(tells_records_from_each_other);
    CPPUNIT_TEST(passes_over_nothing_behind_an_open_quote);
    CPPUNIT_TEST(goes_on_behind_files_that_cannot_be_read);
    CPPUNIT_TEST(takes_no_record_that_a_stop_has_cut);
    CPPUNIT_TEST(keeps_records_in_no_more_memory_than_they_need);
    CPPUNIT_TEST(files_of_one_head_share_their_rejects);
    CPPUNIT_TEST(groups_by_place);
    CPPUNIT_TEST(no_import_expects_the_bytes_of_others);
    CPPUNIT_TEST_SUITE_END();

public:
    /// If an import counted bytes that are for other imports, its progress bar would never be full.
    void no_import_expects_the_bytes_of_others() {
        const Directory directory;
        const auto line = [](const std::string& name) {
            return R"({"path": "/v1/data-import/)" + name + R"(/create/", "body": {}})" + "\n";
        };
        const std::vector<std::string> files = {
            directory.add("1.ndjson", line("transactions") + line("delivery-note")),
            directory.add("2.ndjson", line("transactions")), directory.add("3.ndjson", line("notes")),
            directory.path() + "/none.ndjson"};
        const auto bytes = client::bytes_by_import(files, {});
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, bytes.size());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{line("notes").size()}, bytes.at("/v1/data-import/notes/create/"));
    }

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Csv& row : csvs) {
            tests::add_row(context, "CSV: " + row.name,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.requests, requests_in("a.csv", row.text)); });
        }
        for (const Written& row : written) {
            tests::add_row(context, "read " + row.options + " " + row.text, [row] {
                const Directory directory;
                CPPUNIT_ASSERT_EQUAL(
                    row.requests, requests_in({directory.add("a.csv", row.text)}, reading_of(row.options)));
            });
        }
        for (const BadHeader& row : bad_headers) {
            tests::add_row(context, "header " + row.header, [row] {
                const std::string seen = requests_in("a.csv", row.header + "\n");
                CPPUNIT_ASSERT_MESSAGE(
                    seen, seen.starts_with("error: ") && seen.find(row.reason) != std::string::npos);
            });
        }
        for (const Checked& row : checks) {
            tests::add_row(context, "check " + row.line, [row] {
                client::InputLine line;
                line.text = row.line;
                const client::Outcome outcome = client::check_request(client::parse_line(line.text));
                std::string seen;
                if (outcome.fate != client::Fate::accepted) {
                    for (const client::Fault& fault : client::faults_of(line, outcome))
                        seen += (seen.empty() ? "" : "|") + std::to_string(fault.status) + " " + fault.code +
                                " " + fault.attr;
                }
                CPPUNIT_ASSERT_EQUAL(row.faults, seen);
            });
        }
    }

    void unpacks_packed_files() {
        const Directory directory;
        const std::string text = "a\n" + std::string(400'000, 'x') + "\nb\n";
        const std::string plain = requests_in("a.ndjson", text);
        CPPUNIT_ASSERT(requests_in("a.ndjson.gz", tests::packed(text)) == plain);
        CPPUNIT_ASSERT(requests_in("a.ndjson.gz", tests::packed("a\n") + tests::packed(text.substr(2))) ==
                       plain);
        CPPUNIT_ASSERT(requests_in("a.ndjson.zst", packed_by_zstandard(text)) == plain);
        CPPUNIT_ASSERT(requests_in("a.ndjson.zst", packed_by_zstandard("a\n") +
                                                       packed_by_zstandard(text.substr(2))) == plain);
        CPPUNIT_ASSERT_EQUAL(std::string("1:(|"), requests_in("a.ndjson", "("));
    }

    void refuses_cut_files_and_large_windows() {
        const std::string text(100'000, 'x');
        for (const std::string& packed : {tests::packed(text), packed_by_zstandard(text)}) {
            const std::string seen = requests_in("a.ndjson.gz", packed.substr(0, packed.size() - 3));
            CPPUNIT_ASSERT_MESSAGE(seen, seen.find("ends before its end") != std::string::npos);
        }
        const std::string broken = requests_in("a.ndjson.gz", "\x1f\x8b no gzip at all");
        CPPUNIT_ASSERT_MESSAGE(broken, broken.find("the gzip data is broken") != std::string::npos);
        // the header of a zstd frame that needs a window of 128 MiB, 2^(10 + 17) bytes: its exponent is 17
        const std::string large("\x28\xb5\x2f\xfd\x00\x88\x01\x00\x00", 9);
        const std::string seen = requests_in("a.ndjson.zst", large);
        CPPUNIT_ASSERT_MESSAGE(seen, seen.find("more than 16 MiB") != std::string::npos);
    }

    void takes_the_files_of_a_directory() {
        const Directory directory;
        CPPUNIT_ASSERT_THROW(static_cast<void>(client::files_of({directory.path()})), std::runtime_error);
        for (const char* name :
             {"b.ndjson", "a.csv.gz", "C.JSONL.ZST", "NOTES_2.CSV", ".d.ndjson", "e.txt", "a.csv.journal"})
            directory.add(name, "");
        std::filesystem::create_directory(directory.path() + "/old");
        const std::string path = directory.path() + "/";
        const client::Files files = client::files_of({"-", directory.path(), "x.txt"});
        CPPUNIT_ASSERT(
            (files.names == std::vector<std::string>{"-", path + "C.JSONL.ZST", path + "NOTES_2.CSV",
                                                     path + "a.csv.gz", path + "b.ndjson", "x.txt"}));
        CPPUNIT_ASSERT_EQUAL("skipped in " + directory.path() +
                                 ", because only .ndjson, .jsonl or .csv, also with .gz or .zst is loaded: "
                                 "a.csv.journal, e.txt, "
                                 "old/; skipped in " +
                                 directory.path() + ": .d.ndjson (hidden files)",
                             files.passed_over);
        CPPUNIT_ASSERT_EQUAL(std::string(), client::files_of({"-", "x.txt"}).passed_over);
    }

    void skips_what_other_programs_leave() {
        const std::vector<std::pair<std::string, std::string>> left = {
            {"~$a.csv", "Office"},       {".~lock.a.csv#", "LibreOffice"},
            {"._a.csv", "macOS"},        {"a.csv.crdownload", "downloads"},
            {"a.csv.part", "downloads"}, {"a.csv.tmp", "temporary"},
            {"~a.csv.tmp", "temporary"}, {".DS_Store", "macOS"},
            {"Thumbs.db", "Windows"},    {"desktop.ini", "Windows"},
            {"a.csv~", "editors"},       {".hidden.csv", "hidden"},
            {".a.csv.swp", "editors"}};
        for (const auto& [name, reason] : left) {
            const Directory directory;
            directory.add(name, "");
            const std::string file = directory.add("a.csv", "");
            const client::Files files = client::files_of({directory.path()});
            CPPUNIT_ASSERT((files.names == std::vector<std::string>{file}));
            CPPUNIT_ASSERT_MESSAGE(files.passed_over,
                                   files.passed_over.find(name + " (") != std::string::npos &&
                                       files.passed_over.find(reason) != std::string::npos);
        }
        const Directory directory;
        std::filesystem::create_directory(directory.path() + "/__MACOSX");
        const std::string file = directory.add("a.csv", "");
        CPPUNIT_ASSERT_EQUAL(
            "skipped in " + directory.path() + ": __MACOSX/ (files of macOS about other files)",
            client::files_of({directory.path()}).passed_over);
        const client::Files named = client::files_of({directory.add("~$a.csv", ""), file});
        CPPUNIT_ASSERT((named.names == std::vector<std::string>{file}));
        CPPUNIT_ASSERT_EQUAL(
            "skipped: " + directory.path() + "/~$a.csv (lock files of Office: somebody has the file open)",
            named.passed_over);
        CPPUNIT_ASSERT_THROW(static_cast<void>(client::files_of({directory.path() + "/~$a.csv"})),
                             std::runtime_error);
        const std::string hidden = directory.add(".b.csv", "");
        CPPUNIT_ASSERT((client::files_of({hidden}).names == std::vector<std::string>{hidden}));
    }

    void tells_formats_by_the_beginning_of_a_file() {
        const std::string line = notes + R"("1","notes":[{"body":"a"}]}})";
        const std::string csv = "import_supplier,external_account_number,body\nACME,1,a\n";
        for (const char* const name : {"a.csv", "a.CSV", "a.ndjson", "a.txt", "a"}) {
            CPPUNIT_ASSERT_EQUAL("1:" + line + "|", requests_in(name, line + "\n"));
            CPPUNIT_ASSERT_EQUAL("3:" + line + "|", requests_in(name, "\xEF\xBB\xBF\r\n \n" + line + "\n"));
            CPPUNIT_ASSERT_EQUAL("2:" + line + "|", requests_in(name, csv));
            CPPUNIT_ASSERT_EQUAL("3:" + line + "|", requests_in(name, "sep=,\n" + csv));
        }
        CPPUNIT_ASSERT_EQUAL(std::string("1:hello, world|"), requests_in("a.ndjson", "hello, world\n"));
    }

    void reads_utf_16() {
        const std::string text =
            "import_supplier,external_account_number,body\nACME,1,\"\xC3\xA4\n\xF0\x9F\x98\x80\"\n"
            "ACME,2,b\n";
        const std::string read = "2:" + notes +
                                 "\"1\",\"notes\":[{\"body\":\"\xC3\xA4\\n\xF0\x9F\x98\x80\"}]}}|4:" + notes +
                                 R"("2","notes":[{"body":"b"}]}}|)";
        const std::string line = notes + "\"1\",\"notes\":[{\"body\":\"\xC3\xA4\"}]}}";
        for (const bool is_big_endian : {false, true}) {
            for (const bool has_mark : {false, true}) {
                const auto encoded = [&](const std::string& utf8) {
                    return tests::utf16_of(utf8, is_big_endian, has_mark);
                };
                CPPUNIT_ASSERT_EQUAL(read, requests_in("a.csv", encoded(text)));
                CPPUNIT_ASSERT_EQUAL(read, requests_in("a.csv.gz", tests::packed(encoded(text))));
                CPPUNIT_ASSERT_EQUAL("1:" + line + "|", requests_in("a.ndjson", encoded(line + "\n")));
            }
        }
        const std::string half =
            tests::utf16_of("import_supplier,external_account_number,body\nACME,1,", false, true) +
            std::string("\x3D\xD8\n\0", 4);
        CPPUNIT_ASSERT_EQUAL(std::string("2!the record has half a character of UTF-16|"),
                             requests_in("a.csv", half));
    }

    void decodes_utf16_that_comes_byte_by_byte() {
        using namespace std::string_literals;
        const std::string bytes = tests::utf16_of("{a\xF0\x9F\x98\x80", false, true) + "\x00\xDE"s +
                                  "\x3D\xD8"s + "b\0\x3D\xD8\x00\xDE\x3D"s;
        std::string_view rest = bytes;
        const auto one_byte = [&](std::span<char> buffer) {
            const std::size_t count = rest.copy(buffer.data(), 1);
            rest.remove_prefix(count);
            return count;
        };
        util::TextDecoder decoder;
        std::string text;
        std::string buffer(8, '\0');
        while (const std::size_t count = decoder.read(one_byte, buffer)) text.append(buffer, 0, count);
        CPPUNIT_ASSERT_EQUAL(
            "{a\xF0\x9F\x98\x80\xFF\xFF\xFF\xFF\xFF\xFF"
            "b\xF0\x9F\x98\x80\xFF\xFF\xFF"s,
            text);
    }

    void tells_lines_of_another_encoding() {
        CPPUNIT_ASSERT_EQUAL(std::string("1:a|2!the line is not UTF-8 (byte 3) but probably Windows-1252 or "
                                         "Latin-1: iconv -f WINDOWS-1252 -t UTF-8 converts such a file; "
                                         "Excel saves UTF-8 as \"CSV UTF-8\"|3:b|"),
                             requests_in("a.ndjson", "a\n{\"\xFC\"}\nb\n"));
        const std::string half = tests::utf16_of("{\"a", false, true) + std::string("\x3D\xD8\"\0}\0\n\0", 8);
        CPPUNIT_ASSERT_EQUAL(std::string("1!the line has half a character of UTF-16|"),
                             requests_in("a.ndjson", half));
    }

    void names_formats_that_are_not_read() {
        using namespace std::string_literals;
        const std::vector<std::pair<std::string, std::string>> files = {
            {"PK\x03\x04..."s, "a zip archive or a workbook (.xlsx)"},
            {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s, "an Excel workbook (.xls)"},
            {"BZh91AY&SY..."s, "packed with bzip2"},
            {"\xFD"
             "7zXZ\0..."s,
             "packed with xz"},
            {tests::packed(tests::packed("x")), "packed with gzip inside"},
            {"\xFF\xFE\0\0a\0\0\0"s, "UTF-32"}};
        for (const auto& [text, format] : files) {
            for (const char* const name : {"a.csv", "a.ndjson", "a.csv.gz"}) {
                const std::string seen = requests_in(name, text);
                CPPUNIT_ASSERT_MESSAGE(seen,
                                       seen.find(std::string(name) + " is " + format) != std::string::npos);
            }
        }
        CPPUNIT_ASSERT_EQUAL(std::string("1:BZh1|"), requests_in("a.ndjson", "BZh1\n"));
    }

    void reads_a_decimal_comma() {
        const Directory directory;
        const std::string file = directory.add(
            "a.csv",
            "import_supplier;external_account_number;type;transaction_id;transaction_date;amount;reason\n"
            "ACME;1;CHARGE;1,5;2024-01-01;1.234,50;R\nACME;1;CHARGE;2;2024-01-01;-3;R\n"
            "ACME;2;CHARGE;3;2024-01-01;12.50;R\nACME;3;CHARGE;4;2024-01-01;x;R\n");
        client::Input input({file}, -1, {.decimal_comma = true});
        const auto first = input.next();
        CPPUNIT_ASSERT_EQUAL(
            transactions +
                R"("1","transactions":[{"type":"CHARGE","transaction_id":"1,5","transaction_date":)"
                R"("2024-01-01","amount":"1234.50","reason":"R"},{"type":"CHARGE","transaction_id":"2",)"
                R"("transaction_date":"2024-01-01","amount":"-3","reason":"R"}]}})",
            first->request);
        CPPUNIT_ASSERT_EQUAL(
            std::string("amount: 12.50 has no decimal comma, which --decimal-comma expects: 12,50 or "
                        "1.234,50"),
            input.next()->fault);
        CPPUNIT_ASSERT_EQUAL(std::string("amount: x is no number with a decimal comma: 12,50 or 1.234,50"),
                             input.next()->fault);
    }

    void warns_of_codes_with_invisible_characters() {
        const Directory directory;
        client::Input input(
            {directory.add(
                 "a.csv",
                 "import_supplier,external_account_number,type,transaction_id,transaction_date,amount,"
                 "reason,line_items.0.start_date\n"
                 "ACME,4711\xC2\xA0,CHARGE,1,2024-01-01,1,R,\n"
                 "ACME,4711\xC2\xA0,CHARGE,2\xE2\x80\x8B"
                 "2,2024-01-01,1,R,\n"),
             directory.add("b.csv", "import_supplier,external_account_number,body\nACME,1,a\xC2\xA0\n"),
             directory.add("c.csv", "code,code_type,name,role,energy\n7,BDEW \xE2\x80\x8B,N\xC2\xA0,R,E\n")},
            -1);
        std::string seen;
        while (const auto line = input.next()) {
            const client::ImportRequest request = client::parse_line(*line);
            const json::Document body = json::read(std::string(request.body));
            for (const client::LineWarning& warning :
                 client::invisible_codes(*line, payload::find_import(request.address())->body, body.root()))
                seen += std::to_string(warning.line) + " " + warning.attr + ": " + warning.detail + "|";
        }
        CPPUNIT_ASSERT_EQUAL(
            std::string("2 external_account_number: \"4711<U+00A0>\" ends with U+00A0 (no-break space)|"
                        "3 transactions.1.transaction_id: \"2<U+200B>2\" holds U+200B (zero-width space)|"
                        "2 code_type: \"BDEW <U+200B>\" ends with U+200B (zero-width space)|"),
            seen);
    }

    void warns_of_numbers_that_may_be_others() {
        const Directory directory;
        const std::string file = directory.add(
            "a.csv",
            "import_supplier;external_account_number;type;transaction_id;transaction_date;amount;reason\n"
            "ACME;1;CHARGE;1;2024-01-01;1.234;R\nACME;1;CHARGE;2;2024-01-01;1.234,5;R\n"
            "ACME;1;CHARGE;3;2024-01-01;-12.000;R\n");
        client::Input input({file}, -1, {.decimal_comma = true});
        const auto line = input.next();
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, line->warnings.size());
        const client::LineWarning& last = line->warnings.back();
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{4}, last.line);
        CPPUNIT_ASSERT(last.code == "ambiguous_number" && last.attr == "amount");
        CPPUNIT_ASSERT_EQUAL(std::string("-12.000 was read as -12000, with its point between thousands: "
                                         "correct it if that is a decimal point"),
                             last.detail);
        client::Summary summary({file});
        summary.add(*line, client::Outcome());
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            text, text.find("warnings:\n      ambiguous_number at amount: 2, such as " + file +
                            " line 2, 4; the first: 1.234 was read as 1234") != std::string::npos);
        CPPUNIT_ASSERT(summary.all_accepted());
    }

    void a_second_header_is_told_as_one() {
        const std::string header = "import_supplier,external_account_number,body\n";
        const std::string record = "ACME,1,a\n";
        const std::string a = notes + R"("1","notes":[{"body":"a"}]}}|)";
        const std::string again = "3!the header stands here once more: delete this line|4:" + a;
        for (const std::string& second :
             {header, std::string("\"Import_Supplier\", external_account_number ,body\n"),
              "\xEF\xBB\xBF" + header}) {
            CPPUNIT_ASSERT_EQUAL("2:" + a + again, requests_in("a.csv", header + record + second + record));
        }
        for (const std::string& other :
             {std::string("external_account_number,import_supplier,body\n"),
              std::string("import_supplier,external_account_number,body,created_at\n"),
              std::string(
                  "import_supplier,external_account_number,transaction_id,line_items.0.start_date\n")}) {
            const std::string seen = requests_in("a.csv", header + record + other + record);
            CPPUNIT_ASSERT_MESSAGE(seen,
                                   seen.find("line 3: another header begins here") != std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(seen, seen.starts_with("2:" + a + "error: "));
        }
    }

    void asks_of_a_cut_line_whether_the_file_is_complete() {
        const std::string line = notes + R"("1","notes":[{"body":"a"}]}})";
        const Directory directory;
        client::Input input({directory.add("1.ndjson", line), directory.add("2.ndjson", line.substr(0, 90))},
                            -1);
        CPPUNIT_ASSERT(client::check_request(client::parse_line(input.next()->text)).fate ==
                       client::Fate::accepted);
        const auto half = input.next();
        CPPUNIT_ASSERT(half->is_cut);
        CPPUNIT_ASSERT_EQUAL(std::string("x; the line has no line end: is the file complete?"),
                             client::malformed(*half, "x").detail);
        CPPUNIT_ASSERT_EQUAL(std::string("x"), client::malformed(client::InputLine(), "x").detail);
    }

    void takes_no_file_twice() {
        const Directory directory;
        const std::string file = directory.add("a.ndjson", "");
        std::filesystem::create_symlink(file, directory.path() + "/link");
        for (const std::string& again :
             {file, directory.path(), directory.path() + "/./a.ndjson", directory.path() + "/link"})
            CPPUNIT_ASSERT_THROW(static_cast<void>(client::files_of({file, again})), std::runtime_error);
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, client::files_of({"/dev/null", "/dev/null"}).names.size());
    }

    void counts_lines_over_all_files_and_notices_each_change() {
        const Directory directory;
        const auto last_line = [&](const std::string& first, const std::string& second) {
            client::Input input({directory.add("1.ndjson", first), directory.add("2.ndjson", second)}, -1);
            client::InputLine last;
            while (auto line = input.next()) last = std::move(*line);
            return std::pair(last.sequence, last.chain);
        };
        const auto expected = last_line("a\nb\n", "c\n");
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{2}, expected.first);
        CPPUNIT_ASSERT(last_line("a\n\nb\n", "c") == expected);
        CPPUNIT_ASSERT(last_line("a\nx\n", "c\n") != expected);
        CPPUNIT_ASSERT(last_line("ab\n", "c\n") != expected);
        CPPUNIT_ASSERT(last_line("a\nb\n", "d\n") != expected);
    }

    void tells_records_from_each_other() {
        const Directory directory;
        client::Input input({directory.add("a.csv",
                                           "import_supplier,external_account_number,body\n"
                                           "ACME,1,\"a\nb\"\nACME,1,c\n")},
                            -1);
        const auto line = input.next();
        client::Outcome outcome;
        outcome.fate = client::Fate::refused;
        outcome.answer.errors = {{"notes.1.body", "blank", ""}, {"external_account_number", "blank", ""}};
        const auto faults = client::faults_of(*line, outcome);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{4}, faults.front().line);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{2}, faults.back().line);
        CPPUNIT_ASSERT_EQUAL(std::string("ACME,1,\"a\nb\"\nACME,1,c"), line->text);
    }

    void passes_over_nothing_behind_an_open_quote() {
        const std::string begin = "import_supplier,external_account_number,body\nACME,1,a\nACME,2,\"b\n";
        const std::string taken = "2:" + notes + R"("1","notes":[{"body":"a"}]}}|error: )";
        for (const std::string& behind : {std::string(), std::string("ACME,3,c\n"),
                                          std::string(3'000'000, 'x'), std::string(3'000'000, '\n')}) {
            const std::string seen = requests_in("a.csv", begin + behind);
            CPPUNIT_ASSERT_MESSAGE(seen,
                                   seen.starts_with(taken) &&
                                       seen.find("a.csv line 3: a quoted field is ") != std::string::npos &&
                                       seen.ends_with("not closed; nothing after it was read"));
        }
    }

    void goes_on_behind_files_that_cannot_be_read() {
        const Directory directory;
        const std::string head = "import_supplier,external_account_number,body\n";
        const std::vector<std::string> files = {directory.add("1.csv", "sep=,\n" + head.substr(7)),
                                                directory.add("2.csv", head + "A,1,x\nA,2,\"open\n"),
                                                directory.add("3.csv", "PK\x03\x04..."),
                                                directory.add("4.csv", head + "A,1,x\n")};
        std::string seen;
        client::Input input(files, -1);
        while (const auto line = input.next_or_fault()) {
            CPPUNIT_ASSERT_EQUAL(line->ends_file, !line->fault.empty() && line->text.empty());
            seen += std::to_string(line->sequence) + " " + std::to_string(line->file + 1) + ":" +
                    std::to_string(line->number) + line->fault.substr(0, line->fault.find_first_of(",.")) +
                    "|";
        }
        CPPUNIT_ASSERT_EQUAL(
            "0 1:2no import has these columns|1 2:2|2 2:3a quoted field is not closed; "
            "nothing after it was read|3 3:1" +
                directory.path() + "/3|4 4:2|",
            seen);
        try {
            client::check_heads(files);
            CPPUNIT_FAIL("no fault");
        } catch (const std::runtime_error& error) {
            const std::string all = error.what();
            CPPUNIT_ASSERT_MESSAGE(all,
                                   all.starts_with(files[0] + " line 2: no import has") &&
                                       all.find("\n" + files[2] + " is a zip archive") != std::string::npos);
        }
    }

    void takes_no_record_that_a_stop_has_cut() {
        for (const std::string last : {"ACME,2,b", "ACME,2,\"b\n"}) {
            int ends[2];
            CPPUNIT_ASSERT(::pipe(ends) == 0);
            const util::FileDescriptor writer(ends[1]);
            const std::string text = "import_supplier,external_account_number,body\nACME,1,a\n" + last;
            CPPUNIT_ASSERT(::write(writer.get(), text.data(), text.size()) ==
                           static_cast<ssize_t>(text.size()));
            client::Stop stop;
            client::CsvLines lines(
                util::TextSource(util::FileDescriptor{ends[0]}, "a.csv", stop.descriptor()), 0);
            std::jthread stopping([&stop] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                stop.request("stop");
            });
            const auto line = lines.next();
            CPPUNIT_ASSERT(line && line->text == "ACME,1,a");
            CPPUNIT_ASSERT(!lines.next());
        }
    }

    void keeps_records_in_no_more_memory_than_they_need() {
        const Directory directory;
        std::string text = "import_supplier,external_account_number,body\n";
        for (int number = 0; number < 100; ++number) text += "A,1,Letter " + std::to_string(number) + '\n';
        client::Input input({directory.add("a.csv", text)}, -1);
        const auto line = input.next();
        CPPUNIT_ASSERT_EQUAL(std::size_t{100}, line->records.size());
        CPPUNIT_ASSERT_EQUAL(line->text.size(), line->text.capacity());
        CPPUNIT_ASSERT_EQUAL(line->request.size(), line->request.capacity());
    }

    void files_of_one_head_share_their_rejects() {
        const Directory directory;
        const std::string head = "import_supplier,external_account_number,body\n";
        const std::string one = directory.add("1.csv", head);
        const std::string two = directory.add("2.csv", head + "A,1,x\n");
        const std::string other =
            directory.add("3.csv", "import_supplier,external_account_number,created_at\n");
        CPPUNIT_ASSERT(client::common_head({one, two}) == head);
        CPPUNIT_ASSERT(client::common_head({directory.add("a.ndjson", ""), "-"}) == std::string());
        const std::string pipe = directory.path() + "/pipe.csv";
        CPPUNIT_ASSERT(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR) == 0);
        CPPUNIT_ASSERT(client::common_head({pipe}) == std::nullopt);
        CPPUNIT_ASSERT(client::common_head({pipe, one}) == head);
        CPPUNIT_ASSERT_THROW(static_cast<void>(client::common_head({one, other})), std::runtime_error);
        CPPUNIT_ASSERT(client::common_head({one, "-"}) == head);  // standard input is read later
        CPPUNIT_ASSERT(client::common_head({"-"}) == std::nullopt);
    }

    void groups_by_place() {
        client::FaultGroups groups;
        for (std::uint64_t line = 9; line > 0; --line)
            groups.add(0, {400, "blank", "notes." + std::to_string(line) + ".body", "d", line});
        groups.add(0, {404, "not_found", "", "d", 1});
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, groups.groups().size());
        const auto key = groups.by_count().front().first;
        CPPUNIT_ASSERT_EQUAL(std::string("notes.N.body"), std::get<2>(key));
        const client::FaultGroup& group = groups.groups().at(key);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{9}, group.count);
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, group.examples.size());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{3}, group.examples.back().line);
        CPPUNIT_ASSERT_EQUAL(std::string("notes.1.body"), group.attr);
        for (const char* const reason : {"a", "b", "c", "e", "f", "g", "h"})
            groups.add(0, {400, "blank", "notes.0.body", reason, 7});
        CPPUNIT_ASSERT_EQUAL(2 + client::FaultGroups::most_reasons, groups.groups().size());
        const client::FaultGroup& rest = groups.groups().at({400, "blank", "notes.N.body", "..."});
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{3}, rest.count);
        CPPUNIT_ASSERT(group.is_alike && !rest.is_alike);
        for (int place = 0; place < 1000; ++place)
            groups.add(0, {400, "unknown_field", "x" + std::to_string(place), "d", 1});
        CPPUNIT_ASSERT(groups.groups().size() <= client::FaultGroups::most_groups + 1);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadInputTest);

}  // namespace data_import
