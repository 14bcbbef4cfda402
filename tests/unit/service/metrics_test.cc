// metrics: counting in memory that processes share, and the text that Prometheus reads.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"
#include "service/api/local_endpoints.h"
#include "service/api/routes.h"
#include "service/fastcgi/pool.h"
#include "service/metrics/board.h"
#include "service/metrics/exposition.h"

namespace data_import {

namespace {

using namespace std::chrono_literals;
using metrics::Board;
using sharing::PoolKind;

std::size_t index_of(int status) {
    const auto found = std::find(metrics::statuses.begin(), metrics::statuses.end(), status);
    return static_cast<std::size_t>(found - metrics::statuses.begin());
}

/// Runs `work` in another process and waits for its end.
void in_child(const std::function<void()>& work) {
    const pid_t child = fork();
    CPPUNIT_ASSERT(child >= 0);
    if (child == 0) {
        work();
        _exit(0);
    }
    int status = 0;
    CPPUNIT_ASSERT_EQUAL(child, waitpid(child, &status, 0));
}

struct Duration {
    std::chrono::microseconds took;
    std::size_t bucket;
};

const std::vector<Duration> durations = {{-1us, 0}, {0us, 0},  {1000us, 0},   {1001us, 1},
                                         {60s, 14}, {61s, 15}, {2500us, 1},   {59s, 14},
                                         {10s, 12}, {24h, 15}, {999'999us, 9}};

struct Status {
    int status;
    int counted_as;
};

const std::vector<Status> some_statuses = {{201, 201}, {404, 404}, {0, 0}, {418, 0}, {-1, 0}, {504, 504}};

std::vector<metrics::EndpointName> some_endpoints() {
    return {{"POST", "/v1/notes/", "notes"}, {"GET", "/with/\"quotes\"\\and\nline"}, {"GET", "/never/"}};
}

metrics::ServiceState some_state() {
    return {.version = "1.2",
            .endpoints = some_endpoints(),
            .database_up = true,
            .schema_version = 7,
            .schema_version_needed = 8,
            .signing_keys = 2,
            .newest_signing_key = 1700000000,
            .refusals = {{"ACME \"&\"", "invalid", 7}},
            .consumers = {{"billing", "ACME", 12, 3600, 40, 97}, {"billing", "", 0, 0, 2, 0}}};
}

/// The text of the metrics after some work.
std::string some_text() {
    Board board;
    const metrics::Recorder recorder = board.start_worker(PoolKind::import);
    recorder.count_request(
        {.endpoint = 0, .status = 201, .took = 3ms, .received_bytes = 10, .sent_bytes = 20});
    recorder.count_request({.endpoint = 1, .status = 404, .took = 70s, .received_bytes = 0, .sent_bytes = 5});
    recorder.count_request({.status = 404});
    recorder.count_batch(5);
    recorder.count_items(0, 3);
    return metrics::expose(board.read(), some_state());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool holds_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

class MetricsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MetricsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_durations);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_statuses);
    CPPUNIT_TEST(counts_waits_by_pool);
    CPPUNIT_TEST(counts_events_of_other_processes);
    CPPUNIT_TEST(loses_no_count_of_processes_side_by_side);
    CPPUNIT_TEST(tells_requests_in_flight);
    CPPUNIT_TEST(counts_busy_siblings);
    CPPUNIT_TEST(forgets_the_requests_of_a_dead_worker);
    CPPUNIT_TEST(counts_workers_beyond_its_places);
    CPPUNIT_TEST(keeps_unknown_endpoints_apart);
    CPPUNIT_TEST(has_room_for_all_endpoints);
    CPPUNIT_TEST(names_the_pools_in_their_order);
    CPPUNIT_TEST(writes_lines_of_the_format);
    CPPUNIT_TEST(writes_every_metric_of_the_table_once);
    CPPUNIT_TEST(writes_labels_of_the_table_only);
    CPPUNIT_TEST(writes_no_series_twice);
    CPPUNIT_TEST(writes_histograms_that_add_up);
    CPPUNIT_TEST(writes_the_counts);
    CPPUNIT_TEST(shows_existing_metrics_in_the_example_dashboard);
    CPPUNIT_TEST(alerts_use_existing_metrics);
    CPPUNIT_TEST(alerts_say_what_since_when_and_what_to_do);
    CPPUNIT_TEST(example_dashboard_fits_grafanas_model);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_durations(TestSuiteBuilderContextType& context) {
        for (const Duration& row : durations) {
            tests::add_row(context, "duration of " + std::to_string(row.took.count()) + " us", [row] {
                Board board;
                board.start_worker(PoolKind::bulk).count_request({.status = 200, .took = row.took});
                CPPUNIT_ASSERT_EQUAL(std::uint64_t{1},
                                     board.read().pools[1].durations.buckets.at(row.bucket).load());
            });
        }
    }

    static void add_statuses(TestSuiteBuilderContextType& context) {
        for (const Status& row : some_statuses) {
            tests::add_row(context, "status " + std::to_string(row.status), [row] {
                Board board;
                board.start_worker(PoolKind::import).count_request({.endpoint = 3, .status = row.status});
                CPPUNIT_ASSERT_EQUAL(std::uint64_t{1},
                                     board.read().requests[3][index_of(row.counted_as)].load());
            });
        }
    }

    void counts_waits_by_pool() {
        Board board;
        const metrics::Recorder recorder = board.start_worker(PoolKind::vendor);
        recorder.count_queue_wait(0us);
        recorder.count_queue_wait(3ms);
        recorder.count_queue_wait(10min);
        const metrics::Figures figures = board.read();
        const metrics::Durations& waits = figures.pools[3].queue_waits;
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, waits.buckets.at(0).load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, waits.buckets.at(2).load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, waits.buckets.at(15).load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{600'003'000}, waits.sum.load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, figures.pools[0].queue_waits.sum.load());
        const std::string text = metrics::expose(figures, some_state());
        CPPUNIT_ASSERT(
            holds_line(text, "data_import_queue_wait_seconds_bucket{pool=\"vendor\",le=\"0.005\"} 2"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_queue_wait_seconds_sum{pool=\"vendor\"} 600.003"));
    }

    void counts_events_of_other_processes() {
        Board board;
        board.start_worker(PoolKind::listing);
        in_child([&] {
            const metrics::Recorder& recorder = board.recorder();
            recorder.count_request({.endpoint = 0, .status = 200, .received_bytes = 7, .sent_bytes = 9});
            recorder.count_database_failure(metrics::DatabaseFailure::timed_out);
            recorder.count_vendor_request(metrics::VendorOutcome::circuit_open);
            recorder.count_database_answer();
        });
        const metrics::Figures figures = board.read();
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, figures.requests[0][index_of(200)].load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{7}, figures.pools[2].received_bytes.load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{9}, figures.pools[2].sent_bytes.load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, figures.database_failures[3].load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, figures.vendor_requests[5].load());
        CPPUNIT_ASSERT(figures.database_answered_at >= figures.started_at);
    }

    void loses_no_count_of_processes_side_by_side() {
        constexpr int processes = 4;
        constexpr int each = 20'000;
        Board board;
        std::vector<pid_t> children;
        for (int process = 0; process < processes; ++process) {
            board.start_worker(PoolKind::import);
            const pid_t child = fork();
            if (child == 0) {
                for (int count = 0; count < each; ++count)
                    board.recorder().count_request({.endpoint = 0, .status = 201, .took = 1us});
                _exit(0);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) waitpid(child, nullptr, 0);
        const metrics::Figures figures = board.read();
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{processes * each}, figures.requests[0][index_of(201)].load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{processes * each}, figures.pools[0].durations.sum.load());
    }

    void tells_requests_in_flight() {
        Board board;
        const metrics::Recorder recorder = board.start_worker(PoolKind::bulk);
        {
            const metrics::Recorder::Busy busy = recorder.begin(3);
            CPPUNIT_ASSERT_EQUAL(std::uint64_t{3}, board.read().pools[1].in_flight);
            CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, board.read().pools[1].workers_busy);
            CPPUNIT_ASSERT(board.read().pools[1].longest_busy >= 0us);
            recorder.set_waiting(2);
            CPPUNIT_ASSERT_EQUAL(std::uint64_t{5}, board.read().pools[1].in_flight);
        }
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{2}, board.read().pools[1].in_flight);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, board.read().pools[1].workers_busy);
        recorder.set_waiting(0);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, board.read().pools[1].in_flight);
    }

    void counts_busy_siblings() {
        Board board;
        const metrics::Recorder own = board.start_worker(PoolKind::import);
        const metrics::Recorder sibling = board.start_worker(PoolKind::import);
        const metrics::Recorder stranger = board.start_worker(PoolKind::bulk);
        const metrics::Recorder::Busy own_requests = own.begin(1);
        const metrics::Recorder::Busy strangers_requests = stranger.begin(1);
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, own.busy_siblings(1h));
        {
            const metrics::Recorder::Busy siblings_requests = sibling.begin(1);
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, own.busy_siblings(1h));
            CPPUNIT_ASSERT_EQUAL(std::size_t{0}, own.busy_siblings(0us));
        }
        sibling.set_waiting(5);
        CPPUNIT_ASSERT_EQUAL_MESSAGE("to wait is no work", std::size_t{0}, own.busy_siblings(1h));
        {
            const metrics::Recorder::Busy next_requests = sibling.begin(1);
            CPPUNIT_ASSERT_EQUAL(std::size_t{1}, own.busy_siblings(1h));
        }
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, own.busy_siblings(1h));
    }

    void forgets_the_requests_of_a_dead_worker() {
        Board board;
        const metrics::Recorder recorder = board.start_worker(PoolKind::import);
        in_child([&] {
            const metrics::Recorder::Busy busy = board.recorder().begin(2);
            raise(SIGKILL);
        });
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{2}, board.read().pools[0].in_flight);
        board.end_worker(recorder, metrics::WorkerEnd::died);
        const metrics::Figures figures = board.read();
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, figures.pools[0].in_flight);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, figures.pools[0].workers.load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1}, figures.pools[0].worker_ends[2].load());
    }

    void counts_workers_beyond_its_places() {
        constexpr std::size_t many = 7000;
        Board board;
        std::vector<metrics::Recorder> recorders;
        for (std::size_t count = 0; count < many; ++count)
            recorders.push_back(board.start_worker(PoolKind::import));
        const metrics::Recorder::Busy busy = recorders.back().begin(1);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{many}, board.read().pools[0].workers.load());
        for (const metrics::Recorder& recorder : recorders)
            board.end_worker(recorder, metrics::WorkerEnd::stopped);
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0}, board.read().pools[0].workers.load());
    }

    void keeps_unknown_endpoints_apart() {
        Board board;
        const metrics::Recorder recorder = board.start_worker(PoolKind::import);
        recorder.count_request({.status = 404});
        recorder.count_request({.endpoint = 1'000'000, .status = 404});
        recorder.count_items(1'000'000, 1);
        const metrics::Figures figures = board.read();
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1},
                             figures.requests[metrics::max_endpoints][index_of(404)].load());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{1},
                             figures.requests[metrics::max_endpoints - 1][index_of(404)].load());
    }

    void has_room_for_all_endpoints() {
        CPPUNIT_ASSERT(api::endpoints({}).size() + 1 < metrics::max_endpoints);
    }

    void shows_existing_metrics_in_the_example_dashboard() {
        std::ostringstream text;
        text << std::ifstream("debian/examples/data-import-dashboard.json").rdbuf();
        static_cast<void>(json::read(text.str()));
        check_names(text.str());
    }

    void alerts_use_existing_metrics() {
        std::ostringstream text;
        text << std::ifstream("debian/examples/data-import-alerts.yml").rdbuf();
        check_names(text.str());
    }

    void alerts_say_what_since_when_and_what_to_do() {
        std::ostringstream text;
        text << std::ifstream("debian/examples/data-import-alerts.yml").rdbuf();
        const std::string rules = text.str();
        std::size_t count = 0;
        for (std::size_t begin = rules.find("- alert: "); begin != std::string::npos; ++count) {
            const std::size_t end = rules.find("- alert: ", begin + 1);
            const std::string rule = rules.substr(begin, end - begin);
            const std::string name = rule.substr(0, rule.find('\n'));
            for (const char* part : {"\n        labels: {severity: ", "\n          summary: ",
                                     "\n          description: ", "\n          command: "})
                CPPUNIT_ASSERT_MESSAGE(name, rule.find(part) != std::string::npos);
            begin = end;
        }
        CPPUNIT_ASSERT(count >= 16);
    }

    /// Checks Grafana's documented model of a dashboard: members and their types, identities that are unique,
    /// each panel on its own place of the grid, and only variables and data sources that are declared.
    void example_dashboard_fits_grafanas_model() {
        std::ostringstream text;
        text << std::ifstream("debian/examples/data-import-dashboard.json").rdbuf();
        const json::Document document = json::read(text.str());
        const json::Value dashboard = document.root();
        for (const char* member : {"title", "refresh", "timezone"})
            CPPUNIT_ASSERT_MESSAGE(member, !dashboard.at(member).text().empty());
        const std::size_t length = dashboard.at("uid").text().size();
        CPPUNIT_ASSERT(length >= 8 && length <= 40);
        // since schema version 36, Grafana's dashboards have an object, and not a name, for a data source
        CPPUNIT_ASSERT(number(dashboard, "schemaVersion") >= 36);
        CPPUNIT_ASSERT_MESSAGE("Grafana gives it its id", !dashboard.find("id"));
        for (const char* end : {"from", "to"}) CPPUNIT_ASSERT(!dashboard.at("time").at(end).text().empty());
        check_variables(dashboard, text.str());
        for (const json::Value annotation : dashboard.at("annotations").at("list").items()) {
            for (const char* member : {"name", "enable", "iconColor", "expr"})
                CPPUNIT_ASSERT_MESSAGE(member, annotation.find(member).has_value());
            check_source(annotation);
        }
        std::set<std::string> ids;
        std::set<std::pair<int, int>> taken;
        for (const json::Value panel : dashboard.at("panels").items()) {
            const std::string title(panel.at("title").text());
            CPPUNIT_ASSERT_MESSAGE(title, number(panel, "id") > 0);
            CPPUNIT_ASSERT_MESSAGE(title, ids.insert(std::string(panel.at("id").text())).second);
            check_place(title, panel.at("gridPos"), taken);
            panel.at("type").text() == "row" ? check_row(title, panel) : check_panel(title, panel);
        }
    }

    static int number(const json::Value& object, const char* name) {
        return std::stoi(std::string(object.at(name).text()));
    }

    /// Checks that `user`, a part of the dashboard that reads data, uses the data source that the dashboard's
    /// variable `datasource` chooses. Such a part is a panel, a query, a variable or an annotation.
    static void check_source(const json::Value& user) {
        CPPUNIT_ASSERT_EQUAL(std::string_view("prometheus"), user.at("datasource").at("type").text());
        CPPUNIT_ASSERT_EQUAL(std::string_view("${datasource}"), user.at("datasource").at("uid").text());
    }

    static void check_variables(const json::Value& dashboard, const std::string& text) {
        std::set<std::string> known{"__rate_interval"};
        for (const json::Value variable : dashboard.at("templating").at("list").items()) {
            const std::string name(variable.at("name").text());
            CPPUNIT_ASSERT_MESSAGE(name, known.insert(name).second);
            const bool is_source = variable.at("type").text() == "datasource";
            CPPUNIT_ASSERT_MESSAGE(name, is_source || variable.at("type").text() == "query");
            CPPUNIT_ASSERT_MESSAGE(name, number(variable, "hide") >= 0 && number(variable, "hide") <= 2);
            if (is_source) continue;
            CPPUNIT_ASSERT_MESSAGE(name,
                                   number(variable, "refresh") >= 1 && number(variable, "refresh") <= 2);
            CPPUNIT_ASSERT_MESSAGE(name, !variable.at("query").at("query").text().empty());
            check_source(variable);
        }
        const std::regex use(R"(\$\{?([a-z_]+))");
        for (std::sregex_iterator match(text.begin(), text.end(), use), end; match != end; ++match)
            CPPUNIT_ASSERT_MESSAGE((*match)[1], known.contains((*match)[1]));
    }

    static void check_place(const std::string& title, const json::Value& place,
                            std::set<std::pair<int, int>>& taken) {
        const int left = number(place, "x");
        const int top = number(place, "y");
        CPPUNIT_ASSERT_MESSAGE(title,
                               left >= 0 && top >= 0 && number(place, "w") >= 1 && number(place, "h") >= 1);
        CPPUNIT_ASSERT_MESSAGE(title, left + number(place, "w") <= 24);
        for (int x = left; x < left + number(place, "w"); ++x) {
            for (int y = top; y < top + number(place, "h"); ++y)
                CPPUNIT_ASSERT_MESSAGE(title, taken.emplace(x, y).second);
        }
    }

    static void check_row(const std::string& title, const json::Value& row) {
        CPPUNIT_ASSERT_MESSAGE(title, row.find("collapsed").has_value());
        CPPUNIT_ASSERT_EQUAL_MESSAGE(title, std::string_view("0"), row.at("gridPos").at("x").text());
        for ([[maybe_unused]] const json::Value panel : row.at("panels").items())
            CPPUNIT_FAIL(title + " is open: its panels stand behind it");
    }

    static void check_panel(const std::string& title, const json::Value& panel) {
        CPPUNIT_ASSERT_MESSAGE(title,
                               panel.at("type").text() == "stat" || panel.at("type").text() == "timeseries");
        CPPUNIT_ASSERT_MESSAGE(title, !panel.at("description").text().empty() && panel.find("options"));
        CPPUNIT_ASSERT_MESSAGE(title, !panel.at("fieldConfig").at("defaults").at("unit").text().empty());
        static_cast<void>(panel.at("fieldConfig").at("overrides").items());
        check_source(panel);
        std::set<std::string> queries;
        for (const json::Value target : panel.at("targets").items()) {
            CPPUNIT_ASSERT_MESSAGE(title, queries.insert(std::string(target.at("refId").text())).second);
            CPPUNIT_ASSERT_MESSAGE(title, !target.at("expr").text().empty());
            static_cast<void>(target.at("legendFormat").text());
            check_source(target);
        }
        CPPUNIT_ASSERT_MESSAGE(title, !queries.empty());
    }

    /// Checks that the table has every metric that a text names, with the same labels.
    static void check_names(const std::string& text) {
        const std::regex use(R"((data_import_[a-z_]+)(\{[^}]*\})?)");
        const std::regex label(R"(([a-z_]+) *(=|!=|=~|!~))");
        std::size_t uses = 0;
        for (std::sregex_iterator match(text.begin(), text.end(), use), end; match != end; ++match, ++uses) {
            const metrics::Metric* metric = find_metric((*match)[1]);
            CPPUNIT_ASSERT_MESSAGE((*match)[1], metric != nullptr);
            const std::string braces = (*match)[2];
            for (std::sregex_iterator one(braces.begin(), braces.end(), label); one != end; ++one) {
                const std::string name = (*one)[1];
                const bool is_prometheus = name == "job" || name == "instance";
                CPPUNIT_ASSERT_MESSAGE(
                    (*match)[0],
                    is_prometheus || (' ' + std::string(metric->labels) + ' ').find(' ' + name + ' ') !=
                                         std::string::npos);
            }
        }
        CPPUNIT_ASSERT(uses > 5);
    }

    /// Returns the metric with this name, or the histogram that has a series of this name; null if there is
    /// none.
    static const metrics::Metric* find_metric(const std::string& name) {
        static const std::vector<metrics::Metric> table = metrics::table();
        for (const metrics::Metric& metric : table) {
            const std::string known(metric.name);
            const bool is_histogram = metric.type == metrics::Type::histogram;
            if (is_histogram ? name == known + "_bucket" || name == known + "_sum" || name == known + "_count"
                             : name == known)
                return &metric;
        }
        return nullptr;
    }

    void names_the_pools_in_their_order() {
        const std::vector<fastcgi::Pool> pools = fastcgi::pools({});
        CPPUNIT_ASSERT_EQUAL(sharing::pool_names.size(), pools.size());
        for (std::size_t pool = 0; pool < pools.size(); ++pool) {
            CPPUNIT_ASSERT_EQUAL(pool, sharing::index_of(pools[pool].kind));
            CPPUNIT_ASSERT_EQUAL(name_of(pools[pool].kind) + ".sock", pools[pool].socket.filename().string());
        }
    }

    void writes_lines_of_the_format() {
        const std::regex comment("# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))");
        const std::regex sample(R"([a-z_]+(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)+\})? [0-9]+(\.[0-9]+)?)");
        for (const std::string& line : lines_of(some_text())) {
            CPPUNIT_ASSERT_MESSAGE(line, std::regex_match(line, comment) || std::regex_match(line, sample));
        }
        CPPUNIT_ASSERT_EQUAL('\n', some_text().back());
    }

    void writes_every_metric_of_the_table_once() {
        const std::string text = some_text();
        std::set<std::string> names;
        for (const metrics::Metric& metric : metrics::table()) {
            const std::string help = "# HELP " + std::string(metric.name) + " ";
            const std::size_t first = text.find(help);
            CPPUNIT_ASSERT_MESSAGE(help, first != std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(help, text.find(help, first + 1) == std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(help, names.insert(std::string(metric.name)).second);
            const bool is_counter = metric.name.ends_with("_total");
            CPPUNIT_ASSERT_MESSAGE(help, is_counter == (metric.type == metrics::Type::counter));
        }
    }

    void writes_labels_of_the_table_only() {
        std::map<std::string, std::string> labels;
        for (const metrics::Metric& metric : metrics::table())
            labels[std::string(metric.name)] = std::string(metric.labels);
        const std::regex label("([a-z]+)=\"");
        for (const std::string& line : lines_of(some_text())) {
            if (line.front() == '#') continue;
            std::string name = line.substr(0, line.find_first_of("{ "));
            for (const char* suffix : {"_bucket", "_sum", "_count"}) {
                if (!labels.contains(name) && name.ends_with(suffix))
                    name.resize(name.size() - std::string(suffix).size());
            }
            CPPUNIT_ASSERT_MESSAGE(line, labels.contains(name));
            std::string found;
            for (std::sregex_iterator match(line.begin(), line.end(), label), end; match != end; ++match) {
                if ((*match)[1] != "le") found += (found.empty() ? "" : " ") + (*match)[1].str();
            }
            CPPUNIT_ASSERT_EQUAL_MESSAGE(line, labels[name], found);
        }
    }

    /// Two endpoints may have the same path with different methods.
    void writes_no_series_twice() {
        metrics::ServiceState state = some_state();
        state.endpoints.clear();
        std::vector<http::Endpoint> all = api::endpoints({});
        for (http::Endpoint& endpoint : api::operator_endpoints(true)) all.push_back(std::move(endpoint));
        Board board;
        const metrics::Recorder recorder = board.start_worker(PoolKind::import);
        for (const http::Endpoint& endpoint : all) {
            recorder.count_request({.endpoint = state.endpoints.size(), .status = 200, .took = 1ms});
            state.endpoints.push_back({endpoint.method, endpoint.path});
        }
        std::set<std::string> series;
        for (const std::string& line : lines_of(metrics::expose(board.read(), state))) {
            if (line.front() == '#') continue;
            CPPUNIT_ASSERT_MESSAGE(line, series.insert(line.substr(0, line.rfind(' '))).second);
        }
    }

    void writes_histograms_that_add_up() {
        const std::string text = some_text();
        const std::string name = "data_import_request_duration_seconds";
        CPPUNIT_ASSERT(holds_line(text, name + "_bucket{pool=\"import\",le=\"0.001\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, name + "_bucket{pool=\"import\",le=\"0.0025\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, name + "_bucket{pool=\"import\",le=\"0.005\"} 2"));
        CPPUNIT_ASSERT(holds_line(text, name + "_bucket{pool=\"import\",le=\"60\"} 2"));
        CPPUNIT_ASSERT(holds_line(text, name + "_bucket{pool=\"import\",le=\"+Inf\"} 3"));
        CPPUNIT_ASSERT(holds_line(text, name + "_sum{pool=\"import\"} 70.003"));
        CPPUNIT_ASSERT(holds_line(text, name + "_count{pool=\"import\"} 3"));
        const std::string of_endpoint = "data_import_endpoint_duration_seconds";
        CPPUNIT_ASSERT(holds_line(text, of_endpoint + "_count{method=\"POST\",endpoint=\"/v1/notes/\"} 1"));
        CPPUNIT_ASSERT(text.find(of_endpoint + "_count{method=\"GET\",endpoint=\"/never/\"}") ==
                       std::string::npos);
        CPPUNIT_ASSERT(holds_line(text, "data_import_batch_requests_bucket{pool=\"import\",le=\"8\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_batch_requests_sum{pool=\"import\"} 5"));
    }

    void writes_the_counts() {
        const std::string text = some_text();
        const std::string requests = "data_import_requests_total{method=";
        CPPUNIT_ASSERT(holds_line(text, requests + "\"POST\",endpoint=\"/v1/notes/\",status=\"201\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, requests + "\"POST\",endpoint=\"/v1/notes/\",status=\"500\"} 0"));
        CPPUNIT_ASSERT(
            holds_line(text, requests + R"("GET",endpoint="/with/\"quotes\"\\and\nline",status="404"} 1)"));
        CPPUNIT_ASSERT(holds_line(text, requests + "\"-\",endpoint=\"-\",status=\"404\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_items_total{kind=\"notes\"} 3"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_build_info{version=\"1.2\"} 1"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_schema_version 7"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_schema_version_needed 8"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_signing_keys 2"));
        const std::string of_billing = "{consumer=\"billing\",supplier=\"ACME\"} ";
        CPPUNIT_ASSERT(holds_line(text, "data_import_consumer_waiting_accounts" + of_billing + "12"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_consumer_oldest_waiting_seconds" + of_billing + "3600"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_consumer_taken_accounts_total" + of_billing + "40"));
        CPPUNIT_ASSERT(holds_line(text, "data_import_consumer_taken_records_total" + of_billing + "97"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(MetricsTest);

}  // namespace data_import
