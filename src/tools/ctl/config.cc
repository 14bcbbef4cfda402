// The commands `config check | show`.
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/payment_vendors/configuration.h"
#include "data/store/migrations.h"
#include "data/store/setup.h"
#include "tools/console/bounded.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/values.h"
#include "tools/doctor/doctor.h"

namespace data_import::ctl {

namespace {

void check_parameters(std::string_view name, const std::string& conninfo) {
    try {
        database::check_conninfo(conninfo);
    } catch (const std::invalid_argument& wrong) {
        throw Failure(std::string(name) + ": " + wrong.what());
    }
}

using Vendors = std::vector<payment_vendors::Vendor>;

/// Returns the vendors as comments, so that the whole output is a valid file of settings.
std::string text_of(const Vendors& vendors) {
    std::string text;
    for (const payment_vendors::Vendor& vendor : vendors) {
        text += "\n# " + vendor.file.string() + "\n";
        for (const auto& [key, value] : payment_vendors::describe(vendor))
            text += "#   " + key + " = " + value + "\n";
    }
    return text;
}

void write_vendors(json::Writer& writer, const Vendors& vendors) {
    writer.key("vendors").begin_array();
    for (const payment_vendors::Vendor& vendor : vendors) {
        writer.begin_object().key("file").string(vendor.file.string());
        for (const auto& [key, value] : payment_vendors::describe(vendor)) writer.key(key).string(value);
        writer.end_object();
    }
    writer.end_array();
}

std::string json_of(const config::Settings& settings, const Vendors& vendors) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [name, value] : config::values(settings)) writer.key(name).string(value);
    write_vendors(writer, vendors);
    return writer.end_object().take() + "\n";
}

/// Checks that the service's user can read the configuration `file` and the files of the payment vendors. The
/// service reads these files as this user, and root can read more files.
void check_as_service(const std::filesystem::path& file) {
    constexpr std::chrono::seconds patience{10};
    try {
        static_cast<void>(run_bounded(
            [&] {
                doctor::become_service();
                static_cast<void>(payment_vendors::load_vendors(file, config::load(file).request_timeout));
                return std::string();
            },
            patience));
    } catch (const Failure& failure) {
        throw Failure(std::string("as the service's user: ") + failure.what());
    }
}

void check_config(Context& context, const Invocation&) {
    const config::Settings& settings = context.settings();
    check_parameters("database", settings.database);
    check_parameters("admin_database", settings.admin_database);
    static_cast<void>(store::database_name(settings.admin_database));
    config::check_directories(settings);
    static_cast<void>(store::own_migrations(settings.sql_directory));
    static_cast<void>(payment_vendors::load_vendors(context.config_file(), settings.request_timeout));
    check_as_service(context.config_file());
    const std::string file = context.config_file().string();
    Context::print(context.json() ? object({{"file", file}, {"right", true}}) : file + " is right\n");
}

void show_config(Context& context, const Invocation&) {
    const config::Settings& settings = context.settings();
    const Vendors vendors = payment_vendors::load_vendors(context.config_file(), settings.request_timeout);
    Context::print(context.json() ? json_of(settings, vendors) : config::print(settings) + text_of(vendors));
}

}  // namespace

std::vector<Command> config_commands() {
    return {command("config check", {}, {}, check_config, "Checks the configuration."),
            command("config show", {}, {}, show_config,
                    "Prints all settings with their values, without secrets.")};
}

}  // namespace data_import::ctl
