#include "victim.h"

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../support/command.h"
#include "../support/load.h"
#include "../support/processes.h"

namespace data_import::soak {

namespace {

using namespace std::chrono_literals;

pid_t pid_in(const std::filesystem::path& file) {
    pid_t pid = 0;
    std::ifstream(file) >> pid;
    return pid;
}

std::filesystem::path cluster_of(const std::filesystem::path& run_directory) {
    std::string shared = run_directory.string();
    if (std::ifstream file(run_directory / "shared-directory"); file) std::getline(file, shared);
    return std::filesystem::path(shared) / "postgresql";
}

}  // namespace

Victim::Victim(const std::filesystem::path& run_directory, const Book& book, std::uint64_t seed)
    : stack_(run_directory), book_(book), random_(seed) {}

pid_t Victim::master() const {
    return pid_in(stack_.run_directory() / "data-importd.pid");
}

pid_t Victim::nginx() const {
    return pid_in(stack_.run_directory() / "nginx.pid");
}

pid_t Victim::postgresql() const {
    return pid_in(cluster_of(stack_.run_directory()) / "data/postmaster.pid");
}

pid_t Victim::vendor_simulator() const {
    return pid_in(stack_.run_directory() / "vendor-simulator.pid");
}

pid_t Victim::some_child(pid_t parent) {
    const std::vector<pid_t> children = tests::children_of(parent);
    if (children.empty()) return 0;
    return children.at(static_cast<std::size_t>(draw(random_, 0, static_cast<long>(children.size()) - 1)));
}

pid_t Victim::some_backend() {
    const auto found = administrator().rows("SELECT pid FROM pg_stat_activity WHERE " +
                                            std::string(sessions_of_the_service) + " ORDER BY pid");
    if (found.empty()) return 0;
    const auto number = static_cast<std::size_t>(draw(random_, 0, static_cast<long>(found.size()) - 1));
    return static_cast<pid_t>(std::stol(found.at(number).at(0)));
}

tests::AdminSession Victim::administrator() const {
    return tests::AdminSession(stack_.value("DATABASE_URL"));
}

std::string Victim::service_conninfo() const {
    std::string url = stack_.value("DATABASE_URL");
    const std::string login = "postgres@";
    const std::size_t at = url.find(login);
    if (at != std::string::npos) url.replace(at, login.size(), "data-import@");
    return url + "&application_name=soak";
}

Place Victim::some_account() {
    const auto& organisation = book_.organisations.front();
    const std::string& supplier = organisation.suppliers.front();
    return {supplier, imported_account(supplier, draw(random_, 1, Book::imported))};
}

void Victim::bring_up() const {
    tests::CommandResult result;
    const auto succeeds = [&] { return (result = tests::run_command("tests/stack/up")).status == 0; };
    if (!tests::wait_until(succeeds, 120s))
        throw std::runtime_error("the stack does not come up: " + result.errors);
}

bool Victim::is_ready() const {
    try {
        return tests::ask(stack_, tests::get_request("/readyz")).status == 200;
    } catch (const std::exception&) {
        return false;
    }
}

void Victim::let_it_last(long most_seconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(draw(random_, 1000, 1000 * most_seconds)));
}

}  // namespace data_import::soak
