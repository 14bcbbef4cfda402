// Checks of what several hosts share: a database whose hosts stand by for each other, the keys that sign
// tokens, and the time.
#include <sys/timex.h>

#include <algorithm>
#include <chrono>
#include <regex>

#include "base/util/joined.h"
#include "base/util/shell_command.h"
#include "data/database/database.h"
#include "data/database/hosts.h"
#include "data/keys/key_ring.h"
#include "data/store/setup.h"
#include "tools/console/bounded.h"
#include "tools/console/text_table.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;

constexpr auto patience_with_a_host = 3s;
/// A standby that lacks at least this many bytes of PostgreSQL's log is worth a warning.
constexpr std::int64_t far_behind = 64 << 20;
constexpr const char* host_subject = "database host";
constexpr const char* replication_subject = "replication";

std::string look_at_replication() {
    return util::with_remark(psql("-c 'TABLE pg_stat_replication'") + "; " + patronictl("list"),
                             "on each of them");
}

database::Deadline deadline() {
    return std::chrono::steady_clock::now() + patience_with_a_host;
}

DatabaseHost ask(const database::Host& host) {
    try {
        database::Database database({.conninfo = host.conninfo,
                                     .application_name = std::string(console::program_name),
                                     .statement_timeout = patience_with_a_host,
                                     .longest_silence = patience_with_a_host});
        return {host.name, store::diagnose_host(database, deadline()), ""};
    } catch (const std::runtime_error& failure) {
        return {host.name, std::nullopt, failure.what()};
    }
}

std::string megabytes(std::int64_t bytes) {
    return std::to_string(bytes >> 20) + " MB";
}

bool takes_writes(const DatabaseHost& host) {
    return host.found && !host.found->is_standby;
}

/// Judges a standby. `written` is the position in the log of the host that takes writes; nothing if it is
/// unknown.
Finding judge_standby(const DatabaseHost& host, std::optional<std::int64_t> written) {
    const std::string standby = host.name + " is a standby";
    const std::string look =
        on(server_at(host.name), "journalctl -u 'postgresql*' -u patroni; " + patronictl("list"));
    if (!host.found->receives)
        return warning(host_subject, standby + " that receives nothing, so it cannot take over", look);
    if (!written) return ok(host_subject, standby);
    const std::int64_t behind = std::max<std::int64_t>(0, *written - host.found->log_position);
    const std::string text = standby + ", " + megabytes(behind) + " behind";
    return behind < far_behind ? ok(host_subject, text) : warning(host_subject, text, look);
}

/// Returns for how many standbys a commit waits (PostgreSQL's manual, synchronous_standby_names).
std::size_t awaited_standbys(const std::string& names) {
    static const std::regex form(R"(\s*(?:(?:first|any)\s+)?([0-9]{1,4})\s*\(.*)",
                                 std::regex::icase | std::regex::ECMAScript);
    std::smatch parts;
    return std::regex_match(names, parts, form) ? std::stoul(parts[1]) : 1;
}

std::string described(const std::vector<store::StandbyDiagnosis>& standbys) {
    std::vector<std::string> texts;
    for (const store::StandbyDiagnosis& standby : standbys) {
        texts.push_back(standby.name + (standby.is_synchronous ? " (synchronous, " : " (") +
                        megabytes(standby.behind) + " behind)");
    }
    return texts.empty() ? "none is connected" : util::joined(texts);
}

/// Returns the remedy for commits that wait for no standby. If no standby is connected, the remedy is to
/// start one, because Patroni lets commits wait for a missing standby only in its strict mode.
std::string remedy_of_no_waiting(const store::ReplicationDiagnosis& replication,
                                 const DatabaseServer& server) {
    if (replication.sees_standbys && replication.standbys.empty()) {
        return util::with_remark("systemctl start patroni; " + patronictl("list"),
                                 "on the hosts of the standbys; without Patroni: systemctl start postgresql");
    }
    return util::with_remark(
        on(server, patronictl("edit-config --force --set synchronous_mode=true")),
        "without Patroni: " +
            psql("-c \"ALTER SYSTEM SET synchronous_standby_names = '*'\" -c 'SELECT pg_reload_conf()'"));
}

std::string remedy_of_vain_waiting(const DatabaseServer& server) {
    const std::string alone =
        psql("-c \"ALTER SYSTEM SET synchronous_standby_names = ''\" -c 'SELECT pg_reload_conf()'");
    if (!server.is_of_several)
        return util::with_remark(on(server, psql("-c 'TABLE pg_stat_replication'")),
                                 "start the standby; or, without one: " + on(server, alone));
    return util::with_remark("systemctl start patroni; " + patronictl("list"),
                             "on the standby's host; or, without one, on the host that accepts writes: " +
                                 patronictl("edit-config --force --set synchronous_mode=false") +
                                 "; without Patroni: " + alone);
}

Finding judge_waiting(const store::ReplicationDiagnosis& replication, const DatabaseServer& server) {
    const std::string there = described(replication.standbys);
    const std::string& names = replication.synchronous_standby_names;
    if (names.empty()) {
        const std::string text = "commits wait for no standby; " + there;
        if (!server.is_of_several) return ok(replication_subject, text);
        return warning(replication_subject, text + ": acknowledged imports can be lost with its host",
                       remedy_of_no_waiting(replication, server));
    }
    const std::string text = "commits wait for " + names + "; " + there;
    if (!replication.sees_standbys) {
        return unseen(
            replication_subject,
            "commits wait for " + names + ", but this user cannot see which of them are connected",
            on(server, psql(util::shell_command("-c", {"GRANT pg_monitor TO " +
                                                       store::quote_identifier(replication.connected_as)}))));
    }
    const auto synchronous =
        std::count_if(replication.standbys.begin(), replication.standbys.end(),
                      [](const store::StandbyDiagnosis& standby) { return standby.is_synchronous; });
    if (static_cast<std::size_t>(synchronous) >= awaited_standbys(names))
        return ok(replication_subject, text);
    return fault(replication_subject, text + ": every import hangs until its time-out",
                 remedy_of_vain_waiting(server));
}

}  // namespace

Findings judge_hosts(const std::vector<DatabaseHost>& hosts) {
    const auto writable = std::count_if(hosts.begin(), hosts.end(), takes_writes);
    std::optional<std::int64_t> written;
    for (const DatabaseHost& host : hosts) {
        if (writable == 1 && takes_writes(host)) written = host.found->log_position;
    }
    Findings findings;
    for (const DatabaseHost& host : hosts) {
        if (!host.found) {
            findings.push_back(
                warning(host_subject, host.name + " does not let the service log in: " + host.failure,
                        util::with_remark(on(server_at(host.name), "pg_lsclusters; systemctl status patroni"),
                                          "also its pg_hba.conf, and the line for it in the "
                                          "passfile here")));
        } else if (host.found->is_standby) {
            findings.push_back(judge_standby(host, written));
        } else if (writable > 1) {
            findings.push_back(fault(
                host_subject,
                host.name +
                    " accepts writes, and is not the only one: imports that go to one are not on the other",
                util::with_remark(look_at_replication(), "stop the one that others do not follow")));
        } else {
            findings.push_back(ok(host_subject, host.name + " accepts writes"));
        }
    }
    if (writable == 0) {
        findings.push_back(fault(host_subject, "none accepts writes: every import is answered 503",
                                 util::with_remark(patronictl("list"),
                                                   "on one of them; without Patroni: pg_ctl promote on the "
                                                   "one that is to")));
    }
    return findings;
}

Findings judge_replication(const store::ReplicationDiagnosis& replication, const DatabaseServer& server) {
    Findings findings;
    if (server.is_of_several || !replication.synchronous_standby_names.empty() ||
        !replication.standbys.empty())
        findings.push_back(judge_waiting(replication, server));
    // the service sets synchronous_commit itself, so a weak value can lose only the data of other software
    const std::string& commit = replication.synchronous_commit;
    if (commit == "off" || commit == "local" || commit == "remote_write") {
        findings.push_back(warning(
            replication_subject,
            "synchronous_commit is " + commit + ": data that the platform's own software stores can be lost",
            change_setting(server, "synchronous_commit", "on", Effect::reload)));
    }
    return findings;
}

Findings judge_keys(const std::vector<std::string>& kids, const std::vector<store::SigningKeyRecord>& records,
                    const std::filesystem::path& directory) {
    const auto is_here = [&](const store::SigningKeyRecord& record) {
        return std::find(kids.begin(), kids.end(), record.kid) != kids.end();
    };
    const std::string subject = "signing keys";
    Findings findings;
    for (const store::SigningKeyRecord& record : records) {
        if (!record.is_removed || !is_here(record)) continue;
        findings.push_back(warning(subject,
                                   record.kid + " was removed on " + record.host +
                                       " and is still here: its tokens are accepted here",
                                   std::string(console::program_name) + " signing-key remove " + record.kid));
    }
    const auto newest =
        std::find_if(records.rbegin(), records.rend(),
                     [](const store::SigningKeyRecord& record) { return !record.is_removed; });
    if (newest == records.rend() || is_here(*newest)) return findings;
    const std::string file = (directory / (newest->kid + ".key")).string();
    findings.push_back(fault(
        subject,
        newest->kid + ", made on " + newest->host +
            ", is not here: the tokens that it signs, from a minute after it was made, are answered 401",
        util::with_remark(
            util::shell_command("scp -p", {newest->host + ":" + file, file}) +
                util::shell_command(" && chown", {"--reference=" + directory.string(), file}),
            "where nobody has it any more: " + std::string(console::program_name) + " signing-key rotate")));
    return findings;
}

Findings check_database_hosts(Context& context) {
    const std::vector<database::Host> hosts = database::hosts_of(context.settings().database);
    if (hosts.size() < 2) return {};
    become_service();
    std::vector<DatabaseHost> found;
    for (const database::Host& host : hosts) found.push_back(ask(host));
    return judge_hosts(found);
}

/// Reads the keys before the database is used, because this process is no longer root after that. Returns
/// nothing if keys or database cannot be read, because other checks report that.
Findings check_shared_keys(Context& context) {
    try {
        std::vector<std::string> kids;
        const std::filesystem::path& directory = context.settings().keys_directory;
        const keys::KeyRing ring = keys::KeyRing::load(directory);
        for (const keys::SigningKey& key : ring.keys()) kids.push_back(key.kid);
        const auto database = context.open_database(context.settings().admin_database, "");
        return judge_keys(kids, store::list_signing_keys(*database, deadline()), directory);
    } catch (const std::runtime_error&) {
        return {};
    }
}

// Checks the machine's clock, because tokens, the audit history and statement periods depend on it.
Findings check_clock(Context&) {
    timex state{};  // no mode is set, so adjtimex changes nothing
    const int result = adjtimex(&state);
    if (result < 0)
        return {unseen("clock", "the system does not say whether it is synchronised", "timedatectl")};
    const bool is_synchronised = result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
    if (is_synchronised) return {ok("clock", "is synchronised")};
    const auto shown =
        console::run_program({"timedatectl", "show", "--property=CanNTP", "--value"}, patience_with_a_host);
    const bool has_no_service = shown.status == 0 && shown.output.starts_with("no");
    return {warning("clock", "is not synchronised with a time server",
                    has_no_service ? "apt-get install systemd-timesyncd" : "timedatectl set-ntp true")};
}

}  // namespace data_import::doctor
