// GET /metrics through nginx's local listener: tests its figures, and that no other way leads to it.
#include <Poco/URI.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <csignal>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "service/api/local_endpoints.h"
#include "service/metrics/exposition.h"

namespace data_import::tests {

namespace {

Answer ask_locally(const Stack& stack, const HttpRequest& request) {
    HttpConnection connection(Poco::URI(stack.value("METRICS_URL")).getPort());
    return connection.ask(request);
}

std::string metrics_of(const Stack& stack) {
    const Answer answer =
        ask_locally(stack, {"GET", "/metrics", {{"Host", "localhost"}, {"Connection", "close"}}, ""});
    CPPUNIT_ASSERT_EQUAL(200, answer.status);
    CPPUNIT_ASSERT(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
    return answer.body;
}

/// The value of a series; -1 if there is none.
double value_of(const std::string& text, const std::string& series) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(series + " ")) return std::stod(line.substr(series.size() + 1));
    }
    return -1;
}

Answer ask_publicly(const Stack& stack, const std::string& target) {
    HttpConnection connection(stack.port(), stack.value("CA_FILE"));
    return connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
}

/// Returns the metrics as soon as each of these series has risen by its number since `before`: a worker
/// counts a request only after the client has its answer. Requests for metrics are counted, too, so none of
/// the series may count them.
std::string metrics_after(const Stack& stack, const std::string& before,
                          const std::vector<std::pair<std::string, double>>& series) {
    std::string text;
    const bool have_risen = wait_until(
        [&] {
            text = metrics_of(stack);
            return std::all_of(series.begin(), series.end(), [&](const auto& one) {
                return value_of(text, one.first) >= std::max(0.0, value_of(before, one.first)) + one.second;
            });
        },
        20s);
    CPPUNIT_ASSERT_MESSAGE(text, have_risen);
    return text;
}

}  // namespace

class MetricsSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(MetricsSystemTest);
    CPPUNIT_TEST(tells_every_metric_of_the_table);
    CPPUNIT_TEST(counts_requests);
    CPPUNIT_TEST(clients_cannot_say_how_long_they_waited);
    CPPUNIT_TEST(tells_how_long_requests_wait_for_a_worker);
    CPPUNIT_TEST(tells_refusals_by_supplier_and_code);
    CPPUNIT_TEST(leaves_out_refusals_that_cannot_be_counted);
    CPPUNIT_TEST(gives_slow_statistics_up_together);
    CPPUNIT_TEST(tells_accounts_of_a_bounded_number_of_suppliers);
    CPPUNIT_TEST(is_not_there_for_clients);
    CPPUNIT_TEST(gives_nothing_else_on_the_local_listener);
    CPPUNIT_TEST(is_printed_by_ctl);
    CPPUNIT_TEST(counts_workers_that_die_and_reloads);
    CPPUNIT_TEST(answers_while_the_database_is_away);
    CPPUNIT_TEST_SUITE_END();

public:
    void tells_every_metric_of_the_table() {
        const std::string text = metrics_of(Stack::shared());
        for (const metrics::Metric& metric : metrics::table())
            CPPUNIT_ASSERT_MESSAGE(std::string(metric.name), text.find("# TYPE " + std::string(metric.name) +
                                                                       " ") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1.0, value_of(text, "data_import_database_up"));
        CPPUNIT_ASSERT(value_of(text, "data_import_signing_keys") >= 1);
        CPPUNIT_ASSERT(value_of(text, "data_import_newest_signing_key_time_seconds") > 1'600'000'000);
        CPPUNIT_ASSERT_EQUAL(value_of(text, "data_import_schema_version_needed"),
                             value_of(text, "data_import_schema_version"));
        for (const std::string_view pool : sharing::pool_names) {
            const std::string label = "{pool=\"" + std::string(pool) + "\"}";
            CPPUNIT_ASSERT_EQUAL(value_of(text, "data_import_workers_configured" + label),
                                 value_of(text, "data_import_workers" + label));
        }
    }

    void counts_requests() {
        const Stack& stack = Stack::shared();
        const std::string good =
            "data_import_requests_total{method=\"GET\",endpoint=\"/healthz\",status=\"200\"}";
        const std::string nothing = "data_import_requests_total{method=\"-\",endpoint=\"-\",status=\"404\"}";
        const std::string before = metrics_of(stack);
        for (int count = 0; count < 3; ++count)
            CPPUNIT_ASSERT_EQUAL(200, ask_publicly(stack, "/healthz").status);
        CPPUNIT_ASSERT_EQUAL(404, ask_publicly(stack, "/nothing/").status);
        const std::string after = metrics_after(stack, before, {{good, 3}, {nothing, 1}});
        const std::string count = "data_import_request_duration_seconds_count{pool=\"health\"}";
        CPPUNIT_ASSERT(value_of(after, count) >= value_of(before, count) + 3);
        CPPUNIT_ASSERT(value_of(after, "data_import_sent_bytes_total{pool=\"import\"}") >
                       value_of(before, "data_import_sent_bytes_total{pool=\"import\"}"));
    }

    void clients_cannot_say_how_long_they_waited() {
        const Stack& stack = Stack::shared();
        const std::string before = metrics_of(stack);
        HttpConnection connection(stack.port(), stack.value("CA_FILE"));
        const Answer answer = connection.ask({"GET",
                                              "/healthz",
                                              {{"Host", "localhost"},
                                               {"Connection", "close"},
                                               {"Data-Import-Handed-Over-At", "1.000"},
                                               {"DATA_IMPORT_HANDED_OVER_AT", "1.000"},
                                               {"Handed-Over-At", "1.000"}},
                                              ""});
        CPPUNIT_ASSERT_EQUAL(200, answer.status);
        const std::string after = metrics_after(
            stack, before,
            {{"data_import_requests_total{method=\"GET\",endpoint=\"/healthz\",status=\"200\"}", 1}});
        const std::string waits = "data_import_queue_wait_seconds_";
        CPPUNIT_ASSERT(value_of(after, waits + "count{pool=\"health\"}") >=
                       value_of(before, waits + "count{pool=\"health\"}") + 2);
        CPPUNIT_ASSERT(value_of(after, waits + "sum{pool=\"health\"}") <
                       value_of(before, waits + "sum{pool=\"health\"}") + 60);
    }

    /// Nobody takes new requests while all workers of the pool stand still.
    void tells_how_long_requests_wait_for_a_worker() {
        Playground& playground = tests::playground();
        playground.prepare();
        const Stack& stack = *playground.stack();
        const std::string sum = "data_import_queue_wait_seconds_sum{pool=\"import\"}";
        const double before = value_of(metrics_of(stack), sum);
        const std::vector<pid_t> workers = playground.workers_of("import");
        for (const pid_t worker : workers) kill(worker, SIGSTOP);
        std::thread later([&] {
            std::this_thread::sleep_for(500ms);
            for (const pid_t worker : workers) kill(worker, SIGCONT);
        });
        const int status = playground.post_note("waits").status;
        later.join();
        CPPUNIT_ASSERT_EQUAL(201, status);
        double waited = 0;
        CPPUNIT_ASSERT(wait_until(
            [&] {
                waited = value_of(metrics_of(stack), sum) - before;
                return waited > 0.2;
            },
            20s));
        CPPUNIT_ASSERT_LESS(30.0, waited);
    }

    void tells_refusals_by_supplier_and_code() {
        AdminSession database(Stack::shared().value("DATABASE_URL"));
        database.rows(
            "INSERT INTO data_import.refusal_rate (import_supplier, code, seconds, began_at, refusals) "
            "SELECT 'M-' || number, 'invalid', 60, date_trunc('minute', now()), 1000000 + number "
            "FROM generate_series(1, 300) AS number "
            "UNION ALL SELECT 'M-300', 'invalid', 60, date_trunc('minute', now() - interval '2 hours'), 5");
        const std::string text = metrics_of(Stack::shared());
        database.rows("DELETE FROM data_import.refusal_rate WHERE import_supplier LIKE 'M-%'");
        CPPUNIT_ASSERT_EQUAL(
            1000300.0, value_of(text, "data_import_refusals_last_hour{supplier=\"M-300\",code=\"invalid\"}"));
        std::size_t series = 0;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            series += line.starts_with("data_import_refusals_last_hour{");
        CPPUNIT_ASSERT_EQUAL(std::size_t{200}, series);
    }

    /// The database counts as up although its refusals cannot be read, because imports go on.
    void leaves_out_refusals_that_cannot_be_counted() {
        AdminSession database(Stack::shared().value("DATABASE_URL"));
        const std::string refusals = "\ndata_import_refusals_last_hour{";
        database.rows(
            "INSERT INTO data_import.refusal_rate (import_supplier, code, seconds, began_at, refusals) "
            "VALUES ('M-1', 'invalid', 60, date_trunc('minute', now()), 1)");
        const std::string before = metrics_of(Stack::shared());
        database.rows("BEGIN");
        database.rows("LOCK TABLE data_import.refusal_rate");
        const std::string text = metrics_of(Stack::shared());
        database.rows("ROLLBACK");
        database.rows("DELETE FROM data_import.refusal_rate WHERE import_supplier = 'M-1'");
        CPPUNIT_ASSERT(before.find(refusals) != std::string::npos);
        CPPUNIT_ASSERT(text.find(refusals) == std::string::npos);
        CPPUNIT_ASSERT_EQUAL(1.0, value_of(text, "data_import_database_up"));
        CPPUNIT_ASSERT_EQUAL(value_of(text, "data_import_schema_version_needed"),
                             value_of(text, "data_import_schema_version"));
    }

    /// All statistics together have one time limit, because requests for /readyz wait for the same worker.
    void gives_slow_statistics_up_together() {
        const std::string timed_out = "data_import_database_failures_total{kind=\"timed_out\"}";
        const double before = value_of(metrics_of(Stack::shared()), timed_out);
        AdminSession database(Stack::shared().value("DATABASE_URL"));
        database.rows("BEGIN");
        database.rows("LOCK TABLE data_import.import_total, data_import.refusal_rate");
        const auto begun = std::chrono::steady_clock::now();
        const std::string text = metrics_of(Stack::shared());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
        database.rows("ROLLBACK");
        for (const char* family : {"\ndata_import_accounts{", "\ndata_import_refusals_last_hour{"})
            CPPUNIT_ASSERT_MESSAGE(family, text.find(family) == std::string::npos);
        CPPUNIT_ASSERT_LESS(1.9, took.count());
        CPPUNIT_ASSERT_LESSEQUAL(value_of(text, timed_out), before + 1);
        CPPUNIT_ASSERT_EQUAL(1.0, value_of(text, "data_import_database_up"));
    }

    void tells_accounts_of_a_bounded_number_of_suppliers() {
        AdminSession database(Stack::shared().value("DATABASE_URL"));
        database.rows(
            "INSERT INTO data_import.import_supplier (code, name, status, created_at) "
            "SELECT 'M-' || number, 'M', CASE number WHEN 1 THEN 'Paused' ELSE 'Complete' END, now() + "
            "interval '1 hour' "
            "FROM generate_series(1, 60) AS number");
        database.rows(
            "INSERT INTO data_import.import_receipt (import_supplier, kind, value) "
            "VALUES ('M-1', 'account_staged', 7), ('M-1', 'account_staged', -2), ('M-1', 'account_imported', "
            "2)");
        const std::string text = metrics_of(Stack::shared());
        for (const char* table : {"import_receipt", "import_total", "import_rate"})
            database.rows("DELETE FROM data_import." + std::string(table) + " WHERE import_supplier = 'M-1'");
        database.rows("DELETE FROM data_import.import_supplier WHERE code LIKE 'M-%'");
        const std::string series = "data_import_accounts{supplier=\"M-1\",status=\"Paused\",state=\"";
        CPPUNIT_ASSERT_EQUAL_MESSAGE(text, 5.0, value_of(text, series + "staged\"}"));
        CPPUNIT_ASSERT_EQUAL(2.0, value_of(text, series + "imported\"}"));
        CPPUNIT_ASSERT_EQUAL(0.0, value_of(text, series + "failed\"}"));
        std::size_t count = 0;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) count += line.starts_with("data_import_accounts{");
        CPPUNIT_ASSERT_EQUAL(std::size_t{200}, count);
    }

    void is_not_there_for_clients() {
        const std::string name(api::metrics_path);
        const std::vector<std::string> targets = {"/metrics",
                                                  "/metrics/",
                                                  "/" + name,
                                                  "//" + name,
                                                  name,
                                                  "?" + name,
                                                  "http://localhost/metrics",
                                                  "http://localhost/" + name,
                                                  "http://localhost?" + name,
                                                  "/%6detrics",
                                                  "/.." + name,
                                                  "*"};
        for (const std::string& target : targets) {
            const Answer answer = ask_publicly(Stack::shared(), target);
            CPPUNIT_ASSERT_MESSAGE(target, answer.body.find("data_import_") == std::string::npos);
            if (answer.status == 302 && target.find("/metrics") == std::string::npos)
                continue;  // "/" redirects
            CPPUNIT_ASSERT_MESSAGE(target, answer.status == 404 || answer.status == 400);
            check_any_answer(answer);
        }
        const Answer document = ask_publicly(Stack::shared(), "/v1/openapi.json");
        CPPUNIT_ASSERT(document.body.find("metrics") == std::string::npos);
    }

    void gives_nothing_else_on_the_local_listener() {
        for (const char* target :
             {"/", "/healthz", "/readyz", "/metrics/", "/v1/data-import/notes/create/"}) {
            const Answer answer = ask_locally(
                Stack::shared(), {"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404, answer.status);
            check_any_answer(answer);
        }
        const Answer posted = ask_locally(
            Stack::shared(), {"POST", "/metrics", {{"Host", "localhost"}, {"Connection", "close"}}, "x"});
        CPPUNIT_ASSERT_EQUAL(405, posted.status);
    }

    void is_printed_by_ctl() {
        const std::string text = run_ctl(Stack::shared(), "metrics");
        CPPUNIT_ASSERT_EQUAL(1.0, value_of(text, "data_import_database_up"));
        const json::Document document = json::read(run_ctl(Stack::shared(), "metrics --json"));
        CPPUNIT_ASSERT(document.root().size() > 100);
    }

    void counts_workers_that_die_and_reloads() {
        Playground& playground = tests::playground();
        playground.prepare();
        const Stack& stack = *playground.stack();
        const std::string died = "data_import_worker_ends_total{pool=\"import\",reason=\"died\"}";
        const double before = value_of(metrics_of(stack), died);
        kill(playground.workers().front(), SIGKILL);
        CPPUNIT_ASSERT(wait_until([&] { return value_of(metrics_of(stack), died) == before + 1; }, 60s));
        CPPUNIT_ASSERT(wait_until(
            [&] { return value_of(metrics_of(stack), "data_import_workers{pool=\"import\"}") == 6; }, 60s));
        const std::string refused = "data_import_reloads_total{result=\"refused\"}";
        const double refusals = value_of(metrics_of(stack), refused);
        playground.stack().configure({"no such setting"});
        CPPUNIT_ASSERT(wait_until([&] { return value_of(metrics_of(stack), refused) == refusals + 1; }, 60s));
    }

    void answers_while_the_database_is_away() {
        Playground& playground = tests::playground();
        playground.prepare();
        const Stack& stack = *playground.stack();
        const pid_t server = stack.pid("POSTGRES_PID");
        kill(server, SIGINT);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(server); }, 30s));
        const std::string text = metrics_of(stack);
        CPPUNIT_ASSERT_EQUAL(0.0, value_of(text, "data_import_database_up"));
        CPPUNIT_ASSERT_EQUAL(-1.0, value_of(text, "data_import_schema_version"));
        playground.stack().bring_up();
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(MetricsSystemTest);

}  // namespace data_import::tests
