// Behaviours of a vendor that has read a request. Each is a row of a table; the base path of the request
// chooses the behaviour.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conversation.h"
#include "tallies.h"

namespace data_import::vendor_simulator {

/// A request for an instruction, `/BEHAVIOUR[/ARGUMENT]/instructions/REFERENCE?type=TYPE`.
struct Lookup {
    std::string behaviour;
    std::string argument;
    std::string reference;  ///< the part of the path behind `/instructions/`, percent-decoded
    std::string type;       ///< parameter `type` of the URL's query string, percent-decoded; empty: none
    long call = 0;          ///< 1 for the first request with this reference, 2 for the second, and so on
    bool authorized = false;
};

struct Behaviour {
    std::string_view name;
    std::string_view sentence;  ///< for --list
    void (*answer)(Conversation&, const Lookup&);
};

[[nodiscard]] std::span<const Behaviour> behaviours();

/// Answers a request for an instruction. If its path names no behaviour, answers 404. Otherwise counts the
/// request in `tallies`, and answers 401 if the bearer token is not `secret`.
void serve_instruction(Conversation& conversation, const Request& request, const std::string& secret,
                       Tallies& tallies);

}  // namespace data_import::vendor_simulator
