// tests/bench/attack: statistics on a victim (a client that others disturb), and the reading of answers.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../bench/load/answer_reader.h"
#include "../bench/load/request.h"
#include "../bench/load/statistics.h"
#include "../table.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;
using bench::Clock;
using bench::Exchange;
using bench::Exchanges;

const Clock::time_point zero{};

Exchange exchange(Clock::duration start, Clock::duration took, int status = 200) {
    return {zero + start, zero + start + took, status};
}

/// Times of requests, one every 10 ms in [from, to).
Exchanges steady(Clock::duration from, Clock::duration to, Clock::duration took, int status = 200) {
    Exchanges all;
    for (auto start = from; start < to; start += 10ms) all.push_back(exchange(start, took, status));
    return all;
}

/// Returns the time from `zero` to the result of at_ease_from(), in tenths of a second. Returns -1 if
/// at_ease_from() returns nothing.
long ease(const Exchanges& exchanges) {
    const auto found = bench::at_ease_from(exchanges, zero, zero + 5s, 20);
    return found ? (*found - zero) / 100ms : -1;
}

struct Row {
    std::string_view name;
    std::string_view answer;
    int status;  ///< HTTP status of the answer; 0: the answer is not complete, -1: it is broken
    std::string_view beginning = "";
    bool keeps_connection = true;
};

const std::vector<Row> rows = {
    {"counted", "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello", 201, "hello"},
    {"counted, cut", "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhell", 0},
    {"empty", "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", 429, "",
     false},
    {"chunks",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", 200,
     "abc\r\n0123456789\r\n"},
    {"chunks, cut before the end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", 0},
    {"no HTTP", "220 mail.example.com ESMTP\r\n", -1},
};

int read(const Row& row, std::size_t piece, bench::AnswerReader& reader) {
    for (std::size_t at = 0; at < row.answer.size(); at += piece) reader.feed(row.answer.substr(at, piece));
    if (reader.is_broken()) return -1;
    return reader.is_complete() ? reader.status() : 0;
}

}  // namespace

class AttackTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AttackTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(counts_requests_that_were_not_sent_meanwhile);
    CPPUNIT_TEST(shows_a_stall_that_the_plain_percentile_hides);
    CPPUNIT_TEST(finds_percentiles);
    CPPUNIT_TEST(tells_when_the_victim_is_at_ease);
    CPPUNIT_TEST(writes_a_new_serial_each_time);
    CPPUNIT_TEST(makes_bodies_of_the_wanted_size);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.name, [row] {
                for (std::size_t piece = 1; piece <= row.answer.size(); ++piece) {
                    bench::AnswerReader reader;
                    CPPUNIT_ASSERT_EQUAL(row.status, read(row, piece, reader));
                    if (row.status <= 0) continue;
                    CPPUNIT_ASSERT_EQUAL(row.keeps_connection, reader.keeps_connection());
                    CPPUNIT_ASSERT_EQUAL(std::string(row.beginning), reader.beginning());
                }
            });
        }
    }

    void counts_requests_that_were_not_sent_meanwhile() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, bench::with_missed({exchange(0ms, 19ms)}, 10ms).size());
        const Exchanges all = bench::with_missed({exchange(0ms, 1000ms, 502)}, 100ms);
        CPPUNIT_ASSERT_EQUAL(std::size_t{10}, all.size());
        CPPUNIT_ASSERT((all.back().start == zero + 900ms && all.back().end == zero + 1000ms));
        CPPUNIT_ASSERT_EQUAL(502, all.back().status);
    }

    void shows_a_stall_that_the_plain_percentile_hides() {
        Exchanges all = steady(0s, 8s, 5ms);
        all.push_back(exchange(8s, 2s));
        CPPUNIT_ASSERT_DOUBLES_EQUAL(5.0, bench::percentile(all, 0.99), 0.001);
        CPPUNIT_ASSERT(bench::percentile(bench::with_missed(all, 10ms), 0.99) > 1800);
    }

    void finds_percentiles() {
        Exchanges all;
        for (int took = 100; took >= 1; --took) all.push_back(exchange(0ms, took * 1ms));
        CPPUNIT_ASSERT_DOUBLES_EQUAL(50.0, bench::percentile(all, 0.5), 0.001);
        CPPUNIT_ASSERT_DOUBLES_EQUAL(99.0, bench::percentile(all, 0.99), 0.001);
        CPPUNIT_ASSERT_DOUBLES_EQUAL(100.0, bench::percentile(all, 1), 0.001);
        CPPUNIT_ASSERT_DOUBLES_EQUAL(0.0, bench::percentile({}, 1), 0.001);
    }

    void tells_when_the_victim_is_at_ease() {
        CPPUNIT_ASSERT_EQUAL(0L, ease(steady(0s, 5s, 5ms)));
        CPPUNIT_ASSERT_EQUAL(-1L, ease(steady(0s, 5s, 25ms)));
        CPPUNIT_ASSERT_EQUAL(-1L, ease(steady(0s, 5s, 5ms, 429)));
        CPPUNIT_ASSERT_EQUAL(-1L, ease({}));
        Exchanges late = steady(0s, 2s, 25ms);
        for (const Exchange& one : steady(2s, 5s, 5ms)) late.push_back(one);
        CPPUNIT_ASSERT_EQUAL(20L, ease(late));
    }

    void writes_a_new_serial_each_time() {
        const auto request = bench::post("/", "token", bench::payment("ACME", "good"));
        std::string one = request->bytes;
        std::string two = request->bytes;
        request->fill_in(one, 1);
        request->fill_in(two, 1);
        CPPUNIT_ASSERT(one != two);
        CPPUNIT_ASSERT(one.find("\"EXT-000001\"") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string::npos, one.find_first_of("\1\2"));
    }

    void makes_bodies_of_the_wanted_size() {
        const auto size = static_cast<double>(bench::notes("ACME", "000001", 1000, 900 * 1024).size());
        CPPUNIT_ASSERT_DOUBLES_EQUAL(900.0 * 1024, size, 9 * 1024);
        const auto keys = static_cast<double>(bench::distinct_keys("ACME", 9'900'000).size());
        CPPUNIT_ASSERT_DOUBLES_EQUAL(9'900'000, keys, 99'000);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(AttackTest);

}  // namespace data_import::tests
