// Checks of payment vendors: their files, the way to each of them, and whether their last answers failed.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/config/key_values.h"
#include "base/util/shell_command.h"
#include "data/payment_vendors/client.h"
#include "data/payment_vendors/configuration.h"
#include "data/store/payment_instructions.h"
#include "tools/console/bounded.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{5};

std::string subject_of(const fs::path& file) {
    return "vendor " + file.stem().string();
}

/// Returns the fault of the file `secret`: the service's user cannot read it, or another group than the
/// service's can. `status` is the file's status. Returns an empty text if there is no fault.
///
/// Returns an empty text, too, if this process is not root, because only root can become the service's user.
std::string secret_fault(const fs::path& secret, const struct stat& status) {
    if (geteuid() != 0) return "";
    return console::run_bounded(
        [&]() -> std::string {
            become_service();
            if (access(secret.c_str(), R_OK) != 0)
                return "the service cannot read its secret_file " + secret.string();
            if (geteuid() == 0 || (status.st_mode & S_IRGRP) == 0 || status.st_gid == getegid()) return "";
            return "its secret_file " + secret.string() + " belongs to group " + group_name(status.st_gid) +
                   ": its members have the secret";
        },
        patience);
}

Finding check_secret(const std::string& vendor, const fs::path& secret) {
    const FileState state = look_at(secret);
    const std::string make =
        util::shell_command("install -m 0640 -g data-import /dev/stdin", {secret.string()});
    const std::string close = util::shell_command("chmod 0640", {secret.string()});
    if (state.error == EACCES)
        return unseen(vendor, "its secret_file cannot be seen by this user",
                      util::shell_command("ls -l", {secret.string()}));
    if (state.error != 0)
        return fault(vendor, "its secret_file " + secret.string() + ": " + std::strerror(state.error), make);
    if ((state.status.st_mode & S_IRWXO) != 0) {
        return fault(vendor,
                     "its secret_file " + secret.string() + " has mode " + octal(state.status.st_mode) +
                         ": everybody on this machine has the secret",
                     close);
    }
    if (state.status.st_size == 0)
        return fault(vendor, "its secret_file " + secret.string() + " is empty", make);
    if (const std::string wrong = secret_fault(secret, state.status); !wrong.empty()) {
        return fault(
            vendor, wrong,
            util::with_remark(util::shell_command("chgrp data-import", {secret.string()}) + " && " + close,
                              "and let the service enter its directories"));
    }
    if (access(secret.c_str(), R_OK) != 0)
        return unseen(vendor, "this user cannot read its secret, which is right",
                      util::shell_command("ls -l", {secret.string()}));
    return ok(vendor, "only the service can read its secret");
}

Finding check_vendor_file(const Context& context, const fs::path& file) {
    const std::string subject = subject_of(file);
    if (access(file.c_str(), R_OK) != 0 && errno == EACCES)
        return unseen(subject, file.string() + " is closed to this user", as_root(context));
    try {
        std::map<std::string, std::string> values;
        for (config::KeyValue& line : config::read_key_values(file)) values[line.key] = std::move(line.value);
        for (const char* needed : {"code", "base_url", "secret_file"}) {
            if (!values.contains(needed))
                throw config::ConfigError(file.string() + ": " + needed + " is missing");
        }
        return check_secret(subject, values.at("secret_file"));
    } catch (const config::ConfigError& wrong) {
        return fault(subject, wrong.what(), edit_place(wrong.what(), file));
    }
}

/// Finds a unit that keeps the service from the network. The package's unit does so until an administrator
/// adds a drop-in.
Findings check_network_of_unit(const Context& context) {
    if (context.config_file() != config::default_file) return {};
    const console::ProgramResult shown = console::run_program(
        {"systemctl", "show", "--property=PrivateNetwork", "--value", "data-import.service"}, patience);
    if (shown.status != 0 || !shown.output.starts_with("yes")) return {};
    return {fault("payment vendors", "the service has no access to the network",
                  "install -D -m 0644 /usr/share/doc/data-import/examples/vendors.conf "
                  "/etc/systemd/system/data-import.service.d/vendors.conf && systemctl daemon-reload && "
                  "systemctl restart data-import")};
}

/// Checks that each vendor can be reached: opens a TLS connection to it, as the service does.
Findings check_ways(const std::vector<payment_vendors::Vendor>& vendors) {
    Findings findings;
    const std::vector<std::string> reasons = payment_vendors::why_not_reached(vendors, patience);
    for (std::size_t number = 0; number < vendors.size(); ++number) {
        const payment_vendors::Vendor& vendor = vendors[number];
        const std::string subject = subject_of(vendor.file);
        findings.push_back(
            reasons[number].empty()
                ? ok(subject,
                     "its secret is for the service alone, and " + vendor.base_url + " answers by TLS")
                : fault(subject, vendor.base_url + " cannot be reached: " + reasons[number],
                        util::with_remark("curl --verbose --head " + vendor.base_url,
                                          "or set base_url, ca_file or proxy in " + vendor.file.string())));
    }
    return findings;
}

}  // namespace

Findings judge_circuits(const std::vector<store::CircuitState>& circuits) {
    Findings findings;
    for (const store::CircuitState& circuit : circuits) {
        if (circuit.failures == 0) continue;
        const std::string whose =
            circuit.organisation.empty() ? "" : " for organisation " + circuit.organisation;
        const std::string count = std::to_string(circuit.failures);
        findings.push_back(
            warning("vendor " + circuit.vendor,
                    (circuit.failures == 1 ? "its last request" : "its last " + count + " requests") + whose +
                        " failed, the latest at " + circuit.changed_at +
                        (circuit.problem ? " (" + *circuit.problem + ")" : "") +
                        (circuit.open_until ? "; it is given a pause until " + *circuit.open_until : ""),
                    "journalctl -u data-import --grep vendor -n 20"));
    }
    return findings;
}

Findings check_vendors(Context& context) {
    const fs::path directory = context.config_file().parent_path() / "vendors.d";
    std::error_code error;
    const std::vector<fs::path> files = files_in(directory, ".conf", error);
    if (error == std::errc::permission_denied)
        return {unseen("payment vendors", directory.string() + " is closed to this user", as_root(context))};
    if (files.empty()) return {ok("payment vendors", "none is configured")};
    Findings findings;
    for (const fs::path& file : files) findings.push_back(check_vendor_file(context, file));
    const bool is_known =
        std::ranges::all_of(findings, [](const Finding& finding) { return finding.health == Health::ok; });
    if (is_known) {
        try {
            // load_vendors also finds faults that the checks above do not find: values out of range, wrong
            // addresses and certificates, and two files with the same code
            findings = check_ways(
                payment_vendors::load_vendors(context.config_file(), context.settings().request_timeout));
        } catch (const config::ConfigError& wrong) {
            findings.push_back(fault(
                "payment vendors", wrong.what(),
                edit_place(wrong.what(), files.front()) + " && " + own_command(context, "config check")));
        }
    }
    append(findings, check_network_of_unit(context));
    return findings;
}

/// Returns nothing if the database cannot be asked, because another check reports that.
Findings check_vendor_failures(Context& context) {
    try {
        return judge_circuits(store::read_vendor_circuits(context.database().execute(
            store::find_vendor_circuits(), std::chrono::steady_clock::now() + patience)));
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace data_import::doctor
