// nginx enable | disable
#include <unistd.h>

#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "ctl/nginx_site.h"
#include "ctl/text_table.h"

namespace data_import::ctl {

namespace {

namespace fs = std::filesystem;

/// What was done, for people and for programs.
struct Outcome {
    bool enabled = false;
    bool changed = false;
    bool reloaded = false;
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

/// Others' faults are not blamed on this site, and are not made worse.
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

void print(const Context& context, const Outcome& outcome) {
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("enabled").boolean(outcome.enabled).key("changed").boolean(outcome.changed);
        writer.key("reloaded").boolean(outcome.reloaded).key("sockets");
        outcome.sockets.empty() ? writer.null() : writer.string(outcome.sockets);
        return Context::print(writer.end_object().take() + "\n");
    }
    const std::string state = outcome.enabled ? "enabled" : "disabled";
    Context::print("the site is " + state + (outcome.changed ? "\n" : " already\n"));
    Context::print(outcome.reloaded ? "nginx has read its configuration\n"
                                    : "nginx does not run: systemctl start nginx\n");
    if (!outcome.sockets.empty())
        Context::print("the workers cannot be reached yet: " + in_one_line(outcome.sockets) + "\n");
}

}  // namespace

void enable_site(Context& context, const Invocation&) {
    const Site site(context.settings().nginx_config);
    check_place(site);
    if (site.is_dangling()) remove_link(site);  // nginx refuses it
    check_before(site);
    Outcome outcome{.enabled = true, .changed = !site.is_enabled(), .sockets = ""};
    if (outcome.changed) {
        make_link(site);
        if (const auto refusal = what_nginx_refuses(site)) {
            remove_link(site);
            throw Failure("nginx refuses the site, which is disabled again: " + *refusal);
        }
    }
    outcome.reloaded = reload_nginx(site);
    outcome.sockets = what_keeps_nginx_away(context);
    print(context, outcome);
}

void disable_site(Context& context, const Invocation&) {
    const Site site(context.settings().nginx_config);
    Outcome outcome{.changed = site.is_enabled() || site.is_dangling(), .sockets = ""};
    if (site.is_obstructed())
        throw Failure(site.link.string() + " is something else than a link to " + site.available.string() +
                      "; remove it by hand");
    if (outcome.changed) {
        remove_link(site);
        if (const auto refusal = what_nginx_refuses(site)) {
            make_link(site);
            throw Failure("nginx refuses its configuration without the site, which stays enabled: " +
                          *refusal);
        }
    }
    outcome.reloaded = reload_nginx(site);
    print(context, outcome);
}

}  // namespace data_import::ctl
