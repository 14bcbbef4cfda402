// Tests of data-importctl where PostgreSQL and the terminal speak German. data-importctl chooses the sentence
// that names a fault, and the remedy for the fault, by the SQLSTATE and not by PostgreSQL's message. So the
// sentence and the remedy are the same in every language.
#include <cppunit/extensions/HelperMacros.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../../runner.h"
#include "../../support/command.h"
#include "../../support/stack.h"
#include "data/json/reader.h"

namespace data_import::tests {

namespace {

/// A fault that makes PostgreSQL refuse sessions.
struct Refused {
    std::string name;
    std::string plant;    ///< a line of bash that makes PostgreSQL refuse sessions
    std::string mend;     ///< a line of bash that makes PostgreSQL accept sessions again
    std::string subject;  ///< the subject of the finding in which the doctor reports the fault
    std::string remedy;   ///< a part of the remedy that the doctor reports with the fault
};

/// Bash functions that the bash lines in the list `refusals` call.
const char* const tools = R"(
sql() { psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$DATABASE_URL" --command="$1" >/dev/null; }
setting() { echo "$1 = host=$RUN/postgresql $2" >"$RUN/conf.d/other.conf"; }
hba=$RUN/postgresql/data/pg_hba.conf
first_rule() { cp -p "$hba" "$RUN/hba"; sed -i "1i local all data-import $1" "$hba"; sql 'SELECT pg_reload_conf()'; sleep 0.3; }
old_rules() { cp -p "$RUN/hba" "$hba"; sql 'SELECT pg_reload_conf()'; sleep 0.3; rm -f "$RUN/conf.d/other.conf"; }
)";

const std::string no_setting = "rm $RUN/conf.d/other.conf";

const std::vector<Refused> refusals = {
    {"no such database", "setting database 'user=data-import dbname=none'", no_setting, "service's session",
     "editor "},
    {"no such database for the administrator", "setting admin_database 'user=postgres dbname=none'",
     no_setting, "database", "editor "},
    {"no such role", "setting database 'user=nobody dbname=data-import'", no_setting, "service's session",
     "editor "},
    {"a role that may not log in", "sql 'ALTER ROLE \"data-import\" NOLOGIN'", "$CTL db setup",
     "service's session", "data-importctl db setup"},
    {"a role without a session left", "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT 0'",
     "sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT -1'", "service's session",
     "ALTER ROLE \"data-import\" CONNECTION LIMIT -1"},
    {"a database without a session left", "sql 'ALTER DATABASE \"data-import\" CONNECTION LIMIT 0'",
     "sql 'ALTER DATABASE \"data-import\" CONNECTION LIMIT -1'", "service's session",
     "ALTER DATABASE \"data-import\" CONNECTION LIMIT -1"},
    {"a database that is closed", "sql 'REVOKE CONNECT ON DATABASE \"data-import\" FROM \"data-import\"'",
     "$CTL db setup", "service's session", "data-importctl db setup"},
    {"a rule that rejects", "first_rule reject", "old_rules", "service's session", "SHOW hba_file"},
    {"a rule for another system user", "first_rule peer", "old_rules", "service's session", "pg_ident.conf"},
    {"a wrong password",
     "first_rule scram-sha-256; setting database 'user=data-import dbname=data-import password=x'",
     "old_rules", "service's session", "passfile= names the file"},
    {"no password", "first_rule scram-sha-256", "old_rules", "service's session", "passfile= names the file"},
};

/// A German locale in a temporary directory, because this machine may have none, and only root can install
/// one.
class GermanLocale {
public:
    GermanLocale() {
        if (!std::filesystem::exists("/usr/share/i18n/locales/de_DE") ||
            run_command("ls /usr/share/locale/de/LC_MESSAGES/postgres-*.mo").status != 0)
            skip("there is no German here: package locales");
        must_run("mkdir -p " + path_ + " && localedef -i de_DE -f UTF-8 " + path_ +
                 "/de_DE.UTF-8 && chmod -R a+rX " + path_);
    }
    ~GermanLocale() { std::filesystem::remove_all(path_); }
    GermanLocale(const GermanLocale&) = delete;
    GermanLocale& operator=(const GermanLocale&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_ = std::filesystem::temp_directory_path() / ("locale-" + std::to_string(getpid()));
};

/// A stack whose PostgreSQL writes German messages. The constructor sets environment variables to this end
/// before it starts the stack.
class GermanServer {
public:
    explicit GermanServer(const GermanLocale& locale) {
        setenv("LOCPATH", locale.path().c_str(), 1);
        setenv("POSTGRESQL_SETTINGS", "-c lc_messages=de_DE.UTF-8", 1);
        stack_ = std::make_unique<PrivateStack>();
    }
    ~GermanServer() {
        unsetenv("POSTGRESQL_SETTINGS");
        unsetenv("LOCPATH");
    }
    GermanServer(const GermanServer&) = delete;
    GermanServer& operator=(const GermanServer&) = delete;

    [[nodiscard]] const PrivateStack& stack() const { return *stack_; }

private:
    std::unique_ptr<PrivateStack> stack_;
};

}  // namespace

class LanguagesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LanguagesTest);
    CPPUNIT_TEST(names_and_remedies_are_those_of_any_language);
    CPPUNIT_TEST_SUITE_END();

public:
    void names_and_remedies_are_those_of_any_language() {
        const GermanLocale locale;
        const GermanServer server(locale);
        stack_ = &server.stack();
        const std::string said =
            said_by_ctl("setting admin_database 'user=postgres dbname=none'", "db check");
        CPPUNIT_ASSERT_MESSAGE(said, said.find("existiert nicht") != std::string::npos);
        check_sentences();
        std::string missed;
        for (const Refused& row : refusals) missed += missed_remedy(row);
        CPPUNIT_ASSERT_MESSAGE(missed, missed.empty());
    }

private:
    void check_sentences() const {
        const std::string not_set_up = "the database is not set up (";
        check_sentence(not_set_up, "setting admin_database 'user=postgres dbname=none'", "supplier list");
        must_succeed("sql 'ALTER ROLE \"data-import-owner\" RENAME TO away'");
        check_sentence(not_set_up, "", "supplier list");
        must_succeed("sql 'ALTER ROLE away RENAME TO \"data-import-owner\"'");
        check_sentence("PostgreSQL refuses the administrator (",
                       "setting admin_database 'user=nobody dbname=data-import'", "supplier list");
        must_succeed("sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT 0'");
        check_sentence("the database has no session left: ",
                       "setting admin_database 'user=data-import dbname=data-import'", "supplier list");
        must_succeed("sql 'ALTER ROLE \"data-import\" CONNECTION LIMIT -1'");
    }

    void check_sentence(const std::string& begin, const std::string& plant,
                        const std::string& command) const {
        const std::string said = said_by_ctl(plant, command);
        CPPUNIT_ASSERT_MESSAGE(said, said.starts_with("data-importctl: " + begin));
    }

    [[nodiscard]] std::string said_by_ctl(const std::string& plant, const std::string& command) const {
        return run_line(plant + "\n$CTL " + command + " 2>&1 >/dev/null; rm -f $RUN/conf.d/other.conf")
            .output;
    }

    [[nodiscard]] std::string missed_remedy(const Refused& row) const {
        must_succeed(row.plant);
        const CommandResult result = run_line("$CTL doctor --json");
        must_succeed(row.mend);
        const json::Document findings = json::read(result.output);
        for (const json::Value finding : findings.root().items()) {
            if (finding.at("subject").text() == row.subject && finding.at("health").text() == "fault" &&
                finding.at("remedy").text().find(row.remedy) != std::string::npos)
                return "";
        }
        return "\n" + row.name + ":\n" + result.output;
    }

    [[nodiscard]] CommandResult run_line(const std::string& line) const {
        const std::string run = (*stack_)->run_directory().string();
        return run_command("set -euo pipefail; RUN=" + run +
                           "; . $RUN/env; export LC_ALL=de_DE.UTF-8 LANGUAGE=de; " + tools + "set +e\n" +
                           line);
    }

    void must_succeed(const std::string& line) const {
        const CommandResult result = run_line(line);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(line + ": " + result.errors, 0, result.status);
    }

    const PrivateStack* stack_ = nullptr;
};

CPPUNIT_TEST_SUITE_REGISTRATION(LanguagesTest);

}  // namespace data_import::tests
