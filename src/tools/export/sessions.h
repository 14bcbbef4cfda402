// Carries out the tasks of an export in several sessions of the database, all with one snapshot.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::exports {

/// The state that the threads share.
struct Progress {
    std::atomic<std::uint64_t> records = 0;
    std::atomic<std::uint64_t> tasks_done = 0;
    std::atomic<bool> is_stopped = false;

    /// Throws Stopped if the export has to end early. Tasks call it often.
    void check() const;
};

/// Another thread has failed, or a signal has come.
class Stopped {};

/// Work that one of several threads carries out, in a transaction of its session.
using Task = std::function<void(database::Database&)>;

/// Called by the waiting thread, at least ten times a second; its exceptions end the export.
using Watch = std::function<void(const Progress&)>;

/// Carries the tasks out, in their order and as many at a time as there are sessions, which share the
/// snapshot. If the snapshot is empty, the only session has its transaction already. Throws the first
/// exception of a task or of `watch`, after all threads have ended. A thread that waits for PostgreSQL has a
/// few seconds for that; then `abandon`, which does not return, is called with the exception.
void carry_out(std::span<const Task> tasks, std::span<database::Database* const> sessions,
               const std::string& snapshot, Progress& progress, const Watch& watch,
               const std::function<void(const std::exception&)>& abandon);

}  // namespace data_import::exports
