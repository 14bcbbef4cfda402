// drain
#include "config/drain.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "ctl/commands.h"
#include "json/writer.h"

namespace data_import::ctl {

namespace {

/// Whether anything changed.
bool set_mark(const std::filesystem::path& mark) {
    if (std::filesystem::exists(mark)) return false;
    if (!std::ofstream(mark))
        throw Failure(mark.string() + " cannot be made (" + std::strerror(errno) +
                      "): is the service running, and is this root?");
    return true;
}

bool take_mark(const std::filesystem::path& mark) {
    std::error_code error;
    const bool was_there = std::filesystem::remove(mark, error);
    if (error) throw Failure(mark.string() + " cannot be removed: " + error.message());
    return was_there;
}

void drain_host(Context& context, const Invocation& invocation) {
    const std::filesystem::path mark = config::drain_mark(context.settings());
    const bool drained = !invocation.has("--off");
    const bool changed = drained ? set_mark(mark) : take_mark(mark);
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("drained").boolean(drained).end_object();
        return Context::print(writer.take() + "\n");
    }
    Context::print(std::string(drained ? "this host is drained: /readyz says 503, and all requests go on"
                                       : "this host is in service: /readyz says what is") +
                   (changed ? "\n" : ", as it was\n"));
}

}  // namespace

std::vector<Command> drain_commands() {
    return {{{"drain",
              "",
              {},
              {{"--off", "", nullptr, "Puts the host into service again."}},
              "Has /readyz say 503 on this host, so that balancers send no more requests; those that come go "
              "on.\nRestarts of the "
              "service do not end it, but one of the machine.",
              "drain"},
             drain_host}};
}

}  // namespace data_import::ctl
