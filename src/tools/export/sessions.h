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

/// Thrown in a task to end it early: another thread has failed, or a signal has come.
class Stopped {};

/// Work that one of several threads carries out, in a transaction of its session.
using Task = std::function<void(database::Database&)>;

/// A function that carry_out() calls about ten times a second while it waits for its threads. Its exceptions
/// end the export.
using Watch = std::function<void(const Progress&)>;

/// Carries out the tasks in their order, in one thread for each of `sessions`, and returns when all threads
/// have ended. Each session opens a transaction that reads `snapshot`. If `snapshot` is empty, there must be
/// only one session, in which a transaction is open already.
/// `progress.tasks_done` counts the tasks that have ended; `progress.is_stopped` becomes true after a
/// failure. Calls `watch` with `progress` about ten times a second.
/// If a task or `watch` throws, the other tasks end early. The first exception is thrown again when all
/// threads have ended. If a thread still waits for PostgreSQL a few seconds later, carry_out() calls
/// `abandon` with this exception instead; `abandon` does not return.
void carry_out(std::span<const Task> tasks, std::span<database::Database* const> sessions,
               const std::string& snapshot, Progress& progress, const Watch& watch,
               const std::function<void(const std::exception&)>& abandon);

}  // namespace data_import::exports
