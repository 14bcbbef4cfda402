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
    std::string reference;  ///< percent-decoded
    std::string type;       ///< percent-decoded
    long call = 0;          ///< the number of this call for the reference, from 1
    bool authorized = false;
};

struct Behaviour {
    std::string_view name;
    std::string_view sentence;  ///< for --list
    void (*answer)(Conversation&, const Lookup&);
};

[[nodiscard]] std::span<const Behaviour> behaviours();

/// Counts the request and answers it. Answers 401 if its bearer token is not `secret`, and 404 if no
/// behaviour has the name in its path.
void serve_instruction(Conversation& conversation, const Request& request, const std::string& secret,
                       Tallies& tallies);

}  // namespace data_import::vendor_simulator
