// One worker's way to PostgreSQL: pooled sessions (Poco::Data), prepared calls (libpq), failures by kind.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

#include "util/array_text.h"

namespace data_import::store {

using Deadline = std::chrono::steady_clock::time_point;

/// A text parameter; nothing is NULL.
using Parameter = std::optional<std::string>;

/// One prepared statement with its parameters: what an endpoint plans and a visit executes.
struct Call {
    const char* name = "";  ///< of the prepared statement, unique in the program
    const char* sql = "";   ///< with $1, $2, ...
    std::vector<Parameter> parameters = {};
    /// The call may be sent again when its outcome is unknown: it only reads, or is idempotent by its natural
    /// key.
    bool repeatable = true;
};

/// Nothing was done and a repeat later may succeed: the database is away, or not migrated.
class Unavailable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The server has no room for one more session; those that there are may go on.
class NoSessionLeft : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// The database answers, but lacks tables, functions or rights that a migration brings.
class SchemaMissing : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// The call was sent and its outcome is unknown (only for calls that are not repeatable).
class OutcomeUnknown : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The deadline passed before PostgreSQL answered, or PostgreSQL ended the statement at its own limit. Of
/// what is not repeatable, nothing was stored.
class TimedOut : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// PostgreSQL refused the call; nothing was stored. `what()` is for the log, never for a client.
class Refused : public std::runtime_error {
public:
    Refused(std::string sqlstate, const std::string& message)
        : std::runtime_error(message), sqlstate_(std::move(sqlstate)) {}
    [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }

private:
    std::string sqlstate_;
};

/// Somebody held for too long what the call has to lock; nothing was stored. Only where a call was to wait
/// briefly.
class LockHeld : public Refused {
public:
    explicit LockHeld(const std::string& message, std::size_t call = 0)
        : Refused("55P03", message), call_(call) {}
    /// Which of the calls that were executed together.
    [[nodiscard]] std::size_t call() const { return call_; }

private:
    std::size_t call_;
};

/// How long a call waits for locks that others hold: a moment, so that it can let other calls go first, or as
/// long as PostgreSQL may work on it.
enum class LockWait { brief, patient };

/// The rows of an answer. Conversions are strict: they throw std::logic_error where the text is not of the
/// type.
class Rows {
public:
    explicit Rows(pg_result* result);
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::optional<std::string> optional_text(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;
    [[nodiscard]] bool boolean(std::size_t row, std::size_t column) const;

private:
    std::shared_ptr<pg_result> result_;
};

/// How a session is made; conninfo is checked by `parse_conninfo`.
struct Options {
    std::string conninfo = {};                       ///< libpq connection parameters
    std::string application_name = {};               ///< as pg_stat_activity shows it
    std::chrono::milliseconds statement_timeout{0};  ///< 0: none
    std::string role = {};                           ///< SET ROLE after connecting; empty: none
};

/// The database as one process uses it. Make it after the fork; not for use by several threads.
class Database {
public:
    explicit Database(Options options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// One round trip, one transaction. Retried by the rules of the failure table where that is safe.
    /// Throws Unavailable, OutcomeUnknown, TimedOut, Refused (LockHeld where it waits briefly).
    Rows execute(const Call& call, Deadline deadline, LockWait wait = LockWait::patient);

    /// As `execute`, in a session of its own that is opened for it and closed behind it: what has come over
    /// the server since the present session was opened is met. Not while a transaction is open, and not
    /// repeated. Throws NoSessionLeft, too.
    Rows execute_afresh(const Call& call, Deadline deadline);

    /// Several calls in one round trip and one transaction: all take effect, or none does and the failure of
    /// one is thrown as `execute` throws it. Only for repeatable calls. Waits briefly for locks.
    std::vector<Rows> execute_together(std::span<const Call* const> calls, Deadline deadline);

    /// Several statements without parameters in one transaction block of the caller's making (migrations).
    void execute_script(const std::string& sql, Deadline deadline);

    /// `COPY (...) TO STDOUT`: `sink` gets each row as PostgreSQL's text format writes it, without line end.
    /// What `sink` throws passes through; the session is then thrown away. Failures after the first row are
    /// not retried.
    void copy_out(const std::string& sql, const std::function<void(std::string_view row)>& sink,
                  Deadline deadline);

    /// `COPY ... FROM STDIN`: `source` fills its argument with the next chunk of the text and returns false
    /// at the end. What `source` throws passes through and nothing is stored. Needs an open `transaction`.
    void copy_in(const std::string& sql, const std::function<bool(std::string& chunk)>& source,
                 Deadline deadline);

    /// Runs `work` in one transaction on one session; rolls back when it throws. Throws OutcomeUnknown when
    /// the session is lost while committing.
    void transaction(const std::function<void()>& work, Deadline deadline, LockWait wait = LockWait::patient);

    /// A quoted SQL literal for the few statements that take no parameters (COPY).
    [[nodiscard]] std::string quote_literal(std::string_view text);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

using util::ArrayText;

/// Throws std::invalid_argument with a sentence when libpq or the session pool cannot take these parameters.
void check_conninfo(const std::string& conninfo);

}  // namespace data_import::store
