// config check | show
#include <sstream>
#include <stdexcept>

#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "store/migrations.h"
#include "store/schema_version.h"
#include "store/setup.h"

namespace data_import::ctl {

namespace {

void check_parameters(std::string_view name, const std::string& conninfo) {
    try {
        store::check_conninfo(conninfo);
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

/// The settings as config::print writes them, `key = value` in each line.
std::string json_of(const std::string& printed) {
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
    return writer.end_object().take() + "\n";
}

}  // namespace

void check_config(Context& context, const Invocation& invocation) {
    const config::Settings& settings = context.settings();
    check_parameters("database", settings.database);
    check_parameters("admin_database", settings.admin_database);
    static_cast<void>(store::database_name(settings.admin_database));
    check_sql_directory(settings);
    if (!context.json()) return Context::print(invocation.config_file().string() + " is right\n");
    json::Writer writer;
    writer.begin_object().key("file").string(invocation.config_file().string()).key("right").boolean(true);
    Context::print(writer.end_object().take() + "\n");
}

void show_config(Context& context, const Invocation&) {
    const std::string printed = config::print(context.settings());
    Context::print(context.json() ? json_of(printed) : printed);
}

}  // namespace data_import::ctl
