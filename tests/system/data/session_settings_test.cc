// Settings of the database, of roles and of an operator's shell change no text that the service or
// data-importctl reads or writes.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/case_run.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/world.h"
#include "data/database/database.h"

namespace data_import::tests {

namespace {

/// Settings that differ from those that sessions of the service need. A session's first statement replaces
/// them all, also the time-outs.
///
/// Because the first statement may come late or take long on a busy machine, the time-outs that could end it
/// or its session are longer than the other time-outs.
constexpr std::pair<const char*, const char*> odd_settings[] = {
    {"client_encoding", "'LATIN1'"},
    {"TimeZone", "'Asia/Kathmandu'"},
    {"timezone_abbreviations", "'India'"},
    {"DateStyle", "'German, DMY'"},
    {"IntervalStyle", "iso_8601"},
    {"bytea_output", "escape"},
    {"extra_float_digits", "'-15'"},
    {"xmlbinary", "hex"},
    {"xmloption", "document"},
    {"array_nulls", "off"},
    {"lc_monetary", "'POSIX'"},
    {"lc_numeric", "'POSIX'"},
    {"lc_time", "'POSIX'"},
    {"quote_all_identifiers", "on"},
    {"standard_conforming_strings", "off"},
    {"backslash_quote", "off"},
    {"escape_string_warning", "off"},
    {"transform_null_equals", "on"},
    {"search_path", "nowhere"},
    {"default_text_search_config", "'pg_catalog.german'"},
    {"row_security", "off"},
    {"check_function_bodies", "off"},
    {"default_transaction_isolation", "serializable"},
    {"default_transaction_deferrable", "on"},
    {"plan_cache_mode", "force_custom_plan"},
    {"jit", "on"},
    {"plpgsql.extra_errors", "'all'"},
    {"plpgsql.extra_warnings", "'all'"},
    {"plpgsql.print_strict_params", "on"},
    {"client_min_messages", "error"},
    {"exit_on_error", "on"},
    {"synchronous_commit", "off"},
    {"default_toast_compression", "pglz"},
    {"statement_timeout", "'500ms'"},
    {"lock_timeout", "'1ms'"},
    {"idle_in_transaction_session_timeout", "'1ms'"},
    {"idle_session_timeout", "'3s'"},
};

constexpr const char* odd_shell =
    "PGDATESTYLE='German, DMY' PGTZ=Asia/Kathmandu PGGEQO=nonsense PGCLIENTENCODING=LATIN1 "
    "PGOPTIONS='-c statement_timeout=1 -c default_transaction_read_only=on' ";

const Stack& stack() {
    return world().stack();
}

/// Returns whether the test runs the case. The test leaves out cases that run psql, and cases that set a
/// document root of a supplier that later cases use.
///
/// Because a first run of a case may add declarations, the test also leaves out cases that expect a supplier
/// without declarations.
bool stands_alone(const Case& one) {
    return std::ranges::none_of(one.steps, [](const Step& step) {
        return step.text.find("psql") != std::string::npos ||
               step.text.find("--document-root") != std::string::npos ||
               step.expected.body.value_or("").find("UNDECLARED") != std::string::npos;
    });
}

/// Returns, for each file of cases outside the folder `transport`, the name of the file and the first two of
/// its cases for which stands_alone() is true. All returned cases together touch every endpoint and every
/// command.
std::vector<std::pair<std::string, Case>> selected_cases() {
    constexpr std::size_t of_each_file = 2;
    std::vector<std::pair<std::string, Case>> selected;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cases_directory())) {
        if (entry.path().extension() != ".case" || entry.path().parent_path().filename() == "transport")
            continue;
        std::vector<Case> cases = read_cases(entry.path());
        std::erase_if(cases, [](const Case& one) { return !stands_alone(one); });
        cases.resize(std::min(cases.size(), of_each_file));
        for (Case& one : cases) selected.emplace_back(entry.path().filename().string(), std::move(one));
    }
    return selected;
}

/// A supplier with a small book, and the commands of its operators.
class Operator {
public:
    Operator()
        : supplier_(world().take_fresh()), directory_(world().directory() / ("operator-" + supplier_)) {
        run_ctl(stack(), "supplier create " + supplier_ + " --name Odd");
        import_accounts(world().database(), supplier_, prefix(), 3);
        run_ctl(stack(), "account stage " + supplier_ + " failing");
        run_ctl(stack(), "account begin " + supplier_ + " failing");
        run_ctl(stack(), "account fail " + supplier_ + " failing --reason 'a \\ and a \"'");
        run_ctl(stack(), "statement open " + supplier_ + ' ' + prefix() + "00001 2024-05-01:2024-05-31");
        std::filesystem::create_directory(directory_);
        write("key", run_ctl(stack(), "key create --organisation Odd --supplier " + supplier_));
        std::filesystem::permissions(directory_ / "key", std::filesystem::perms::owner_read);
        write("book.csv", notes());
        write("more.csv", charges());
        must_run(line(
            "$LOAD --no-journal book.csv && $LOAD --no-journal more.csv && cat book.csv >declared.csv && "
            "echo \"" +
            supplier_ + ',' + prefix() +
            "00003,lost,2024-01-01T00:00:00Z\" >>declared.csv && "
            "$LOAD --totals --declare --per-account totals.csv declared.csv more.csv || test $? = 1"));
    }

    /// Returns exit status and output of each command, without what changes from one second to the next.
    /// `shell` has variables for the commands' environment, such as `PGTZ=UTC `; empty: none.
    [[nodiscard]] std::vector<std::string> answers(const std::string& shell = "") const {
        const std::string own = ' ' + supplier_ + ' ';
        std::vector<std::string> all;
        for (const std::string& command :
             {std::string("$CTL doctor --json"), std::string("$CTL db check --json"),
              "$CTL reconcile" + own + "totals.csv", "$CTL reconcile" + own + "totals.csv --json",
              "$CTL report" + own + "--draft --signed-by X --output out && cat out/*.json; rm out/*",
              "$CTL report" + own + "--signed-by X", "$CTL account show" + own + prefix() + "00001 --json",
              "$CTL account show" + own + "failing", "$CTL account list" + own + "--csv",
              "$CTL supplier show" + own + "--json", "$CTL import log --supplier" + own + "--json",
              std::string("$LOAD --check book.csv more.csv"), std::string("$LOAD --no-journal book.csv"),
              std::string("$LOAD --verify declared.csv more.csv --json"),
              std::string("$LOAD --totals declared.csv more.csv --json")}) {
            const CommandResult result = run_command(line(command, shell));
            all.push_back(command + ": " + std::to_string(result.status) + '\n' +
                          without_times(result.output + result.errors));
        }
        return all;
    }

private:
    /// Returns `text` without the parts that may differ between two runs. Replaces times, measured values,
    /// and the identifier and digest of a report by `*`.
    ///
    /// Two findings of the doctor are removed because the settings of this test cause them: commits of other
    /// sessions may be lost, and settings wait for a restart. Findings on vendors, disks and control totals
    /// are removed because they depend on other tests.
    static std::string without_times(const std::string& text) {
        static const std::regex present(
            R"(20(2[5-9]|[3-9]\d)-?\d\d-?\d\d[T ]?[0-9:.]*(Z| UTC)?|\b\d+\.\d s\b|\b[0-9,]+ requests/s|)"
            R"(others have left \d+|\b\d+ faults|has \d+ [KMG]iB|\d+%|"last_minute":[{][^}]*[}]|)"
            R"(data-import-report:[0-9a-f]+|\b[0-9a-f]{64}\b)");
        static const std::regex right(
            ",[{][^}]*(synchronous_commit is off|settings wait for a restart|\"subject\":\"vendor |"
            "\"subject\":\"(control totals|disk space)\")[^}]*[}]");
        // hours without arrivals at the end of a list, which become more with time
        static const std::regex later_hours(R"((,0)+\])");
        const std::string whole = std::regex_replace(std::regex_replace(text, right, ""), later_hours, "]");
        return std::regex_replace(whole, present, "*");
    }

    [[nodiscard]] std::string line(const std::string& command, const std::string& shell = "") const {
        return "cd " + shell_word(directory_.string()) +
               " && mkdir -p out && CTL=" + shell_word(stack().value("CTL")) +
               " LOAD=" + shell_word(stack().value("LOAD") + " --api-key-file key") + " && " +
               (shell.empty() ? "" : "export " + shell + "&& ") + command;
    }

    [[nodiscard]] std::string prefix() const { return supplier_ + '-'; }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(directory_ / name) << text << '\n';
    }

    [[nodiscard]] std::string notes() const {
        return "import_supplier,external_account_number,body,created_at\n" + supplier_ + ',' + prefix() +
               "00001,\"a \\ and 'a' \u00e4\",2024-01-31T10:00:00.123456Z\n" + supplier_ + ',' + prefix() +
               "00002,\\x41,1970-01-01T00:00:00+14:00";
    }

    [[nodiscard]] std::string charges() const {
        return "import_supplier,external_account_number,type,transaction_id,transaction_date,amount,"
               "reason\n" +
               supplier_ + ',' + prefix() + "00001,CHARGE,t\\1,2024-05-07,-0.10,R\n" + supplier_ + ',' +
               prefix() + "00001,CREDIT,t2,2024-05-31,9999999999.99,'";
    }

    std::string supplier_;
    std::filesystem::path directory_;
};

}  // namespace

class SessionSettingsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SessionSettingsTest);
    CPPUNIT_TEST(a_session_replaces_each_setting);
    CPPUNIT_TEST(settings_of_database_and_roles_change_no_text);
    CPPUNIT_TEST(a_database_is_set_up_and_migrated_under_any_settings);
    CPPUNIT_TEST(functions_of_the_platform_work_under_any_settings);
    CPPUNIT_TEST(settings_of_a_shell_are_ignored);
    CPPUNIT_TEST(operators_are_answered_as_without_them);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        static_cast<void>(world());
        administrator_ = std::make_unique<AdminSession>(stack().value("DATABASE_URL"));
    }

    void tearDown() override {
        if (is_server_odd_) {
            administrator_->rows("ALTER SYSTEM RESET ALL");
            administrator_->rows("SELECT pg_reload_conf()");
            is_server_odd_ = false;
        }
        if (!is_odd_) return;
        for (const auto& [name, value] : odd_settings) alter(std::string("RESET ") + name);
        is_odd_ = false;
        end_sessions();
    }

    void a_session_replaces_each_setting() {
        make_odd();
        AdminSession plain(stack().value("DATABASE_URL"));
        database::Database session({.conninfo = stack().value("DATABASE_URL"), .role = "data-import"});
        for (const auto& [name, value] : odd_settings) {
            const database::Rows rows = session.execute(
                {.name = "setting", .sql = "SELECT current_setting($1)", .parameters = {name}},
                std::chrono::steady_clock::now() + 30s);
            CPPUNIT_ASSERT_MESSAGE(name,
                                   rows.text(0, 0) != plain.value("SELECT current_setting($1)", {name}));
        }
    }

    void settings_of_database_and_roles_change_no_text() {
        World own(Stack::shared());
        make_odd();
        std::string failures;
        for (const auto& [file, one] : selected_cases()) {
            try {
                run_case(one, own);
            } catch (const std::exception& reason) {
                failures += file + ": " + one.name + ": " + reason.what() + "\n";
            }
        }
        CPPUNIT_ASSERT_MESSAGE(failures, failures.empty());
    }

    /// Sets up a new database, because settings of roles apply in a new database, too.
    void a_database_is_set_up_and_migrated_under_any_settings() {
        make_odd();
        const std::string file = (world().directory() / "odd.conf").string();
        must_run("sed 's/dbname=data-import/dbname=odd/' " +
                 (stack().run_directory() / "data-import.conf").string() + " > " + file);
        const std::string ctl = (build_directory() / "data-importctl").string() + " --config " + file + ' ';
        std::vector<std::string> failures;
        for (const char* command :
             {"db setup", "db check", "supplier create ODD --name Odd", "account stage ODD 1",
              "account begin ODD 1", "account show ODD 1", "account list ODD", "audit"}) {
            const CommandResult result = run_command(ctl + command);
            if (result.status != 0) failures.push_back(std::string(command) + ": " + result.errors);
        }
        administrator_->rows("DROP DATABASE odd WITH (FORCE)");
        CPPUNIT_ASSERT_MESSAGE(failures.empty() ? "" : failures.front(), failures.empty());
    }

    void functions_of_the_platform_work_under_any_settings() {
        const std::string supplier = world().take_fresh();
        run_ctl(stack(), "supplier create " + supplier + " --name Odd");
        make_odd();
        AdminSession platform(stack().value("DATABASE_URL"));
        // the platform itself decides how long its statements may take, and which rows they see
        for (const char* setting : {"statement_timeout = 0", "lock_timeout = 0", "idle_session_timeout = 0",
                                    "default_transaction_isolation = 'read committed'"})
            platform.rows(std::string("SET ") + setting);
        import_accounts(platform, supplier, "P-", 3);
        const std::vector<std::string> account = {supplier, "P-00001"};
        platform.rows("SELECT data_import.statement_open($1, $2, '2024-05-01', '2024-05-31')", account);
        CPPUNIT_ASSERT_EQUAL(
            1L,
            administrator_->count("SELECT count(*) FROM data_import.account WHERE account_key = "
                                  "data_import.account_key($1, $2) AND service_account_number = 'S-P-00001'",
                                  account));
        const std::string shown = run_ctl(stack(), "account show " + supplier + " P-00001 --json");
        CPPUNIT_ASSERT_MESSAGE(shown, shown.find("2024-05-01") != std::string::npos);
    }

    void settings_of_a_shell_are_ignored() {
        const std::string account = world().take_account("imported");
        const std::string ctl = odd_shell + stack().value("CTL") + ' ';
        const std::string report =
            "report ACME --draft --signed-by X --output " + world().directory().string();
        for (const std::string& command :
             std::vector<std::string>{"account show ACME " + account, "account list ACME", "supplier list",
                                      "audit", "db check", "import log", "key list", report}) {
            const CommandResult result = run_command(ctl + command);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(command + ": " + result.errors, 0, result.status);
        }
        CPPUNIT_ASSERT_EQUAL(must_run(stack().value("CTL") + " account show ACME " + account),
                             must_run(ctl + "account show ACME " + account));
    }

    /// The answers are the same even when the server's settings change under open sessions.
    void operators_are_answered_as_without_them() {
        const Operator one;
        const std::vector<std::string> plain = one.answers();
        std::string failures = differing(plain, one.answers(odd_shell), "shell");
        make_odd();
        failures += differing(plain, one.answers(odd_shell), "database, roles and shell");
        tearDown();
        make_server_odd();
        failures += differing(plain, one.answers(), "server");
        CPPUNIT_ASSERT_MESSAGE(failures, failures.empty());
    }

private:
    static std::string differing(const std::vector<std::string>& plain, const std::vector<std::string>& odd,
                                 const std::string& settings) {
        std::string text;
        for (std::size_t place = 0; place < plain.size(); ++place) {
            if (plain[place] != odd.at(place))
                text += "with settings of " + settings + ":\n" + odd[place] + "instead of:\n" + plain[place];
        }
        return text;
    }

    void make_odd() {
        is_odd_ = true;
        for (const auto& [name, value] : odd_settings) alter(std::string("SET ") + name + " = " + value);
        end_sessions();
    }

    /// Makes `odd_settings` the settings of the server. Open sessions take these settings over. Only the
    /// administrator's session keeps its own settings, because it has to reset those of the server after the
    /// test.
    void make_server_odd() {
        is_server_odd_ = true;
        administrator_->rows("LOAD 'plpgsql'");
        for (const auto& [name, value] : odd_settings) {
            const std::string setting = name;
            administrator_->rows("SELECT set_config($1, current_setting($1), false)", {setting});
            // idle time-outs would end the tests' own sessions
            if (setting.starts_with("idle_")) continue;
            administrator_->rows("ALTER SYSTEM SET " + setting + " = " + value);
        }
        administrator_->rows("SELECT pg_reload_conf()");
        std::this_thread::sleep_for(500ms);
    }

    void alter(const std::string& change) {
        const std::string own = administrator_->value("SELECT quote_ident(current_user)");
        const std::string database = administrator_->value("SELECT quote_ident(current_database())");
        for (const std::string& owner :
             {"DATABASE " + database, "ROLE " + own, "ROLE \"data-import\"" + std::string()})
            administrator_->rows("ALTER " + owner + ' ' + change);
    }

    /// Ends the sessions of the workers, which then open new ones with the new settings.
    void end_sessions() {
        administrator_->rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'data-import'");
    }

    std::unique_ptr<AdminSession> administrator_;
    bool is_odd_ = false;
    bool is_server_odd_ = false;
};

CPPUNIT_TEST_SUITE_REGISTRATION(SessionSettingsTest);

}  // namespace data_import::tests
