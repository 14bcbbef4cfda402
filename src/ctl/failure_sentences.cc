#include "ctl/failure_sentences.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ctl/usage.h"

namespace data_import::ctl {

namespace {

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// `CODE EXTERNAL` of the command, for a command line that is ready to paste.
std::string words(const Invocation& invocation, std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) {
        const auto& arguments = invocation.command()->arguments;
        const bool is_there = std::any_of(arguments.begin(), arguments.end(),
                                          [&](const Argument& argument) { return argument.name == name; });
        text += " " + (is_there ? invocation.argument(name) : std::string(name));
    }
    return text;
}

std::string advice(const std::string& sqlstate, const Invocation& invocation) {
    const std::string name(program_name);
    if (sqlstate == "DI001") return name + " supplier list shows those that there are";
    if (sqlstate == "DI002")
        return name + " supplier set" + words(invocation, {"CODE"}) + " --status Ongoing changes that";
    if (sqlstate == "DI003")
        return name + " account stage" + words(invocation, {"CODE", "EXTERNAL"}) + " makes it known";
    if (sqlstate == "DI004")
        return name + " account show" + words(invocation, {"CODE", "EXTERNAL"}) + " tells more";
    if (sqlstate == "DI007")
        return name + " account stage" + words(invocation, {"CODE", "EXTERNAL"}) +
               " --although-erased makes it known again";
    if (sqlstate == "DI008")
        return name + " account hold" + words(invocation, {"CODE", "EXTERNAL"}) + " --off ends the hold";
    if (sqlstate == "DI005") return "choose another one, or leave it out to have one given out";
    return "SQLSTATE " + sqlstate;
}

}  // namespace

std::string describe(const database::Refused& refused, const Invocation& invocation) {
    return std::string(refused.what()) + "; " + advice(refused.sqlstate(), invocation);
}

std::string describe(const database::Unavailable& unavailable, const Invocation& invocation) {
    const std::string_view reason = unavailable.what();
    const std::string name(program_name);
    if (holds(reason, "does not exist") && (holds(reason, "database \"") || holds(reason, "role \""))) {
        return "the database is not set up (" + std::string(reason) + "); run " + name + " db setup";
    }
    constexpr std::array<std::string_view, 4> schema_missing = {"42P01", "42703", "42883", "3F000"};
    const bool is_old = std::any_of(schema_missing.begin(), schema_missing.end(),
                                    [&](std::string_view state) { return reason.starts_with(state); });
    if (is_old)
        return "the database lacks migrations (" + std::string(reason) + "); run " + name + " db migrate";
    return "the database cannot be used: " + std::string(reason) + "; see admin_database in " +
           invocation.config_file().string() + ", and whether PostgreSQL runs";
}

}  // namespace data_import::ctl
