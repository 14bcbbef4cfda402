// Tests what the doctor finds out about the clocks of the database server and of this machine, about the
// hosts of the database, and about signing keys that differ between hosts. Also tests the remedies that the
// doctor gives.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "../../remedy_form.h"
#include "../../table.h"
#include "tools/doctor/doctor.h"

namespace data_import {

namespace {

using doctor::Health;

struct Clocks {
    std::string name;
    std::int64_t server;  ///< its time in seconds; this machine asks at 1000 and has the answer at 1003
    Health health;
    std::string said;
};

const std::vector<Clocks> clocks = {{"the same", 1001, Health::ok, "agrees with this machine's"},
                                    {"a little behind", 999, Health::ok, "agrees with this machine's"},
                                    {"a little ahead", 1004, Health::ok, "agrees with this machine's"},
                                    {"behind", 998, Health::warning, "by 2 s"},
                                    {"ahead", 1005, Health::warning, "by 2 s"},
                                    {"far behind", 970, Health::fault, "by 30 s"},
                                    {"far ahead", 4603, Health::fault, "by 3600 s"}};

/// An expected finding; a test lists all findings in their order.
struct Said {
    Health health;
    std::string text;         ///< a part of the finding's text
    std::string remedy = {};  ///< a part of the finding's remedy
};

constexpr std::int64_t megabyte = 1 << 20;

struct Hosts {
    std::string name;
    std::vector<doctor::DatabaseHost> hosts;
    std::vector<Said> said;
};

doctor::DatabaseHost primary(const std::string& name) {
    return {name, store::HostDiagnosis{.log_position = 1000 * megabyte}, ""};
}

doctor::DatabaseHost standby(const std::string& name, std::int64_t behind, bool receives = true) {
    return {name,
            store::HostDiagnosis{
                .is_standby = true, .receives = receives, .log_position = 1000 * megabyte - behind},
            ""};
}

const std::vector<Hosts> hosts = {
    {"one of each",
     {primary("a"), standby("b", 0)},
     {{Health::ok, "a accepts writes"}, {Health::ok, "b is a standby, 0 MB"}}},
    {"a standby that is ahead by the time of asking",
     {primary("a"), standby("b", -5)},
     {{Health::ok, ""}, {Health::ok, "0 MB behind"}}},
    {"a standby far behind",
     {primary("a"), standby("b", 64 * megabyte)},
     {{Health::ok, ""}, {Health::warning, "b is a standby, 64 MB behind"}}},
    {"a standby that receives nothing",
     {standby("b", 0, false), primary("a")},
     {{Health::warning, "receives nothing"}, {Health::ok, "a accepts writes"}}},
    {"a host that is away",
     {primary("a"), {"b:5433", std::nullopt, "no route"}},
     {{Health::ok, ""}, {Health::warning, "b:5433 does not let the service log in: no route"}}},
    {"two that take writes",
     {primary("a"), primary("b")},
     {{Health::fault, "a accepts writes, and is not the only one", "pg_stat_replication'; patronictl"},
      {Health::fault, "b accepts writes"}}},
    {"none that takes writes",
     {standby("a", 0), standby("b", 0)},
     {{Health::ok, "a is a standby"},
      {Health::ok, "b is a standby"},
      {Health::fault, "none accepts writes", "list   # on one of them"}}},
};

struct Replication {
    std::string name;
    store::ReplicationDiagnosis found;
    bool has_several_hosts;
    std::vector<Said> said;
};

store::ReplicationDiagnosis replication(const std::string& names,
                                        const std::vector<store::StandbyDiagnosis>& standbys,
                                        const std::string& commit = "on") {
    return {names, commit, true, standbys};
}

const store::StandbyDiagnosis synchronous{"n2 at 10.0.0.2", true, 3 * megabyte};
const store::StandbyDiagnosis asynchronous{"n3", false, 0};

const std::vector<Replication> replications = {
    {"one host alone", replication("", {}), false, {}},
    {"several hosts without a standby",
     replication("", {}),
     true,
     {{Health::warning, "wait for no standby; none is connected",
       "systemctl start patroni; patronictl -c /etc/patroni/config.yml list   # on the hosts of the "
       "standbys"}}},
    {"several hosts, not synchronous",
     replication("", {asynchronous}),
     true,
     {{Health::warning, "n3 (0 MB behind)",
       "patronictl -c /etc/patroni/config.yml edit-config --force --set synchronous_mode=true   "
       "# on the host that accepts writes; without Patroni: runuser"}}},
    {"one host with a standby of its own",
     replication("", {asynchronous}),
     false,
     {{Health::ok, "wait for no standby"}}},
    {"a synchronous standby",
     replication("n2", {synchronous, asynchronous}),
     true,
     {{Health::ok, "n2 at 10.0.0.2 (synchronous, 3 MB behind), n3"}}},
    {"a synchronous standby that is away",
     replication("n2", {asynchronous}),
     true,
     {{Health::fault, "commits wait for n2; n3 (0 MB behind): every import hangs",
       "list   # on the standby's host"}}},
    {"one host whose standby is away",
     replication("*", {}),
     false,
     {{Health::fault, "none is connected: every import hangs",
       "TABLE pg_stat_replication'   # start the standby; or, without one: runuser"}}},
    {"one standby of two",
     replication("FIRST 2 (n1, n2)", {synchronous}),
     true,
     {{Health::fault, "FIRST 2 (n1, n2)"}}},
    {"both standbys of two",
     replication("any 2 (n1, n2)", {synchronous, synchronous}),
     true,
     {{Health::ok, "any 2"}}},
    {"two standbys in the old form",
     replication("2 (n1, n2)", {synchronous}),
     true,
     {{Health::fault, "2 (n1"}}},
    {"a name that begins with a number", replication("\"2 (x\"", {synchronous}), true, {{Health::ok, ""}}},
    {"standbys that are hidden", {"n2", "on", false, {}}, true, {{Health::unseen, "cannot see which"}}},
    {"commits that do not wait for the disk",
     replication("", {}, "off"),
     false,
     {{Health::warning, "synchronous_commit is off",
       "psql -c 'ALTER SYSTEM SET synchronous_commit = on' && systemctl reload postgresql"}}},
    {"commits that do not wait for the standby's disk",
     replication("n2", {synchronous}, "remote_write"),
     true,
     {{Health::ok, ""}, {Health::warning, "remote_write", "edit-config --force --pg synchronous_commit=on"}}},
    {"commits that wait until they are applied",
     replication("n2", {synchronous}, "remote_apply"),
     true,
     {{Health::ok, ""}}},
};

struct Keys {
    std::string name;
    std::vector<std::string> kids;
    std::vector<store::SigningKeyRecord> records;
    std::vector<Said> said;
};

const std::vector<Keys> keys = {
    {"none known", {"k1"}, {}, {}},
    {"the newest is here", {"k1", "k2"}, {{"k1", false, "a"}, {"k2", false, "a"}}, {}},
    {"an older one is not here", {"k2"}, {{"k1", false, "a"}, {"k2", false, "a"}}, {}},
    {"the newest is not here",
     {"k1"},
     {{"k1", false, "a"}, {"k2", false, "a"}},
     {{Health::fault, "k2, made on a, is not here"}}},
    {"a key of this host alone",
     {"k3"},
     {{"k2", false, "a"}},
     {{Health::fault, "k2, made on a, is not here"}}},
    {"the newest was removed", {"k1"}, {{"k1", false, "a"}, {"k2", true, "a"}}, {}},
    {"one was removed elsewhere",
     {"k1", "k2"},
     {{"k1", true, "b"}, {"k2", false, "a"}},
     {{Health::warning, "k1 was removed on b and is still here"}}},
};

/// The settings that lead to a database server, and the remedies for this server.
struct Remedy {
    std::string name;
    std::string database;     ///< the setting `database`
    std::string conninfo;     ///< the setting `admin_database`
    std::string connections;  ///< the whole remedy for too few connections
    /// The whole remedy for a missing role: on_and_here() joins a command for the server's host with a
    /// command for this host. The test passes `runuser` for the first and `data-importctl` for the second.
    std::string role;
    std::string away;  ///< the whole remedy for a server that does not run
};

const std::string one_socket = "dbname=d user=u";
const std::string alter =
    "runuser -u postgres -- psql -c 'ALTER SYSTEM SET max_connections = 400' && systemctl restart "
    "postgresql";
const Remedy of_this_machine = {
    "", one_socket, "", alter, "runuser && data-importctl", "systemctl start postgresql"};
const Remedy of_several = {
    "",
    "",
    "",
    "patronictl -c /etc/patroni/config.yml edit-config --force --pg "
    "max_connections=400 && sleep 15 && patronictl -c /etc/patroni/config.yml restart --force --pending "
    "data-import   # on the host that accepts writes; without Patroni: " +
        alter,
    "data-importctl   # first, on the host that accepts writes: runuser",
    "systemctl start patroni; patronictl -c /etc/patroni/config.yml list   # on its hosts; without Patroni: "
    "systemctl start postgresql"};

/// Makes a row with these settings and the expected remedies of a similar row.
Remedy like(const Remedy& other, const std::string& name, const std::string& database,
            const std::string& conninfo) {
    return {name, database, conninfo, other.connections, other.role, other.away};
}

Remedy of_host(const std::string& name, const std::string& host, const std::string& conninfo) {
    const std::string on = "ssh -t " + host + " ";
    return {
        name,
        one_socket,
        conninfo,
        on + "'runuser -u postgres -- psql -c '\\''ALTER SYSTEM SET max_connections = 400'\\'' && systemctl "
             "restart postgresql'",
        on + "runuser && data-importctl",
        on + "'systemctl start postgresql'"};
}

const std::vector<Remedy> remedies = {
    like(of_this_machine, "no host", one_socket, one_socket),
    like(of_this_machine, "a socket", one_socket, "host=/run/postgresql dbname=d"),
    like(of_this_machine, "this machine's name", one_socket, "host=localhost dbname=d"),
    like(of_this_machine, "this machine's address", one_socket, "hostaddr=127.0.0.1 dbname=d"),
    of_host("another host", "db.example", "host=db.example port=5433 dbname=d"),
    of_host("another host's address", "192.0.2.1", "hostaddr=192.0.2.1 dbname=d"),
    of_host("another host in a URI", "db.example", "postgresql://u@db.example:5433/d"),
    like(of_several, "several hosts", "host=a,b dbname=d", "host=a,b dbname=d"),
    like(of_several, "several hosts by one address", "host=a,b dbname=d", "host=c dbname=d"),
};

/// A message of nginx, PostgreSQL or ss, and the remedy that it leads to.
struct Lead {
    std::string said;
    std::string leads_to;  ///< a part of the remedy; empty: no remedy
};

const std::vector<Lead> refusals = {
    {"unknown directive \"nonsense\" in /etc/nginx/snippets/data-import/tls.conf:7",
     "editor +7 /etc/nginx/snippets/data-import/tls.conf && nginx -t"},
    {"open() \"/etc/nginx/snippets/data-import/tls.conf\" failed (2: No such file or directory) in "
     "/etc/nginx/sites-enabled/data-import:120",
     "apt-get install --reinstall -o Dpkg::Options::=--force-confmiss data-import"},
    {"open() \"/etc/nginx/snippets/others.conf\" failed (2: No such file or directory) in "
     "/etc/nginx/sites-enabled/data-import:12",
     "editor +12 /etc/nginx/sites-enabled/data-import"},
    {"cannot load certificate key \"/etc/ssl/private/x.key\"", "nginx -t"},
};

const std::vector<Lead> sessions = {
    {"53100: could not extend file \"base/16384/16632\": No space left on device", "make room"},
    {"53200: out of memory", "free -h"},
    {"53400: temporary file size exceeds temp_file_limit (0kB)", "RESET temp_file_limit"},
    {"25006: the database is read-only", "RESET default_transaction_read_only"},
    {"58P01: could not load library \"/usr/lib/postgresql/15/lib/plpgsql.so\"",
     "systemctl restart postgresql"},
    {"XX000: incompatible library \"plpgsql.so\": version mismatch", "systemctl restart postgresql"},
};

/// A session that could not be opened. If PostgreSQL refused it, only `refusal` tells the reason, because the
/// message may be in any language; otherwise `said` is libpq's message. `leads_to` is a part of the remedy.
struct NoSession {
    std::string said;
    database::Refusal refusal;
    std::string leads_to;
};

const std::vector<NoSession> no_sessions = {
    {"hba",
     {"28000", "ClientAuthentication"},
     "editor \"$(runuser -u postgres -- psql -Atc 'SHOW hba_file')\" && systemctl reload postgresql   "
     "# a line for role u"},
    {"password",
     {"28P01", "auth_failed"},
     "editor /etc/data-import/database.passfile && chmod 0600 /etc/data-import/database.passfile && "
     "systemctl restart data-import   # or"},
    {"fe_sendauth: no password supplied", {}, "editor /etc/data-import/database.passfile && chmod 0600 "},
    {"role's limit",
     {"53300", "InitializeSessionUserId"},
     "runuser -u postgres -- psql -c 'ALTER ROLE \"u\" CONNECTION LIMIT -1'"},
    {"database's limit",
     {"53300", "CheckMyDatabase"},
     "runuser -u postgres -- psql -c 'ALTER DATABASE \"d\" CONNECTION LIMIT -1'"},
    {"server's limit", {"53300", "InitProcess"}, "runuser -u postgres -- psql -c 'SELECT usename"},
    {"reserved slots", {"53300", "InitPostgres"}, "runuser -u postgres -- psql -c 'SELECT usename"},
    {"a pooler's limit",
     {"08P01", ""},
     "editor /etc/pgbouncer/pgbouncer.ini && systemctl reload pgbouncer   # set max_client_conn"},
    {"session is read-only",
     {},
     "runuser -u postgres -- psql -c 'ALTER SYSTEM RESET default_transaction_read_only'"},
    {"server is in hot standby mode", {}, "runuser -u postgres"},
    {"root certificate file \"/x.crt\" does not exist",
     {},
     "editor +3 /c.conf && systemctl reload data-import   # sslmode, sslrootcert"},
    {"peer", {"28000", "auth_failed"}, "editor +3 /c.conf && systemctl reload data-import   # user="},
    {"could not translate host name \"db\" to address: Name or service not known",
     {},
     "editor +3 /c.conf && systemctl reload data-import   # host="},
    {"connection to server at \"192.0.2.1\", port 5432 failed: Network is unreachable",
     {},
     "ip address; ip route"},
    {"connection to server on socket \"/run/postgresql/.s.PGSQL.5432\" failed: Permission denied",
     {},
     "namei --long /run/postgresql/.s.PGSQL.5432"},
    {"connection to server on socket \"/run/postgresql/.s.PGSQL.5432\" failed: No such file or directory",
     {},
     "systemctl start postgresql   # or set database: editor +3 /c.conf"},
    {"connection to server at \"127.0.0.1\", port 5432 failed: Connection refused",
     {},
     "systemctl start postgresql   # or"},
    {"starting up", {"57P03", "ProcessStartupPacket"}, "systemctl status postgresql; journalctl"},
};

/// Messages about a configuration, each with the command that opens the file at the line that the message
/// names, or /main.conf if the message names no line.
const std::vector<Lead> places = {
    {"/etc/data-import/conf.d/x.conf:12: unknown setting `a`: did you mean `b`?",
     "editor +12 /etc/data-import/conf.d/x.conf"},
    {"/etc/it's.conf:1: begins with a byte order mark", "editor +1 '/etc/it'\\''s.conf'"},
    {"/etc/data-import/conf.d: cannot be read", "editor /main.conf"},
    {"", "editor /main.conf"},
};

/// Remedies, and their changed texts if the units of data-import, its socket and nginx are masked.
const std::vector<Lead> of_masked = {
    {"systemctl start data-import",
     "systemctl unmask data-import data-import.socket && systemctl start data-import"},
    {"systemctl start nginx   # or set metrics_url",
     "systemctl unmask nginx && systemctl start nginx   # or set metrics_url"},
    {"systemctl restart data-import; journalctl -u data-import",
     "systemctl unmask data-import data-import.socket && systemctl restart data-import; journalctl"},
    {"systemctl start postgresql", "systemctl start postgresql"},
    {"nginx -t && systemctl reload nginx", "nginx -t && systemctl reload nginx"},
};

const std::vector<Lead> listeners = {
    {"LISTEN 0 511 0.0.0.0:443 0.0.0.0:* users:((\"nginx\",pid=12,fd=8),(\"nginx\",pid=11,fd=8))", "nginx"},
    {"LISTEN 0 511 *:443 *:* users:((\"apache2\",pid=12,fd=4))", "apache2"},
    {"LISTEN 0 511 127.0.0.2:443 0.0.0.0:* users:((\"apache2\",pid=12,fd=4))\n"
     "LISTEN 0 511 127.0.0.1:443 0.0.0.0:* users:((\"nginx\",pid=14,fd=8))",
     "nginx"},
    {"LISTEN 0 511 *:443 *:*", ""},
    {"", ""},
};

void check(const std::vector<Said>& said, const doctor::Findings& findings) {
    CPPUNIT_ASSERT_EQUAL(said.size(), findings.size());
    for (std::size_t at = 0; at < said.size(); ++at) {
        CPPUNIT_ASSERT_MESSAGE(findings[at].text, findings[at].health == said[at].health);
        CPPUNIT_ASSERT_MESSAGE(findings[at].text, findings[at].text.find(said[at].text) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(said[at].health == Health::ok, findings[at].remedy.empty());
        if (said[at].health != Health::ok)
            CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form(findings[at].remedy));
        CPPUNIT_ASSERT_MESSAGE(findings[at].remedy,
                               findings[at].remedy.find(said[at].remedy) != std::string::npos);
    }
}

std::string well_formed(const std::string& remedy) {
    CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form(remedy));
    return remedy;
}

}  // namespace

class DoctorUnitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DoctorUnitTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_clocks);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_hosts);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_remedies);
    CPPUNIT_TEST(sockets_of_systemd_are_mended_in_its_unit);
    CPPUNIT_TEST(sockets_elsewhere_are_found);
    CPPUNIT_TEST(connections_are_counted_by_the_least_limit);
    CPPUNIT_TEST(commands_are_for_a_shell_that_reads_them);
    CPPUNIT_TEST(remedies_have_words_only_in_comments);
    CPPUNIT_TEST(a_remedy_that_no_shell_takes_is_found);
    CPPUNIT_TEST_SUITE_END();

public:
    void sockets_of_systemd_are_mended_in_its_unit() {
        const std::string both = "systemctl restart data-import.socket data-import.service";
        CPPUNIT_ASSERT_EQUAL(std::string("systemctl restart data-import"), doctor::renew_sockets(false));
        CPPUNIT_ASSERT_EQUAL(std::string("systemctl restart data-import"),
                             doctor::renew_sockets(false, "web"));
        CPPUNIT_ASSERT_EQUAL(both, doctor::renew_sockets(true));
        const std::string group = doctor::renew_sockets(true, "web");
        CPPUNIT_ASSERT_MESSAGE(group,
                               group.starts_with("systemctl edit data-import.socket && " + both + "   # "));
        CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form(group));
        CPPUNIT_ASSERT_MESSAGE(group, group.find("SocketGroup=web") != std::string::npos);
    }

    void sockets_elsewhere_are_found() {
        const std::string listens =
            "ActiveState=active\nListen=/run/data-import/import.sock (Stream)\n/run/data-import/bulk.sock "
            "(Stream)\n";
        CPPUNIT_ASSERT(doctor::judge_socket_directory("/run/data-import", listens, "editor /c").empty());
        CPPUNIT_ASSERT(doctor::judge_socket_directory("/run/elsewhere", "", "editor /c").empty());
        check({{Health::fault,
                "socket_directory is /run/elsewhere, and data-import.socket listens in /run/data-import",
                "editor /c   # socket_directory = /run/data-import, or ListenStream= in data-import.socket"}},
              doctor::judge_socket_directory("/run/elsewhere", listens, "editor /c"));
    }

    void connections_are_counted_by_the_least_limit() {
        config::Settings settings;
        settings.import_workers = 27;
        store::ServerDiagnosis server;
        server.most_connections = 197;
        server.free_connections = 150;
        check({{Health::ok, "the workers need 32 of 197, others have left 150"}},
              doctor::judge_connections(settings, {}, server, {{"ROLE", "data-import", 40, 32}}));
        check({{Health::ok, ""},
               {Health::fault, "32 of 20 that role data-import may have",
                "psql -c 'ALTER ROLE \"data-import\" CONNECTION LIMIT -1'"},
               {Health::warning, "32 of 40 that database it's may have",
                "psql -c 'ALTER DATABASE \"it'\\''s\" CONNECTION LIMIT -1'"}},
              doctor::judge_connections(settings, {}, server,
                                        {{"ROLE", "data-import", 20, 20}, {"DATABASE", "it's", 40, 30}}));
        const std::string pool =
            "pgbouncer.ini && systemctl reload pgbouncer   # set default_pool_size = 32 ";
        check({{Health::fault, "need 32 through the setting database, and 20 can be had", pool}},
              doctor::judge_sessions(settings, {}, 20));
        check({{Health::warning, "31 can be had", pool}}, doctor::judge_sessions(settings, {}, 31));
        check({{Health::ok, "the pooler has the 32"}}, doctor::judge_sessions(settings, {}, 32));
        settings.operator_workers = 2;
        check({{Health::ok, "the pooler has the 35"}}, doctor::judge_sessions(settings, {}, 35));
    }

    // a command that needs a terminal becomes a comment, because it would read the next commands as its input
    void commands_are_for_a_shell_that_reads_them() {
        const std::string editor = "editor +1 /c.conf && systemctl reload data-import   # passfile=";
        const doctor::Findings findings = {
            doctor::ok("a", "is well"),
            doctor::fault("b", "is not", editor),
            doctor::warning("c", "will not be", "systemctl reload nginx   # soon"),
            doctor::unseen("d", "is dark", "data-importctl doctor   # as root"),
            doctor::fault("e", "is not", "systemctl reload nginx   # soon"),
            doctor::fault("f", "is not", "ssh -t db 'systemctl start postgresql'"),
            doctor::fault("g", "is not", "install -m 0640 -g data-import /dev/stdin /s"),
            doctor::fault("h", "is not", "systemctl status postgresql; top"),
            doctor::fault("i", "is not", "grep http2 /etc/nginx; ls /etc/editors")};
        CPPUNIT_ASSERT_EQUAL("# " + editor +
                                 "\nsystemctl reload nginx   # soon\n"
                                 "# ssh -t db 'systemctl start postgresql'\n"
                                 "# install -m 0640 -g data-import /dev/stdin /s\n"
                                 "# systemctl status postgresql; top\n"
                                 "grep http2 /etc/nginx; ls /etc/editors\n",
                             doctor::commands_of(findings));
    }

    // searches the sources, since no test can produce all remedies
    void remedies_have_words_only_in_comments() {
        static const std::regex words("\"[^\"]*(   \\(|; then |^on )[^\"]*\"|\"(on|then) [^\";]*: \"");
        for (const auto& entry : std::filesystem::directory_iterator("src/tools/doctor")) {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                CPPUNIT_ASSERT_MESSAGE(entry.path().string() + ": " + line, !std::regex_search(line, words));
        }
    }

    void a_remedy_that_no_shell_takes_is_found() {
        for (const char* remedy :
             {"systemctl start nginx   (or not)", "on db1: systemctl start nginx", "df -h; then make room",
              "journalctl -n 50; raise import_workers", "ssh -t db1 'on a: df'", "# df", ""}) {
            CPPUNIT_ASSERT_MESSAGE(remedy, !tests::fault_of_form(remedy).empty());
        }
        CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form("df -h   # or 'not; then (what"));
    }

    static void add_clocks(TestSuiteBuilderContextType& context) {
        for (const Clocks& row : clocks) {
            tests::add_row(context, "a clock " + row.name, [row] {
                constexpr std::int64_t second = 1'000'000;
                const auto finding =
                    doctor::compare_clocks(row.server * second, 1000 * second, 1003 * second);
                CPPUNIT_ASSERT(finding.health == row.health);
                CPPUNIT_ASSERT(finding.text.ends_with(row.said));
                if (row.health != Health::ok)
                    CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form(finding.remedy));
                CPPUNIT_ASSERT_EQUAL(row.health == Health::ok, finding.remedy.empty());
            });
        }
    }

    static void add_remedies(TestSuiteBuilderContextType& context) {
        for (const Remedy& row : remedies) {
            tests::add_row(context, "what mends a server: " + row.name, [row] {
                config::Settings settings;
                settings.database = row.database;
                const doctor::DatabaseServer server = doctor::server_of(settings, row.conninfo);
                CPPUNIT_ASSERT_EQUAL(row.connections, doctor::change_setting(server, "max_connections", "400",
                                                                             doctor::Effect::restart));
                CPPUNIT_ASSERT_EQUAL(row.role, doctor::on_and_here(server, "runuser", "data-importctl"));
                CPPUNIT_ASSERT_EQUAL(row.away, doctor::start_server(server));
                for (const std::string& remedy : {row.connections, row.role, row.away})
                    CPPUNIT_ASSERT_EQUAL(std::string(), tests::fault_of_form(remedy));
            });
        }
    }

    static void add_hosts(TestSuiteBuilderContextType& context) {
        for (const Hosts& row : hosts)
            tests::add_row(context, "hosts: " + row.name,
                           [row] { check(row.said, doctor::judge_hosts(row.hosts)); });
        for (const Replication& row : replications) {
            tests::add_row(context, "replication: " + row.name, [row] {
                check(row.said,
                      doctor::judge_replication(row.found, {.is_of_several = row.has_several_hosts}));
            });
        }
        const auto add_leads = [&](const std::string& subject, const std::vector<Lead>& leads,
                                   std::string (*follow)(const std::string&)) {
            for (const Lead& row : leads) {
                tests::add_row(context, subject + ": " + row.said, [row, follow] {
                    const std::string remedy = follow(row.said);
                    CPPUNIT_ASSERT_MESSAGE(remedy, remedy.find(row.leads_to) != std::string::npos);
                    CPPUNIT_ASSERT_EQUAL(row.leads_to.empty(), remedy.empty());
                });
            }
        };
        add_leads("nginx refuses", refusals,
                  [](const std::string& said) { return well_formed(doctor::remedy_of_refusal(said)); });
        add_leads("a session fails", sessions,
                  [](const std::string& said) { return well_formed(doctor::remedy_of_session(said, {})); });
        for (const NoSession& row : no_sessions) {
            tests::add_row(context, "no session: " + row.said, [row] {
                const std::string remedy = well_formed(doctor::remedy_of_no_session(
                    row.said, row.refusal,
                    {.server = {},
                     .conninfo = "user=u dbname=d passfile=/run/data-import-database/passfile",
                     .edit = "editor +3 /c.conf",
                     .setting = "database",
                     .is_service = true,
                     .pool = "max_client_conn"}));
                CPPUNIT_ASSERT_MESSAGE(remedy, remedy.find(row.leads_to) != std::string::npos);
            });
        }
        add_leads("a configuration", places, [](const std::string& said) {
            return well_formed(doctor::edit_place(said, "/main.conf"));
        });
        add_leads("a masked unit", of_masked, [](const std::string& said) {
            return well_formed(
                doctor::unmask_first(said, [](const std::string& unit) { return unit != "postgresql"; }));
        });
        add_leads("ss prints", listeners, doctor::listener_in);
        for (const Keys& row : keys) {
            tests::add_row(context, "keys: " + row.name,
                           [row] { check(row.said, doctor::judge_keys(row.kids, row.records, "/keys")); });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorUnitTest);

}  // namespace data_import
