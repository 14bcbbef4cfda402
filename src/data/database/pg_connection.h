// One PostgreSQL connection by libpq: calls that end by a deadline, failures by kind. Private to database/.
//
// It works on the PGconn of a Poco::Data session: Poco's own statements cost more round trips, hide SQLSTATEs
// and cut texts at U+0000, so only sessions and pooling are Poco's.
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

/// The session is of no use any more: closed, shut down by the server, connected to a standby, or its last
/// commit's outcome is unknown. `what()` is for the log.
class ConnectionLost : public std::runtime_error {
public:
    ConnectionLost(const std::string& message, bool may_have_run)
        : std::runtime_error(message), may_have_run_(may_have_run) {}
    /// The statement had been sent, and whether it took effect is unknown.
    [[nodiscard]] bool may_have_run() const { return may_have_run_; }

private:
    bool may_have_run_;
};

/// The server has answered nothing for the time that silence may last, and no new session either.
class SilentServer : public ConnectionLost {
public:
    using ConnectionLost::ConnectionLost;
};

/// PostgreSQL rolled the statement back so that others could go on (40001, 40P01): it may be run again as it
/// is.
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

/// Does not own the PGconn, which has to outlive it. Every function throws ConnectionLost, TimedOut,
/// Unavailable (schema missing, server out of resources), RolledBack or Refused. After StatementCancelled,
/// RolledBack and Refused the session takes the next call. ConnectionLost is thrown, too, for a commit whose
/// wait for a synchronous standby was cut off: a failover could lose it.
class PgConnection {
public:
    /// A server that works on a long statement is not silent: it answers others meanwhile.
    PgConnection(PGconn* handle, std::chrono::milliseconds longest_silence);
    ~PgConnection();
    PgConnection(const PgConnection&) = delete;
    PgConnection& operator=(const PgConnection&) = delete;

    /// Runs a call as a prepared statement, which is made on its first use.
    Result execute(const Call& call, Deadline deadline);
    /// Runs all calls in one round trip and one transaction: all of them take effect, or none does and the
    /// first failure is thrown.
    std::vector<Result> execute_together(std::span<const Call> calls, Deadline deadline);
    /// Runs SQL text without parameters, possibly several statements; the last one's result.
    Result execute_text(const std::string& sql, Deadline deadline);
    /// Ends a transaction block. Throws Refused when PostgreSQL rolled it back instead.
    void commit(Deadline deadline);
    /// Runs a call without preparing it, and passes its rows on one by one, as they arrive.
    void stream(const Call& call, bool is_binary, const std::function<void(const StreamedRow&)>& each,
                Deadline deadline);
    void copy_in(const std::string& sql, const std::function<bool(std::string&)>& source, Deadline deadline);
    [[nodiscard]] std::string quote_literal(std::string_view text);
    /// No transaction block is open, and nothing is under way.
    [[nodiscard]] bool is_idle() const { return PQtransactionStatus(handle_) == PQTRANS_IDLE; }
    /// Process number of the session's backend, as the peer told it: a pooler makes up one of its own.
    [[nodiscard]] int backend() const { return PQbackendPID(handle_); }

private:
    /// Handles PostgreSQL's notices beside its results.
    static void notice(void* connection, const PGresult* notice);
    void prepare(const Call& call, Deadline deadline);
    void send(bool accepted) const;
    void send_prepared(const Call& call) const;
    /// The next result; null at the end of one statement's results.
    Result next_result(Deadline deadline);
    /// Waits until a result can be taken without blocking.
    void wait_for_result(Deadline deadline);
    /// Waits for the socket. Returns the events that came, 0 after a signal. Throws TimedOut at the deadline,
    /// and SilentServer.
    int wait(short events, Deadline deadline);
    /// Whether the server answers anything, asked beside this session.
    [[nodiscard]] bool answers_others() const;
    void wait_for_input(Deadline deadline);
    /// Waits until the server takes more of the output, and reads its messages meanwhile.
    void wait_for_output(Deadline deadline);
    /// Sends a COPY, and waits until its rows may flow.
    void begin_copy(const std::string& sql, Deadline deadline);
    void put_copy_data(const std::string& chunk, Deadline deadline);
    /// The last result of the calls sent, all others consumed; throws by its status.
    Result finish(Deadline deadline);
    void check(const PGresult* result) const;
    /// Throws ConnectionLost when a commit did not wait for the standby to the end.
    void check_standby() const;

    PGconn* handle_;
    std::chrono::milliseconds longest_silence_;
    std::optional<Deadline> silent_since_ = {};  ///< the first wait since it was heard of
    PQnoticeReceiver other_notices_;             ///< takes notices that mean nothing here
    std::string not_on_standby_ = {};            ///< why a commit may be lost in a failover; empty: none
    std::unordered_set<std::string> prepared_;   ///< names
};

}  // namespace data_import::database
