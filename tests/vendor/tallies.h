// The simulator's counts, and the behaviours that tests set while it runs. Safe for use by many threads.
#pragma once

#include <map>
#include <mutex>
#include <string>

namespace data_import::vendor_simulator {

/// The requests for one payment instruction, which its reference names.
struct Calls {
    long count = 0;
    std::string last_target;  ///< path and query as the client sent them
};

struct Totals {
    long calls = 0;        ///< requests for an instruction
    long connections = 0;  ///< connections to all listeners except the control listener
    long followed = 0;     ///< requests at the target of a redirect
};

class Tallies {
public:
    /// Counts a call and returns its number for the reference; 1 for the first.
    long count_call(const std::string& reference, const std::string& target);
    void count_connection(const std::string& listener);
    void count_followed();

    [[nodiscard]] Totals totals() const;
    [[nodiscard]] Calls calls(const std::string& reference) const;
    [[nodiscard]] long connections(const std::string& listener) const;

    /// The behaviour of `/switched/NAME`; `good` until it is set.
    void set_switch(const std::string& name, const std::string& behaviour);
    [[nodiscard]] std::string switched(const std::string& name) const;

private:
    mutable std::mutex mutex_;
    Totals totals_;
    std::map<std::string, Calls> calls_;
    std::map<std::string, long> connections_;
    std::map<std::string, std::string> switches_;
};

}  // namespace data_import::vendor_simulator
