#include "standby.h"

#include <unistd.h>

#include <iostream>
#include <stdexcept>

#include "command.h"
#include "processes.h"

namespace data_import::tests {

Standby::Standby(const Stack& primary)
    : programs_(
          std::filesystem::read_symlink("/proc/" + primary.value("POSTGRES_PID") + "/exe").parent_path()),
      primary_(primary.value("DATABASE_URL")),
      cluster_(std::filesystem::path(primary_.value("SHOW data_directory")).parent_path()) {
    as_server("pg_basebackup --host=" + cluster_.string() + " --port=5432 --username=postgres --pgdata=" +
              data() + " --checkpoint=fast --no-sync --write-recovery-conf");
    primary_.rows("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary_.rows("SELECT pg_reload_conf()");
    start();
}

Standby::~Standby() {
    if (!runs_) return;
    const CommandResult result =
        run_command(server_command("pg_ctl stop --silent --mode=immediate --pgdata=" + data()));
    if (result.status != 0) std::cerr << "pg_ctl stop: " << result.errors << std::endl;
}

pid_t Standby::receiver() const {
    AdminSession session("host=" + cluster_.string() + " port=" + port + " user=postgres");
    return static_cast<pid_t>(session.count("SELECT pid FROM pg_stat_wal_receiver"));
}

std::string Standby::both_hosts(const std::string& database, const std::string& user) const {
    return "host=" + cluster_.string() + ',' + cluster_.string() + " port=" + port +
           ",5432 dbname=" + database + " user=" + user;
}

void Standby::stop() {
    as_server("pg_ctl stop --silent --mode=fast --pgdata=" + data());
    runs_ = false;
}

void Standby::start() {
    as_server("pg_ctl start --wait --silent --pgdata=" + data() + " --log=" + data() +
              "/postgresql.log --options='-c listen_addresses= -c unix_socket_directories=" +
              cluster_.string() + " -c port=" + port + " -c max_connections=200 -c fsync=off'");
    runs_ = true;
    const auto is_synchronous = [this] {
        return primary_.count("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1;
    };
    if (!wait_until(is_synchronous, std::chrono::seconds(10)))
        throw std::runtime_error("the standby does not become a synchronous one");
}

void Standby::promote() const {
    as_server("pg_ctl promote --wait --silent --pgdata=" + data());
}

std::string Standby::server_command(const std::string& command) const {
    return (geteuid() == 0 ? "cd / && runuser -u postgres -- " : "") + programs_.string() + '/' + command;
}

void Standby::as_server(const std::string& command) const {
    must_run(server_command(command) + " >/dev/null");
}

}  // namespace data_import::tests
