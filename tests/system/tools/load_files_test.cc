// Tests of the files that data-import-load reads, and of the files that its runs write: journal, rejects and
// report. A simulated service (PlayedImport) answers the runs.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <sstream>
#include <string>

#include "../../support/command.h"
#include "../../support/played_import.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

using Arrival = PlayedImport::Arrival;

const std::string csv_head = "import_supplier,external_account_number,body\n";

void require(const CommandResult& result, int status, const std::string& said = "") {
    const std::string all = result.output + result.errors;
    CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result.status);
    CPPUNIT_ASSERT_MESSAGE(all + "lacks " + said, all.find(said) != std::string::npos);
}

/// Adds two files with a wrong header, one with an open quote, and one with a record that is refused.
void add_wrong_files(const PlayedImport& service) {
    service.add("a.csv", "import_supplier,external_account_number,boddy\nACME,1,x\n");
    service.add("b.csv", "import_supplier,external_number,body\nACME,1,x\n");
    service.add("c.csv", csv_head + "ACME,1,x\nACME,2,\"open\nACME,3,y\n");
    service.add("d.csv", csv_head + "ACME,4,\nACME,5,y\n");
}

/// Refuses line 1 by 400, and answers 429 to the first attempt of line 2.
int refuse_first_and_leave_second(const Arrival& arrival) {
    if (arrival.number == 1) return 400;
    return arrival.number == 2 && arrival.times == 1 ? 429 : 0;
}

}  // namespace

class LoadFilesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadFilesTest);
    CPPUNIT_TEST(a_file_that_cannot_be_read_to_its_end_is_not_taken_as_loaded);
    CPPUNIT_TEST(a_check_goes_on_behind_files_that_cannot_be_read);
    CPPUNIT_TEST(a_run_names_all_files_with_a_wrong_header);
    CPPUNIT_TEST(mistakes_of_json_are_found_in_the_line);
    CPPUNIT_TEST(a_run_does_not_go_on_where_its_rejects_or_its_report_are_gone);
    CPPUNIT_TEST(a_run_goes_on_with_its_own_rejects_and_report_only);
    CPPUNIT_TEST(a_run_that_cannot_begin_changes_nothing);
    CPPUNIT_TEST(a_run_that_cannot_begin_keeps_a_directory_of_rejects);
    CPPUNIT_TEST(a_run_that_goes_on_remembers_other_content);
    CPPUNIT_TEST(rejects_that_are_repeated_are_kept_aside);
    CPPUNIT_TEST(rejects_of_an_object_without_members_are_json);
    CPPUNIT_TEST(a_file_is_no_directory_of_rejects);
    CPPUNIT_TEST(totals_that_cannot_be_computed_leave_their_file);
    CPPUNIT_TEST(a_journal_that_tells_of_nothing_is_anybodys);
    CPPUNIT_TEST(a_dry_run_does_not_stand_in_a_line);
    CPPUNIT_TEST(a_named_pipe_is_read_from_its_beginning);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_file_that_cannot_be_read_to_its_end_is_not_taken_as_loaded() {
        const PlayedImport service([](const auto&) { return 400; });
        service.add("a.csv", csv_head + "ACME,1,x\nACME,2,\"open\nACME,3,y\n");
        const std::string reason = "a.csv line 3: a quoted field is not closed; nothing after it was read";
        for (const char* const options : {"--check a.csv", "--totals a.csv"})
            require(service.run(options), 1, reason);
        for (const char* const options :
             {"--totals --declare a.csv", "--verify a.csv", "--dry-run a.csv", "a.csv"})
            require(service.load(options), 1, reason);
        CPPUNIT_ASSERT(service.has("a.csv.journal"));
    }

    void a_check_goes_on_behind_files_that_cannot_be_read() {
        const PlayedImport service;
        add_wrong_files(service);
        for (const std::string rejects : {"rejects/", "rejects.csv"}) {
            const CommandResult checked =
                service.run("--check --report report --rejects " + rejects + " a.csv b.csv c.csv d.csv");
            require(checked, 1, "3 requests with 3 CSV records: 2 accepted, 1 refused, 3 unreadable files");
            require(checked, 1, "such as a.csv line 1: no import has these columns");
            require(checked, 1, "such as b.csv line 1: no import has these columns");
            require(checked, 1,
                    "such as c.csv line 3: a quoted field is not closed; nothing after it was read");
            std::istringstream report(service.text_of("report"));
            std::string places;
            for (std::string text; std::getline(report, text);) {
                const json::Document told = json::read(text);
                places += std::string(told.root().at("file").text()) + ":" +
                          std::string(told.root().at("line").text()) + " " +
                          std::string(told.root().at("code").text()) + "|";
            }
            CPPUNIT_ASSERT_EQUAL(
                std::string("a.csv:1 malformed_line|b.csv:1 malformed_line|"
                            "c.csv:3 malformed_line|d.csv:2 note_body_or_document_path_not_found|"),
                places);
        }
        CPPUNIT_ASSERT_EQUAL(csv_head + "ACME,4,\n", service.text_of("rejects.csv"));
        CPPUNIT_ASSERT(!service.has("rejects/a.csv") && !service.has("rejects/c.csv"));
    }

    void a_run_names_all_files_with_a_wrong_header() {
        const PlayedImport service;
        add_wrong_files(service);
        for (const char* const files : {"a.csv b.csv d.csv", "--totals --declare a.csv b.csv d.csv"}) {
            const CommandResult result = service.load(files);
            require(result, 1, "a.csv line 1: no import has these columns");
            require(result, 1, "\nb.csv line 1: no import has these columns");
        }
        CPPUNIT_ASSERT(service.arrivals().empty());
    }

    void mistakes_of_json_are_found_in_the_line() {
        const PlayedImport service;
        const std::string line =
            R"({"reject_reason":"x","path":"/v1/data-import/notes/create/","body":{"a":NaN}})";
        const std::string key = R"({"path":"/v1/data-import/notes/create/","b\u00fxdy":{}})";
        service.add("lines", line + '\n' + key + '\n');
        require(service.run("--check --report report lines"), 1, "1 refused, 1 malformed");
        const std::string report = service.text_of("report");
        for (const std::size_t place : {line.find("NaN") + 1, key.find("\"b\\u00fx") + 1}) {
            const std::string told = " at byte " + std::to_string(place) + " of the line.\"";
            CPPUNIT_ASSERT_MESSAGE(report + told, report.find(told) != std::string::npos);
        }
    }

    void a_run_does_not_go_on_where_its_rejects_or_its_report_are_gone() {
        const PlayedImport service(refuse_first_and_leave_second);
        service.add("lines", PlayedImport::note(1, "1") + PlayedImport::note(2, "2"));
        const std::string command = "--retries 0 --rejects rejects --report report lines";
        require(service.load(command), 3, "1 refused, 1 not delivered");
        for (const std::string file : {"rejects", "report"}) {
            const std::string whole = service.text_of(file);
            service.add(file, whole.substr(1));
            require(service.load(command), 1, "the " + file + " file " + file + " has ");
            CPPUNIT_ASSERT_EQUAL(whole.substr(1), service.text_of(file));
            service.add(file, whole);
        }
        require(service.load(command), 1, "1 request: 1 accepted");
        CPPUNIT_ASSERT_EQUAL(PlayedImport::note(1, "1"), service.text_of("rejects"));
    }

    void a_run_goes_on_with_its_own_rejects_and_report_only() {
        const PlayedImport service(refuse_first_and_leave_second);
        service.add("lines", PlayedImport::note(1, "1") + PlayedImport::note(2, "2"));
        const std::string own = "--rejects rejects --report report";
        require(service.load("--retries 0 lines " + own), 3, "1 refused, 1 not delivered");
        service.add("other", "other");
        for (const char* const others :
             {"", "--rejects rejects", "--report report", "--rejects other --report report",
              "--rejects rejects --report other"})
            require(service.load(std::string("lines ") + others), 1,
                    "the journal lines.journal belongs to a run with " + own);
        CPPUNIT_ASSERT_EQUAL(std::string("other"), service.text_of("other"));
        require(service.load("lines " + own), 1, "1 request: 1 accepted");
        CPPUNIT_ASSERT_EQUAL(PlayedImport::note(1, "1"), service.text_of("rejects"));
    }

    void a_run_that_cannot_begin_changes_nothing() {
        const PlayedImport service;
        service.add("a.csv", csv_head + "ACME,1,x\n");
        service.add("lines", PlayedImport::note(1));
        service.add("rejects", "old");
        service.add("report", "old");
        const std::string kept = " --rejects rejects --report report";
        require(service.load("a.csv lines" + kept), 1, "cannot have lines of");
        require(service.run("--check a.csv lines" + kept), 1, "cannot have lines of");
        require(service.load("lines --rejects rejects --report lines"), 1, "is one of the files to load");
        require(service.run("--check lines --rejects rejects --report lines"), 1,
                "is one of the files to load");
        require(service.load("lines --journal rejects --report report"), 1, "is not a journal");
        require(service.run("--check lines missing" + kept), 1, "cannot read missing");
        for (const char* const file : {"rejects", "report"})
            CPPUNIT_ASSERT_EQUAL(std::string("old"), service.text_of(file));
        CPPUNIT_ASSERT_EQUAL(PlayedImport::note(1), service.text_of("lines"));
        CPPUNIT_ASSERT(!service.has("a.csv.journal") && !service.has("lines.journal"));
    }

    void a_run_that_cannot_begin_keeps_a_directory_of_rejects() {
        const PlayedImport service(refuse_first_and_leave_second);
        service.add("a.ndjson", PlayedImport::note(1, "1") + PlayedImport::note(2, "2"));
        service.add("b.ndjson", PlayedImport::note(3, "3"));
        const std::string files = "--retries 0 --rejects rejects/ a.ndjson b.ndjson";
        require(service.load(files + " --report report"), 3, "1 refused, 1 not delivered");
        service.add("rejects/b.ndjson", "corrected");
        const std::string rejects = service.text_of("rejects/a.ndjson");
        const auto require_kept = [&](const std::string& first) {
            CPPUNIT_ASSERT_EQUAL(first, service.text_of("rejects/a.ndjson"));
            CPPUNIT_ASSERT_EQUAL(std::string("corrected"), service.text_of("rejects/b.ndjson"));
        };
        require(service.run("--url http://127.0.0.2:1 --api-key-file key --report report " + files), 1,
                "belongs to a run with another service, http://127.0.0.1:");
        require_kept(rejects);
        require(service.load(files + " --report nowhere/report"), 1,
                "cannot write the report file nowhere/report");
        require_kept(rejects);
        service.add("rejects/a.ndjson", "short");
        require(service.load(files + " --report report"), 1, "the rejects file rejects/a.ndjson has 5 bytes");
        require_kept("short");
    }

    void a_run_that_goes_on_remembers_other_content() {
        const PlayedImport service([](const Arrival& arrival) {
            if (arrival.number == 2) return PlayedImport::other_content;
            return arrival.number == 3 && arrival.times == 1 ? 429 : 0;
        });
        service.add("lines",
                    PlayedImport::note(1, "1") + PlayedImport::note(2, "2") + PlayedImport::note(3, "3"));
        const std::string command = "--retries 0 --rejects rejects --report report lines";
        require(service.load(command), 3, "1 not delivered");
        const std::string report = service.text_of("report");
        CPPUNIT_ASSERT_MESSAGE(
            report, report.starts_with(
                        R"({"file":"lines","line":2,"status":201,"code":"stored_with_other_content",)"
                        R"("attr":"transactions.0","detail":"The account 2 of ACME has the transaction_id )"
                        R"(T-2 with other content.","request_id":)"));
        require(service.load(command), 1, "1 of them not accepted or stored with other content");
        CPPUNIT_ASSERT_EQUAL(report, service.text_of("report"));
        CPPUNIT_ASSERT_EQUAL(std::string(), service.text_of("rejects"));
    }

    void rejects_that_are_repeated_are_kept_aside() {
        for (const std::string place : {"rejects", "rejects/"}) {
            const PlayedImport service([](const Arrival& arrival) { return arrival.number == 1 ? 400 : 0; });
            service.add("a.ndjson", PlayedImport::note(1, "1") + PlayedImport::note(2, "2"));
            const std::string file = place.ends_with('/') ? place + "a.ndjson" : place;
            const std::string command = "a.ndjson --rejects " + place;
            require(service.load(command), 1, "1 accepted, 1 refused");
            const std::string rejects = service.text_of(file);
            CPPUNIT_ASSERT(!rejects.empty() && !service.has(file + ".old"));
            service.add(file, "corrected");
            require(service.load(command), 1, "1 accepted, 1 refused");
            CPPUNIT_ASSERT_EQUAL(rejects, service.text_of(file));
            CPPUNIT_ASSERT_EQUAL(std::string("corrected"), service.text_of(file + ".old"));
            service.add(file, "corrected again");
            require(service.load(command), 1, "1 accepted, 1 refused");
            for (int time = 0; time < 2; ++time) require(service.load(command), 1, "1 accepted, 1 refused");
            CPPUNIT_ASSERT_EQUAL(std::string("corrected"), service.text_of(file + ".old"));
            CPPUNIT_ASSERT_EQUAL(std::string("corrected again"), service.text_of(file + ".old2"));
            CPPUNIT_ASSERT_EQUAL(rejects, service.text_of(file + ".old3"));
            CPPUNIT_ASSERT(!service.has(file + ".old4"));
        }
    }

    void rejects_of_an_object_without_members_are_json() {
        const PlayedImport service;
        service.add("a.ndjson", "{}\n{ }\n{\"path\": 1}\n");
        for (const std::string from : {"a.ndjson", "rejects/a.ndjson"}) {
            const std::string to = from == "a.ndjson" ? "rejects/" : "again/";
            require(service.load(from + " --rejects " + to), 1, "3 malformed");
            std::istringstream lines(service.text_of(to + "a.ndjson"));
            std::size_t count = 0;
            for (std::string line; std::getline(lines, line); ++count) {
                const json::Document rejected = json::read(line);
                CPPUNIT_ASSERT_EQUAL_MESSAGE(line, std::string("malformed_line"),
                                             std::string(rejected.root().at("reject_code").text()));
            }
            CPPUNIT_ASSERT_EQUAL(std::size_t{3}, count);
        }
    }

    void a_file_is_no_directory_of_rejects() {
        const PlayedImport service;
        service.add("lines", PlayedImport::note(1));
        service.add("name", "mine");
        require(service.load("lines --rejects name/"), 1, "cannot make the directory name/ for rejects: ");
        CPPUNIT_ASSERT_EQUAL(std::string("mine"), service.text_of("name"));
    }

    void totals_that_cannot_be_computed_leave_their_file() {
        const PlayedImport service;
        service.add("cut.csv", csv_head + "ACME,1,x\nACME,2,\"open\n");
        service.add("two.csv", csv_head + "ACME,1,x\nOTHER,1,x\n");
        service.add("one.csv", csv_head + "ACME,1,x\n");
        service.add("totals", "old");
        require(service.run("--totals --per-account totals cut.csv"), 1, "a quoted field is not closed");
        require(service.run("--totals --per-account totals two.csv"), 1, "several import suppliers");
        CPPUNIT_ASSERT_EQUAL(std::string("old"), service.text_of("totals"));
        require(service.run("--totals --per-account totals one.csv"), 0);
        CPPUNIT_ASSERT(service.text_of("totals").find("\n1,notes,1,") != std::string::npos);
    }

    void a_journal_that_tells_of_nothing_is_anybodys() {
        const PlayedImport service(refuse_first_and_leave_second);
        service.add("one", PlayedImport::note(2));
        service.add("two", PlayedImport::note(2));
        require(service.load("--retries 0 --journal journal one"), 3, "1 not delivered");
        CPPUNIT_ASSERT(service.has("journal"));
        require(service.load("--journal journal --rejects rejects two"), 0);
        CPPUNIT_ASSERT(!service.has("journal"));
    }

    void a_dry_run_does_not_stand_in_a_line() {
        const PlayedImport service;
        std::string rehearsed = PlayedImport::note(2);
        rehearsed.insert(rehearsed.find("create/") + 7, "?dry_run=true");
        service.add("lines", PlayedImport::note(1) + rehearsed);
        require(service.load("lines"), 1, "1 accepted, 1 malformed");
        require(service.load("--dry-run lines"), 1, "1 accepted, 1 malformed");
        require(service.run("--check lines"), 1,
                "lines line 2: \"path\" has dry_run: use --dry-run on the command line instead");
        CPPUNIT_ASSERT(!service.stored().contains(2));
    }

    void a_named_pipe_is_read_from_its_beginning() {
        const PlayedImport service;
        service.add("a.csv", csv_head + "ACME,1,good\nACME,2,\nACME,3,good\n");
        service.add("other.csv", "import_supplier,external_account_number,body,created_at\nACME,4,,\n");
        const auto piped = [](const std::string& file) {
            return "mkfifo -m 600 pipe.csv; (cat " + file + " >pipe.csv &); timeout 10";
        };
        require(service.run("--check --rejects rejects pipe.csv", piped("a.csv")), 1,
                "3 requests with 3 CSV records: 2 accepted, 1 refused");
        CPPUNIT_ASSERT_EQUAL(csv_head + "ACME,2,\n", service.text_of("rejects"));
        require(service.load("--rejects rejects pipe.csv", piped("a.csv")), 0,
                "3 requests with 3 CSV records: 3 accepted");
        require(service.run("--check --rejects rejects a.csv pipe.csv", piped("other.csv")), 1,
                "cannot have lines of a.csv and of pipe.csv");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadFilesTest);

}  // namespace data_import::tests
