// `data-importctl doctor`: the findings of each check of an installation. The checks stand in files of one
// subject each. Each runs in a process of its own that is ended when its time is over.
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
    warning,  ///< works, but not for long, or not for everybody
    fault,    ///< does not work, or is open to wrong users
    unseen    ///< could not be looked at
};

/// One line of the result.
struct Finding {
    Health health = Health::ok;
    std::string subject;  ///< `signing keys`
    std::string text;     ///< the state or the fault; never a secret
    std::string remedy;   ///< the command that repairs it, as a shell takes it (util::with_remark); empty if
                          ///< nothing is wrong, or if the fault follows from an earlier one
};
using Findings = std::vector<Finding>;

/// A remedy after nginx's files were corrected.
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
/// Groups faults and warnings that one command repairs, at the place of the first, which is the worst of
/// them.
[[nodiscard]] std::vector<Findings> by_cause(const Findings& findings);
/// Returns only the remedies of faults and warnings, a line each, for a shell that reads them from a pipe.
/// Those that need a terminal become comments, because they would read the next lines.
[[nodiscard]] std::string commands_of(const Findings& findings);
/// Returns the section of the handbook about a finding: `backup.html#point-in-time-recovery`; empty if there
/// is none.
[[nodiscard]] std::string_view section_about(std::string_view subject);
/// Writes the findings for people, by cause and with a summary, and for programs.
[[nodiscard]] std::string text_of(const Findings& findings);
[[nodiscard]] std::string json_of(const Findings& findings);

/// The package's user.
inline constexpr const char* service_user = "data-import";
/// Makes root become the service's own user for good, if there is one: peer authentication looks at the
/// system user.
void become_service();
/// Returns nothing if there is no such user.
[[nodiscard]] std::optional<gid_t> service_group();
/// Returns a command of this program for the checked installation, as util::shell_command writes it.
[[nodiscard]] std::string own_command(const Context& context, std::string_view words,
                                      const std::vector<std::string>& arguments = {},
                                      std::string options = "");
/// Returns the hint for an ordinary user if only root can look.
[[nodiscard]] std::string as_root(const Context& context);

/// Returns the command that opens the line that gives a setting its value; for a default, the configuration's
/// file.
[[nodiscard]] std::string edit_setting(const Context& context, std::string_view name);

// file_checks.cc
struct FileState {
    struct stat status {};
    int error = 0;  ///< errno
};
[[nodiscard]] FileState look_at(const std::filesystem::path& path);
[[nodiscard]] std::string octal(mode_t mode);
/// Returns the number of a group without a name.
[[nodiscard]] std::string group_name(gid_t group);
/// Lists the files of a directory with this ending, by name. Nothing if it cannot be read; then `error` says
/// why.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory,
                                                          std::string_view extension, std::error_code& error);
[[nodiscard]] Findings check_configuration(Context& context);
[[nodiscard]] Findings check_signing_keys(Context& context);
[[nodiscard]] Findings check_disk(Context& context);

/// Returns a fault if the service's user cannot read one of them, with the command that gives all of them the
/// group and the modes of the package. Only root can try it as that user.
[[nodiscard]] Findings closed_to_service(const std::string& subject,
                                         const std::vector<std::filesystem::path>& directories,
                                         const std::vector<std::filesystem::path>& files);

// unit_checks.cc
/// Finds a service that does not run although its sockets take requests.
[[nodiscard]] Findings check_unit(Context& context);
[[nodiscard]] Findings check_boot(Context& context);
/// Checks that the unit lets the service reach a database by TCP.
[[nodiscard]] Findings check_network(Context& context);
/// `shown` is the output of `systemctl show` for the unit; empty if there is none.
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

/// Names the two databases of the settings `database` and `admin_database`; empty if they name one, or if one
/// of them names none.
[[nodiscard]] std::string two_databases(const config::Settings& settings);

// database_checks.cc
[[nodiscard]] Findings check_database(Context& context);
[[nodiscard]] Findings check_service_session(Context& context);
/// Compares the control totals of suppliers that have few records with these: the fewest first, as far as the
/// time of a check goes.
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
/// Checks that all workers can have their sessions, by the limits of the server, the service's role and its
/// database.
[[nodiscard]] Findings judge_connections(const config::Settings& settings, const DatabaseServer& place,
                                         const store::ServerDiagnosis& server,
                                         const std::vector<store::SessionLimit>& limits);
/// Checks the same through the setting `database`, if it leads to a pooler: `database` is a session by it.
[[nodiscard]] Findings check_sessions(const Context& context, const DatabaseServer& place,
                                      database::Database& database);
/// `found` is the number of sessions that could be had.
[[nodiscard]] Findings judge_sessions(const config::Settings& settings, const DatabaseServer& place,
                                      std::size_t found);
/// Returns the lines that PgBouncer's configuration needs.
[[nodiscard]] std::string size_of_pool(const config::Settings& settings);

// host_checks.cc
[[nodiscard]] Findings check_database_hosts(Context& context);
[[nodiscard]] Findings check_shared_keys(Context& context);
[[nodiscard]] Findings check_clock(Context& context);

// service_checks.cc
[[nodiscard]] Findings check_pools(Context& context);
[[nodiscard]] Findings check_running_program(Context& context);
/// Returns the command that makes the pools' sockets anew; in `group` if that is wrong. Sockets of a socket
/// unit have its mode and group, whatever the settings say.
[[nodiscard]] std::string renew_sockets(bool are_of_systemd, const std::string& group = "");

// nginx_checks.cc
[[nodiscard]] Findings check_site(Context& context);
[[nodiscard]] Findings check_certificate(Context& context);
[[nodiscard]] Findings check_https(Context& context);
[[nodiscard]] Findings check_metrics(Context& context);

/// Compares the database's clock with this machine's just before and after it was asked; all in microseconds.
[[nodiscard]] Finding compare_clocks(std::int64_t server, std::int64_t asked_at, std::int64_t answered_at);

/// One of several hosts of the database, as the service would find it.
struct DatabaseHost {
    std::string name;
    std::optional<store::HostDiagnosis> found;
    std::string failure;  ///< the reason why nothing was found
};
/// Checks that exactly one takes writes, and the others are able to take its place.
[[nodiscard]] Findings judge_hosts(const std::vector<DatabaseHost>& hosts);

/// Checks that commits wait for a standby if they should, and only until it has them.
[[nodiscard]] Findings judge_replication(const store::ReplicationDiagnosis& replication,
                                         const DatabaseServer& server);

/// Compares the keys of this host with those that were made and removed on all hosts; `kids` go from the
/// oldest to the newest.
[[nodiscard]] Findings judge_keys(const std::vector<std::string>& kids,
                                  const std::vector<store::SigningKeyRecord>& records,
                                  const std::filesystem::path& directory);

/// Returns the remedy for a session that opens and cannot do the imports' work, by the SQLSTATE at the
/// beginning of its failure.
[[nodiscard]] std::string remedy_of_session(const std::string& failure, const DatabaseServer& server);

/// Returns the remedy. If it starts or restarts a unit of this machine that is masked, a command before it
/// removes the mask.
[[nodiscard]] std::string unmask_first(const std::string& remedy,
                                       const std::function<bool(const std::string&)>& is_masked);

/// Returns a fault if the sockets of data-import.socket lie in another directory than `setting`; `listens` is
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
/// Returns the remedy by PostgreSQL's refusal, or by libpq's own text if no server answered.
[[nodiscard]] std::string remedy_of_no_session(const std::string& reason, const database::Refusal& refusal,
                                               const SessionPlace& place);
/// Returns the role that connection parameters name; by default the service's.
[[nodiscard]] std::string role_of(const std::string& conninfo);
/// Removes the limit of sessions of a ROLE or a DATABASE.
[[nodiscard]] std::string lift_limit(const DatabaseServer& server, const std::string& kind,
                                     const std::string& name);
/// Opens the configuration of PgBouncer, in which `what` has to be set.
[[nodiscard]] std::string edit_pooler(const DatabaseServer& server, const std::string& what);

/// Returns the command that opens the file and line of a message `FILE:LINE: …`; of `otherwise` if it has
/// none.
[[nodiscard]] std::string edit_place(const std::string& message, const std::filesystem::path& otherwise);

/// Returns the remedy for a refusal of nginx, by its text: the place to edit, or the package that brings a
/// file back.
[[nodiscard]] std::string remedy_of_refusal(const std::string& refusal);

/// Returns the program that listens on a TCP port, by the output of `ss --listening --processes`: nginx if it
/// is among several; empty if that names none.
[[nodiscard]] std::string listener_in(const std::string& sockets);

/// Finds vendors whose last requests failed, for each organisation.
[[nodiscard]] Findings judge_circuits(const std::vector<store::CircuitState>& circuits);

/// Checks free space and inodes of the file system with the path; nothing if the path does not exist.
[[nodiscard]] Findings check_file_system(const Context& context, const std::filesystem::path& path);

}  // namespace data_import::doctor
