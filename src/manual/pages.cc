#include "manual/pages.h"

#include <sstream>

#include "client/options.h"
#include "config/settings.h"
#include "ctl/account_rows.h"
#include "ctl/command.h"
#include "ctl/usage.h"
#include "manual/client_help.h"
#include "metrics/metric_table.h"

namespace data_import::manual {

namespace {

std::string term_of(const ctl::Option& option) {
    return std::string(option.name) + (option.value.empty() ? "" : " " + std::string(option.value));
}

void add_options(Page& page, const std::vector<ctl::Option>& options) {
    for (const ctl::Option& option : options) page.item(term_of(option), option.sentence);
}

/// The first line of a sentence that goes on with indented lines, and those lines.
void add_sentence(Page& page, std::string_view sentence) {
    std::istringstream lines{std::string(sentence)};
    for (std::string line; std::getline(lines, line);) {
        line.starts_with("  ") ? page.example(line.substr(2)) : page.text(line);
    }
}

void add_command(Page& page, const ctl::Command& command) {
    page.subsection(ctl::usage_line(&command, command.group).substr(ctl::program_name.size() + 1));
    add_sentence(page, command.sentence);
    add_options(page, command.options);
    page.example(std::string(ctl::program_name) + " " + std::string(command.example));
}

Page ctl_page() {
    Page page("data-importctl", 1, "operates an installation of data-import");
    page.section("SYNOPSIS").text("data-importctl COMMAND [ARGUMENT ...] [--json] [--config FILE]");
    page.text("\n\ndata-importctl help [COMMAND]");
    page.section("DESCRIPTION")
        .text(
            "Sets an installation up, steers migrations of accounts, gives out API keys, and finds out what "
            "is "
            "wrong. Root becomes the system user of the setting admin_user for the database.");
    page.section("COMMANDS");
    for (const ctl::Command& command : ctl::commands()) add_command(page, command);
    page.section("OPTIONS OF EVERY COMMAND");
    add_options(page, ctl::common_options());
    page.section("EXIT STATUS")
        .item("0", "Done.")
        .item("1", "Refused or failed: one line on standard error says why and what to do.")
        .item("2", "Wrong usage: one line on standard error names the right form.");
    page.section("FILES").item(config::default_file, "The configuration.");
    return page.see_also("data-import.conf(5), data-import-csv(5), data-importd(8)");
}

Page load_page() {
    Page page("data-import-load", 1, "sends import requests from files to a data-import service");
    page.section("SYNOPSIS").text("data-import-load --url URL --api-key-file F [OPTION ...] FILE ...");
    page.section("DESCRIPTION")
        .text(
            "Sends each line of the files as one request, many side by side, over HTTPS. The files are "
            "described "
            "in data-import-ndjson(5); the file - is standard input.");
    page.section("OPTIONS");
    for (const ClientOption& option : client_options()) page.item(option.term, option.sentence);
    page.section("EXAMPLE").example(client_example());
    page.section("EXIT STATUS")
        .item("0", "All lines were accepted.")
        .item("1", "Something was refused or not delivered.")
        .item("2", "Wrong usage.");
    return page.see_also("data-import-ndjson(5)");
}

void add_metrics(Page& page) {
    page.section("METRICS").text(
        "nginx's local listener (127.0.0.1:9642 in the site) answers GET /metrics in Prometheus's text "
        "format.");
    for (const metrics::Metric& metric : metrics::table()) {
        std::string term(metric.name);
        if (!metric.labels.empty()) term += " {" + std::string(metric.labels) + "}";
        page.item(term, std::string(metrics::type_name(metric.type)) + ". " + std::string(metric.sentence));
    }
}

Page daemon_page() {
    Page page("data-importd", 8, "answers the requests of the data-import service");
    page.section("SYNOPSIS").text("data-importd [--config FILE] [--check-config | --print-config]");
    page.text("\n\ndata-importd --sample-config | --version | --help");
    page.section("DESCRIPTION")
        .text(
            "A master process opens the sockets and keeps pools of worker processes, which answer the "
            "requests that nginx passes on by FastCGI. It stays in the foreground and logs to standard "
            "error. It "
            "starts without a database, too, and answers 503 until the database is there and migrated.");
    page.section("OPTIONS")
        .item("--config FILE",
              "Read FILE and conf.d/*.conf beside it; " + std::string(config::default_file) + " if left out.")
        .item("--check-config", "Say whether the configuration is valid, and exit with 0 or 1.")
        .item("--print-config", "Print all settings as they are in force, without secrets.")
        .item("--sample-config", "Print a configuration file that explains all settings.")
        .item("--version", "Print the version.")
        .item("--help", "Print a short text.");
    page.section("SIGNALS")
        .item("HUP",
              "Read the configuration again and replace the workers one after another; no request is lost.")
        .item("TERM, INT", "Finish running requests within stop_timeout and stop.");
    add_metrics(page);
    return page.see_also("data-import.conf(5), data-importctl(1), nginx(8)");
}

Page configuration_page() {
    Page page("data-import.conf", 5, "settings of data-import");
    page.section("DESCRIPTION")
        .text(
            "Lines are `key = value`, blank, or comments that begin with #. The files conf.d/*.conf beside "
            "this one "
            "are read after it in the order of their names, and later values win. An unknown key, a key "
            "twice in "
            "one file and a value out of its range are refused.\n\n"
            "data-importctl config check says whether the configuration is right, and systemctl reload "
            "data-import "
            "puts it into force.");
    std::string group;
    for (const config::SettingDescription& setting : config::describe()) {
        if (setting.group != group) page.section(group = setting.group);
        const std::string value = setting.default_value.empty() ? "empty" : setting.default_value;
        page.item(setting.name,
                  setting.sentence + "\n\nAllowed: " + setting.range + ". Default: " + value + ".");
    }
    page.section("FILES").item(config::default_file, "The configuration.");
    return page.see_also("data-importd(8), data-importctl(1)");
}

Page csv_page() {
    Page page("data-import-csv", 5, "accounts as CSV, for data-importctl account load");
    page.section("DESCRIPTION")
        .text(
            "UTF-8 with the quoting of RFC 4180: records end with a line break, fields are parted by commas, "
            "and a "
            "field with a comma, a quote or a line break stands in double quotes, with quotes inside it "
            "doubled. "
            "The first record is the header and names all of these columns, in any order:");
    static const std::vector<std::string_view> meanings = {
        "The supplier's number of the account, 1 to 128 characters. Required, and once in a file.",
        "staged, in_progress, failed or imported. Required.",
        "The platform's number of an imported account; one is given out where it is empty.",
        "When the platform created an imported account, such as 2024-01-31T10:00:00Z; now where it is empty.",
        "First day of the statement period to open, such as 2024-01-01. Both days or none.",
        "Last day of the statement period."};
    for (std::size_t column = 0; column < ctl::account_columns.size(); ++column) {
        page.item(ctl::account_columns[column], meanings.at(column));
    }
    page.text(
        "An account that is there already moves to the given state where that step is allowed, is left alone "
        "where nothing changes, and is an error otherwise. All errors are reported with their lines, and "
        "nothing "
        "of a file with an error is stored.");
    page.section("EXAMPLE").example(
        "external_account_number,state,service_account_number,account_created_at,statement_from,statement_"
        "to\n"
        "4711,imported,A-1B2C3D4E,2024-01-31T10:00:00Z,2024-01-01,2024-12-31\n4712,staged,,,,");
    return page.see_also("data-importctl(1)");
}

Page ndjson_page() {
    Page page("data-import-ndjson", 5, "import requests as lines of JSON, for data-import-load");
    page.section("DESCRIPTION")
        .text(
            "UTF-8. Each line that is not blank is one request, a JSON object (RFC 8259) with these members "
            "and no "
            "others, in any order:");
    page.item("path", "The path of the request, with its query if it has one. It begins with /v1/.")
        .item("body", "The payload, a JSON object. It is sent byte for byte as it stands in the line.");
    page.text(
        "Requests travel side by side and in no fixed order. What has to be there first, such as market "
        "participants before their price sheets, belongs into a run of its own. The file of rejects has the "
        "lines that were not accepted exactly as they were read, so that it can be sent again once it is "
        "mended. "
        "The service describes all payloads under /docs/ and in /v1/openapi.json.");
    page.section("EXAMPLE").example(
        "{\"path\": \"/v1/data-import/notes/create/\", \"body\": {\"import_supplier\": \"ACME\",\n"
        "\"external_account_number\": \"4711\", \"notes\": [{\"body\": \"Hello\"}]}}");
    page.text("It is one line in the file.");
    return page.see_also("data-import-load(1)");
}

}  // namespace

std::vector<Page> pages() {
    return {ctl_page(), load_page(), daemon_page(), configuration_page(), csv_page(), ndjson_page()};
}

}  // namespace data_import::manual
