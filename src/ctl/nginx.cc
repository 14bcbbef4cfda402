// nginx enable | disable
#include <unistd.h>

#include "console/nginx_site.h"
#include "console/text_table.h"
#include "ctl/commands.h"
#include "doctor/doctor.h"
#include "json/writer.h"

namespace data_import::ctl {

namespace {

namespace fs = std::filesystem;

/// The result, for people and for programs.
struct Outcome {
    bool enabled = false;
    bool changed = false;
    bool reloaded = false;
    std::string refusal;  ///< why nginx goes on with its old configuration; empty: it has the new one
    std::string sockets;  ///< why nginx cannot reach them; empty: it can
};

/// `error` of the last step; root may do it.
[[noreturn]] void refuse(const std::string& what, const std::error_code& error) {
    const bool is_closed =
        error == std::errc::permission_denied || error == std::errc::operation_not_permitted;
    throw Failure(what + ": " + error.message() + (is_closed ? "; run it as root" : ""));
}

void make_link(const Site& site) {
    std::error_code error;
    fs::create_directories(site.link.parent_path(), error);
    fs::create_symlink(site.available, site.link, error);
    if (error) refuse(site.link.string() + " cannot be made", error);
}

void remove_link(const Site& site) {
    std::error_code error;
    fs::remove(site.link, error);
    if (error) refuse(site.link.string() + " cannot be removed", error);
}

/// Faults of other sites are not blamed on this one, and are not made worse.
void check_before(const Site& site) {
    if (const auto refusal = what_nginx_refuses(site)) {
        throw Failure("nginx refuses its configuration already, nothing was changed: " + *refusal +
                      "; mend that, nginx -t tells when it is right");
    }
}

void check_place(const Site& site) {
    if (!site.is_there())
        throw Failure("there is no " + site.available.string() +
                      "; apt-get install --reinstall data-import brings it");
    if (site.is_obstructed())
        throw Failure(site.link.string() + " is something else than a link to " + site.available.string() +
                      "; move it away first");
}

void write_reason(json::Writer& writer, std::string_view key, const std::string& reason) {
    writer.key(key);
    reason.empty() ? writer.null() : writer.string(reason);
}

std::string text_of_nginx(const Outcome& outcome) {
    if (outcome.reloaded) return "nginx has read its configuration";
    if (outcome.refusal.empty()) return "nginx does not run: systemctl start nginx";
    return "nginx goes on with what it has read before, since it refuses its configuration: " +
           in_one_line(outcome.refusal) + "; when that is mended: systemctl reload nginx";
}

void print(const Context& context, const Outcome& outcome) {
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("enabled").boolean(outcome.enabled).key("changed").boolean(outcome.changed);
        writer.key("reloaded").boolean(outcome.reloaded);
        write_reason(writer, "refusal", outcome.refusal);
        write_reason(writer, "sockets", outcome.sockets);
        return Context::print(writer.end_object().take() + "\n");
    }
    const std::string state = outcome.enabled ? "enabled" : "disabled";
    Context::print("the site is " + state + (outcome.changed ? "\n" : " already\n"));
    Context::print(text_of_nginx(outcome) + "\n");
    if (!outcome.sockets.empty())
        Context::print("the workers cannot be reached yet: " + in_one_line(outcome.sockets) + "\n");
}

/// The first thing that keeps nginx from the workers; empty where there is none.
std::string nginx_access_problem(Context& context) {
    for (const doctor::Finding& finding : doctor::check_pools(context)) {
        if (finding.health == doctor::Health::fault) return finding.text + "; " + finding.remedy;
    }
    return "";
}

void enable_site(Context& context, const Invocation&) {
    const Site site(context.settings().nginx_config);
    check_place(site);
    if (site.is_dangling()) remove_link(site);  // nginx refuses it
    check_before(site);
    Outcome outcome{.enabled = true, .changed = !site.is_enabled(), .refusal = "", .sockets = ""};
    if (outcome.changed) {
        make_link(site);
        if (const auto refusal = what_nginx_refuses(site)) {
            remove_link(site);
            throw Failure("nginx refuses the site, which is disabled again: " + *refusal);
        }
    }
    outcome.reloaded = reload_nginx(site);
    outcome.sockets = nginx_access_problem(context);
    print(context, outcome);
}

// An error in the service's or nginx's configuration is no reason to keep the site.
void disable_site(Context& context, const Invocation&) {
    const Site site(config::load_valid_rows(context.config_file()).nginx_config);
    Outcome outcome{.changed = site.is_enabled() || site.is_dangling(), .refusal = "", .sockets = ""};
    if (site.is_obstructed())
        throw Failure(site.link.string() + " is something else than a link to " + site.available.string() +
                      "; remove it by hand");
    const bool was_refused = what_nginx_refuses(site).has_value();
    if (outcome.changed) remove_link(site);
    if (const auto refusal = what_nginx_refuses(site)) {
        if (outcome.changed && !was_refused) {
            make_link(site);
            throw Failure("nginx refuses its configuration without the site, which stays enabled: " +
                          *refusal);
        }
        outcome.refusal = *refusal;
    } else {
        outcome.reloaded = reload_nginx(site);
    }
    print(context, outcome);
}

}  // namespace

std::vector<Command> nginx_commands() {
    return {
        {{"nginx",
          "enable",
          {},
          {},
          "Puts the site into nginx's configuration, tests it and has nginx read it; undone when the test "
          "fails.",
          "nginx enable"},
         enable_site},
        {{"nginx",
          "disable",
          {},
          {},
          "Takes the site out of nginx's configuration and has nginx read it. Works while a configuration is "
          "wrong, too: the\n"
          "service's own, or nginx's, which then goes on with what it has read before.",
          "nginx disable"},
         disable_site}};
}

}  // namespace data_import::ctl
