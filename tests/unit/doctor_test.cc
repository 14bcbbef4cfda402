// ctl: what the doctor makes of two clocks, of the database's hosts, and of the keys of several hosts.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../table.h"
#include "doctor/doctor.h"

namespace data_import {

namespace {

using doctor::Health;

struct Clocks {
    std::string name;
    std::int64_t server;  ///< seconds; this machine asks at 1000 and has the answer at 1003
    Health health;
    std::string said;
};

const std::vector<Clocks> clocks = {{"the same", 1001, Health::ok, "as this machine's"},
                                    {"a little behind", 999, Health::ok, "as this machine's"},
                                    {"a little ahead", 1004, Health::ok, "as this machine's"},
                                    {"behind", 998, Health::warning, "by 2 s"},
                                    {"ahead", 1005, Health::warning, "by 2 s"},
                                    {"far behind", 970, Health::fault, "by 30 s"},
                                    {"far ahead", 4603, Health::fault, "by 3600 s"}};

/// What has to be said, as `health: text` of findings in their order; each text is a part of the finding's.
struct Said {
    Health health;
    std::string text;
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
     {{Health::ok, "a takes writes"}, {Health::ok, "b is a standby, 0 MB"}}},
    {"a standby that is ahead by the time of asking",
     {primary("a"), standby("b", -5)},
     {{Health::ok, ""}, {Health::ok, "0 MB behind"}}},
    {"a standby far behind",
     {primary("a"), standby("b", 64 * megabyte)},
     {{Health::ok, ""}, {Health::warning, "b is a standby, 64 MB behind"}}},
    {"a standby that receives nothing",
     {standby("b", 0, false), primary("a")},
     {{Health::warning, "receives nothing"}, {Health::ok, "a takes writes"}}},
    {"a host that is away",
     {primary("a"), {"b:5433", std::nullopt, "no route"}},
     {{Health::ok, ""}, {Health::warning, "b:5433 does not let the service in: no route"}}},
    {"two that take writes",
     {primary("a"), primary("b")},
     {{Health::fault, "a takes writes, and is not the only one"}, {Health::fault, "b takes writes"}}},
    {"none that takes writes",
     {standby("a", 0), standby("b", 0)},
     {{Health::ok, "a is a standby"}, {Health::ok, "b is a standby"}, {Health::fault, "none takes writes"}}},
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
     {{Health::warning, "wait for no standby; none is connected"}}},
    {"several hosts, not synchronous",
     replication("", {asynchronous}),
     true,
     {{Health::warning, "n3 (0 MB behind)"}}},
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
     {{Health::fault, "commits wait for n2; n3 (0 MB behind): every import hangs"}}},
    {"one host whose standby is away",
     replication("*", {}),
     false,
     {{Health::fault, "none is connected: every import hangs"}}},
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
    {"who is there is hidden", {"n2", "on", false, {}}, true, {{Health::unseen, "hidden"}}},
    {"commits that do not wait for the disk",
     replication("", {}, "off"),
     false,
     {{Health::warning, "synchronous_commit is off"}}},
    {"commits that do not wait for the standby's disk",
     replication("n2", {synchronous}, "remote_write"),
     true,
     {{Health::ok, ""}, {Health::warning, "remote_write"}}},
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

/// What nginx, PostgreSQL or ss said, and what it leads to.
struct Lead {
    std::string said;
    std::string leads_to;  ///< a part of it; empty: to nothing
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

const std::vector<Lead> listeners = {
    {"LISTEN 0 511 0.0.0.0:443 0.0.0.0:* users:((\"nginx\",pid=12,fd=8),(\"nginx\",pid=11,fd=8))", "nginx"},
    {"LISTEN 0 511 *:443 *:* users:((\"apache2\",pid=12,fd=4))", "apache2"},
    {"LISTEN 0 511 *:443 *:*", ""},
    {"", ""},
};

void check(const std::vector<Said>& said, const doctor::Findings& findings) {
    CPPUNIT_ASSERT_EQUAL(said.size(), findings.size());
    for (std::size_t at = 0; at < said.size(); ++at) {
        CPPUNIT_ASSERT_MESSAGE(findings[at].text, findings[at].health == said[at].health);
        CPPUNIT_ASSERT_MESSAGE(findings[at].text, findings[at].text.find(said[at].text) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(said[at].health == Health::ok, findings[at].remedy.empty());
    }
}

}  // namespace

class DoctorUnitTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DoctorUnitTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_clocks);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_hosts);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_clocks(TestSuiteBuilderContextType& context) {
        for (const Clocks& row : clocks) {
            tests::add_row(context, "a clock " + row.name, [row] {
                constexpr std::int64_t second = 1'000'000;
                const auto finding =
                    doctor::compare_clocks(row.server * second, 1000 * second, 1003 * second);
                CPPUNIT_ASSERT(finding.health == row.health);
                CPPUNIT_ASSERT(finding.text.ends_with(row.said));
                CPPUNIT_ASSERT_EQUAL(row.health == Health::ok, finding.remedy.empty());
            });
        }
    }

    static void add_hosts(TestSuiteBuilderContextType& context) {
        for (const Hosts& row : hosts)
            tests::add_row(context, "hosts: " + row.name,
                           [row] { check(row.said, doctor::judge_hosts(row.hosts)); });
        for (const Replication& row : replications) {
            tests::add_row(context, "replication: " + row.name, [row] {
                check(row.said, doctor::judge_replication(row.found, row.has_several_hosts));
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
        add_leads("nginx refuses", refusals, doctor::remedy_of_refusal);
        add_leads("a session fails", sessions, doctor::remedy_of_session);
        add_leads("ss prints", listeners, doctor::listener_in);
        for (const Keys& row : keys) {
            tests::add_row(context, "keys: " + row.name,
                           [row] { check(row.said, doctor::judge_keys(row.kids, row.records, "/keys")); });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorUnitTest);

}  // namespace data_import
