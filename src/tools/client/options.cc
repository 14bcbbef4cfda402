#include "tools/client/options.h"

#include <Poco/Exception.h>
#include <Poco/Net/IPAddress.h>
#include <Poco/URI.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/texts/texts.h"
#include "base/util/date_form.h"
#include "base/util/text.h"
#include "base/util/whole_number.h"

namespace data_import::client {

namespace {

using command_line::Check;
using command_line::Invocation;

/// An option, and the function that puts its value into Options.
struct OptionRow {
    command_line::Option option;
    std::function<void(Options&, const std::string&)> apply;
};

std::string in_quotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

Check number_between(std::uint64_t least, std::uint64_t most) {
    return [=](std::string_view text) -> std::optional<std::string> {
        const auto number = util::whole_number<std::uint64_t>(text);
        if (number && *number >= least && *number <= most) return std::nullopt;
        return "takes a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
               in_quotes(text);
    };
}

std::string to_text(std::uint64_t number) {
    return std::to_string(number);
}

std::string to_text(std::chrono::seconds time) {
    return std::to_string(time.count());
}

/// Returns an option that takes a number. Its default is the initial value of `member`.
template <typename Value>
OptionRow number_row(std::string_view name, std::string_view value, const std::string& phrase,
                     std::uint64_t least, std::uint64_t most, Value Options::*member) {
    return {{name, value, number_between(least, most),
             phrase + ", " + to_text(least) + " to " + to_text(most) + " (default " +
                 to_text(Options{}.*member) + ")."},
            [member](Options& to, const std::string& text) {
                to.*member = Value(util::whole_number<std::uint64_t>(text).value());
            }};
}

OptionRow flag_row(std::string_view name, const std::string& sentence, bool Options::*member) {
    return {{name, "", nullptr, sentence}, [member](Options& to, const std::string&) { to.*member = true; }};
}

OptionRow file_row(std::string_view name, const std::string& sentence, std::string Options::*member) {
    return {{name, "F", nullptr, sentence},
            [member](Options& to, const std::string& text) { to.*member = text; }};
}

std::optional<std::string> check_url(std::string_view text) {
    try {
        static_cast<void>(parse_url(std::string(text)));
        return std::nullopt;
    } catch (const std::invalid_argument& wrong) {
        return wrong.what();
    }
}

std::optional<std::string> check_proxy(std::string_view text) {
    if (net::parse_proxy(std::string(text))) return std::nullopt;
    return "takes http://[USER:PASSWORD@]HOST[:PORT]";
}

std::optional<std::string> check_date_form(std::string_view text) {
    if (util::DateForm::of(text)) return std::nullopt;
    return "takes day (DD or D), month (MM or M) and year (YYYY) in the order of your files, such as "
           "DD.MM.YYYY, "
           "MM/DD/YYYY or YYYYMMDD, not " +
           in_quotes(text);
}

/// Returns a column's name as CsvHeader has it: in lower case, without blanks around it.
std::string column_name(std::string_view text) {
    return util::lowered(util::trimmed(text));
}

/// Splits `COLUMN=FIELD` at the last equals sign, because a column's name may have one and no field has.
std::pair<std::string, std::string> mapping_of(std::string_view text) {
    const std::size_t equals = std::min(text.rfind('='), text.size());
    return {column_name(text.substr(0, equals)), column_name(text.substr(std::min(equals + 1, text.size())))};
}

std::optional<std::string> check_mapping(std::string_view text) {
    const auto [column, field] = mapping_of(text);
    if (column.empty() || field.empty())
        return "takes COLUMN=FIELD, such as VKONT=external_account_number, not " + in_quotes(text);
    if (is_field_of_an_import(field)) return std::nullopt;
    return "takes a field of an import after the equals sign, such as VKONT=external_account_number; no "
           "import has "
           "the field " +
           in_quotes(field);
}

std::vector<OptionRow> describe_options() {
    return {
        {{"--url", "URL", check_url, "Address of the service, such as https://import.example.com."},
         [](Options& to, const std::string& text) {
             to.target = parse_url(text);
             to.url = text;
         }},
        file_row("--ca-file", "Certificates (PEM) of the authorities to trust, instead of the system's.",
                 &Options::ca_file),
        file_row("--api-key-file",
                 "File that holds only the API key and that others cannot read (chmod 0600).",
                 &Options::api_key_file),
        {{"--proxy", "URL", check_proxy,
          "Connect through this HTTP proxy, http://[USER:PASSWORD@]HOST[:PORT] (default: the environment "
          "variables https_proxy, all_proxy and no_proxy)."},
         [](Options& to, const std::string& text) { to.proxy = net::parse_proxy(text); }},
        {{"--decimal-comma", "", nullptr,
          "Read numbers of CSV files as 12,50 and 1.234,50, also 12,50-, (12,50), 12,50 EUR and 1'234,50."},
         [](Options& to, const std::string&) { to.csv.decimal_comma = true; }},
        {{"--dates", "FORM", check_date_form,
          "Read dates of CSV files in this form, too: DD.MM.YYYY, MM/DD/YYYY, YYYYMMDD and so on; D and M "
          "also have one digit."},
         [](Options& to, const std::string& text) { to.csv.dates = util::DateForm::of(text); }},
        {.option = {.name = "--map",
                    .value = "COLUMN=FIELD",
                    .check = check_mapping,
                    .sentence = "The column COLUMN of CSV files holds FIELD.",
                    .is_list = true},
         .apply =
             [](Options& to, const std::string& text) {
                 const auto [column, field] = mapping_of(text);
                 to.csv.fields.insert_or_assign(column, field);
             }},
        {.option = {.name = "--ignore-column",
                    .value = "NAME",
                    .check = nullptr,
                    .sentence = "Leave this column of CSV files out.",
                    .is_list = true},
         .apply = [](Options& to,
                     const std::string& text) { to.csv.ignored_columns.insert(column_name(text)); }},
        flag_row("--check",
                 "Only check the files by the rules of the service, without a connection. Needs no --url.",
                 &Options::check),
        flag_row("--totals", "Add up the files and print control totals for each supplier. Needs no --url.",
                 &Options::totals),
        file_row("--per-account",
                 "With --totals: write the totals of each account to F, for data-importctl reconcile.",
                 &Options::per_account_file),
        flag_row("--declare",
                 "With --totals: declare the totals to the service, and print the figures that differ.",
                 &Options::declare),
        flag_row("--verify",
                 "Compare the service's records with the files, and print the accounts that differ.",
                 &Options::verify),
        flag_row("--dry-run", "Let the service check everything and store nothing.", &Options::dry_run),
        flag_row("--single", "Send each request alone, instead of many in one bulk request.",
                 &Options::single),
        number_row("--connections", "N",
                   "Connections to the service at most; fewer while it answers 429 or late", 1, 256,
                   &Options::connections),
        {{"--rate", "N", number_between(1, 1'000'000),
          "Requests a second at most, 1 to 1000000 (default: as many as the service accepts)."},
         [](Options& to, const std::string& text) {
             to.rate = util::whole_number<std::size_t>(text).value();
         }},
        number_row("--retries", "N", "Retries of one request at most", 0, 100, &Options::retries),
        number_row("--timeout", "SECONDS", "Time for one attempt in seconds", 1, 3600, &Options::timeout),
        file_row(
            "--rejects",
            "Write the lines that were not accepted to F, exactly as they were read. If F is a directory, "
            "such as rejects/: a file for each input file, with the reasons.",
            &Options::rejects_file),
        file_row("--report", "Write to F why each request was not accepted, as lines of JSON.",
                 &Options::report_file),
        file_row("--journal",
                 "Record progress in F, so that an interrupted run can resume (default: FILE.journal).",
                 &Options::journal_file),
        flag_row("--no-journal", "Keep no journal: the next run sends everything again.",
                 &Options::no_journal),
        flag_row("--json", "Print the summary, the totals of each account or the differences as JSON.",
                 &Options::json),
    };
}

const std::vector<OptionRow>& rows() {
    static const std::vector<OptionRow> all = describe_options();
    return all;
}

std::vector<command_line::Option> all_options() {
    std::vector<command_line::Option> options;
    for (const OptionRow& row : rows()) options.push_back(row.option);
    options.push_back({"--help", "", nullptr, "Print this text."});
    options.push_back({"--version", "", nullptr, "Print the version."});
    return options;
}

bool is_loopback(const std::string& host) {
    Poco::Net::IPAddress address;
    if (Poco::Net::IPAddress::tryParse(host, address)) return address.isLoopback();
    return host == "localhost";
}

void require_one_purpose(const Options& options, const Invocation& invocation) {
    const std::pair<bool, std::string_view> purposes[] = {{options.check, "--check"},
                                                          {options.dry_run, "--dry-run"},
                                                          {options.totals, "--totals"},
                                                          {options.verify, "--verify"}};
    std::string_view first;
    for (const auto& [is_given, name] : purposes) {
        if (is_given && !first.empty())
            invocation.refuse(std::string(first) + " and " + std::string(name) + " exclude each other");
        if (is_given) first = name;
    }
    if (options.declare && !options.totals) invocation.refuse("--declare declares what --totals adds up");
    if (!options.per_account_file.empty() && !options.totals)
        invocation.refuse("--per-account writes down what --totals adds up");
}

/// Refuses a file that two options would write, because its lines would be mixed. A file that is not regular,
/// such as /dev/null, may be named twice.
void require_files_of_their_own(const Options& options, const Invocation& invocation) {
    namespace fs = std::filesystem;
    const std::pair<std::string_view, std::string> written[] = {{"--rejects", options.rejects_file},
                                                                {"--report", options.report_file},
                                                                {"--per-account", options.per_account_file},
                                                                {"the journal", journal_of(options)}};
    std::map<fs::path, std::string_view> seen;
    for (const auto& [what, name] : written) {
        std::error_code ignored;
        if (name.empty() || (fs::exists(name, ignored) && !fs::is_regular_file(name, ignored))) continue;
        const auto [other, is_first] =
            seen.emplace(fs::weakly_canonical(fs::absolute(name, ignored), ignored), what);
        if (!is_first)
            invocation.refuse(std::string(other->second) + " and " + std::string(what) +
                              " would write the same file " + name);
    }
}

void require_one_meaning(const CsvReading& csv, const Invocation& invocation) {
    for (const std::string& mapping : invocation.options("--map")) {
        const auto [column, field] = mapping_of(mapping);
        if (csv.fields.at(column) != field)
            invocation.refuse("--map names two fields of the column " + column);
        if (csv.ignored_columns.contains(column))
            invocation.refuse("--map and --ignore-column both name the column " + column);
    }
}

bool is_standard_input(std::string_view file) {
    return file == "/dev/stdin" || file == "/dev/fd/0" || file == "/proc/self/fd/0";
}

void require_complete(const Options& options, const Invocation& invocation) {
    require_one_purpose(options, invocation);
    const bool asks_service = !options.check && (!options.totals || options.declare);
    if (asks_service && options.target.server.host.empty()) invocation.refuse("--url URL is missing");
    if (asks_service && options.api_key_file.empty()) invocation.refuse("--api-key-file F is missing");
    if (options.no_journal && !options.journal_file.empty())
        invocation.refuse("--journal and --no-journal exclude each other");
    if (options.files.empty()) invocation.refuse("name at least one FILE, or - for standard input");
    const auto standard_input = std::count(options.files.begin(), options.files.end(), "-");
    if (standard_input > 1) invocation.refuse("standard input (-) can be read only once");
    if (standard_input > 0 && is_standard_input(options.api_key_file))
        invocation.refuse("standard input cannot be both the API key file and a FILE (-)");
    if (standard_input > 0 && !options.journal_file.empty())
        invocation.refuse("there is no journal of standard input (-), which cannot be read again");
    require_files_of_their_own(options, invocation);
    require_one_meaning(options.csv, invocation);
}

/// Returns the values that an option was given; one empty value for a flag that was given.
std::vector<std::string> values_of(const Invocation& invocation, std::string_view option) {
    std::vector<std::string> values = invocation.options(option);
    if (values.empty() && invocation.has(option)) values.emplace_back();
    return values;
}

}  // namespace

const command_line::Program& program_table() {
    static const command_line::Program table{
        .name = program,
        .synopsis = {"data-import-load --url URL --api-key-file F [OPTION ...] FILE ...",
                     "data-import-load --check [OPTION ...] FILE ...",
                     "data-import-load --totals [--declare --url URL --api-key-file F] [OPTION ...] FILE ...",
                     "data-import-load --verify --url URL --api-key-file F [OPTION ...] FILE ..."},
        .commands = {{.group = {},
                      .verb = {},
                      .arguments = {{.name = "FILE", .check = nullptr, .is_optional = true, .is_list = true}},
                      .options = all_options(),
                      .sentence = {},
                      .example = "--url https://import.example.com --api-key-file api-key \\\n"
                                 "    --rejects rejects.ndjson --report report.ndjson notes.ndjson "
                                 "transactions.ndjson"}},
        .common_options = {},
        .help = texts::data_import_load_help,
        .sentence_column = 20,
        .names = nullptr};
    return table;
}

Options options_of(const Invocation& invocation) {
    Options options;
    options.files = invocation.arguments();
    for (const OptionRow& row : rows()) {
        for (const std::string& value : values_of(invocation, row.option.name)) row.apply(options, value);
    }
    require_complete(options, invocation);
    return options;
}

Target parse_url(const std::string& url) {
    const std::string expected = "takes https://HOST[:PORT], not " + in_quotes(url);
    try {
        const Poco::URI parsed(url);
        if (parsed.getHost().empty() || !parsed.getUserInfo().empty() || !parsed.getRawQuery().empty() ||
            !parsed.getFragment().empty() || parsed.getPort() == 0) {
            throw std::invalid_argument(expected);
        }
        Target target{
            parsed.getScheme() == "https", {parsed.getHost(), parsed.getPort()}, parsed.getPathEtc()};
        while (target.prefix.ends_with('/')) target.prefix.pop_back();
        if (target.prefix.ends_with("/v1") || target.prefix.find("/v1/data-import") != std::string::npos)
            throw std::invalid_argument("takes the address without /v1, not " + in_quotes(url));
        if (!target.secure && parsed.getScheme() != "http") throw std::invalid_argument(expected);
        if (!target.secure && !is_loopback(target.server.host)) {
            throw std::invalid_argument(
                "takes https://HOST[:PORT]; plain http is for loopback addresses only");
        }
        return target;
    } catch (const Poco::Exception&) {
        throw std::invalid_argument(expected);
    }
}

void choose_proxy(Options& options, const std::function<const char*(const char* name)>& variable) {
    options.target.proxy = options.proxy;
    const bool asks_environment = !options.proxy && options.target.secure && !options.url.empty();
    if (asks_environment) options.target.proxy = net::proxy_of_environment(options.target.server, variable);
}

std::string journal_of(const Options& options) {
    const bool stores = !options.check && !options.dry_run && !options.totals && !options.verify;
    if (!stores || options.no_journal || std::ranges::count(options.files, "-") > 0) return {};
    if (!options.journal_file.empty()) return options.journal_file;
    std::string first = options.files.front();
    while (first.size() > 1 && first.ends_with('/')) first.pop_back();
    return first + ".journal";
}

}  // namespace data_import::client
