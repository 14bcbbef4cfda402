#include "faults.h"

#include <libpq-fe.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>

#include "../support/command.h"
#include "../support/disk_filler.h"
#include "../support/processes.h"
#include "consumers.h"

namespace data_import::soak {

namespace {

using namespace std::chrono_literals;
using Session = std::unique_ptr<PGconn, void (*)(PGconn*)>;

void send(pid_t process, int signal) {
    if (process > 1) kill(process, signal);
}

std::string told(const std::string& what, pid_t process) {
    return what + ' ' + std::to_string(process);
}

/// Stops a process for a while, as if its machine were swapping, so that other processes have to wait for it.
std::string stop_for_a_while(Victim& victim, pid_t process) {
    send(process, SIGSTOP);
    victim.let_it_last();
    send(process, SIGCONT);
    return told("process", process);
}

std::string kill_worker(Victim& victim) {
    const pid_t worker = victim.some_child(victim.master());
    send(worker, SIGKILL);
    return told("worker", worker);
}

std::string terminate_worker(Victim& victim) {
    const pid_t worker = victim.some_child(victim.master());
    send(worker, SIGTERM);
    return told("worker", worker);
}

std::string reload_master(Victim& victim) {
    send(victim.master(), SIGHUP);
    return told("master", victim.master());
}

std::string kill_master(Victim& victim) {
    const pid_t master = victim.master();
    send(master, SIGKILL);
    victim.bring_up();
    return told("master", master);
}

std::string restart_master(Victim& victim) {
    const pid_t master = victim.master();
    send(master, SIGTERM);
    if (!tests::wait_until([&] { return !tests::is_running(master); }, 60s))
        throw std::runtime_error("the master does not end after SIGTERM");
    victim.bring_up();
    return told("master", master);
}

std::string terminate_sessions(Victim& victim) {
    return victim.administrator().value(
               "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
               "random() < 0.5 AND " +
               std::string(Victim::sessions_of_the_service)) +
           " sessions";
}

std::string end_consumers(Victim& victim) {
    return victim.administrator().value(
               "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename "
               "= $1",
               {platform_login}) +
           " sessions";
}

/// Does the same as `pg_ctl -m immediate restart`.
std::string restart_postgresql(Victim& victim) {
    const pid_t server = victim.postgresql();
    send(server, SIGQUIT);
    if (!tests::wait_until([&] { return !tests::is_running(server); }, 60s))
        throw std::runtime_error("PostgreSQL does not end after SIGQUIT");
    victim.bring_up();
    return told("server", server);
}

std::string fail_over(Victim& victim) {
    const pid_t server = victim.postgresql();
    tests::must_run("tests/soak/fail-over");
    victim.bring_up();
    return told("server", server);
}

bool succeeds(const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

/// Kills the server process of a session of the service, and waits until PostgreSQL has recovered. Throws
/// std::runtime_error if this takes too long.
///
/// PostgreSQL notices the kill only some time later; then it ends all sessions and recovers. So the function
/// first waits until a session that was opened before has ended, and then until sessions can be opened again.
std::string kill_backend(Victim& victim) {
    tests::AdminSession witness = victim.administrator();
    const pid_t backend = victim.some_backend();
    if (backend == 0 || kill(backend, SIGKILL) != 0) return "no backend";
    if (!tests::wait_until([&] { return !succeeds([&] { witness.rows("SELECT 1"); }); }, 60s))
        throw std::runtime_error("PostgreSQL does not notice that a backend was killed");
    if (!tests::wait_until([&] { return succeeds([&] { static_cast<void>(victim.administrator()); }); }, 60s))
        throw std::runtime_error("PostgreSQL does not recover");
    return told("backend", backend);
}

std::string stop_worker(Victim& victim) {
    return stop_for_a_while(victim, victim.some_child(victim.master()));
}

std::string stop_backend(Victim& victim) {
    return stop_for_a_while(victim, victim.some_backend());
}

std::string stop_nginx_worker(Victim& victim) {
    return stop_for_a_while(victim, victim.some_child(victim.nginx()));
}

std::string kill_nginx_worker(Victim& victim) {
    const pid_t worker = victim.some_child(victim.nginx());
    send(worker, SIGKILL);
    return told("worker", worker);
}

std::string reload_nginx(Victim& victim) {
    send(victim.nginx(), SIGHUP);
    return told("nginx", victim.nginx());
}

/// Makes PostgreSQL begin a new WAL file. If the disk is full, PostgreSQL then ends, because it cannot write
/// this file. Without a new WAL file, a full disk seldom ends PostgreSQL.
void begin_log_file(Victim& victim) {
    // the statement fails when it finds the disk full
    static_cast<void>(succeeds(
        [&] { victim.administrator().rows("SELECT pg_switch_wal() FROM pg_create_restore_point('soak')"); }));
}

std::string fill_disk(Victim& victim) {
    {
        tests::DiskFiller filler(std::getenv("SMALL_DISK"));
        const bool reaches_log = draw(victim.random(), 1, 2) == 1;
        for (long left = draw(victim.random(), 2, 5); left > 0; --left) {
            filler.fill();
            if (reaches_log) begin_log_file(victim);
            std::this_thread::sleep_for(1s);
        }
    }
    const bool has_ended = victim.postgresql() == 0 || !tests::is_running(victim.postgresql());
    victim.bring_up();
    return has_ended ? "PostgreSQL had ended" : "PostgreSQL went on";
}

/// Lowers the limit of a worker's file descriptors to a few, so that the worker can neither accept
/// connections of nginx, nor open files, nor connect to PostgreSQL.
std::string exhaust_descriptors(Victim& victim) {
    const pid_t worker = victim.some_child(victim.master());
    rlimit before{};
    if (worker == 0 || prlimit(worker, RLIMIT_NOFILE, nullptr, &before) != 0) return "no worker";
    const rlimit few{.rlim_cur = static_cast<rlim_t>(draw(victim.random(), 3, 12)),
                     .rlim_max = before.rlim_max};
    prlimit(worker, RLIMIT_NOFILE, &few, nullptr);
    victim.let_it_last();
    prlimit(worker, RLIMIT_NOFILE, &before, nullptr);
    return told(std::to_string(few.rlim_cur) + " for worker", worker);
}

/// Takes all free connections of the server. Then ends the sessions of the service and takes their
/// connections, too, so that the service cannot connect again while the fault lasts.
std::string exhaust_connections(Victim& victim) {
    tests::AdminSession administrator = victim.administrator();
    std::vector<Session> sessions;
    const auto take_all = [&] {
        while (sessions.size() < 1000) {
            Session session(PQconnectdb(victim.service_conninfo().c_str()), &PQfinish);
            if (PQstatus(session.get()) != CONNECTION_OK) return;
            sessions.push_back(std::move(session));
        }
    };
    take_all();
    administrator.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name <> 'soak' AND " +
        std::string(Victim::sessions_of_the_service));
    take_all();
    victim.let_it_last(4);
    return std::to_string(sessions.size()) + " sessions";
}

std::string lock_account(Victim& victim) {
    const Place place = victim.some_account();
    tests::AdminSession administrator = victim.administrator();
    administrator.rows("BEGIN");
    administrator.rows("SELECT data_import.lock_account(data_import.account_key($1, $2))",
                       {place.supplier, place.account});
    victim.let_it_last();
    administrator.rows("COMMIT");
    return place.account;
}

std::string stop_vendors(Victim& victim) {
    return stop_for_a_while(victim, victim.vendor_simulator());
}

constexpr auto faults = std::to_array<Fault>({
    {"worker_killed", "SIGKILL for a worker", kill_worker},
    {"worker_terminated", "SIGTERM for a worker", terminate_worker},
    {"master_reloaded", "SIGHUP for the master", reload_master},
    {"master_killed", "SIGKILL for the master, and a new one", kill_master},
    {"master_restarted", "SIGTERM for the master, and a new one", restart_master},
    {"sessions_terminated", "pg_terminate_backend for half of the service's sessions", terminate_sessions},
    {"consumers_ended", "pg_terminate_backend for all sessions of the platform's software", end_consumers},
    {"postgresql_restarted", "immediate shutdown of PostgreSQL, and a new start", restart_postgresql},
    {"postgresql_failed_over", "SIGKILL for all of PostgreSQL; a synchronous standby takes over", fail_over},
    {"backend_killed", "SIGKILL for a backend: PostgreSQL recovers", kill_backend},
    {"worker_stopped", "SIGSTOP for a worker, for some seconds", stop_worker},
    {"backend_stopped", "SIGSTOP for a backend, for some seconds", stop_backend},
    {"nginx_worker_stopped", "SIGSTOP for a worker of nginx, for some seconds", stop_nginx_worker},
    {"nginx_worker_killed", "SIGKILL for a worker of nginx", kill_nginx_worker},
    {"nginx_reloaded", "SIGHUP for nginx", reload_nginx},
    {disk_fault, "no space on the file system of the database, for some seconds", fill_disk},
    {"descriptors_exhausted", "a few descriptors for a worker, for some seconds", exhaust_descriptors},
    {"connections_exhausted", "all connections of PostgreSQL taken, for some seconds", exhaust_connections},
    {"account_locked", "an account's lock held by somebody else, for some seconds", lock_account},
    {"vendors_stopped", "SIGSTOP for the payment vendors, for some seconds", stop_vendors},
});

}  // namespace

std::span<const Fault> all_faults() {
    return faults;
}

}  // namespace data_import::soak
