// The checks of `data-importctl doctor` and their findings. Each file has the checks of one subject. Each
// check runs in a child process, which is killed when its time is over.
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
    warning,  ///< the subject works, but not for long, or not for everybody
    fault,    ///< the subject does not work, or is open to wrong users
    unseen    ///< the subject could not be looked at
};

/// The result of a check: one line of the doctor's output.
struct Finding {
    Health health = Health::ok;
    std::string subject;  ///< the thing that was checked, such as `signing keys`
    std::string text;     ///< the state or the fault; never a secret
    /// The command that repairs the subject, ready to paste into a shell; empty if nothing is wrong. A remark
    /// for people may stand at the end of the command, as a comment of the shell (util::with_remark). A check
    /// may leave the command empty for a fault that follows from another fault; examine() then adds a
    /// command.
    std::string remedy;
};
using Findings = std::vector<Finding>;

/// The command that makes nginx read its files after a correction.
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
/// Groups the findings. Faults and warnings with the same remedy are one group, at the place of the first of
/// them. A group that has a fault begins with a fault. Every other finding is a group of its own.
[[nodiscard]] std::vector<Findings> by_cause(const Findings& findings);
/// Returns only the remedies of faults and warnings, a line each, for a shell that reads them from a pipe.
/// Commands that need a terminal become comments, because they would read the next lines as their input.
[[nodiscard]] std::string commands_of(const Findings& findings);
/// Returns the section of the handbook about findings with this Finding::subject, such as
/// `backup.html#point-in-time-recovery`. Returns an empty text if there is no such section.
[[nodiscard]] std::string_view section_about(std::string_view subject);
/// Returns the findings for people, by cause and with a summary; json_of() returns them for programs.
[[nodiscard]] std::string text_of(const Findings& findings);
[[nodiscard]] std::string json_of(const Findings& findings);

/// The system user that the package makes for the service.
inline constexpr const char* service_user = "data-import";
/// Makes a process of root run as the service's user for good, if this user exists, because PostgreSQL's peer
/// authentication looks at the system user.
void become_service();
/// Returns the group of the service's user; nothing if there is no such user.
[[nodiscard]] std::optional<gid_t> service_group();
/// Returns a shell command that runs this program on the checked installation. `words` is the program's
/// command, such as `db setup`; `arguments` and `options` follow it. Only `arguments` are quoted. If the
/// installation has another configuration file than the default one, the shell command ends with `--config`.
[[nodiscard]] std::string own_command(const Context& context, std::string_view words,
                                      const std::vector<std::string>& arguments = {},
                                      std::string options = "");
/// Returns the command that runs the doctor again, with the remark that root has to do it.
[[nodiscard]] std::string as_root(const Context& context);

/// Returns the command that opens an editor at the last line of the configuration that has the setting
/// `name`. If no line has the setting, the editor opens the main file of the configuration.
[[nodiscard]] std::string edit_setting(const Context& context, std::string_view name);

// Defined in file_checks.cc:
struct FileState {
    struct stat status {};
    int error = 0;  ///< errno if `status` could not be read; else 0
};
[[nodiscard]] FileState look_at(const std::filesystem::path& path);
[[nodiscard]] std::string octal(mode_t mode);
/// Returns the name of a group; its number if it has no name.
[[nodiscard]] std::string group_name(gid_t group);
/// Lists the files of a directory whose names have this ending, sorted by name. Empty if the directory cannot
/// be read; then `error` says why.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory,
                                                          std::string_view extension, std::error_code& error);
[[nodiscard]] Findings check_configuration(Context& context);
[[nodiscard]] Findings check_signing_keys(Context& context);
[[nodiscard]] Findings check_disk(Context& context);

/// Returns a fault for the first path that the service's user may not read; nothing if that user may read
/// all. The remedy gives all paths the group and the modes of the package. Returns nothing, too, if this
/// process is not root, because only root can become the service's user.
[[nodiscard]] Findings closed_to_service(const std::string& subject,
                                         const std::vector<std::filesystem::path>& directories,
                                         const std::vector<std::filesystem::path>& files);

// Defined in unit_checks.cc:
/// Finds a service that does not run although its sockets take requests.
[[nodiscard]] Findings check_unit(Context& context);
[[nodiscard]] Findings check_boot(Context& context);
/// Checks that the unit lets the service reach a database by TCP.
[[nodiscard]] Findings check_network(Context& context);
/// Judges the output of `systemctl show` for the unit; `shown` is empty if there is no unit. `last_message`
/// is the last message of the service in the journal.
[[nodiscard]] Findings judge_unit(const std::string& shown, const std::string& last_message);
[[nodiscard]] Findings judge_network(const std::string& shown, const std::string& conninfo);

// Defined in limit_checks.cc:
[[nodiscard]] Findings check_limits(Context& context);
/// Compares the service's limits with nginx's. `snippets` is the directory of the files that set nginx's
/// limits.
[[nodiscard]] Findings judge_limits(const config::Settings& settings, const console::SiteFacts& facts,
                                    const std::filesystem::path& snippets);

// Defined in vendor_checks.cc:
[[nodiscard]] Findings check_vendors(Context& context);
[[nodiscard]] Findings check_vendor_failures(Context& context);

// Defined in database_checks.cc:
/// Returns a text with both names if the settings `database` and `admin_database` name different databases.
/// Returns an empty text if both name the same database, or if one of the settings names none.
[[nodiscard]] std::string two_databases(const config::Settings& settings);

[[nodiscard]] Findings check_database(Context& context);
[[nodiscard]] Findings check_service_session(Context& context);

// Defined in totals_checks.cc:
/// Compares the control totals of suppliers with their records. One run compares as many suppliers as it has
/// time for; later runs compare the others. A supplier with too many records for one run is left out. The
/// text of the finding has the command `recount`, by which an operator compares such a supplier.
[[nodiscard]] Findings check_control_totals(Context& context);

// Defined in consumer_checks.cc:
[[nodiscard]] Findings check_consumers(Context& context);
/// Judges the progress of all consumers. In `progress`, all rows of a consumer stand together.
[[nodiscard]] Findings judge_consumers(const Context& context,
                                       const std::vector<store::ConsumerProgress>& progress,
                                       util::Instant now);

// Defined in erasure_checks.cc:
[[nodiscard]] Findings check_erasures(Context& context);

// Defined in connection_checks.cc:
/// Judges whether all workers can have their sessions, by the limits of the server (`server`), and of the
/// service's role and database (`limits`).
[[nodiscard]] Findings judge_connections(const config::Settings& settings, const DatabaseServer& place,
                                         const store::ServerDiagnosis& server,
                                         const std::vector<store::SessionLimit>& limits);
/// Checks that a pooler gives all workers their sessions. `database` is a session opened by the setting
/// `database`. Returns nothing if this setting leads to no pooler.
[[nodiscard]] Findings check_sessions(const Context& context, const DatabaseServer& place,
                                      database::Database& database);
/// Judges the number of sessions that a pooler gave (`found`).
[[nodiscard]] Findings judge_sessions(const config::Settings& settings, const DatabaseServer& place,
                                      std::size_t found);
/// Returns words that tell operators which sizes PgBouncer's configuration needs, so that all workers get
/// their sessions: `default_pool_size = 30 for each host of the service, and ...`.
[[nodiscard]] std::string size_of_pool(const config::Settings& settings);

// Defined in host_checks.cc:
[[nodiscard]] Findings check_database_hosts(Context& context);
[[nodiscard]] Findings check_shared_keys(Context& context);
[[nodiscard]] Findings check_clock(Context& context);

// Defined in service_checks.cc:
[[nodiscard]] Findings check_pools(Context& context);
[[nodiscard]] Findings check_running_program(Context& context);
/// Returns the command that makes the pools' sockets anew. `are_of_systemd` is true if systemd has made the
/// sockets. Their mode and group then come from the unit data-import.socket, not from the service's settings.
/// `group` is the group that the sockets should have; empty if their group is right.
[[nodiscard]] std::string renew_sockets(bool are_of_systemd, const std::string& group = "");

// Defined in nginx_checks.cc:
/// Returns nginx's configuration. The first call reads it, and a child process inherits what its parent has
/// read. Throws TimeOver if nginx takes too long, and Failure if there is no nginx.
[[nodiscard]] const console::NginxConfiguration& nginx_configuration(const Context& context);
[[nodiscard]] Findings check_site(Context& context);
[[nodiscard]] Findings check_certificate(Context& context);
[[nodiscard]] Findings check_https(Context& context);
[[nodiscard]] Findings check_metrics(Context& context);
[[nodiscard]] Findings check_operators(Context& context);
/// Judges the servers of nginx that pass acts of operators to the workers. Each server has to use TLS, to ask
/// people to sign in, and to pass the name of the person who has signed in. `workers` is the number of
/// workers of the pool operator. If it is not 0 and there is no such server, the finding is a warning.
[[nodiscard]] Findings judge_acting_servers(const std::vector<console::ActingServer>& servers,
                                            std::size_t workers);

// Defined in database_checks.cc:
/// Judges the difference between the database's clock and this machine's. `server` is the time that the
/// database answered. `asked_at` and `answered_at` are this machine's times just before the question and just
/// after the answer. All times are in microseconds since 1970.
[[nodiscard]] Finding compare_clocks(std::int64_t server, std::int64_t asked_at, std::int64_t answered_at);

// Defined in host_checks.cc:
/// One of several hosts of the database, with the state that a session of the service finds there.
struct DatabaseHost {
    std::string name;
    std::optional<store::HostDiagnosis> found;
    std::string failure;  ///< the reason why nothing was found
};
/// Checks that exactly one host takes writes, and that the others are able to take its place.
[[nodiscard]] Findings judge_hosts(const std::vector<DatabaseHost>& hosts);

/// Checks that commits wait for a standby if there are several hosts, that enough standbys are connected, and
/// that synchronous_commit is not too weak. `server` says on which host the remedies have to be run.
[[nodiscard]] Findings judge_replication(const store::ReplicationDiagnosis& replication,
                                         const DatabaseServer& server);

/// Judges whether this host has the newest signing key, and no key that was removed on any host. `kids` are
/// the ids of this host's keys, from the oldest to the newest. `records` has the last change of each key on
/// any host, which made or removed the key. `directory` is the directory of the keys, taken to be the same on
/// all hosts.
[[nodiscard]] Findings judge_keys(const std::vector<std::string>& kids,
                                  const std::vector<store::SigningKeyRecord>& records,
                                  const std::filesystem::path& directory);

// Defined in session_remedies.cc:
/// Returns the remedy for a session that can be opened but cannot do what imports need. `failure` is the
/// error of the session: a text that begins with the SQLSTATE.
[[nodiscard]] std::string remedy_of_session(const std::string& failure, const DatabaseServer& server);

// Defined in doctor.cc:
/// Returns `remedy`. If `remedy` starts or restarts a masked unit, a command that removes the mask stands
/// before it. `is_masked` returns whether the unit with the given name is masked on this machine.
[[nodiscard]] std::string unmask_first(const std::string& remedy,
                                       const std::function<bool(const std::string&)>& is_masked);

// Defined in service_checks.cc:
/// Returns a fault if the sockets of data-import.socket lie in another directory than `setting`, the value of
/// socket_directory. `listens` is systemd's list of these sockets; empty if there is none. `edit` is the
/// command that opens the setting in an editor.
[[nodiscard]] Findings judge_socket_directory(const std::filesystem::path& setting,
                                              const std::string& listens, const std::string& edit);

/// The server and the setting of a session that could not be opened. The remedy depends on them.
struct SessionPlace {
    DatabaseServer server;
    std::string conninfo;     ///< the connection parameters, which are the value of `setting`
    std::string edit;         ///< the command that opens `setting` in an editor
    std::string setting;      ///< the name of a setting: `database` or `admin_database`
    bool is_service = false;  ///< `setting` is `database`, the setting that the service itself uses
    std::string pool = {};    ///< the sizes that a pooler's configuration needs, in words (size_of_pool)
};

// Defined in session_remedies.cc:
/// Returns the remedy for a session that could not be opened. `refusal` is PostgreSQL's answer. If no server
/// answered, the remedy depends on `reason`, libpq's own text.
[[nodiscard]] std::string remedy_of_no_session(const std::string& reason, const database::Refusal& refusal,
                                               const SessionPlace& place);
/// Returns the role that connection parameters name; if they name none, the service's role.
[[nodiscard]] std::string role_of(const std::string& conninfo);
/// Returns the command that lifts the limit on the sessions of a role or database. `kind` is `ROLE` or
/// `DATABASE`.
[[nodiscard]] std::string lift_limit(const DatabaseServer& server, const std::string& kind,
                                     const std::string& name);
/// Returns the command that opens PgBouncer's configuration, with the remark that `what` has to be set.
[[nodiscard]] std::string edit_pooler(const DatabaseServer& server, const std::string& what);

// Defined in file_checks.cc:
/// Returns the command that opens a file in an editor. If `message` has the form `FILE:LINE: …`, this is FILE
/// at that line; else it is the file `otherwise`.
[[nodiscard]] std::string edit_place(const std::string& message, const std::filesystem::path& otherwise);

// Defined in nginx_checks.cc:
/// Returns the remedy for a configuration that nginx refuses. `refusal` is nginx's text. If the text names a
/// missing file of the package, the remedy reinstalls the package. If the text names another place, the
/// remedy opens this place in an editor. Every remedy reloads nginx at its end.
[[nodiscard]] std::string remedy_of_refusal(const std::string& refusal);

/// Returns the program that listens on a TCP port, from the output of `ss --listening --processes`. If nginx
/// is one of several programs, returns nginx. Empty if the output names none.
[[nodiscard]] std::string listener_in(const std::string& sockets);

// Defined in vendor_checks.cc:
/// Finds vendors whose last requests failed, for each organisation.
[[nodiscard]] Findings judge_circuits(const std::vector<store::CircuitState>& circuits);

// Defined in file_checks.cc:
/// Checks free space and inodes of the file system with the path. Returns nothing if the path does not exist.
[[nodiscard]] Findings check_file_system(const Context& context, const std::filesystem::path& path);

}  // namespace data_import::doctor
