// How often and in which order data-import-load has lines executed, whatever happens to requests and to the
// client itself, against a played service.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <signal.h>
#include <zlib.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "../../support/command.h"
#include "../../support/played_import.h"
#include "../../support/processes.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;
using Arrival = PlayedImport::Arrival;

constexpr int lines = 4;

void require(const CommandResult& result, int status, const std::string& said = "") {
    const std::string all = result.output + result.errors;
    CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result.status);
    CPPUNIT_ASSERT_MESSAGE(all + "lacks " + said, all.find(said) != std::string::npos);
}

/// Fails unless every line is stored once.
void require_stored_once(const PlayedImport& service) {
    std::map<int, int> expected;
    for (int number = 1; number <= lines; ++number) expected[number] = 1;
    CPPUNIT_ASSERT(expected == service.stored());
}

/// Each charge has an account of its own, so that none has to wait for another.
std::string charges() {
    std::string text;
    for (int number = 1; number <= lines; ++number)
        text += PlayedImport::charge(number, std::to_string(number));
    return text;
}

/// A plan that answers `status` to the second line when that comes for the first time.
PlayedImport::Plan at_first(int status) {
    return
        [status](const Arrival& arrival) { return arrival.number == 2 && arrival.times == 1 ? status : 0; };
}

/// A plan that answers nothing to the second line when that comes for the first time, and `status` later.
PlayedImport::Plan cut_then(int status) {
    return [status](const Arrival& arrival) {
        if (arrival.number != 2) return 0;
        return arrival.times == 1 ? PlayedImport::cut : status;
    };
}

/// Returns the journal with the times in all entries of begun lines set back by `by`.
std::string aged(const std::string& journal, std::chrono::seconds by) {
    std::string text;
    for (std::size_t begin = 0; begin < journal.size();) {
        const std::size_t end = journal.find('\n', begin);
        std::string line = journal.substr(begin, end - begin);
        begin = end + 1;
        if (line.starts_with("begun ")) {
            line.erase(line.rfind(' '));
            const std::size_t time = line.rfind(' ') + 1;
            line = line.substr(0, time) + std::to_string(std::stoll(line.substr(time)) - by.count());
            char sum[16];
            std::snprintf(
                sum, sizeof sum, " %08lx",
                crc32(0, reinterpret_cast<const Bytef*>(line.data()), static_cast<uInt>(line.size())));
            line += sum;
        }
        text += line + '\n';
    }
    return text;
}

}  // namespace

class LoadOnceTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadOnceTest);
    CPPUNIT_TEST(a_line_that_adds_every_time_has_a_key_of_its_own);
    CPPUNIT_TEST(a_line_that_adds_every_time_is_repeated_under_its_key);
    CPPUNIT_TEST(a_line_that_adds_every_time_is_stored_once_despite_a_kill);
    CPPUNIT_TEST(an_error_of_the_service_is_asked_about_a_few_times);
    CPPUNIT_TEST(an_undelivered_line_is_sent_under_the_same_key);
    CPPUNIT_TEST(an_answer_of_another_server_settles_nothing);
    CPPUNIT_TEST(a_refusal_that_tells_nothing_of_the_first_attempt_is_no_refusal);
    CPPUNIT_TEST(nor_is_one_that_a_later_run_gets);
    CPPUNIT_TEST(a_token_that_ends_inside_a_bulk_request_costs_no_line);
    CPPUNIT_TEST(a_line_under_way_for_over_a_day_is_left_to_people);
    CPPUNIT_TEST(an_unsent_line_is_sent_however_late);
    CPPUNIT_TEST(without_a_journal_lines_of_unknown_outcome_are_kept);
    CPPUNIT_TEST(a_journal_of_lines_that_were_never_sent_stays_short);
    CPPUNIT_TEST(a_line_under_way_that_has_changed_is_noticed);
    CPPUNIT_TEST(hanging_up_stops_in_order);
    CPPUNIT_TEST(a_key_that_is_refused_in_the_middle_keeps_the_journal);
    CPPUNIT_TEST(lines_behind_one_that_was_not_delivered_wait_for_it);
    CPPUNIT_TEST(without_a_journal_they_stand_among_the_rejects_in_their_order);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_line_that_adds_every_time_has_a_key_of_its_own() {
        const PlayedImport service;
        service.add("lines", charges() + PlayedImport::note(5));
        require(service.load("lines"), 0);
        require(service.load("lines"), 0);
        std::set<std::string> keys;
        for (const Arrival& arrival : service.arrivals()) {
            CPPUNIT_ASSERT_EQUAL(arrival.number == 5, arrival.key.empty());
            if (!arrival.key.empty()) keys.insert(arrival.key);
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{2 * lines}, keys.size());
        const PlayedImport rehearsal;
        rehearsal.add("lines", charges());
        require(rehearsal.load("--dry-run lines"), 0);
        for (const Arrival& arrival : rehearsal.arrivals()) CPPUNIT_ASSERT(arrival.key.empty());
    }

    void a_line_that_adds_every_time_is_repeated_under_its_key() {
        for (const int status :
             {-500, -502, -503, -504, PlayedImport::cut, -PlayedImport::cut, 500, 409, 503}) {
            for (const std::string files : {"lines", "- <lines"}) {
                const PlayedImport service(at_first(status));
                service.add("lines", charges());
                require(service.load(files), 0, "4 accepted");
                require_stored_once(service);
                CPPUNIT_ASSERT_EQUAL(std::size_t{lines + 1}, service.arrivals().size());
            }
        }
    }

    void a_line_that_adds_every_time_is_stored_once_despite_a_kill() {
        std::atomic<bool> came = false;
        const PlayedImport service([&](const Arrival& arrival) {
            if (arrival.number != 2 || arrival.times > 1) return 0;
            came = true;
            std::this_thread::sleep_for(500ms);
            return 0;
        });
        service.add("lines", charges());
        require(service.load_until([&] { return came.load(); }, SIGKILL, "lines"), 128 + SIGKILL);
        CPPUNIT_ASSERT(wait_until([&] { return service.stored().contains(2); }, 5s));
        require(service.load("lines"), 0);
        require_stored_once(service);
        CPPUNIT_ASSERT(!service.has("lines.journal"));
    }

    void an_error_of_the_service_is_asked_about_a_few_times() {
        std::string notes;
        for (int number = 1; number <= lines; ++number)
            notes += PlayedImport::note(number, std::to_string(number));
        for (const std::string options : {"lines", "--single lines"}) {
            const PlayedImport passing(
                [](const Arrival& arrival) { return arrival.number == 2 && arrival.times < 3 ? 500 : 0; });
            passing.add("lines", notes);
            require(passing.load(options), 0, "4 accepted");
            require_stored_once(passing);
            const PlayedImport lasting([](const Arrival& arrival) { return arrival.number == 2 ? 500 : 0; });
            lasting.add("lines", notes);
            require(lasting.load(options), 1, "3 accepted, 1 refused");
            CPPUNIT_ASSERT(lasting.arrivals().size() <= lines + 3);
        }
    }

    void an_undelivered_line_is_sent_under_the_same_key() {
        for (const int status : {-500, -502, -PlayedImport::cut}) {
            const PlayedImport service(at_first(status));
            service.add("lines", charges());
            require(service.load("--retries 0 --rejects rejects lines"), 3, "1 not delivered");
            CPPUNIT_ASSERT_EQUAL(std::string(), service.text_of("rejects"));
            require(service.load("--rejects rejects lines"), 0, "1 accepted");
            require_stored_once(service);
        }
    }

    /// For example, a balancer answers while the service's own server is away.
    void an_answer_of_another_server_settles_nothing() {
        for (const int status : {302, 400, 401, 403, 404, 409, 413, 500, 503}) {
            for (const bool has_key : {true, false}) {
                const PlayedImport service([&](const Arrival& arrival) {
                    if (arrival.number != 2 || arrival.times > 2) return 0;
                    return arrival.times == 1 ? -PlayedImport::cut : PlayedImport::foreign + status;
                });
                std::string notes;
                for (int number = 1; number <= lines; ++number)
                    notes += PlayedImport::note(number, std::to_string(number));
                service.add("lines", has_key ? charges() : notes);
                require(service.load("--single lines"), 0, "4 accepted");
                if (has_key) require_stored_once(service);
            }
        }
    }

    /// The first attempt may have stored the line, even if the second attempt gets 403 or 404. So the client
    /// has to report the line as of unknown outcome.
    void a_refusal_that_tells_nothing_of_the_first_attempt_is_no_refusal() {
        for (const int status : {403, 404}) {
            const PlayedImport service(cut_then(status));
            service.add("lines", charges());
            require(service.load("--rejects rejects --report report lines"), 1, "1 of unknown outcome");
            CPPUNIT_ASSERT(service.text_of("report").find("outcome_unknown") != std::string::npos);
        }
    }

    /// The first run has sent the line, and got no answer.
    void nor_is_one_that_a_later_run_gets() {
        for (const int status : {403, 404}) {
            const PlayedImport service(cut_then(status));
            service.add("lines", charges());
            require(service.load("--retries 0 --rejects rejects --report report lines"), 3,
                    "1 not delivered");
            service.add("lines.journal", aged(service.text_of("lines.journal"), 1h));
            require(service.load("--rejects rejects --report report lines"), 1, "1 of unknown outcome");
            CPPUNIT_ASSERT(service.text_of("report").find("outcome_unknown") != std::string::npos);
        }
    }

    void a_token_that_ends_inside_a_bulk_request_costs_no_line() {
        const PlayedImport service(
            [](const Arrival& arrival) { return arrival.number == 3 && arrival.times == 1 ? 401 : 0; });
        std::string text;
        for (int number = 1; number <= lines; ++number) text += PlayedImport::note(number, "1");
        service.add("lines", text);
        require(service.load("lines"), 0, "4 accepted");
        require_stored_once(service);
    }

    /// The service has forgotten the line's Idempotency-Key.
    void a_line_under_way_for_over_a_day_is_left_to_people() {
        PlayedImport service(at_first(-502));
        service.add("lines", charges());
        require(service.load("--retries 0 --rejects rejects --report report lines"), 3, "1 not delivered");
        service.forget_keys();
        service.add("lines.journal", aged(service.text_of("lines.journal"), 23h));
        require(service.load("--rejects rejects --report report lines"), 1, "1 of unknown outcome");
        require_stored_once(service);
        CPPUNIT_ASSERT_EQUAL(PlayedImport::charge(2, "2"), service.text_of("rejects"));
        CPPUNIT_ASSERT(service.text_of("report").find("outcome_unknown") != std::string::npos);
        CPPUNIT_ASSERT(!service.has("lines.journal"));
    }

    void an_unsent_line_is_sent_however_late() {
        const PlayedImport service(at_first(429));
        service.add("lines", charges());
        require(service.load("--retries 0 lines"), 3, "1 not delivered");
        service.add("lines.journal", aged(service.text_of("lines.journal"), 48h));
        require(service.load("lines"), 0);
        require_stored_once(service);
    }

    void without_a_journal_lines_of_unknown_outcome_are_kept() {
        for (const int status : {-500, -502, -PlayedImport::cut}) {
            const PlayedImport service(at_first(status));
            service.add("lines", charges());
            require(service.load("--retries 0 --rejects rejects --report report - <lines"), 1,
                    "1 of unknown outcome");
            CPPUNIT_ASSERT_EQUAL(PlayedImport::charge(2, "2"), service.text_of("rejects"));
            CPPUNIT_ASSERT(service.text_of("report").find("outcome_unknown") != std::string::npos);
        }
    }

    void a_journal_of_lines_that_were_never_sent_stays_short() {
        const PlayedImport service([](const Arrival&) { return 429; });
        std::string text;
        for (int number = 1; number <= 6'000; ++number)
            text += PlayedImport::charge(number, std::to_string(number));
        service.add("lines", text);
        require(service.load("--retries 0 lines"), 3, "6,000 not delivered");
        CPPUNIT_ASSERT(service.text_of("lines.journal").size() < 300'000);
    }

    void a_line_under_way_that_has_changed_is_noticed() {
        const PlayedImport service(at_first(-502));
        service.add("lines", PlayedImport::charge(1) + PlayedImport::charge(2));
        require(service.load("--retries 0 lines"), 3, "1 not delivered");
        service.add("lines", PlayedImport::charge(1) + PlayedImport::charge(7));
        require(service.load("lines"), 1, "changed since");
        CPPUNIT_ASSERT(!service.stored().contains(7));
    }

    void hanging_up_stops_in_order() {
        std::atomic<bool> came = false;
        const PlayedImport service([&](const Arrival& arrival) {
            if (arrival.number != 2) return 0;
            came = true;
            std::this_thread::sleep_for(2s);  // long enough for the signal to come, even on a busy machine
            return 0;
        });
        service.add("lines", charges());
        require(service.load_until([&] { return came.load(); }, SIGHUP, "--connections 1 lines"), 3,
                "SIGHUP");
        require(service.load("lines"), 0);
        require_stored_once(service);
        came = false;
        service.add("more", PlayedImport::charge(2, "2"));
        require(service.load_until([&] { return came.load(); }, SIGHUP, "more", "nohup"), 0);
    }

    /// After an operator has corrected the fault, the same command resumes the run.
    void a_key_that_is_refused_in_the_middle_keeps_the_journal() {
        constexpr int most_tokens = 3;
        const PlayedImport service([](const Arrival& arrival) {
            return arrival.number == 3 && arrival.times <= most_tokens ? 401 : 0;
        });
        service.add("lines", charges());
        require(service.load("--connections 1 lines"), 1, "correct that, and repeat the command to resume");
        require(service.load("lines"), 0, "earlier runs have settled 2 other requests");
        require_stored_once(service);
    }

    void lines_behind_one_that_was_not_delivered_wait_for_it() {
        constexpr int many = 300;
        constexpr int most_lines_first = 100;
        for (const std::string option : {"--single", ""}) {
            const PlayedImport service(
                [](const Arrival& arrival) { return arrival.number == 1 && arrival.times == 1 ? 429 : 0; });
            std::string text;
            for (int number = 1; number <= many; ++number) text += PlayedImport::note(number, "1");
            service.add("lines", text + PlayedImport::note(many + 1, "2"));
            require(service.load("--retries 0 lines " + option), 3,
                    "not sent, because an earlier request for its account");
            CPPUNIT_ASSERT(service.arrivals().size() <= most_lines_first + 1);
            CPPUNIT_ASSERT(service.stored().contains(many + 1));
            require(service.load("lines " + option), 0);
            int before = 0;
            for (const Arrival& arrival : service.arrivals()) {
                const bool is_new = arrival.times == 1 && arrival.number <= many;
                if (is_new) CPPUNIT_ASSERT_EQUAL(++before, arrival.number);
            }
            CPPUNIT_ASSERT_EQUAL(many, before);
            CPPUNIT_ASSERT_EQUAL(std::size_t{many + 2}, service.arrivals().size());
        }
    }

    void without_a_journal_they_stand_among_the_rejects_in_their_order() {
        const PlayedImport service([](const Arrival& arrival) { return arrival.number == 1 ? 429 : 0; });
        const std::string text =
            PlayedImport::note(1, "1") + PlayedImport::charge(2, "1") + PlayedImport::note(3, "1");
        service.add("lines", text + PlayedImport::note(4, "2"));
        require(service.load("--retries 0 --rejects rejects --no-journal lines"), 3,
                "1 accepted, 3 not delivered");
        CPPUNIT_ASSERT_EQUAL(text, service.text_of("rejects"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadOnceTest);

}  // namespace data_import::tests
