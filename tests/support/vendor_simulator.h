// Reads the counts of a stack's vendor simulator, and sets its behaviour (tests/vendor/README.md).
#pragma once

#include <string>

#include "stack.h"

namespace data_import::tests {

struct VendorTotals {
    long calls = 0;        ///< number of requests for payment instructions
    long connections = 0;  ///< number of connections to all listeners except `control`
    long followed = 0;     ///< number of requests at the address to which the behaviour `redirect` leads
};

class VendorSimulator {
public:
    /// Throws std::runtime_error when the stack has no simulator.
    explicit VendorSimulator(const Stack& stack);

    [[nodiscard]] VendorTotals totals() const;
    /// Returns how many requests for the payment instruction with this reference the simulator has got.
    [[nodiscard]] long calls(const std::string& reference) const;
    /// Path and query of the last request for the instruction of this reference.
    [[nodiscard]] std::string last_target(const std::string& reference) const;
    /// Gives the vendor of the base path `/switched/NAME` this behaviour.
    void turn(const std::string& name, const std::string& behaviour) const;

private:
    [[nodiscard]] std::string ask(const std::string& method, const std::string& target) const;

    std::string url_;
};

}  // namespace data_import::tests
