// client: reading lines and answers, and the texts of the summary and the progress line.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../table.h"
#include "base/util/file_descriptor.h"
#include "tools/client/answer.h"
#include "tools/client/delivery.h"
#include "tools/client/input.h"
#include "tools/client/run_line.h"
#include "tools/client/summary.h"

namespace data_import {

namespace {

using client::Fate;
using client::InputLine;
using client::Outcome;
using util::FileDescriptor;

/// Returns `number:text|` for each line of a text, or `number!|` for a line that is too long.
std::string lines_of(const std::string& text) {
    int ends[2];
    CPPUNIT_ASSERT(::pipe(ends) == 0);
    const std::jthread writer([&text, end = FileDescriptor(ends[1])]() mutable {
        std::size_t written = 0;
        while (written < text.size()) {
            const ssize_t count = ::write(end.get(), text.data() + written, text.size() - written);
            if (count < 0) return;
            written += static_cast<std::size_t>(count);
        }
        end.close();
    });
    FileDescriptor input(ends[0]);
    client::PlainLines reader(util::TextSource(std::move(input), "test", -1), 0);
    std::string seen;
    while (const auto line = reader.next()) {
        seen += std::to_string(line->number) + (line->too_long ? "!" : ":" + line->text) + "|";
    }
    return seen;
}

struct Reading {
    std::string name;
    std::string text;
    std::string lines;
};

const std::vector<Reading> readings = {
    {"nothing", "", ""},
    {"one line", "a\n", "1:a|"},
    {"no newline at the end", "a\nb", "1:a|2:b|"},
    {"blank lines", "\n \t\r\na\n\nb\n\n", "3:a|5:b|"},
    {"only blank lines without end", "\n  ", ""},
    {"carriage returns stay", "a\r\nb\r\n", "1:a\r|2:b\r|"},
    {"longer than the buffer", std::string(300'000, 'x') + "\ny\n",
     "1:" + std::string(300'000, 'x') + "|2:y|"},
    {"longest", std::string(client::max_line_bytes, 'x') + "\n",
     "1:" + std::string(client::max_line_bytes, 'x') + "|"},
    {"too long", "a\n" + std::string(client::max_line_bytes + 1, 'x') + "\nb\n", "1:a|2!|3:b|"}};

struct Answering {
    std::string body;
    /// `CODE,DETAIL,ERRORS,COUNTS`, and `,DIFFERING` if there are differing transactions; `none` if the body
    /// is not JSON. ERRORS is a list of `attr/code/detail`, COUNTS is a list of `status=count`, and DIFFERING
    /// is a list of `place/id`. A blank follows each element of a list.
    std::string expected;
};

const std::vector<Answering> answerings = {
    {"<html>", "none"},
    {"", "none"},
    {"{}", ",,,"},
    {R"({"detail":"D","code":"C","errors":[]})", "C,D,,"},
    {R"({"detail":"D","code":"C","errors":[{"detail":"d","code":"c","attr":"a.0"},{"attr":"b"}]})",
     "C,D,a.0/c/d b// ,"},
    {R"({"detail":1,"code":null,"errors":{}})", ",,,"},
    {R"([{"status":"S"},{"status":"T"},{"status":"S"},{},7])", ",,,S=2 T=1 "},
    {R"({"results":[{"status":"S","transaction_data":{"status":"X"}}]})", ",,,S=1 "},
    {R"({"results":[{"status":"S"},{"status":"S","differs":true,"transaction_data":{"transaction_id":"T"}},)"
     R"({"status":"S","differs":true}]})",
     ",,,S=1 S with other content=2 ,1/T 2/ "}};

std::string described(const std::optional<client::ImportAnswer>& answer) {
    if (!answer) return "none";
    std::string text = answer->code + "," + answer->detail + ",";
    for (const client::ErrorItem& error : answer->errors)
        text += error.attr + "/" + error.code + "/" + error.detail + " ";
    text += ",";
    for (const auto& [status, count] : answer->records) text += status + "=" + std::to_string(count) + " ";
    if (!answer->differing.empty()) text += ",";
    for (const auto& [place, id] : answer->differing) text += std::to_string(place) + "/" + id + " ";
    return text;
}

InputLine line(std::uint64_t number) {
    InputLine read;
    read.text = "{}";
    read.number = number;
    read.bytes = 100;
    read.import = "/v1/data-import/notes/create/";
    return read;
}

Outcome refusal(const std::string& detail) {
    Outcome outcome;
    outcome.fate = Fate::refused;
    outcome.status = 400;
    outcome.code = "validation_error";
    outcome.answer.errors = {{"notes." + std::to_string(detail.size()) + ".body", "blank", detail}};
    return outcome;
}

Outcome acceptance() {
    Outcome outcome;
    outcome.status = 201;
    outcome.answer.records["NOTE_CREATION_SUCCESS"] = 700;
    return outcome;
}

}  // namespace

class LoadSummaryTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadSummaryTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_readings);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_answers);
    CPPUNIT_TEST(sums_up_success);
    CPPUNIT_TEST(tells_of_other_content);
    CPPUNIT_TEST(counts_requests_records_and_files);
    CPPUNIT_TEST(counts_moved_dates);
    CPPUNIT_TEST(names_the_records_of_all_kinds);
    CPPUNIT_TEST(counts_what_a_stop_leaves_of_all_files);
    CPPUNIT_TEST(sums_up_refusals);
    CPPUNIT_TEST(keeps_a_terminal_safe);
    CPPUNIT_TEST(says_how_to_resume);
    CPPUNIT_TEST(counts_lines_that_were_not_sent_apart);
    CPPUNIT_TEST(writes_json);
    CPPUNIT_TEST(shows_progress);
    CPPUNIT_TEST(tells_a_silence);
    CPPUNIT_TEST(groups_thousands);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_readings(TestSuiteBuilderContextType& context) {
        for (const Reading& row : readings) {
            tests::add_row(context, "read " + row.name,
                           [row] { CPPUNIT_ASSERT(lines_of(row.text) == row.lines); });
        }
    }

    static void add_answers(TestSuiteBuilderContextType& context) {
        for (const Answering& row : answerings) {
            tests::add_row(context, "answer " + row.body, [row] {
                CPPUNIT_ASSERT_EQUAL(row.expected, described(client::read_answer(row.body)));
            });
            if (!row.expected.starts_with(",,,S")) continue;
            tests::add_row(context, "skim " + row.body, [row] {
                CPPUNIT_ASSERT_EQUAL(row.expected, described(client::skim_answer(row.body)));
            });
        }
    }

    void sums_up_success() {
        client::Summary summary({"f"});
        summary.add(line(1), acceptance());
        summary.add(line(2), acceptance());
        summary.add_retry();
        summary.add_retry();
        CPPUNIT_ASSERT(summary.all_accepted());
        CPPUNIT_ASSERT_EQUAL(std::string("2 requests: 2 accepted; 2.0 s, 1 requests/s, 2 retries\n"
                                         "requests by status: 201 2\n"
                                         "records: 1,400 notes\n"),
                             summary.to_text(std::chrono::seconds(2)));
        CPPUNIT_ASSERT(summary.stop_text().empty());
    }

    void tells_of_other_content() {
        client::Summary summary({"f"});
        Outcome outcome = acceptance();
        outcome.answer = *client::read_answer(
            R"([{"status":"S"},{"status":"S","differs":true,"transaction_data":{"transaction_id":"C-0"}}])");
        InputLine read = line(2);
        read.request =
            R"({"path":"/v1/x/","body":{"import_supplier":"ACME","external_account_number":"04711"}})";
        read.records = {{2, 1}, {3, 2}};
        summary.add(read, outcome);
        summary.add(line(9), refusal("x"));
        CPPUNIT_ASSERT(!summary.all_accepted());
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            text, text.find("1 record is stored with other content, which does not change:\n"
                            "  201 stored_with_other_content at transactions.N: 1, such as f line 3: "
                            "The account 04711 of ACME has the transaction_id C-0 with other content.\n"
                            "errors:\n  400 blank") != std::string::npos);
        const std::string json = summary.to_json(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            json, json.find(R"("code":"stored_with_other_content","place":"transactions.N","count":1,)"
                            R"("attr":"transactions.1","detail":"The account 04711 of ACME )") !=
                      std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, summary.totals().failed());
    }

    void counts_requests_records_and_files() {
        client::Summary summary({"a", "b", "c"});
        InputLine records = line(2);
        records.csv_records = 20;
        summary.add(records, acceptance());
        records.csv_records = 1;
        summary.add(records, client::malformed(records, "x"));
        InputLine fault = line(1);
        fault.file = 2;
        fault.ends_file = true;
        summary.add(fault, client::malformed(fault, "no header"));
        summary.set_empty_files({1});
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            text,
            text.starts_with("2 requests with 21 CSV records: 1 accepted, 1 malformed, 1 unreadable file; "
                             "1.0 s, 3 requests/s\nnothing to load in b\n"));
        CPPUNIT_ASSERT_EQUAL(std::string("nothing to load in b\n"), summary.empty_files_text());
        client::Summary many(std::vector<std::string>(12, "f"));
        many.set_empty_files({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        CPPUNIT_ASSERT(many.empty_files_text().ends_with("f, f and 2 more\n"));
    }

    void names_the_records_of_all_kinds() {
        client::Summary summary({"f"});
        Outcome notes;
        notes.answer.records = {{"NOTE_CREATION_SUCCESS", 3}, {"NOTE_ALREADY_EXISTS", 2}};
        summary.add(line(1), notes);
        for (const payload::DeclaredImport& import : payload::imports()) {
            if (import.stores == "notes") continue;
            InputLine read = line(2);
            read.import = import.path;
            read.request = R"({"path":"/","body":{")" + std::string(import.field) + R"(":[{"a":[1,2]},{}]}})";
            summary.add(read, Outcome());
        }
        summary.add(line(3), client::unasked(Fate::accepted, "", ""));  // only checked
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            text,
            text.find("records: 5 notes (2 already there), 2 transactions, 2 historical statements, "
                      "1 delivery note, 1 energy amount, 1 market participant invoice, "
                      "1 payment instruction, 1 market participant, 2 price sheets\n") != std::string::npos);
        CPPUNIT_ASSERT(summary.to_json(std::chrono::seconds(1))
                           .find(R"("kinds":{"notes":{"records":5,"already_there":2},"transactions":)") !=
                       std::string::npos);
    }

    void counts_what_a_stop_leaves_of_all_files() {
        client::Summary summary({"f"});
        summary.add(line(1), acceptance());
        Outcome left;
        left.fate = Fate::stopped;
        summary.add(line(2), left);
        summary.set_whole({.lines = 4000, .csv_records = 9000});
        summary.set_stopped("interrupted");
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(
            text,
            text.starts_with("4,000 requests with 9,000 CSV records: 1 accepted, 3,999 left when stopped; "));
    }

    void counts_moved_dates() {
        client::Summary summary({"f"});
        Outcome outcome = acceptance();
        outcome.answer = *client::read_answer(
            R"({"results":[{"status":"S","transaction_data":{"description":"Dated"}},)"
            R"({"status":"S","transaction_data":{}},)"
            R"({"status":"S","differs":true,"transaction_data":{"description":"Dated"}}]})");
        outcome.answer.differing.clear();
        summary.add(line(1), outcome);
        CPPUNIT_ASSERT(summary.all_accepted());
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT_MESSAGE(text,
                               text.ends_with("\n1 transaction has the nearest date in the open statement "
                                              "period, because the sent one was outside\n"));
    }

    void sums_up_refusals() {
        client::Summary summary({"f"});
        summary.add(line(9), refusal("byte 12, later"));
        summary.add(line(3), refusal("byte 7, later"));
        summary.add(line(4), refusal("something else"));
        summary.add(line(8), refusal("something else"));
        summary.add(line(7), refusal("something else"));
        summary.add(line(5), client::malformed(line(5), "no object"));
        CPPUNIT_ASSERT(!summary.all_accepted());
        CPPUNIT_ASSERT_EQUAL(
            std::string("6 requests: 0 accepted, 5 refused, 1 malformed; 1.0 s, 6 requests/s\n"
                        "requests by status: 400 5\n"
                        "errors:\n"
                        "  400 blank at notes.N.body: 3, such as f line 4, 7, 8: something else\n"
                        "  400 blank at notes.N.body: 2, such as f line 3, 9; the first: "
                        "byte 7, later\n"
                        "      malformed_line: 1, such as f line 5: no object\n"),
            summary.to_text(std::chrono::seconds(1)));
    }

    void keeps_a_terminal_safe() {
        client::Summary summary({"f"});
        summary.add(line(1), refusal("red\x1b[31m bell\a \xC2\x9B ü"));
        const std::string text = summary.to_text(std::chrono::seconds(1));
        CPPUNIT_ASSERT(text.find("red [31m bell    ü") != std::string::npos);
    }

    void says_how_to_resume() {
        client::Summary summary({"f"});
        summary.add(line(1), acceptance());
        summary.set_stopped("interrupted");
        CPPUNIT_ASSERT(!summary.all_accepted());
        CPPUNIT_ASSERT(summary.stop_text().find("stopped: interrupted\n") != std::string::npos);
        CPPUNIT_ASSERT(summary.stop_text().find("check_previously_added") == std::string::npos);
        Outcome unrepeatable = acceptance();
        unrepeatable.idempotent = false;
        summary.add(line(2), unrepeatable);
        CPPUNIT_ASSERT(summary.stop_text().find("check_previously_added") != std::string::npos);
    }

    void counts_lines_that_were_not_sent_apart() {
        client::Summary summary({"f"}, true);
        summary.set_before(9'772, 1);
        summary.skip(line(1));
        for (std::uint64_t number = 2; number < 6; ++number) summary.add(line(number), acceptance());
        Outcome left = acceptance();
        left.fate = Fate::stopped;
        left.status = 0;
        left.answer = {};
        for (std::uint64_t number = 6; number < 106; ++number) summary.add(line(number), left);
        summary.set_stopped("interrupted");
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "104 requests: 4 accepted, 100 left when stopped; 2.0 s, 2 requests/s\n"
                "earlier runs have settled 9,772 other requests, 1 of them not accepted or stored with "
                "other content\n"
                "requests by status: 201 4\n"
                "records: 2,800 notes\n"),
            summary.to_text(std::chrono::seconds(2)));
    }

    void writes_json() {
        client::Summary summary({"f"});
        summary.add(line(1), acceptance());
        summary.add(line(2), refusal("no \"body\""));
        summary.add_retry();
        summary.set_empty_files({0});
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"lines":2,"accepted":1,"refused":1,"malformed":0,"undelivered":0,"unknown":0,"stopped":0,)"
                R"("csv_records":0,"repeats":1,"bytes":200,"moved_dates":0,"settled_before":0,"refused_before":0,)"
                R"("seconds":0.500,"lines_per_second":4.0,)"
                R"("statuses":{"201":1,"400":1},"records":{"NOTE_CREATION_SUCCESS":700},)"
                R"("kinds":{"notes":{"records":700,"already_there":0}},)"
                R"("problems":[{"status":400,"code":"blank","place":"notes.N.body","count":1,)"
                R"("attr":"notes.9.body","detail":"no \"body\"","examples":[{"file":"f","line":2}]}],)"
                R"("warnings":[],"empty_files":["f"],"stop_reason":null})") +
                "\n",
            summary.to_json(std::chrono::milliseconds(500)));
    }

    void shows_progress() {
        client::Totals totals;
        totals.lines = totals.accepted = 4500;
        totals.bytes = 250;
        CPPUNIT_ASSERT_EQUAL(std::string("25%  4,500 requests  450/s  0:30 left"),
                             client::progress_text(totals, 1000, std::chrono::seconds(10)));
        CPPUNIT_ASSERT_EQUAL(std::string("4,500 requests  450/s"),
                             client::progress_text(totals, std::nullopt, std::chrono::seconds(10)));
        totals.refused = 3;
        totals.retries = 2;
        CPPUNIT_ASSERT_EQUAL(std::string("4,500 requests  3 not accepted  2 retries"),
                             client::progress_text(totals, std::nullopt, std::chrono::milliseconds(10)));
        CPPUNIT_ASSERT_EQUAL(std::string("0%  0 requests"),
                             client::progress_text({}, 0, std::chrono::milliseconds(10)));
    }

    void tells_a_silence() {
        using client::Load;
        const auto told = [](std::chrono::milliseconds time, Load last) {
            return client::silence_text(client::Silence{time, last});
        };
        CPPUNIT_ASSERT_EQUAL(std::string(), client::silence_text(std::nullopt));
        CPPUNIT_ASSERT_EQUAL(std::string(), told(std::chrono::milliseconds(4999), Load::stalled));
        CPPUNIT_ASSERT_EQUAL(std::string("  no answer for 14 s, retrying"),
                             told(std::chrono::milliseconds(14'900), Load::stalled));
        CPPUNIT_ASSERT_EQUAL(std::string("  service busy for 5 s, retrying"),
                             told(std::chrono::seconds(5), Load::throttled));
        CPPUNIT_ASSERT_EQUAL(std::string("  no answer for 5 s"), told(std::chrono::seconds(5), Load::good));
    }

    void groups_thousands() {
        CPPUNIT_ASSERT_EQUAL(std::string("0"), client::grouped(0));
        CPPUNIT_ASSERT_EQUAL(std::string("999"), client::grouped(999));
        CPPUNIT_ASSERT_EQUAL(std::string("1,000"), client::grouped(1000));
        CPPUNIT_ASSERT_EQUAL(std::string("1,234,567"), client::grouped(1234567));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadSummaryTest);

}  // namespace data_import
