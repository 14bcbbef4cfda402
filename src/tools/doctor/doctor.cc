#include "tools/doctor/doctor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <regex>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "data/json/writer.h"
#include "data/store/diagnosis.h"
#include "tools/console/bounded.h"
#include "tools/console/colour.h"
#include "tools/console/text_table.h"

namespace data_import::doctor {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct Check {
    std::string_view subject;
    Findings (*look)(Context&);
    bool needs_service = false;  ///< the check is left out while the service does not run
};

constexpr std::array checks{
    Check{"service", check_unit},
    Check{"configuration", check_configuration},
    Check{"signing keys", check_signing_keys},
    Check{"database", check_database},
    Check{"service's session", check_service_session},
    Check{"control totals", check_control_totals},
    Check{"consumers", check_consumers},
    Check{"erasures", check_erasures},
    Check{"database hosts", check_database_hosts},
    Check{"shared signing keys", check_shared_keys},
    Check{"network of the service", check_network},
    Check{"pools", check_pools, true},
    Check{"running service", check_running_program, true},
    Check{"start at boot", check_boot},
    Check{"nginx site", check_site},
    Check{"certificate", check_certificate},
    Check{"limits", check_limits},
    Check{"https", check_https, true},
    Check{"metrics", check_metrics, true},
    Check{"acts of operators", check_operators},
    Check{"payment vendors", check_vendors},
    Check{"answers of vendors", check_vendor_failures},
    Check{"clock", check_clock},
    Check{"disk space", check_disk},
};

constexpr auto limit_of_one = 15s;
constexpr auto limit_of_all = 60s;

constexpr char end_of_field = '\x1F';
constexpr char end_of_finding = '\x1E';

/// Packs findings into a text, by which the child process of a check hands them to its parent.
std::string pack(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        text += static_cast<char>('0' + static_cast<int>(finding.health));
        for (const std::string* field : {&finding.subject, &finding.text, &finding.remedy}) {
            text += console::in_one_line(*field) + end_of_field;
        }
        text += end_of_finding;
    }
    return text;
}

std::string take_field(std::string_view& text, char end) {
    const std::size_t length = text.find(end);
    const std::string field(text.substr(0, length));
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
    return field;
}

Findings unpack(std::string_view text) {
    Findings findings;
    while (!text.empty()) {
        const std::string packed = take_field(text, end_of_finding);
        std::string_view rest(packed);
        Finding finding{static_cast<Health>(rest.front() - '0'), "", "", ""};
        rest.remove_prefix(1);
        for (std::string* field : {&finding.subject, &finding.text, &finding.remedy}) {
            *field = take_field(rest, end_of_field);
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

Findings run(const Check& check, Context& context, Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    const std::string subject(check.subject);
    const std::string again = own_command(context, "doctor");
    try {
        if (left <= 0s) throw console::TimeOver("the time for all checks is over");
        return unpack(console::run_bounded([&] { return pack(check.look(context)); },
                                           std::min<std::chrono::milliseconds>(limit_of_one, left)));
    } catch (const std::exception& failure) {
        return {unseen(subject, std::string("could not be checked: ") + failure.what(), again)};
    }
}

/// Lets nginx read its configuration for all checks of it, before they run in processes of their own: it
/// takes nginx a tenth of a second. The checks report a failure.
void read_nginx(const Context& context) {
    if (!console::Site(context.settings().nginx_config).is_enabled()) return;
    try {
        static_cast<void>(nginx_configuration(context));
    } catch (const std::exception&) {
    }
}

std::string_view word(Health health) {
    constexpr std::array<std::string_view, 4> words{"ok", "warning", "FAULT", "not seen"};
    return words[static_cast<std::size_t>(health)];
}

console::Colour colour_of(Health health) {
    constexpr std::array<console::Colour, 4> colours{console::Colour::good, console::Colour::warning,
                                                     console::Colour::bad, console::Colour::warning};
    return colours[static_cast<std::size_t>(health)];
}

bool is_wrong(const Finding& finding) {
    return finding.health == Health::fault || finding.health == Health::warning;
}

bool is_fault(const Finding& finding) {
    return finding.health == Health::fault;
}

bool lacks_keys(const Finding& refused) {
    return refused.text.find("no signing keys") != std::string::npos;
}

/// Returns whether `cause` explains the fault `refused`, which says that requests are answered 503. `cause`
/// has to be a fault with a remedy. If `refused` says that signing keys are missing, `cause` has to be about
/// signing keys; otherwise it has to be about the database.
bool explains(const Finding& cause, const Finding& refused) {
    constexpr std::array<std::string_view, 11> of_database{
        "connection parameters", "PostgreSQL",    "connections", "roles",      "rights",  "migrations",
        "service's session",     "database host", "replication", "disk space", "database"};
    return is_fault(cause) && !cause.remedy.empty() &&
           (lacks_keys(refused) ? cause.subject == "signing keys"
                                : std::ranges::find(of_database, cause.subject) != of_database.end());
}

/// Gives each fault that has no remedy the remedy of the first fault that explains it, or else a command that
/// looks further.
void give_remedies(Findings& findings, const Context& context) {
    for (Finding& refused : findings) {
        if (!is_fault(refused) || !refused.remedy.empty()) continue;
        const auto cause =
            std::ranges::find_if(findings, [&](const Finding& other) { return explains(other, refused); });
        refused.remedy = cause != findings.end() ? cause->remedy
                         : lacks_keys(refused)   ? own_command(context, "signing-key list")
                                                 : own_command(context, "db check");
    }
}

/// Returns `27 checks: 2 faults, 2 warnings`. Counts every finding, also if several have the same remedy.
std::string summary_of(const Findings& findings) {
    const auto count = [&](Health health) {
        return static_cast<std::size_t>(std::ranges::count(findings, health, &Finding::health));
    };
    std::vector<std::string> parts;
    if (count(Health::fault) > 0) parts.push_back(util::counted(count(Health::fault), "fault"));
    if (count(Health::warning) > 0) parts.push_back(util::counted(count(Health::warning), "warning"));
    if (count(Health::unseen) > 0) parts.push_back(std::to_string(count(Health::unseen)) + " not seen");
    return util::counted(findings.size(), "check") + ": " +
           (parts.empty() ? "nothing is wrong" : util::joined(parts));
}

bool is_masked(const std::string& unit) {
    return console::run_program({"systemctl", "show", "--property=LoadState", "--value", unit}, 3s)
        .output.starts_with("masked");
}

std::string_view json_word(Health health) {
    constexpr std::array<std::string_view, 4> words{"ok", "warning", "fault", "unseen"};
    return words[static_cast<std::size_t>(health)];
}

}  // namespace

// Stops after the check of the configuration if the configuration cannot be read, because all other checks
// look at places that the configuration names.
Findings examine(Context& context) {
    const auto end = Clock::now() + limit_of_all;
    Findings findings;
    bool is_down = false;
    for (const Check& check : checks) {
        if (is_down && check.needs_service) continue;
        if (check.look == check_site) read_nginx(context);
        const Findings found = run(check, context, end);
        append(findings, found);
        is_down = is_down || (check.look == check_unit && std::ranges::any_of(found, is_fault));
        const bool is_lost = check.look == check_configuration && found.front().health != Health::ok;
        if (!is_lost) continue;
        findings.push_back(unseen("all else", "is checked when the configuration can be read",
                                  own_command(context, "doctor")));
        break;
    }
    give_remedies(findings, context);
    for (Finding& finding : findings) finding.remedy = unmask_first(finding.remedy, is_masked);
    return findings;
}

std::string unmask_first(const std::string& remedy,
                         const std::function<bool(const std::string&)>& is_masked) {
    static const std::regex form("systemctl (?:start|restart) ([a-z.-]+).*");
    std::smatch parts;
    if (!std::regex_match(remedy, parts, form)) return remedy;
    std::string masked;
    const std::string unit = parts[1];
    const std::string socket = unit == "data-import" ? "data-import.socket" : "";
    for (const std::string& name : {unit, socket}) {
        if (!name.empty() && is_masked(name)) masked += " " + name;
    }
    return masked.empty() ? remedy : "systemctl unmask" + masked + " && " + remedy;
}

std::vector<Findings> by_cause(const Findings& findings) {
    std::vector<Findings> causes;
    for (const Finding& finding : findings) {
        const auto cause = std::ranges::find_if(causes, [&](const Findings& known) {
            return is_wrong(finding) && is_wrong(known.front()) && known.front().remedy == finding.remedy;
        });
        if (cause == causes.end())
            causes.push_back({finding});
        else
            cause->insert(finding.health == Health::fault && cause->front().health != Health::fault
                              ? cause->begin()
                              : cause->end(),
                          finding);
    }
    return causes;
}

std::string text_of(const Findings& findings) {
    std::size_t width = 0;
    for (const Finding& finding : findings) width = std::max(width, finding.subject.size());
    constexpr std::size_t word_width = 10;
    const std::size_t indent = word_width + width + 2;
    std::string text;
    for (const Findings& cause : by_cause(findings)) {
        for (const Finding& finding : cause) {
            std::string state(word(finding.health));
            state.resize(word_width, ' ');
            text += console::coloured(std::move(state), colour_of(finding.health)) + finding.subject +
                    std::string(width + 2 - finding.subject.size(), ' ') +
                    console::wrapped(finding.text, indent, false) + "\n";
        }
        const std::string& remedy = cause.front().remedy;
        if (!remedy.empty()) text += std::string(indent, ' ') + "-> " + remedy + "\n";
        if (const auto section = section_about(cause.front().subject);
            is_wrong(cause.front()) && !section.empty())
            text += std::string(indent + 3, ' ') + "(handbook: " + std::string(section) + ")\n";
    }
    return text + summary_of(findings) + "\n";
}

std::string commands_of(const Findings& findings) {
    static const std::regex for_terminal(
        "(^|[;&'] *)(editor|ssh|top|systemctl edit) |/dev/stdin|[;] *top$|\\\\password");
    std::string text;
    for (const Findings& cause : by_cause(findings)) {
        const std::string& remedy = cause.front().remedy;
        if (!is_wrong(cause.front()) || remedy.empty()) continue;
        const std::string command = remedy.substr(0, remedy.find("   # "));
        text += (std::regex_search(command, for_terminal) ? "# " : "") + remedy + "\n";
    }
    return text;
}

std::string json_of(const Findings& findings) {
    json::Writer writer;
    writer.begin_array();
    for (const Finding& finding : findings) {
        writer.begin_object().key("health").string(json_word(finding.health));
        writer.key("subject").string(finding.subject).key("finding").string(finding.text);
        writer.key("remedy");
        finding.remedy.empty() ? writer.null() : writer.string(finding.remedy);
        writer.key("handbook");
        const std::string_view section = section_about(finding.subject);
        section.empty() ? writer.null() : writer.string(section);
        writer.end_object();
    }
    return writer.end_array().take() + "\n";
}

void keep(Context& context, const Findings& findings) {
    try {
        static_cast<void>(console::run_bounded(
            [&] {
                store::keep_doctor_run(context.database(),
                                       {.by = context.acting_operator(), .findings = json_of(findings)},
                                       Context::soon());
                return std::string();
            },
            limit_of_one));
    } catch (const std::exception&) {
    }
}

std::string own_command(const Context& context, std::string_view words,
                        const std::vector<std::string>& arguments, std::string options) {
    if (context.config_file() != config::default_file)
        options += util::shell_command(" --config", {context.config_file().string()});
    return std::string(console::program_name) + " " + util::shell_command(words, arguments, options);
}

std::string as_root(const Context& context) {
    return util::with_remark(own_command(context, "doctor"), "as root");
}

}  // namespace data_import::doctor
