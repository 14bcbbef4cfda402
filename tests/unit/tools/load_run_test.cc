// client: bundles and their pace, the results in answers of bulk requests, and the journal.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <fcntl.h>
#include <sys/file.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "../../gzip.h"
#include "../../table.h"
#include "base/util/file_descriptor.h"
#include "tools/client/answer.h"
#include "tools/client/journal.h"
#include "tools/client/kept_file.h"
#include "tools/client/pace.h"
#include "tools/client/schedule.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;
using client::Bundle;
using client::Load;
using client::Measure;

std::unique_ptr<client::Job> job(const std::string& account, const std::string& name, bool fits_bulk = true) {
    auto made = std::make_unique<client::Job>();
    made->line.text = R"({"path":"/)" + name + R"(","body":{"a":1}})";
    made->request = client::parse_line(made->line.text);
    made->account = account;
    made->fits_bulk = fits_bulk;
    return made;
}

std::string names_of(const Bundle& bundle) {
    std::string names;
    for (const auto& each : bundle) names += each->request.path.substr(1);
    return names;
}

struct AccountIn {
    std::string body;
    std::string account;
};

const std::vector<AccountIn> accounts = {
    {R"({"import_supplier":"A","external_account_number":"1","notes":[]})",
     "A\x1f"
     "1"},
    {R"({"notes":[{"external_account_number":"9"}], "external_account_number" : "1","import_supplier":"A"})",
     "A\x1f"
     "1"},
    {R"({"import_\u0073upplier":"\u0041","external_account_number":"\u0031"})",
     "A\x1f"
     "1"},
    {R"({"import_supplier":"A","external_account_number":"\ud800"})", "A\x1f\"\\ud800\""},
    {R"({"import_supplier":"A"})", ""},
    {R"({"price_sheets":[]})", ""},
    {R"({"external_account_number":7})",
     "\x1f"
     "7"},
    {"{}", ""},
    {"{nonsense", ""}};

struct LineAnswering {
    std::string body;
    std::string expected;  ///< `place:status:code` of each result; `none` if the body is no answer
};

const std::string last = R"({"lines":3,"accepted":2,"refused":1})";

const std::vector<LineAnswering> line_answerings = {
    {R"({"line":2,"status":404,"body":{"code":"account_not_found","detail":"x","errors":[]}})"
     "\n" +
         last + "\n",
     "1:404:account_not_found "},
    {R"({"line":1,"status":201,"body":[]})"
     "\n"
     R"({"line":3,"status":503,"body":{"code":"service_unavailable"}})"
     "\n" +
         last + "\n",
     "0:201: 2:503:service_unavailable "},
    {R"({"line":2,"status":404,"body":{}})"
     "\n" +
         last,
     "none"},
    {last + "\n", "none"},
    {"", "none"},
    {"<html>\n", "none"},
    {R"({"line":4,"status":404,"body":{}})"
     "\n" +
         last + "\n",
     "none"},
    {R"({"line":0,"status":404,"body":{}})"
     "\n" +
         last + "\n",
     "none"},
    {R"({"line":2,"status":404,"body":{}})"
     "\n"
     R"({"line":2,"status":404,"body":{}})"
     "\n" +
         last + "\n",
     "none"},
    {R"({"line":2,"status":404,"body":{}})"
     "\n"
     R"({"lines":2,"accepted":1,"refused":1})"
     "\n",
     "none"},
    {R"({"line":2,"status":"404","body":{}})"
     "\n" +
         last + "\n",
     "none"}};

std::string described(const std::optional<client::LineAnswers>& answers) {
    if (!answers) return "none";
    std::string text;
    for (const auto& [place, answer] : *answers)
        text += std::to_string(place) + ":" + std::to_string(answer.status) + ":" + answer.answer.code + " ";
    return text;
}

/// A file and its journal, for as long as a test runs.
class Place {
public:
    Place() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "data-import-journal-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(pattern.data()) != nullptr);
        directory_ = pattern;
        write(input(), "lines");
    }
    ~Place() { std::filesystem::remove_all(directory_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    [[nodiscard]] std::string input() const { return directory_ / "input"; }
    [[nodiscard]] std::string name() const { return directory_ / "journal"; }
    [[nodiscard]] client::JournalSubject subject() const {
        client::Options options;
        options.url = "https://h";
        options.files = {input()};
        return client::subject_of(options);
    }
    [[nodiscard]] client::Journal open() const { return {name(), subject()}; }
    [[nodiscard]] std::string text() const {
        std::ostringstream text;
        text << std::ifstream(name()).rdbuf();
        return text.str();
    }
    static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

private:
    std::filesystem::path directory_;
};

client::SettledLine settled(std::uint64_t sequence, bool accepted = true) {
    return {sequence, 1000 + sequence, accepted};
}

/// Returns which of the lines 0 to 9 a journal skips, as digits.
std::string skipped(client::Journal& journal) {
    std::string text;
    for (std::uint64_t sequence = 0; sequence < 10; ++sequence) {
        if (journal.skips(sequence, 1000 + sequence)) text += std::to_string(sequence);
    }
    return text;
}

std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

client::JournalSubject reading(const Place& place, const std::vector<std::string>& options) {
    client::JournalSubject subject = place.subject();
    subject.reading = options;
    return subject;
}

}  // namespace

class LoadRunTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadRunTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(lines_of_one_account_are_never_in_two_batches);
    CPPUNIT_TEST(requests_outside_bulk_are_sent_singly);
    CPPUNIT_TEST(batches_are_bounded);
    CPPUNIT_TEST(the_schedule_has_room_for_one_of_any_size);
    CPPUNIT_TEST(the_measure_grows_while_all_goes_well);
    CPPUNIT_TEST(the_size_of_requests_recovers_from_a_line_that_was_blocked);
    CPPUNIT_TEST(the_measure_shrinks_when_it_is_too_much);
    CPPUNIT_TEST(a_pace_tells_how_long_there_is_no_result);
    CPPUNIT_TEST(packs_lines);
    CPPUNIT_TEST(a_journal_tells_settled_lines);
    CPPUNIT_TEST(a_cut_journal_tells_less);
    CPPUNIT_TEST(a_journal_of_an_earlier_release_is_taken_up);
    CPPUNIT_TEST(what_was_settled_together_counts_whole_or_not_at_all);
    CPPUNIT_TEST(an_entry_that_counts_wrong_is_left_out);
    CPPUNIT_TEST(a_journal_stays_short);
    CPPUNIT_TEST(a_journal_is_for_one_run_of_the_same_files);
    CPPUNIT_TEST(a_journal_is_for_one_way_of_reading);
    CPPUNIT_TEST(a_journal_is_for_one_organisation);
    CPPUNIT_TEST(a_journal_of_an_earlier_version_is_taken_up);
    CPPUNIT_TEST(a_journal_is_a_regular_file);
    CPPUNIT_TEST(a_journal_with_many_gaps_is_read_whole);
    CPPUNIT_TEST(names_may_hold_any_bytes);
    CPPUNIT_TEST(rejects_are_for_one_run);
    CPPUNIT_TEST(a_run_that_waits_takes_the_journal_that_was_put_in_place);
    CPPUNIT_TEST(a_journal_tells_lines_under_way);
    CPPUNIT_TEST(a_journal_notices_changed_files);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const AccountIn& row : accounts) {
            tests::add_row(context, "account of " + row.body,
                           [row] { CPPUNIT_ASSERT_EQUAL(row.account, client::account_of(row.body)); });
        }
        for (const LineAnswering& row : line_answerings) {
            tests::add_row(context, "answer " + row.body, [row] {
                CPPUNIT_ASSERT_EQUAL(row.expected, described(client::read_line_answers(row.body, 3)));
            });
        }
    }

    void lines_of_one_account_are_never_in_two_batches() {
        client::Schedule schedule(100, 1 << 20);
        for (const auto& [account, name] : std::vector<std::pair<std::string, std::string>>{
                 {"1", "a"}, {"2", "b"}, {"1", "c"}, {"2", "d"}, {"3", "e"}, {"", "f"}, {"", "g"}})
            CPPUNIT_ASSERT(schedule.push(job(account, name), {}));
        schedule.close();
        const Bundle first = schedule.take(1, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("a"), names_of(first));
        const Bundle second = schedule.take(4, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("bdef"), names_of(second));
        const Bundle third = schedule.take(4, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("g"), names_of(third));
        schedule.release(first);
        CPPUNIT_ASSERT_EQUAL(std::string("c"), names_of(schedule.take(4, 1 << 20, {})));
        CPPUNIT_ASSERT(schedule.take(4, 1 << 20, {}).empty());
    }

    void requests_outside_bulk_are_sent_singly() {
        client::Schedule schedule(100, 1 << 20);
        CPPUNIT_ASSERT(schedule.push(job("1", "a"), {}));
        CPPUNIT_ASSERT(schedule.push(job("1", "b", false), {}));
        CPPUNIT_ASSERT(schedule.push(job("1", "c"), {}));
        CPPUNIT_ASSERT(schedule.push(job("2", "d"), {}));
        schedule.close();
        const Bundle first = schedule.take(9, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("ad"), names_of(first));
        schedule.release(first);
        const Bundle second = schedule.take(9, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("b"), names_of(second));
        schedule.release(second);
        CPPUNIT_ASSERT_EQUAL(std::string("c"), names_of(schedule.take(9, 1 << 20, {})));
    }

    void batches_are_bounded() {
        client::Schedule schedule(100, 1 << 20);
        for (const char* name : {"a", "b", "c"}) CPPUNIT_ASSERT(schedule.push(job("", name), {}));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, schedule.take(9, 1, {}).size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, schedule.take(2, 1 << 20, {}).size());
        std::stop_source stop;
        stop.request_stop();
        CPPUNIT_ASSERT(schedule.take(9, 9, stop.get_token()).empty());
        CPPUNIT_ASSERT(!schedule.push(job("", "d"), stop.get_token()));
    }

    void the_schedule_has_room_for_one_of_any_size() {
        client::Schedule schedule(100, 10);
        CPPUNIT_ASSERT(schedule.push(job("", "a"), {}));
        std::jthread pushing(
            [&](const std::stop_token& stop) { static_cast<void>(schedule.push(job("", "b"), stop)); });
        const Bundle first = schedule.take(9, 1 << 20, {});
        CPPUNIT_ASSERT_EQUAL(std::string("a"), names_of(first));
        schedule.release(first);
        CPPUNIT_ASSERT_EQUAL(std::string("b"), names_of(schedule.take(9, 1 << 20, {})));
    }

    void the_size_of_requests_recovers_from_a_line_that_was_blocked() {
        Measure measure(4);
        for (const std::size_t bytes : {8000U, 4000U, 2000U}) measure.note_size(false, bytes);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1000}, measure.bytes());
        for (int request = 0; request < 50; ++request) measure.note_size(true, 900);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1000}, measure.bytes());
        for (int request = 0; request < 200; ++request) measure.note_size(true, 900);
        CPPUNIT_ASSERT_GREATEREQUAL(std::size_t{8000}, measure.bytes());
        measure.note_size(false, 8000);
        CPPUNIT_ASSERT_EQUAL(std::size_t{4000}, measure.bytes());
    }

    void the_measure_grows_while_all_goes_well() {
        Measure measure(4);
        const auto now = Measure::Clock::now();
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, measure.requests());
        for (int request = 0; request < 100; ++request) measure.note(Load::good, measure.lines(), 100ms, now);
        CPPUNIT_ASSERT_EQUAL(std::size_t{4}, measure.requests());
        CPPUNIT_ASSERT_EQUAL(Measure::most_lines, measure.lines());
        measure.note(Load::good, measure.lines(), 11s, now);
        CPPUNIT_ASSERT_EQUAL(Measure::most_lines / 2, measure.lines());
        // a request with fewer lines than lines() does not raise lines()
        measure.note(Load::good, 10, 100ms, now);
        CPPUNIT_ASSERT_EQUAL(Measure::most_lines / 2, measure.lines());
    }

    void the_measure_shrinks_when_it_is_too_much() {
        Measure measure(8);
        auto now = Measure::Clock::now();
        for (int request = 0; request < 10; ++request) measure.note(Load::good, 1, 100ms, now);
        CPPUNIT_ASSERT_EQUAL(std::size_t{5}, measure.requests());
        measure.note(Load::throttled, 1, 1ms, now);
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, measure.requests());
        CPPUNIT_ASSERT_EQUAL(Measure::first_lines, measure.lines());
        for (int request = 0; request < 100; ++request) measure.note(Load::good, 1, 100ms, now);
        // the limit stays below 5 simultaneous requests, because a request was just throttled when the limit
        // was 5
        CPPUNIT_ASSERT_EQUAL(std::size_t{4}, measure.requests());
        now += 2min;
        for (int request = 0; request < 100; ++request) measure.note(Load::good, 1, 100ms, now);
        CPPUNIT_ASSERT_EQUAL(std::size_t{8}, measure.requests());
        for (int request = 0; request < 20; ++request) measure.note(Load::stalled, 1, 60s, now);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, measure.requests());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, measure.lines());
    }

    void a_pace_tells_how_long_there_is_no_result() {
        client::Pace pace(4, 0);
        const auto send = [&](Load load) {
            CPPUNIT_ASSERT(pace.enter(1, {}));
            pace.leave(load, 1, 1ms, std::nullopt);
        };
        CPPUNIT_ASSERT(!pace.silence());
        send(Load::good);
        CPPUNIT_ASSERT(!pace.silence());
        CPPUNIT_ASSERT(pace.enter(1, {}));
        std::this_thread::sleep_for(30ms);
        CPPUNIT_ASSERT(pace.silence()->time >= 30ms && pace.silence()->last == Load::good);
        pace.leave(Load::stalled, 1, 30ms, std::nullopt);
        send(Load::throttled);
        CPPUNIT_ASSERT(pace.silence()->time >= 30ms && pace.silence()->last == Load::throttled);
        send(Load::good);
        CPPUNIT_ASSERT(!pace.silence());
    }

    void packs_lines() {
        const auto one = job("1", "a");
        const auto two = job("2", "b?x=1");
        CPPUNIT_ASSERT_EQUAL(
            std::string("{\"path\":\"/a\",\"body\":{\"a\":1}}\n{\"path\":\"/b?x=1\",\"body\":{\"a\":1}}\n"),
            tests::unpacked(client::pack_lines({one.get(), two.get()})));
        CPPUNIT_ASSERT_EQUAL(std::string("/v1/data-import/bulk/?results=all"),
                             client::bulk_path({one.get(), two.get()}));
        one->is_document = true;
        CPPUNIT_ASSERT_EQUAL(std::string("/v1/data-import/bulk/?results=all"),
                             client::bulk_path({one.get(), two.get()}));
        CPPUNIT_ASSERT_EQUAL(std::string("/v1/data-import/bulk/?results=errors"),
                             client::bulk_path({one.get()}));
    }

    void a_journal_tells_settled_lines() {
        const Place place;
        {
            client::Journal journal = place.open();
            CPPUNIT_ASSERT_EQUAL(std::string(), skipped(journal));
            journal.settle({settled(4), settled(0, false), settled(1)}, {10, 20});
            journal.settle({settled(8, false), settled(2)}, {11, 21});
        }
        client::Journal journal = place.open();
        CPPUNIT_ASSERT_EQUAL(std::string("01248"), skipped(journal));
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{5}, journal.settled_before());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{2}, journal.refused_before());
        CPPUNIT_ASSERT((journal.sizes() == client::KeptSizes{11, 21}));
        CPPUNIT_ASSERT(journal.changed_files().empty());
        journal.check_end(9);
        CPPUNIT_ASSERT(refusal([&] { journal.check_end(8); }).find("shorter") != std::string::npos);
        journal.remove();
        CPPUNIT_ASSERT(!std::filesystem::exists(place.name()));
    }

    /// A journal that lost its end still names the first lines that were settled, and never a line that was
    /// not.
    void a_cut_journal_tells_less() {
        const Place place;
        {
            client::Journal journal = place.open();
            for (std::uint64_t line = 0; line < 10; line += 3) journal.settle({settled(line)}, {});
        }
        const std::string whole = place.text();
        const std::size_t head = whole.find('\n') + 1;
        const auto seen_of = [&](const std::string& text) {
            Place::write(place.name(), text);
            client::Journal journal = place.open();
            return skipped(journal);
        };
        std::size_t before = 0;
        for (std::size_t length = head; length < whole.size(); length += 3) {
            const std::string seen = seen_of(whole.substr(0, length));
            CPPUNIT_ASSERT(std::string("0369").starts_with(seen));
            CPPUNIT_ASSERT(seen.size() >= before);
            before = seen.size();
        }
        CPPUNIT_ASSERT_EQUAL(std::string("0369"), seen_of(whole));
        std::string spoilt = whole;
        ++spoilt[spoilt.find("settled 3") + 8];
        CPPUNIT_ASSERT_EQUAL(std::string("0"), seen_of(spoilt));
    }

    void a_journal_of_an_earlier_release_is_taken_up() {
        const Place place;
        place.open().settle({settled(0), settled(1)}, {10});
        std::string text = place.text();
        const std::size_t end = text.find('\n');
        std::string head(client::without_sum(text.substr(0, end)).value());
        CPPUNIT_ASSERT(head.starts_with(client::head_mark));
        head.replace(0, client::head_mark.size(), client::head_mark_1_0);
        Place::write(place.name(), client::with_sum(head) + text.substr(end + 1));
        client::Journal journal = place.open();
        CPPUNIT_ASSERT_EQUAL(std::string("01"), skipped(journal));
    }

    /// The next run takes up all lines of a call of settle(), or none of them. The journal has one length of
    /// the file of rejects for each call.
    ///
    /// Because this length includes the rejects of all lines of the call, a run that took up only some lines
    /// would write the rejects of the others a second time.
    void what_was_settled_together_counts_whole_or_not_at_all() {
        const Place place;
        {
            client::Journal journal = place.open();
            journal.settle({settled(0)}, {10});
            journal.settle({settled(2, false), settled(4), settled(5), settled(9, false)}, {50});
        }
        const std::string whole = place.text();
        const std::size_t first = whole.find("\nsettled ") + 1;
        for (std::size_t length = whole.find('\n', first) + 1; length <= whole.size(); ++length) {
            Place::write(place.name(), whole.substr(0, length));
            client::Journal journal = place.open();
            const bool is_whole = length == whole.size();
            CPPUNIT_ASSERT_EQUAL(std::string(is_whole ? "02459" : "0"), skipped(journal));
            CPPUNIT_ASSERT((journal.sizes() == client::KeptSizes{is_whole ? 50U : 10U}));
            CPPUNIT_ASSERT_EQUAL(std::uint64_t{is_whole ? 2U : 0U}, journal.refused_before());
        }
    }

    /// Tries entries whose numbers do not fit together, such as a count larger than the number of ranges.
    void an_entry_that_counts_wrong_is_left_out() {
        const Place place;
        place.open().settle({settled(0)}, {});
        const std::string text = place.text();
        for (const std::string numbers :
             {"2 3 3 0 1 5 5 5", "1 3 3 0", "9 1", "0", "18446744073709551615 1"}) {
            Place::write(place.name(), text + client::with_sum("settled-ranges " + numbers));
            client::Journal journal = place.open();
            CPPUNIT_ASSERT_EQUAL(std::string("0"), skipped(journal));
        }
    }

    void a_journal_stays_short() {
        const Place place;
        client::Journal journal = place.open();
        for (std::uint64_t line = 0; line < 20'000; ++line) {
            journal.settle({settled(line ^ 1U)}, {});
            if (journal.is_long()) journal.shorten();
        }
        CPPUNIT_ASSERT(std::filesystem::file_size(place.name()) <= 256U << 10U);
        for (std::uint64_t line = 20'000; line < 20'010; ++line) journal.settle({settled(line)}, {});
        const std::string copy = place.name() + ".copy";
        std::filesystem::copy(place.name(), copy);
        const client::Journal read(copy, place.subject());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{20'010}, read.settled_before());
    }

    void a_journal_is_for_one_run_of_the_same_files() {
        const Place place;
        client::Journal journal = place.open();
        CPPUNIT_ASSERT(refusal([&] { static_cast<void>(place.open()); }).find("in use") != std::string::npos);
        const std::string copy = place.name() + ".copy";
        const auto reopen = [&](const client::JournalSubject& subject) {
            std::filesystem::copy(place.name(), copy, std::filesystem::copy_options::overwrite_existing);
            return refusal([&] { client::Journal(copy, subject); });
        };
        const client::JournalSubject other{.target = "https://other", .files = place.subject().files};
        CPPUNIT_ASSERT_EQUAL(std::string(), reopen(other));  // an empty journal fits any run
        journal.settle({settled(0)}, {});
        CPPUNIT_ASSERT_EQUAL(std::string(), reopen(place.subject()));
        CPPUNIT_ASSERT(reopen(other).find("another service, https://h:") != std::string::npos);
        CPPUNIT_ASSERT(reopen({.target = "https://h", .files = {}}).find("other files") != std::string::npos);
        client::JournalSubject keeping = place.subject();
        keeping.report = "r";
        CPPUNIT_ASSERT(reopen(keeping).find("neither --rejects nor --report") != std::string::npos);
        CPPUNIT_ASSERT(refusal([&] {
                           client::Journal(place.input(), place.subject());
                       }).find("not a journal") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::uintmax_t{5}, std::filesystem::file_size(place.input()));
    }

    void a_journal_is_for_one_way_of_reading() {
        const Place place;
        client::Journal before(place.name(), reading(place, {"--dates DD.MM.YYYY", "--decimal-comma"}));
        before.settle({settled(0)}, {});
        const std::string copy = place.name() + ".copy";
        const auto reopen = [&](const std::vector<std::string>& options) {
            std::filesystem::copy(place.name(), copy, std::filesystem::copy_options::overwrite_existing);
            return refusal([&] { client::Journal(copy, reading(place, options)); });
        };
        CPPUNIT_ASSERT_EQUAL(std::string(), reopen({"--dates DD.MM.YYYY", "--decimal-comma"}));
        const std::pair<std::vector<std::string>, std::string> others[] = {
            {{}, "with --dates DD.MM.YYYY --decimal-comma: finish"},
            {{"--decimal-comma"}, "with --dates DD.MM.YYYY: finish"},
            {{"--dates YYYYMMDD", "--decimal-comma"}, "with --dates DD.MM.YYYY, without --dates YYYYMMDD: "},
            {{"--dates DD.MM.YYYY", "--decimal-comma", "--map A=b"}, "without --map A=b: "}};
        for (const auto& [options, said] : others)
            CPPUNIT_ASSERT(reopen(options).find("belongs to a run " + said) != std::string::npos);
    }

    void a_journal_is_for_one_organisation() {
        const Place place;
        client::Journal first = place.open();
        first.note_organisation("ACME");
        first.settle({settled(0)}, {});
        const std::string copy = place.name() + ".copy";
        std::filesystem::copy(place.name(), copy);
        client::Journal second(copy, place.subject());
        CPPUNIT_ASSERT(second.is_taken_up());
        second.note_organisation("ACME");
        CPPUNIT_ASSERT(
            refusal([&] {
                second.note_organisation("NOVA");
            }).find("belongs to a run with an API key of another organisation, ACME, not of NOVA: ") !=
            std::string::npos);
    }

    /// Journals of 1.0 do not say how files were read.
    void a_journal_of_an_earlier_version_is_taken_up() {
        const Place place;
        client::JournalSubject subject = place.subject();
        subject.reading.reset();
        client::Journal(place.name(), subject).settle({settled(0)}, {});
        CPPUNIT_ASSERT_EQUAL(
            std::uint64_t{1},
            client::Journal(place.name(), reading(place, {"--decimal-comma"})).settled_before());
    }

    void a_journal_is_a_regular_file() {
        const Place place;
        const std::string link = place.name() + ".link";
        std::filesystem::create_symlink(place.input(), link);
        CPPUNIT_ASSERT(refusal([&] { client::Journal(link, place.subject()); }).find("not a regular file") !=
                       std::string::npos);
        CPPUNIT_ASSERT(std::filesystem::is_symlink(link));
    }

    void a_journal_with_many_gaps_is_read_whole() {
        constexpr std::uint64_t many = 300'000;
        const Place place;
        {
            std::vector<client::SettledLine> lines;
            for (std::uint64_t line = 0; line < 2 * many; line += 2) lines.push_back(settled(line));
            client::Journal journal = place.open();
            journal.settle(lines, {});
        }
        CPPUNIT_ASSERT_EQUAL(many, place.open().settled_before());
    }

    void names_may_hold_any_bytes() {
        const Place place;
        const std::string odd = place.input() + "\xfc";
        Place::write(odd, "lines");
        const auto open = [&] {
            client::Options options;
            options.url = "https://h";
            options.files = {odd};
            options.rejects_file = odd + ".rejects";
            return client::Journal(place.name(), client::subject_of(options));
        };
        open().settle({settled(0)}, {});
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, open().settled_before());
    }

    void rejects_are_for_one_run() {
        const Place place;
        const std::string name = place.name() + ".rejects";
        const client::KeptFile file("rejects", name, {});
        CPPUNIT_ASSERT(refusal([&] { client::KeptFile("rejects", name, {}); }).find("in use") !=
                       std::string::npos);
    }

    void a_run_that_waits_takes_the_journal_that_was_put_in_place() {
        const Place place;
        const std::string next = place.name() + ".next";
        static_cast<void>(place.open());
        {
            client::Journal journal(next, place.subject());
            journal.settle({settled(0), settled(1)}, {});
        }
        util::FileDescriptor other_run(::open(place.name().c_str(), O_RDWR | O_CLOEXEC));
        CPPUNIT_ASSERT(::flock(other_run.get(), LOCK_EX) == 0);
        std::string seen;
        {
            const std::jthread waiting([&] {
                client::Journal journal = place.open();
                seen = skipped(journal);
            });
            std::this_thread::sleep_for(250ms);
            std::filesystem::rename(next, place.name());
            other_run.close();
        }
        CPPUNIT_ASSERT_EQUAL(std::string("01"), seen);
    }

    void a_journal_tells_lines_under_way() {
        const Place place;
        std::string id;
        std::chrono::sys_seconds begun;
        {
            client::Journal journal = place.open();
            id = journal.id();
            for (std::uint64_t line = 0; line < 4; ++line) begun = journal.begin(line, 1000 + line);
            journal.settle({settled(0)}, {});
            journal.take_back(1);
            journal.shorten();
            journal.take_back(2);
        }
        client::Journal journal = place.open();
        CPPUNIT_ASSERT_EQUAL(id, journal.id());
        CPPUNIT_ASSERT_EQUAL(std::string("0"), skipped(journal));
        CPPUNIT_ASSERT(refusal([&] { static_cast<void>(journal.skips(3, 7)); }).find("changed") !=
                       std::string::npos);
        CPPUNIT_ASSERT(refusal([&] { journal.check_end(3); }).find("shorter") != std::string::npos);
        journal.check_end(4);
        std::this_thread::sleep_until(begun + 1s);
        CPPUNIT_ASSERT(journal.begin(1, 1001) > begun);
        CPPUNIT_ASSERT(journal.begin(3, 1003) == begun);
        // An earlier run has begun line 3, too, and the request of that run may be in flight. So line 3 stays
        // begun although take_back() is called.
        journal.take_back(3);
        CPPUNIT_ASSERT(journal.begin(3, 1003) == begun);
    }

    void a_journal_notices_changed_files() {
        const Place place;
        {
            client::Journal journal = place.open();
            journal.settle({settled(0), settled(1), settled(2)}, {});
        }
        Place::write(place.input(), "other lines");
        client::Journal journal = place.open();
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, journal.changed_files().size());
        // The journal keeps only the digest of the last of the settled lines 0 to 2. So the wrong digest 7 is
        // noticed at line 2 only.
        CPPUNIT_ASSERT(journal.skips(0, 7));
        CPPUNIT_ASSERT(journal.skips(1, 7));
        CPPUNIT_ASSERT(refusal([&] { static_cast<void>(journal.skips(2, 7)); }).find("changed") !=
                       std::string::npos);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadRunTest);

}  // namespace data_import
