// The clients' record of a soak run: their imports and the answers to them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "import.h"

namespace data_import::soak {

/// Tells whether an import of the client has to be stored.
enum class State {
    open,          ///< not acknowledged yet, and may be repeated
    acknowledged,  ///< must be stored once, unless its account was reset or erased
    refused,       ///< must not be stored
    unknown,       ///< may be stored, at most once; is not sent again
};

/// A line of the ledger: what the ledger keeps of an import, without the request.
struct Entry {
    std::string id;
    Kind kind = {};
    Place place;
    long records = 0;
    long details = 0;
    State state = State::open;
    std::string last_answer = {};
};

/// Answers of one sort that must not occur.
struct Complaint {
    long count = 0;
    std::string example = {};
};

/// The ledger of one client, or of all clients together.
struct Ledger {
    std::vector<Entry> entries;
    std::map<std::string, long> answers;  ///< number of answers by status and code
    std::map<std::string, Complaint> complaints;
    double longest_wait = 0;  ///< the longest wait for an answer, in seconds
    std::string longest_request;

    void add(Ledger other);
};

}  // namespace data_import::soak
