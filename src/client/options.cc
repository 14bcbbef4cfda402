#include "client/options.h"

#include <Poco/Exception.h>
#include <Poco/Net/IPAddress.h>
#include <Poco/URI.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "util/nearest_word.h"
#include "util/whole_number.h"

namespace data_import::client {

namespace {

struct Option {
    std::string_view name;
    std::string_view value;  ///< name of the value in the help; empty: the option takes none
    std::string sentence;
    std::function<void(Invocation&, const std::string&)> apply;
};

std::string in_quotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

std::uint64_t number_between(std::string_view option, const std::string& text, std::uint64_t least,
                             std::uint64_t most) {
    const auto number = util::whole_number<std::uint64_t>(text);
    if (!number || *number < least || *number > most) {
        throw UsageError("--" + std::string(option) + " takes a number from " + std::to_string(least) +
                         " to " + std::to_string(most) + ", not " + in_quotes(text));
    }
    return *number;
}

std::string to_text(std::uint64_t number) {
    return std::to_string(number);
}

std::string to_text(std::chrono::seconds time) {
    return std::to_string(time.count());
}

/// An option whose default is that of its member.
template <typename Value>
Option number_option(std::string_view name, std::string_view value, const std::string& sentence,
                     std::uint64_t least, std::uint64_t most, Value Options::*member) {
    return {name, value,
            sentence + ", " + to_text(least) + " to " + to_text(most) + " (default " +
                to_text(Options{}.*member) + ")",
            [=](Invocation& to, const std::string& text) {
                to.options.*member = Value(number_between(name, text, least, most));
            }};
}

std::vector<Option> describe_options() {
    return {
        {"url", "URL", "address of the service, such as https://import.example.com",
         [](Invocation& to, const std::string& text) {
             to.options.target = parse_url(text);
             to.options.url = text;
         }},
        {"ca-file", "F", "certificates (PEM) of the authorities to trust, instead of the system's",
         [](Invocation& to, const std::string& text) { to.options.ca_file = text; }},
        {"api-key-file", "F", "file that holds the API key and nothing else, closed to others (chmod 0600)",
         [](Invocation& to, const std::string& text) { to.options.api_key_file = text; }},
        {"proxy", "URL",
         "reach the service through this HTTP proxy, http://[USER:PASSWORD@]HOST[:PORT] (default: what "
         "https_proxy and no_proxy say)",
         [](Invocation& to, const std::string& text) {
             to.options.proxy = net::parse_proxy(text);
             if (!to.options.proxy) throw UsageError("--proxy takes http://[USER:PASSWORD@]HOST[:PORT]");
         }},
        {"decimal-comma", "", "read numbers of CSV files as 12,50 and 1.234,50",
         [](Invocation& to, const std::string&) { to.options.decimal_mark = DecimalMark::comma; }},
        {"check", "",
         "only check the files, by the rules of the service, without a connection; needs no --url",
         [](Invocation& to, const std::string&) { to.options.check = true; }},
        {"totals", "", "print what the files add up to: control totals, by supplier; needs no --url",
         [](Invocation& to, const std::string&) { to.options.totals = true; }},
        {"per-account", "F",
         "with --totals: write those of each account to F, as data-importctl reconcile reads them",
         [](Invocation& to, const std::string& text) { to.options.per_account_file = text; }},
        {"declare", "", "with --totals: declare them to the service, and print what it holds differently",
         [](Invocation& to, const std::string&) { to.options.declare = true; }},
        {"verify", "", "compare what the service holds with the files, and print the accounts that differ",
         [](Invocation& to, const std::string&) { to.options.verify = true; }},
        {"dry-run", "", "let the service check everything and store nothing",
         [](Invocation& to, const std::string&) { to.options.dry_run = true; }},
        {"single", "", "send each line as a request of its own, not many in one",
         [](Invocation& to, const std::string&) { to.options.single = true; }},
        number_option("connections", "N",
                      "requests at the same time at most; fewer where the service is busy", 1, 256,
                      &Options::connections),
        {"rate", "N", "lines a second at most, 1 to 1000000 (default: as many as the service takes)",
         [](Invocation& to, const std::string& text) {
             to.options.rate = number_between("rate", text, 1, 1'000'000);
         }},
        number_option("retries", "N", "repeats of one request at most", 0, 100, &Options::retries),
        number_option("timeout", "SECONDS", "time for one attempt as a whole", 1, 3600, &Options::timeout),
        {"rejects", "F", "write the lines that were not accepted to F, exactly as they were read",
         [](Invocation& to, const std::string& text) { to.options.rejects_file = text; }},
        {"report", "F",
         "write a line of JSON to F for each line that was not accepted: what is wrong with it",
         [](Invocation& to, const std::string& text) { to.options.report_file = text; }},
        {"journal", "F", "keep in F what has been settled, to go on from there (default: FILE.journal)",
         [](Invocation& to, const std::string& text) { to.options.journal_file = text; }},
        {"no-journal", "", "keep no journal: the next run sends everything again",
         [](Invocation& to, const std::string&) { to.options.no_journal = true; }},
        {"json", "", "print the summary, the totals of each account or the differences as JSON",
         [](Invocation& to, const std::string&) { to.options.json = true; }},
        {"help", "", "print this text", [](Invocation& to, const std::string&) { to.action = Action::help; }},
        {"version", "", "print the version",
         [](Invocation& to, const std::string&) { to.action = Action::version; }},
    };
}

const std::vector<Option>& all_options() {
    static const std::vector<Option> options = describe_options();
    return options;
}

const Option& find_option(std::string_view name) {
    const auto& options = all_options();
    const auto found = std::find_if(options.begin(), options.end(),
                                    [name](const Option& option) { return option.name == name; });
    if (found == options.end()) {
        std::vector<std::string> known;
        for (const Option& option : options) known.push_back("--" + std::string(option.name));
        const std::string given = "--" + std::string(name);
        const auto meant = util::nearest_word(given, known);
        throw UsageError("there is no option " + given + (meant ? "; did you mean " + *meant + "?" : ""));
    }
    return *found;
}

bool is_loopback(const std::string& host) {
    Poco::Net::IPAddress address;
    if (Poco::Net::IPAddress::tryParse(host, address)) return address.isLoopback();
    return host == "localhost";
}

void require_one_purpose(const Options& options) {
    const std::pair<bool, std::string_view> purposes[] = {{options.check, "--check"},
                                                          {options.dry_run, "--dry-run"},
                                                          {options.totals, "--totals"},
                                                          {options.verify, "--verify"}};
    std::string_view first;
    for (const auto& [is_given, name] : purposes) {
        if (is_given && !first.empty())
            throw UsageError(std::string(first) + " and " + std::string(name) + " exclude each other");
        if (is_given) first = name;
    }
    if (options.declare && !options.totals) throw UsageError("--declare declares what --totals adds up");
    if (!options.per_account_file.empty() && !options.totals)
        throw UsageError("--per-account writes down what --totals adds up");
}

/// A file with lines of two kinds could not be read again. What is not a regular file, as /dev/null, may take
/// both.
void require_files_of_their_own(const Options& options) {
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
            throw UsageError(std::string(other->second) + " and " + std::string(what) +
                             " would write the same file " + name);
    }
}

void require_complete(const Options& options) {
    require_one_purpose(options);
    const bool asks_service = !options.check && (!options.totals || options.declare);
    if (asks_service && options.target.server.host.empty()) throw UsageError("--url URL is missing");
    if (asks_service && options.api_key_file.empty()) throw UsageError("--api-key-file F is missing");
    if (options.no_journal && !options.journal_file.empty())
        throw UsageError("--journal and --no-journal exclude each other");
    if (options.files.empty()) throw UsageError("name at least one FILE, or - for standard input");
    const auto standard_input = std::count(options.files.begin(), options.files.end(), "-");
    if (standard_input > 1) throw UsageError("standard input (-) can be read only once");
    if (standard_input > 0 && !options.journal_file.empty())
        throw UsageError("there is no journal of standard input (-), which cannot be read again");
    require_files_of_their_own(options);
}

/// The arguments one after another; knows which options have been seen.
class Arguments {
public:
    explicit Arguments(const std::vector<std::string>& arguments) : arguments_(arguments) {}

    Invocation parse() {
        while (next_ < arguments_.size()) {
            const std::string& argument = arguments_[next_++];
            if (only_files_ || !argument.starts_with("-") || argument == "-") {
                invocation_.options.files.push_back(argument);
            } else if (argument == "--") {
                only_files_ = true;
            } else if (!argument.starts_with("--")) {
                throw UsageError("there is no option " + argument);
            } else {
                take_option(argument.substr(2));
            }
        }
        return std::move(invocation_);
    }

private:
    void take_option(const std::string& text) {
        const std::size_t equals = text.find('=');
        const Option& option = find_option(std::string_view(text).substr(0, equals));
        const bool has_value = equals != std::string::npos;
        if (!seen_.insert(option.name).second) {
            throw UsageError("--" + std::string(option.name) + " is given twice");
        }
        if (option.value.empty()) {
            if (has_value) throw UsageError("--" + std::string(option.name) + " takes no value");
            option.apply(invocation_, {});
        } else {
            option.apply(invocation_, has_value ? text.substr(equals + 1) : following_value(option));
        }
    }

    std::string following_value(const Option& option) {
        if (next_ == arguments_.size()) {
            throw UsageError("--" + std::string(option.name) + " needs a value: --" +
                             std::string(option.name) + " " + std::string(option.value));
        }
        return arguments_[next_++];
    }

    const std::vector<std::string>& arguments_;
    std::size_t next_ = 0;
    bool only_files_ = false;
    std::set<std::string_view> seen_;
    Invocation invocation_;
};

}  // namespace

Target parse_url(const std::string& url) {
    const std::string expected = "--url takes https://HOST[:PORT], not " + in_quotes(url);
    try {
        const Poco::URI parsed(url);
        if (parsed.getHost().empty() || !parsed.getUserInfo().empty() || !parsed.getRawQuery().empty() ||
            !parsed.getFragment().empty() || parsed.getPort() == 0) {
            throw UsageError(expected);
        }
        Target target{
            parsed.getScheme() == "https", {parsed.getHost(), parsed.getPort()}, parsed.getPathEtc()};
        while (target.prefix.ends_with('/')) target.prefix.pop_back();
        if (!target.secure && parsed.getScheme() != "http") throw UsageError(expected);
        if (!target.secure && !is_loopback(target.server.host)) {
            throw UsageError("--url takes https://HOST[:PORT]; plain http is for loopback addresses only");
        }
        return target;
    } catch (const Poco::Exception&) {
        throw UsageError(expected);
    }
}

Invocation parse_arguments(const std::vector<std::string>& arguments) {
    Invocation invocation = Arguments(arguments).parse();
    if (invocation.action == Action::load) require_complete(invocation.options);
    return invocation;
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

std::string help_text() {
    std::string text =
        "Usage: data-import-load --url URL --api-key-file F [OPTION ...] FILE ...\n"
        "       data-import-load --check [OPTION ...] FILE ...\n"
        "       data-import-load --totals [--declare --url URL --api-key-file F] [OPTION ...] FILE ...\n"
        "       data-import-load --verify --url URL --api-key-file F [OPTION ...] FILE ...\n"
        "\n"
        "Sends import requests to the service. Each line of a FILE (- is standard input) is one request:\n"
        "    {\"path\": \"/v1/data-import/notes/create/\", \"body\": {...}}\n"
        "The body is sent byte for byte as it stands in the line. A FILE of CSV has records with the names "
        "of "
        "the\n"
        "fields as its header (data-import-csv(5)): separated by comma, semicolon or tab, as UTF-8 or "
        "UTF-16. "
        "Its\n"
        "last record needs a line break. Files may be packed with gzip or zstd. Of a directory, its .ndjson, "
        ".jsonl\n"
        "and .csv files are loaded, whatever the case of their names; what is passed over is told.\n"
        "\n"
        "Options:\n";
    for (const Option& option : all_options()) {
        std::string form = "  --" + std::string(option.name);
        if (!option.value.empty()) form += " " + std::string(option.value);
        form.resize(std::max<std::size_t>(form.size() + 1, 22), ' ');
        text += form + option.sentence + "\n";
    }
    text +=
        "\n"
        "Example:\n"
        "    data-import-load --url https://import.example.com --api-key-file api-key \\\n"
        "        --rejects rejects.ndjson --report report.ndjson notes.ndjson transactions.ndjson\n"
        "\n"
        "Requests for one account are carried out in their order, all others in any: what has to be there\n"
        "first (market participants before their price sheets) belongs into a run of its own. A request "
        "that\n"
        "gets no answer, or is told to come again later, is repeated. One with check_previously_added=false "
        "has an\n"
        "Idempotency-Key, so that it is carried out once, however often it is sent.\n"
        "After an interruption, run the same command again: it goes on where it ended.\n"
        "\n"
        "Totals count what the service would store of these files alone, in their order: repeats once, lines "
        "that\n"
        "it would refuse not at all; these are told on standard error, and by exit status 1. Some 100 bytes "
        "a "
        "record\n"
        "wait in a temporary file (TMPDIR), 64 GiB at most.\n"
        "\n"
        "Exit status: 0 all lines accepted; 1 something was refused or differs, or the run cannot begin or "
        "go "
        "on;\n"
        "2 wrong usage; 3 ended before everything was delivered: go on by the same command; 141 nobody reads "
        "the\n"
        "output.\n";
    return text;
}

}  // namespace data_import::client
