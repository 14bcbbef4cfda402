// One worker's way to PostgreSQL: pooled sessions (Poco::Data), prepared calls (libpq), failures by kind.
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

/// How a session is made; conninfo is checked by `parse_conninfo`.
struct Options {
    std::string conninfo = {};                        ///< libpq connection parameters, of several hosts maybe
    std::string application_name = {};                ///< as pg_stat_activity shows it
    std::chrono::milliseconds statement_timeout{0};   ///< 0: none
    std::chrono::milliseconds longest_silence{5000};  ///< then a silent server's sessions are given up
    std::string role = {};                            ///< SET ROLE after connecting; empty: none
    /// Calls look a few rows up, over and over. Plans are made once and kept; none reads a whole table,
    /// although the tables may be empty when the plans are made.
    bool looks_up = false;
    /// Calls of a distributed database name shards themselves: their plans can be kept on Citus, too.
    bool knows_shards = false;
};

/// How the values of streamed rows come.
enum class ValueFormat { text, binary };

/// The database of one process. Make it after the fork; not for use by several threads.
class Database {
public:
    explicit Database(Options options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// One round trip, one transaction. Repeated after a failure (failures.h) where that is safe.
    /// Throws Unavailable, OutcomeUnknown, TimedOut, Refused.
    Rows execute(const Call& call, Deadline deadline);

    /// As `execute`, in a session of its own that is opened for it and closed after it, so that it meets
    /// faults of new sessions, too. Not while a transaction is open, and not repeated. Throws NoSessionLeft,
    /// too.
    Rows execute_afresh(const Call& call, Deadline deadline);

    /// Several calls in one round trip and one transaction: all take effect, or none does and the failure of
    /// one is thrown as `execute` throws it. Only for retryable calls.
    std::vector<Rows> execute_together(std::span<const Call> calls, Deadline deadline);

    /// Several statements without parameters in one transaction block of the caller's making (migrations).
    void execute_script(const std::string& sql, Deadline deadline);

    /// Passes the rows of a call on while they arrive, in memory that does not grow with their number. The
    /// call is planned for its parameters, and not prepared. Exceptions of `each` pass through; the session
    /// is then thrown away. Failures after the first row are not retried.
    void stream(const Call& call, ValueFormat format, const std::function<void(const StreamedRow&)>& each,
                Deadline deadline);

    /// `COPY ... FROM STDIN`: `source` fills its argument with the next chunk of the text and returns false
    /// at the end. Exceptions of `source` pass through, and then nothing is stored. Needs an open
    /// `transaction`.
    void copy_in(const std::string& sql, const std::function<bool(std::string& chunk)>& source,
                 Deadline deadline);

    /// Runs `work` in one transaction on one session; rolls back when it throws. Throws OutcomeUnknown when
    /// the session is lost while committing. A named request stands behind application_name meanwhile, so
    /// that PostgreSQL's own log names it; that costs a tenth of a short call.
    void transaction(const std::function<void()>& work, Deadline deadline, std::string_view request = {});

    /// As `transaction`, but always rolls back.
    void rehearse(const std::function<void()>& work, Deadline deadline);

    /// Closes the session, and so gives back the locks that it holds; the next call opens another.
    void drop_session();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Throws std::invalid_argument with a sentence when libpq or the session pool cannot take these parameters.
void check_conninfo(const std::string& conninfo);

}  // namespace data_import::database
