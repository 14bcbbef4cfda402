#include "tools/doctor/certificate_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "base/util/certificate.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"

namespace data_import::doctor {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t day = 86400;
constexpr std::int64_t days_of_warning = 21;

/// Returns the command that opens the file that names the certificate, and then reloads nginx.
std::string mend_certificate(const Context& context) {
    const fs::path file =
        context.settings().nginx_config.parent_path() / "snippets/data-import/certificate.conf";
    return util::shell_command("editor", {file.string()}) + " && " + reload_nginx;
}

std::string days(std::int64_t seconds) {
    return util::counted(static_cast<std::size_t>(seconds / day), "day");
}

Findings check_validity(const Context& context, const util::Certificate& certificate,
                        const std::string& path) {
    const std::int64_t left = certificate.valid_until() - std::time(nullptr);
    const std::string remedy =
        util::with_remark(mend_certificate(context), "or renew it, for example with certbot renew");
    if (left < 0) return {fault("certificate", path + " expired " + days(-left) + " ago", remedy)};
    if (certificate.valid_from() > std::time(nullptr))
        return {fault("certificate", path + " is not valid yet", mend_certificate(context))};
    if (left < days_of_warning * day)
        return {warning("certificate", path + " expires in " + days(left), remedy)};
    return {};
}

Findings check_trust(const Context& context, const util::Certificate& certificate, const std::string& path,
                     const std::vector<std::string>& names) {
    const bool is_snakeoil = path.find("snakeoil") != std::string::npos;
    if (is_snakeoil || certificate.is_self_signed()) {
        return {warning("certificate",
                        path + (is_snakeoil ? " is the snakeoil certificate" : " is self-signed") +
                            ": no client trusts it",
                        mend_certificate(context))};
    }
    for (const std::string& name : names) {
        if (certificate.is_for(name)) continue;
        return {fault("certificate", path + " is not for server_name " + name, mend_certificate(context))};
    }
    if (const auto issuer = certificate.issuer_missing_in(path)) {
        return {warning("certificate",
                        path + " lacks the certificate of its issuer " + *issuer +
                            ": clients that do not have it refuse the connection",
                        mend_certificate(context))};
    }
    return {};
}

Findings check_file(const Context& context, const std::string& path, const std::vector<std::string>& names) {
    const util::Certificate certificate = util::Certificate::read(path);
    Findings findings = check_validity(context, certificate, path);
    append(findings, check_trust(context, certificate, path, names));
    if (findings.empty()) {
        const std::int64_t left = certificate.valid_until() - std::time(nullptr);
        findings.push_back(ok("certificate", path + " is valid for another " + days(left)));
    }
    return findings;
}

Findings check_key(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || (status.st_mode & S_IRWXO) == 0) return {};
    return {fault("certificate", "its key " + path + " is open to everybody", "chmod 0600 " + path)};
}

}  // namespace

Findings check_certificate_files(const Context& context, const console::SiteFacts& facts) {
    if (facts.certificates.empty())
        return {fault("certificate", "the site has no certificate", mend_certificate(context))};
    Findings findings;
    for (const std::string& path : facts.certificates)
        append(findings, check_file(context, path, facts.names));
    for (const std::string& path : facts.certificate_keys) append(findings, check_key(path));
    return findings;
}

// Compares the certificate that nginx shows with those in the files. nginx goes on showing the certificate
// that it has read, even if the file was changed since.
Findings check_shown_certificate(const console::SiteFacts& facts, const util::Certificate& shown) {
    const bool is_read = std::ranges::any_of(
        facts.certificates, [&](const std::string& path) { return util::Certificate::read(path) == shown; });
    if (is_read || facts.certificates.empty()) return {};
    const std::int64_t left = shown.valid_until() - std::time(nullptr);
    const std::string text = "nginx has not read " + facts.certificates.front() +
                             " since it was changed: it shows clients another certificate, which ";
    if (left < 0) return {fault("certificate", text + "expired " + days(-left) + " ago", reload_nginx)};
    return {warning("certificate", text + "expires in " + days(left), reload_nginx)};
}

}  // namespace data_import::doctor
