// data-importd: the daemon. A master process keeps pools of workers that answer FastCGI requests from nginx.
//
// It stays in the foreground and logs to standard error; SIGHUP reads the configuration again, SIGTERM stops
// it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "database/database.h"
#include "fastcgi/master.h"
#include "programs/service.h"
#include "util/standard_output.h"
#include "util/version.h"
#include "vendor/configuration.h"

namespace {

using namespace data_import;

constexpr int status_failed = 1;
constexpr int status_usage = 2;

const std::string usage =
    "Usage: data-importd [--config FILE] [--check-config | --print-config]\n"
    "       data-importd --sample-config | --version | --help\n"
    "\n"
    "Answers the requests of the data-import service that nginx passes on. Runs in the foreground and\n"
    "logs to standard error. SIGHUP: read the configuration again. SIGTERM: finish requests and stop.\n"
    "\n"
    "  --config FILE    read FILE, conf.d/*.conf and vendors.d/*.conf beside it (" +
    std::string(config::default_file) +
    ")\n"
    "  --check-config   say whether the configuration is valid, and exit with 0 or 1\n"
    "  --print-config   print all settings as they are in force, without secrets\n"
    "  --sample-config  print a configuration file that explains all settings\n"
    "  --version        print the version\n"
    "  --help           print this text\n";

/// The command line makes no sense; `what()` says where.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct CommandLine {
    std::filesystem::path config = config::default_file;
    std::string action;  ///< empty: run the service
};

bool is_action(std::string_view argument) {
    constexpr std::array<std::string_view, 5> actions{"--check-config", "--print-config", "--sample-config",
                                                      "--version", "--help"};
    return std::ranges::find(actions, argument) != actions.end();
}

void set_action(CommandLine& line, const std::string& action) {
    if (!line.action.empty()) throw UsageError(line.action + " and " + action + " exclude each other");
    line.action = action;
}

CommandLine parse(const std::vector<std::string>& arguments) {
    constexpr std::string_view config_prefix = "--config=";
    CommandLine line;
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
        if (is_action(*argument)) {
            set_action(line, *argument);
        } else if (argument->starts_with(config_prefix)) {
            line.config = argument->substr(config_prefix.size());
        } else if (*argument == "--config") {
            if (++argument == arguments.end()) throw UsageError("--config needs a file");
            line.config = *argument;
        } else {
            throw UsageError("unknown argument " + *argument);
        }
    }
    if (line.config.empty()) throw UsageError("--config needs a file");
    return line;
}

/// Settings with which workers can start.
config::Settings load(const std::filesystem::path& file) {
    config::Settings settings = config::load(file);
    try {
        database::check_conninfo(settings.database);
    } catch (const std::invalid_argument& problem) {
        throw config::ConfigError("setting database: " + std::string(problem.what()));
    }
    return settings;
}

/// Settings and vendors of one reading belong together: both are new, or neither.
int run_service(const std::filesystem::path& file) {
    metrics::Board board;
    std::vector<vendor::Vendor> vendors;
    const auto read = [file, &vendors] {
        config::Settings settings = load(file);
        vendors = vendor::load_vendors(file, settings.request_timeout);
        return settings;
    };
    fastcgi::MasterOptions options{
        .settings = read(),
        .reload = read,
        .make_handler =
            [&board, &vendors](const config::Settings& settings, const fastcgi::Pool& pool) {
                return programs::make_handler(settings, pool, board, vendors);
            },
        .board = board};
    return fastcgi::run_master(std::move(options));
}

int check(const std::filesystem::path& file) {
    static_cast<void>(vendor::load_vendors(file, load(file).request_timeout));
    std::cout << file.string() << ": OK\n";
    return EXIT_SUCCESS;
}

int run(const CommandLine& line) {
    if (line.action == "--help") {
        std::cout << usage;
    } else if (line.action == "--version") {
        std::cout << "data-importd " << util::version << '\n';
    } else if (line.action == "--sample-config") {
        std::cout << config::sample();
    } else if (line.action == "--print-config") {
        std::cout << config::print(config::load(line.config));
    } else if (line.action == "--check-config") {
        return check(line.config);
    } else {
        return run_service(line.config);
    }
    const util::Output output = util::finish_output();
    if (output == util::Output::unread) return util::status_of_unread_output;
    return output == util::Output::written ? EXIT_SUCCESS : status_failed;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(parse(std::vector<std::string>(argv + 1, argv + argc)));
    } catch (const UsageError& problem) {
        std::cerr << "data-importd: " << problem.what() << " (see data-importd --help)\n";
        return status_usage;
    } catch (const std::exception& problem) {
        std::cerr << "data-importd: " << problem.what() << '\n';
        return status_failed;
    }
}
