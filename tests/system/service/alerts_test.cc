// The examples for Prometheus and Grafana, in a running Prometheus: each alert names exactly the hosts that
// it is about, the service is scraped, and every query of the dashboard is answered.
#include <Poco/URI.h>
#include <cppunit/extensions/HelperMacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../runner.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

constexpr const char* alerts = "debian/examples/data-import-alerts.yml";

/// A Prometheus on a port of the loopback address. It scrapes the shared stack every second, has the alerts,
/// and ends with this object.
class Prometheus {
public:
    Prometheus() : directory_(world().directory() / "prometheus"), port_(free_port()) {
        std::filesystem::create_directories(directory_);
        std::ofstream(directory_ / "prometheus.yml")
            << "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
            << "rule_files: [" << std::filesystem::absolute(alerts).string() << "]\n"
            << "scrape_configs:\n  - job_name: data-import\n    static_configs: [{targets: ['"
            << Poco::URI(Stack::shared().value("METRICS_URL")).getAuthority() << "']}]\n";
        process_ = fork();
        if (process_ == 0) start();
    }
    ~Prometheus() {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    Prometheus(const Prometheus&) = delete;
    Prometheus& operator=(const Prometheus&) = delete;

    /// The member `data` of an answer; throws CppUnit's failure for any answer but a good one.
    [[nodiscard]] json::Document ask(const std::string& target) const {
        HttpConnection connection(port_);
        Answer answer = connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(target + ": " + answer.body, 200, answer.status);
        return json::read(answer.body);
    }

    /// The number of series that a query finds.
    [[nodiscard]] std::size_t count(const std::string& query) const {
        std::string encoded;
        Poco::URI::encode(query, "+&=#?", encoded);
        const json::Document answer = ask("/api/v1/query?query=" + encoded);
        std::size_t series = 0;
        for ([[maybe_unused]] const json::Value one : answer.root().at("data").at("result").items()) ++series;
        return series;
    }

    /// Returns whether Prometheus has scraped the service more than once, and has evaluated every alert.
    [[nodiscard]] bool is_under_way() const {
        try {
            return count("count_over_time(up{job=\"data-import\"}[1m]) > 1") == 1 && is_evaluated();
        } catch (const Poco::Exception&) {
            return false;  // Prometheus does not listen yet
        } catch (const CppUnit::Exception&) {
            return false;  // Prometheus is still reading its store
        }
    }

    [[nodiscard]] std::string log() const {
        std::ostringstream text;
        text << std::ifstream(directory_ / "log").rdbuf();
        return text.str();
    }

private:
    [[nodiscard]] bool is_evaluated() const {
        const json::Document answer = ask("/api/v1/rules");
        bool has_rules = false;
        for (const json::Value group : answer.root().at("data").at("groups").items()) {
            for (const json::Value rule : group.at("rules").items()) {
                if (rule.at("health").text() == "unknown") return false;
                has_rules = true;
            }
        }
        return has_rules;
    }

    [[noreturn]] void start() const {
        const std::string port = "127.0.0.1:" + std::to_string(port_);
        const std::string line =
            "exec prometheus --config.file=" + shell_word(directory_ / "prometheus.yml") +
            " --storage.tsdb.path=" + shell_word(directory_ / "store") + " --web.listen-address=" + port +
            " >" + shell_word(directory_ / "log") + " 2>&1";
        execl("/bin/bash", "bash", "-c", line.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }

    std::filesystem::path directory_;
    std::uint16_t port_;
    pid_t process_ = -1;
};

struct Query {
    std::string title;  ///< title of the panel that has the query, or name of the annotation
    std::string type;   ///< type of the panel that has the query; `annotation` if an annotation has it
    std::string text;   ///< the query, with values in place of Grafana's variables
};

std::string without_variables(std::string text) {
    for (const auto& [variable, value] : {std::pair("$__rate_interval", "1m"),
                                          std::pair("$job", "data-import"), std::pair("$instance", ".*")})
        for (std::size_t place; (place = text.find(variable)) != std::string::npos;)
            text.replace(place, std::string_view(variable).size(), value);
    CPPUNIT_ASSERT_EQUAL_MESSAGE("an unknown variable in " + text, std::string::npos, text.find('$'));
    return text;
}

std::vector<Query> queries_of_dashboard() {
    std::ostringstream text;
    text << std::ifstream("debian/examples/data-import-dashboard.json").rdbuf();
    const json::Document dashboard = json::read(text.str());
    std::vector<Query> queries;
    for (const json::Value panel : dashboard.root().at("panels").items()) {
        if (panel.at("type").text() == "row") continue;
        for (const json::Value target : panel.at("targets").items())
            queries.push_back({std::string(panel.at("title").text()), std::string(panel.at("type").text()),
                               without_variables(std::string(target.at("expr").text()))});
    }
    for (const json::Value one : dashboard.root().at("annotations").at("list").items())
        queries.push_back({std::string(one.at("name").text()), "annotation",
                           without_variables(std::string(one.at("expr").text()))});
    return queries;
}

}  // namespace

class AlertsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AlertsTest);
    CPPUNIT_TEST(tell_their_purpose);
    CPPUNIT_TEST(are_evaluated_and_the_dashboard_has_answers);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        if (run_command("command -v promtool && command -v prometheus").status != 0)
            skip("needs the package prometheus");
    }

    void tell_their_purpose() {
        for (const std::string& command :
             {"promtool check rules " + std::string(alerts),
              std::string("promtool test rules tests/alerts/rules.yml"),
              std::string("promtool check config debian/examples/data-import-blackbox.yml")}) {
            const CommandResult result = run_command(command);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
        }
    }

    void are_evaluated_and_the_dashboard_has_answers() {
        const Prometheus prometheus;
        CPPUNIT_ASSERT_MESSAGE(prometheus.log(), wait_until([&] { return prometheus.is_under_way(); }, 60s));
        check_target(prometheus);
        check_alerts(prometheus);
        // the dashboard finds its jobs and hosts by this metric
        CPPUNIT_ASSERT(prometheus.count("data_import_build_info") == 1);
        for (const Query& query : queries_of_dashboard()) {
            const std::size_t series = prometheus.count(query.text);
            // a panel of one figure shows "No data" without a series; the other panels may be empty
            CPPUNIT_ASSERT_MESSAGE(query.title + ": " + query.text, query.type != "stat" || series == 1);
        }
    }

private:
    static void check_target(const Prometheus& prometheus) {
        const json::Document answer = prometheus.ask("/api/v1/targets");
        for (const json::Value target : answer.root().at("data").at("activeTargets").items()) {
            const std::string error(target.at("lastError").text());
            CPPUNIT_ASSERT_EQUAL_MESSAGE(error, std::string_view("up"), target.at("health").text());
        }
    }

    static void check_alerts(const Prometheus& prometheus) {
        const json::Document answer = prometheus.ask("/api/v1/rules");
        for (const json::Value group : answer.root().at("data").at("groups").items()) {
            for (const json::Value rule : group.at("rules").items()) {
                const std::string name(rule.at("name").text());
                CPPUNIT_ASSERT_EQUAL_MESSAGE(name, std::string_view("ok"), rule.at("health").text());
                if (name == "DataImportDown" || name == "DataImportDatabaseDown" ||
                    name == "DataImportNoSigningKey")
                    CPPUNIT_ASSERT_EQUAL_MESSAGE(name, std::string_view("inactive"), rule.at("state").text());
            }
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(AlertsTest);

}  // namespace data_import::tests
