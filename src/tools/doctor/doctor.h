// `data-importctl doctor`: what each check of an installation found. The checks stand in files of one
// subject each; each runs in a process of its own that is ended when its time is over.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/config/settings.h"
#include "base/util/datetime.h"
#include "data/store/access_events.h"
#include "data/store/consumers.h"
#include "data/store/diagnosis.h"
#include "data/store/payment_instructions.h"
#include "tools/console/context.h"
#include "tools/console/nginx_site.h"
#include "tools/doctor/database_server.h"

namespace data_import::doctor {

using console::Context;

enum class Health {
    ok,
    warning,  ///< works, and will not for long, or not for everybody
    fault,    ///< does not work, or is open to whom it should not be
    unseen    ///< could not be looked at
};

/// One line of the result.
struct Finding {
    Health health = Health::ok;
    std::string subject;  ///< `signing keys`
    std::string text;     ///< the state or the fault; never a secret
    std::string remedy;   ///< the command that mends it, as a shell takes it (util::with_remark); empty where
                          ///< nothing is wrong, or where the fault follows from one before
};
using Findings = std::vector<Finding>;

/// A remedy after nginx's files were mended.
inline constexpr const char* reload_nginx = "nginx -t && systemctl reload nginx";

[[nodiscard]] inline Finding ok(std::string subject, std::string text) {
    return {Health::ok, std::move(subject), std::move(text), ""};
}
[[nodiscard]] inline Finding warning(std::string subject, std::string text, std::string remedy) {
    return {Health::warning, std::move(subject), std::move(text), std::move(remedy)};
}
[[nodiscard]] inline Finding fault(std::string subject, std::string text, std::string remedy) {
    return {Health::fault, std::move(subject), std::move(text), std::move(remedy)};
}
[[nodiscard]] inline Finding unseen(std::string subject, std::string text, std::string remedy) {
    return {Health::unseen, std::move(subject), std::move(text), std::move(remedy)};
}

inline void append(Findings& findings, Findings more) {
    std::ranges::move(more, std::back_inserter(findings));
}

/// Runs all checks, one after another, for a minute at most.
[[nodiscard]] Findings examine(Context& context);
/// Stores the findings for the page of operators, if the database can be reached.
void keep(Context& context, const Findings& findings);
/// Faults and warnings that one command mends, together at the place of the first, which is the gravest of
/// them.
[[nodiscard]] std::vector<Findings> by_cause(const Findings& findings);
/// The remedies of faults and warnings alone, a line each, for a shell that reads them from a pipe. Those
/// that need a terminal stand there as comments, because they would read the next lines.
[[nodiscard]] std::string commands_of(const Findings& findings);
/// The section of the handbook about a finding: `backup.html#point-in-time-recovery`; empty if there is none.
[[nodiscard]] std::string_view section_about(std::string_view subject);
/// The findings for people, by cause and with a summary, and for programs.
[[nodiscard]] std::string text_of(const Findings& findings);
[[nodiscard]] std::string json_of(const Findings& findings);

/// The package's user.
inline constexpr const char* service_user = "data-import";
/// Peer authentication goes by the system user: root becomes the service's own for good, where there is one.
void become_service();
/// Nothing if there is no such user.
[[nodiscard]] std::optional<gid_t> service_group();
/// A command of this program for the installation that is being looked at, as util::shell_command writes it.
[[nodiscard]] std::string own_command(const Context& context, std::string_view words,
                                      const std::vector<std::string>& arguments = {},
                                      std::string options = "");
/// The hint for an ordinary user where only root can look.
[[nodiscard]] std::string as_root(const Context& context);

/// The command that opens the line that gives a setting its value; of a default: the configuration's file.
[[nodiscard]] std::string edit_setting(const Context& context, std::string_view name);

// file_checks.cc
struct FileState {
    struct stat status {};
    int error = 0;  ///< errno
};
[[nodiscard]] FileState look_at(const std::filesystem::path& path);
[[nodiscard]] std::string octal(mode_t mode);
/// The number of a group without a name.
[[nodiscard]] std::string group_name(gid_t group);
/// The files of a directory that end so, by name. Nothing if it cannot be read, which `error` then says.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory,
                                                          std::string_view extension, std::error_code& error);
[[nodiscard]] Findings check_configuration(Context& context);
[[nodiscard]] Findings check_signing_keys(Context& context);
[[nodiscard]] Findings check_disk(Context& context);

/// A fault if the service's user cannot read one of them, with the command that gives all of them the group
/// and the modes of the package. For root alone, who can try it as that user.
[[nodiscard]] Findings closed_to_service(const std::string& subject,
                                         const std::vector<std::filesystem::path>& directories,
                                         const std::vector<std::filesystem::path>& files);

// unit_checks.cc
/// A service that does not run although its sockets take requests.
[[nodiscard]] Findings check_unit(Context& context);
[[nodiscard]] Findings check_boot(Context& context);
/// Whether the unit lets the service reach a database that is reached by TCP.
[[nodiscard]] Findings check_network(Context& context);
/// `shown` is what `systemctl show` prints of the unit; empty where there is none.
[[nodiscard]] Findings judge_unit(const std::string& shown, const std::string& last_message);
[[nodiscard]] Findings judge_network(const std::string& shown, const std::string& conninfo);

// limit_checks.cc
[[nodiscard]] Findings check_limits(Context& context);
/// `snippets` is the directory of nginx's files that set them.
[[nodiscard]] Findings judge_limits(const config::Settings& settings, const console::SiteFacts& facts,
                                    const std::filesystem::path& snippets);

// vendor_checks.cc
[[nodiscard]] Findings check_vendors(Context& context);
[[nodiscard]] Findings check_vendor_failures(Context& context);

/// The settings `database` and `admin_database` name these two databases; empty where they name one, or where
/// one of them names none.
[[nodiscard]] std::string two_databases(const config::Settings& settings);

// database_checks.cc
[[nodiscard]] Findings check_database(Context& context);
[[nodiscard]] Findings check_service_session(Context& context);
/// Compares the control totals of those suppliers with the records that have few of them: in order of their
/// number, as far as the time of a check goes.
[[nodiscard]] Findings check_control_totals(Context& context);

// consumer_checks.cc
[[nodiscard]] Findings check_consumers(Context& context);
/// `progress` has the rows of a consumer together.
[[nodiscard]] Findings judge_consumers(const Context& context,
                                       const std::vector<store::ConsumerProgress>& progress,
                                       util::Instant now);

// erasure_checks.cc
[[nodiscard]] Findings check_erasures(Context& context);

// connection_checks.cc
/// Whether all workers can have their sessions, by the limits of the server, the service's role and its
/// database.
[[nodiscard]] Findings judge_connections(const config::Settings& settings, const DatabaseServer& place,
                                         const store::ServerDiagnosis& server,
                                         const std::vector<store::SessionLimit>& limits);
/// The same through the setting `database`, if a pooler stands there: `database` is a session by it.
[[nodiscard]] Findings check_sessions(const Context& context, const DatabaseServer& place,
                                      database::Database& database);
/// `found`: sessions that could be had.
[[nodiscard]] Findings judge_sessions(const config::Settings& settings, const DatabaseServer& place,
                                      std::size_t found);
/// The lines that PgBouncer's configuration needs.
[[nodiscard]] std::string size_of_pool(const config::Settings& settings);

// host_checks.cc
[[nodiscard]] Findings check_database_hosts(Context& context);
[[nodiscard]] Findings check_shared_keys(Context& context);
[[nodiscard]] Findings check_clock(Context& context);

// service_checks.cc
[[nodiscard]] Findings check_pools(Context& context);
[[nodiscard]] Findings check_running_program(Context& context);
/// The command that makes the pools' sockets anew; in `group` if that is what is wrong. Those of a socket
/// unit have its mode and group, whatever the settings say.
[[nodiscard]] std::string renew_sockets(bool are_of_systemd, const std::string& group = "");

// nginx_checks.cc
[[nodiscard]] Findings check_site(Context& context);
[[nodiscard]] Findings check_certificate(Context& context);
[[nodiscard]] Findings check_https(Context& context);
[[nodiscard]] Findings check_metrics(Context& context);

/// The database's clock against this machine's just before and after it was asked; all in microseconds.
[[nodiscard]] Finding compare_clocks(std::int64_t server, std::int64_t asked_at, std::int64_t answered_at);

/// One of several hosts of the database, as the service would find it.
struct DatabaseHost {
    std::string name;
    std::optional<store::HostDiagnosis> found;
    std::string failure;  ///< why nothing was found
};
/// Exactly one has to take writes, and the others should be able to take its place.
[[nodiscard]] Findings judge_hosts(const std::vector<DatabaseHost>& hosts);

/// Whether commits wait for a standby, where they should, and no longer than until it has them.
[[nodiscard]] Findings judge_replication(const store::ReplicationDiagnosis& replication,
                                         const DatabaseServer& server);

/// Compares the keys of this host with those that were made and removed on all hosts; `kids` go from the
/// oldest to the newest.
[[nodiscard]] Findings judge_keys(const std::vector<std::string>& kids,
                                  const std::vector<store::SigningKeyRecord>& records,
                                  const std::filesystem::path& directory);

/// The remedy for a session that opens and cannot do the imports' work, by the SQLSTATE at the beginning of
/// its failure.
[[nodiscard]] std::string remedy_of_session(const std::string& failure, const DatabaseServer& server);

/// The remedy, where it starts or restarts a unit of this machine that is masked with a command before it
/// that takes the mask away.
[[nodiscard]] std::string unmask_first(const std::string& remedy,
                                       const std::function<bool(const std::string&)>& is_masked);

/// A fault if the sockets of data-import.socket lie in another directory than `setting`; `listens` is
/// systemd's list of them, empty if it has none.
[[nodiscard]] Findings judge_socket_directory(const std::filesystem::path& setting,
                                              const std::string& listens, const std::string& edit);

/// A session that could not be opened.
struct SessionPlace {
    DatabaseServer server;
    std::string conninfo;
    std::string edit;     ///< the command that opens the setting
    std::string setting;  ///< its name
    bool is_service = false;
    std::string pool = {};  ///< the lines that a pooler before it needs (size_of_pool)
};
/// The remedy by PostgreSQL's refusal, or by libpq's own text if no server answered.
[[nodiscard]] std::string remedy_of_no_session(const std::string& reason, const database::Refusal& refusal,
                                               const SessionPlace& place);
/// The role that connection parameters name; by default the service's.
[[nodiscard]] std::string role_of(const std::string& conninfo);
/// Takes the limit of sessions away from a ROLE or a DATABASE.
[[nodiscard]] std::string lift_limit(const DatabaseServer& server, const std::string& kind,
                                     const std::string& name);
/// Opens the configuration of PgBouncer; `what` has to be set there.
[[nodiscard]] std::string edit_pooler(const DatabaseServer& server, const std::string& what);

/// The command that opens the file and line of a message `FILE:LINE: …`; of `otherwise` if it has none.
[[nodiscard]] std::string edit_place(const std::string& message, const std::filesystem::path& otherwise);

/// The remedy for a refusal of nginx, by its text: the place to edit, or the package that brings a file back.
[[nodiscard]] std::string remedy_of_refusal(const std::string& refusal);

/// The program that listens on a TCP port, by what `ss --listening --processes` prints of it: nginx if it is
/// among several; empty where that names none.
[[nodiscard]] std::string listener_in(const std::string& sockets);

/// Vendors whose last requests failed, each organisation's by itself.
[[nodiscard]] Findings judge_circuits(const std::vector<store::CircuitState>& circuits);

/// Free space and inodes of the file system that holds the path; nothing if the path is not there.
[[nodiscard]] Findings check_file_system(const Context& context, const std::filesystem::path& path);

}  // namespace data_import::doctor
