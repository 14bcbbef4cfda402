// Checks that nginx's limits are not tighter than the service's own.
#include <unistd.h>

#include <string>
#include <vector>

#include "base/util/shell_command.h"
#include "tools/console/nginx_site.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

constexpr const char* subject = "limits";

std::string editor_for(const std::vector<std::string>& files) {
    return util::shell_command("editor", files) + " && " + reload_nginx;
}

}  // namespace

Findings judge_limits(const config::Settings& settings, const console::SiteFacts& facts,
                      const std::filesystem::path& snippets) {
    const auto seconds = static_cast<std::uint64_t>(settings.request_timeout.count());
    Findings findings;
    if (facts.answer_seconds != 0 && facts.answer_seconds <= seconds) {
        findings.push_back(
            warning(subject,
                    "request_timeout is " + std::to_string(seconds) + " s, but nginx gives up after " +
                        std::to_string(facts.answer_seconds) + " s: fastcgi_read_timeout must be longer",
                    editor_for({(snippets / "fastcgi.conf").string()})));
    }
    if (facts.longest_body != 0 && facts.longest_body < settings.max_body_bytes) {
        findings.push_back(warning(
            subject,
            "max_body_bytes is " + std::to_string(settings.max_body_bytes) +
                ", but nginx refuses bodies of over " + std::to_string(facts.longest_body) +
                " bytes: client_max_body_size must not be smaller",
            editor_for({(snippets / "import.conf").string(), (snippets / "long-bodies.conf").string()})));
    }
    return findings;
}

Findings check_limits(Context& context) {
    const console::Site site(context.settings().nginx_config);
    if (!site.is_enabled()) return {};
    const console::NginxConfiguration& nginx = nginx_configuration(context);
    if (nginx.refusal) return {};  // check_site() reports the fault
    return judge_limits(context.settings(), console::read_site(nginx.dump),
                        site.config.parent_path() / "snippets/data-import");
}

}  // namespace data_import::doctor
