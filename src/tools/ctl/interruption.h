// Holds back the signals that would end a command in the middle of its work.
#pragma once

#include <chrono>

#include "base/util/file_descriptor.h"

namespace data_import::ctl {

/// Blocks the signals that would end the program, from its constructor on. A signal that comes stays pending;
/// has_come() and comes_within() tell of it.
class Interruption {
public:
    /// Blocks the signals of util::ending_signals(), such as SIGINT and SIGTERM, and opens a descriptor that
    /// tells of them. Throws Failure if the descriptor cannot be opened.
    Interruption();

    [[nodiscard]] bool has_come() const { return comes_within(std::chrono::milliseconds(0)); }
    /// Waits for a signal, for `time` at most. Returns whether one has come.
    [[nodiscard]] bool comes_within(std::chrono::milliseconds time) const;
    /// Returns a descriptor that becomes readable when a signal has come.
    [[nodiscard]] int descriptor() const { return signals_.get(); }

private:
    util::FileDescriptor signals_;
};

}  // namespace data_import::ctl
