// One PostgreSQL connection by libpq. Calls end by a deadline, and each kind of failure has its own
// exception. Private to database/.
//
// It works on the PGconn of a Poco::Data session. Poco only opens and pools sessions, because its statements
// cost more round trips, hide SQLSTATEs and cut texts at U+0000.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/database/database.h"
#include "data/database/streamed_row.h"

namespace data_import::database {

struct ResultDeleter {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultDeleter>;

/// The session cannot be used any more: it is closed, shut down by the server or connected to a standby, or
/// the outcome of its last commit is unknown. `what()` is for the log.
class ConnectionLost : public std::runtime_error {
public:
    ConnectionLost(const std::string& message, bool may_have_run)
        : std::runtime_error(message), may_have_run_(may_have_run) {}
    /// Returns whether the statement was sent, so that it may have taken effect.
    [[nodiscard]] bool may_have_run() const { return may_have_run_; }

private:
    bool may_have_run_;
};

/// The server has answered neither this session nor a new one for the longest time allowed.
class SilentServer : public ConnectionLost {
public:
    using ConnectionLost::ConnectionLost;
};

/// PostgreSQL rolled the statement back so that other transactions could go on (40001, 40P01). The same
/// statement may be run again.
class RolledBack : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// PostgreSQL ended the statement before it was done (57014): its time was over, or an operator cancelled it.
/// It was rolled back, and the session is sound.
class StatementCancelled : public TimedOut {
public:
    using TimedOut::TimedOut;
};

/// Runs calls on a PGconn, which the caller owns and has to keep longer than this object. Each function
/// throws ConnectionLost, TimedOut, Unavailable (schema missing, server out of resources), RolledBack or
/// Refused. The session can be used further after RolledBack, Refused and StatementCancelled (a kind of
/// TimedOut).
///
/// Because a failover could lose a commit whose wait for a synchronous standby was cut off, such a commit
/// throws ConnectionLost, too.
class PgConnection {
public:
    /// Functions throw SilentServer after `longest_silence` without an answer, if the server does not answer
    /// a new connection either. A server that works on a long statement answers new connections.
    PgConnection(PGconn* handle, std::chrono::milliseconds longest_silence);
    ~PgConnection();
    PgConnection(const PgConnection&) = delete;
    PgConnection& operator=(const PgConnection&) = delete;

    /// Runs a call as a prepared statement, which is made on its first use.
    Result execute(const Call& call, Deadline deadline);
    /// Runs all calls in one round trip and one transaction. If a call fails, none takes effect, and the
    /// first failure is thrown.
    std::vector<Result> execute_together(std::span<const Call> calls, Deadline deadline);
    /// Runs SQL text without parameters, one statement or several. Returns the last one's result.
    Result execute_text(const std::string& sql, Deadline deadline);
    /// Ends a transaction block. Throws Refused when PostgreSQL rolled it back instead.
    void commit(Deadline deadline);
    /// Runs a call without preparing it. Calls `each` with each row of the result as soon as the row arrives.
    /// `is_binary`: the values of the rows are in PostgreSQL's binary form, otherwise they are text.
    void stream(const Call& call, bool is_binary, const std::function<void(const StreamedRow&)>& each,
                Deadline deadline);
    void copy_in(const std::string& sql, const std::function<bool(std::string&)>& source, Deadline deadline);
    [[nodiscard]] std::string quote_literal(std::string_view text);
    /// Returns whether no transaction block is open, and nothing is under way.
    [[nodiscard]] bool is_idle() const { return PQtransactionStatus(handle_) == PQTRANS_IDLE; }
    /// Returns the process number of the session's backend as libpq got it. A pooler sends libpq a number
    /// that it made up; backend_of() asks PostgreSQL itself.
    [[nodiscard]] int backend() const { return PQbackendPID(handle_); }

private:
    /// Takes PostgreSQL's notices, which come between its results.
    static void notice(void* connection, const PGresult* notice);
    void prepare(const Call& call, Deadline deadline);
    void send(bool accepted) const;
    void send_prepared(const Call& call) const;
    /// Returns the next result; null at the end of one statement's results.
    Result next_result(Deadline deadline);
    /// Waits until a result can be taken without blocking.
    void wait_for_result(Deadline deadline);
    /// Waits for the socket. Returns the events that came, 0 after a signal. Throws TimedOut at the deadline,
    /// and SilentServer after the longest silence allowed.
    int wait(short events, Deadline deadline);
    /// Returns whether the server answers a new connection, even by a refusal.
    [[nodiscard]] bool answers_others() const;
    void wait_for_input(Deadline deadline);
    /// Waits until the server takes more of the output, and reads its messages meanwhile.
    void wait_for_output(Deadline deadline);
    /// Sends a COPY, and waits until its rows may flow.
    void begin_copy(const std::string& sql, Deadline deadline);
    void put_copy_data(const std::string& chunk, Deadline deadline);
    /// Takes all results of the calls sent. Returns the last one, or throws by its status.
    Result finish(Deadline deadline);
    void check(const PGresult* result) const;
    /// Throws ConnectionLost if PostgreSQL has ended a commit without the standby's answer.
    void check_standby() const;

    PGconn* handle_;
    std::chrono::milliseconds longest_silence_;
    std::optional<Deadline> silent_since_ = {};  ///< start of the first wait since the server last answered
    /// The receiver of notices that the PGconn had before. notice() passes on to it all notices but those
    /// about the standby.
    PQnoticeReceiver other_notices_;
    std::string not_on_standby_ = {};  ///< the reason why a failover could lose a commit; empty: none
    std::unordered_set<std::string> prepared_;  ///< names of prepared statements
};

}  // namespace data_import::database
