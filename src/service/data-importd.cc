// data-importd: the daemon. A master process keeps pools of workers that answer FastCGI requests from nginx.
//
// It stays in the foreground and logs to standard error; SIGHUP reads the configuration again, SIGTERM stops
// it.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/command_line/completion.h"
#include "base/command_line/help.h"
#include "base/config/daemon.h"
#include "base/config/settings.h"
#include "base/util/standard_output.h"
#include "data/database/database.h"
#include "data/payment_vendors/configuration.h"
#include "service/fastcgi/master.h"
#include "service/service.h"

namespace {

using namespace data_import;

constexpr int status_failed = 1;
constexpr int status_usage = 2;

/// Reads the settings, and checks the connection string without which no worker could start. Throws
/// config::ConfigError.
config::Settings load(const std::filesystem::path& file) {
    config::Settings settings = config::load(file);
    try {
        database::check_conninfo(settings.database);
    } catch (const std::invalid_argument& problem) {
        throw config::ConfigError("setting database: " + std::string(problem.what()));
    }
    return settings;
}

/// Runs the service until it is stopped. A reload replaces settings and vendors together; if either cannot be
/// read, both stay as they are.
int run_service(const std::filesystem::path& file) {
    metrics::Board board;
    std::vector<payment_vendors::Vendor> vendors;
    const auto read = [file, &vendors] {
        config::Settings settings = load(file);
        vendors = payment_vendors::load_vendors(file, settings.request_timeout);
        return settings;
    };
    fastcgi::MasterOptions options{
        .settings = read(),
        .reload = read,
        .make_handler =
            [&board, &vendors](const config::Settings& settings, const fastcgi::Pool& pool) {
                return service::make_handler(settings, pool, board, vendors);
            },
        .board = board};
    return fastcgi::run_master(std::move(options));
}

int check(const std::filesystem::path& file) {
    const config::Settings settings = load(file);
    config::check_directories(settings);
    static_cast<void>(payment_vendors::load_vendors(file, settings.request_timeout));
    std::cout << file.string() << ": OK\n";
    return EXIT_SUCCESS;
}

int run(const command_line::Invocation& line) {
    const std::string action = config::wanted_action(line);
    const std::filesystem::path file = line.option("--config").value_or(config::default_file);
    if (!command_line::answer(line, std::cout)) {
        if (action.empty()) return run_service(file);
        if (action == "--check-config") return check(file);
        std::cout << (action == "--print-config" ? config::print(config::load(file)) : config::sample());
    }
    const util::Output output = util::finish_output();
    if (output == util::Output::unread) return util::status_of_unread_output;
    return output == util::Output::written ? EXIT_SUCCESS : status_failed;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (command_line::complete(config::daemon(), words, std::cout)) return EXIT_SUCCESS;
        return run(command_line::parse(config::daemon(), words));
    } catch (const command_line::UsageError& problem) {
        std::cerr << "data-importd: " << problem.what() << '\n';
        return status_usage;
    } catch (const std::exception& problem) {
        std::cerr << "data-importd: " << problem.what() << '\n';
        return status_failed;
    }
}
