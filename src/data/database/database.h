// The access of one worker to PostgreSQL, by pooled sessions (Poco::Data) and prepared calls (libpq). Each
// kind of failure has its own exception.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/failures.h"
#include "data/database/rows.h"
#include "data/database/streamed_row.h"

namespace data_import::database {

/// The options of sessions. `parse_conninfo` checks `conninfo`.
struct Options {
    std::string conninfo = {};                       ///< libpq connection parameters, of one host or several
    std::string application_name = {};               ///< the program's name, as pg_stat_activity shows it
    std::chrono::milliseconds statement_timeout{0};  ///< longest time of a statement; 0: no limit
    std::chrono::milliseconds longest_silence{
        5000};              ///< time without an answer after which sessions are given up
    std::string role = {};  ///< role that sessions take by SET ROLE; empty: none
    /// The sessions are for calls that look up a few rows, over and over. So PostgreSQL plans each call once
    /// and keeps the plan. The plan uses indexes, even if the tables were empty when the plan was made.
    bool looks_up = false;
    /// The calls use functions that name shards instead of distributed tables, so that plans can be kept on
    /// Citus, too.
    bool knows_shards = false;
};

/// The form of the values in the rows that stream() reads.
enum class ValueFormat { text, binary };

/// The database of one process and one thread. A program that forks has to make it after the fork.
class Database {
public:
    explicit Database(Options options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Executes a call in one round trip and one transaction. Retries it after a failure if that is safe
    /// (failures.h). Throws Unavailable, OutcomeUnknown, TimedOut, Refused.
    Rows execute(const Call& call, Deadline deadline);

    /// Executes a call in a session that is opened for it and closed after it, so that faults of new sessions
    /// show. Retries nothing, and must not be called while a transaction is open. Throws as `execute` does;
    /// NoSessionLeft if the server has no room for the session.
    Rows execute_afresh(const Call& call, Deadline deadline);

    /// Executes several retryable calls in one round trip and one transaction. If a call fails, none takes
    /// effect, and its failure is thrown as `execute` throws it.
    std::vector<Rows> execute_together(std::span<const Call> calls, Deadline deadline);

    /// Executes SQL text without parameters, one statement or several. Opens no transaction block; a caller
    /// that needs a block opens it.
    void execute_script(const std::string& sql, Deadline deadline);

    /// Passes the rows of a call on while they arrive, in memory that does not grow with their number. The
    /// call is planned for its parameters, and not prepared. Exceptions of `each` pass through, and close the
    /// session. Failures after the first row are not retried.
    void stream(const Call& call, ValueFormat format, const std::function<void(const StreamedRow&)>& each,
                Deadline deadline);

    /// Runs `COPY ... FROM STDIN`. `source` fills its argument with the next chunk of the text, and returns
    /// false at the end. Exceptions of `source` pass through, and then nothing is stored. Needs an open
    /// `transaction`.
    void copy_in(const std::string& sql, const std::function<bool(std::string& chunk)>& source,
                 Deadline deadline);

    /// Runs `work` in one transaction on one session; rolls back when it throws. Throws OutcomeUnknown when
    /// the session is lost while committing. Adds `request`, unless it is empty, to application_name during
    /// the transaction, so that PostgreSQL's own log names the request. Adding it takes a tenth of the time
    /// of a short call.
    void transaction(const std::function<void()>& work, Deadline deadline, std::string_view request = {});

    /// Runs `work` as `transaction` does, and always rolls back.
    void rehearse(const std::function<void()>& work, Deadline deadline);

    /// Closes the session, which releases its locks; the next call opens another session.
    void drop_session();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Throws std::invalid_argument, with a sentence, if libpq or the session pool cannot take these parameters.
void check_conninfo(const std::string& conninfo);

}  // namespace data_import::database
