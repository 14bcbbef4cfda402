#include "ledger.h"

#include <iterator>
#include <utility>

namespace data_import::soak {

void Ledger::add(Ledger other) {
    std::move(other.entries.begin(), other.entries.end(), std::back_inserter(entries));
    for (const auto& [answer, count] : other.answers) answers[answer] += count;
    for (auto& [sort, complaint] : other.complaints) {
        Complaint& known = complaints[sort];
        known.count += complaint.count;
        if (known.example.empty()) known.example = std::move(complaint.example);
    }
    if (other.longest_wait > longest_wait) {
        longest_wait = other.longest_wait;
        longest_request = std::move(other.longest_request);
    }
}

}  // namespace data_import::soak
