// The faults of a run, one after the other, in an order that the seed decides.
#pragma once

#include <atomic>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "faults.h"

namespace data_import::soak {

class FaultThread {
public:
    /// Causes the faults with these names, or all faults if there are no names.
    FaultThread(Victim victim, const std::vector<std::string>& names, std::uint64_t seed,
                const std::filesystem::path& log);
    ~FaultThread() { stop(); }
    FaultThread(const FaultThread&) = delete;
    FaultThread& operator=(const FaultThread&) = delete;

    /// Starts no further fault, and waits until the last fault is healed.
    void stop();
    [[nodiscard]] long happened() const { return happened_; }

    /// Number of attempts to cause each fault, by the fault's name. Call counts() and failures() after
    /// stop().
    [[nodiscard]] const std::map<std::string, long>& counts() const { return counts_; }
    /// Faults after which the service was not ready again in time, and faults that could not be caused.
    [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

private:
    void work();
    void happen(const Fault& fault);
    void write(const std::string& line);
    [[nodiscard]] std::vector<Fault> shuffled();
    void pause();

    Victim victim_;
    Random random_;  ///< gives only the order of faults and the pauses, so both depend on the seed alone
    std::vector<Fault> faults_;
    std::ofstream log_;
    std::atomic<bool> stopping_ = false;
    std::atomic<long> happened_ = 0;
    std::map<std::string, long> counts_;
    std::vector<std::string> failures_;
    std::thread thread_;
};

}  // namespace data_import::soak
