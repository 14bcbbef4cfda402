// config check | show
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ctl/commands.h"
#include "ctl/values.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/migrations.h"
#include "store/schema_version.h"
#include "store/setup.h"
#include "vendor/configuration.h"

namespace data_import::ctl {

namespace {

void check_parameters(std::string_view name, const std::string& conninfo) {
    try {
        database::check_conninfo(conninfo);
    } catch (const std::invalid_argument& wrong) {
        throw Failure(std::string(name) + ": " + wrong.what());
    }
}

void check_sql_directory(const config::Settings& settings) {
    const int last = store::read_migrations(settings.sql_directory).back().version;
    if (last == store::schema_version) return;
    throw Failure("sql_directory " + settings.sql_directory.string() + " ends with migration " +
                  std::to_string(last) + ", and this program needs " + std::to_string(store::schema_version) +
                  "; set it to the directory of this version");
}

using Vendors = std::vector<vendor::Vendor>;

/// As comments, so that the whole stays a file of settings.
std::string text_of(const Vendors& vendors) {
    std::string text;
    for (const vendor::Vendor& vendor : vendors) {
        text += "\n# " + vendor.file.string() + "\n";
        for (const auto& [key, value] : vendor::describe(vendor)) text += "#   " + key + " = " + value + "\n";
    }
    return text;
}

void write_vendors(json::Writer& writer, const Vendors& vendors) {
    writer.key("vendors").begin_array();
    for (const vendor::Vendor& vendor : vendors) {
        writer.begin_object().key("file").string(vendor.file.string());
        for (const auto& [key, value] : vendor::describe(vendor)) writer.key(key).string(value);
        writer.end_object();
    }
    writer.end_array();
}

/// The settings as config::print writes them, `key = value` in each line, and the vendors.
std::string json_of(const std::string& printed, const Vendors& vendors) {
    json::Writer writer;
    writer.begin_object();
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        if (line.starts_with('#') || equals == std::string::npos) continue;
        const std::string key = line.substr(0, line.find_last_not_of(' ', equals - 1) + 1);
        const std::size_t value = line.find_first_not_of(' ', equals + 1);
        writer.key(key).string(value == std::string::npos ? "" : line.substr(value));
    }
    write_vendors(writer, vendors);
    return writer.end_object().take() + "\n";
}

void check_config(Context& context, const Invocation&) {
    const config::Settings& settings = context.settings();
    check_parameters("database", settings.database);
    check_parameters("admin_database", settings.admin_database);
    static_cast<void>(store::database_name(settings.admin_database));
    check_sql_directory(settings);
    static_cast<void>(vendor::load_vendors(context.config_file(), settings.request_timeout));
    if (!context.json()) return Context::print(context.config_file().string() + " is right\n");
    json::Writer writer;
    writer.begin_object().key("file").string(context.config_file().string()).key("right").boolean(true);
    Context::print(writer.end_object().take() + "\n");
}

void show_config(Context& context, const Invocation&) {
    const config::Settings& settings = context.settings();
    const Vendors vendors = vendor::load_vendors(context.config_file(), settings.request_timeout);
    const std::string printed = config::print(settings);
    Context::print(context.json() ? json_of(printed, vendors) : printed + text_of(vendors));
}

}  // namespace

std::vector<Command> config_commands() {
    return {
        {{"config", "check", {}, {}, "Tells whether the configuration is right.", "config check"},
         check_config},
        {{"config", "show", {}, {}, "Prints all settings with their values, without secrets.", "config show"},
         show_config}};
}

}  // namespace data_import::ctl
