#include "data/database/database.h"

#include <Poco/Data/PostgreSQL/Connector.h>
#include <Poco/Data/PostgreSQL/Utility.h>
#include <Poco/Data/Session.h>
#include <Poco/Data/SessionPool.h>
#include <Poco/Exception.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/util/log.h"
#include "data/database/conninfo.h"
#include "data/database/fresh_session.h"
#include "data/database/pg_connection.h"
#include "data/database/session_settings.h"

namespace data_import::database {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr milliseconds no_time{500};  // a connect with less time than this may fail although a host is well
constexpr seconds circuit_time{1};    // after a failed connect, calls fail at once for this time
constexpr seconds session_idle_time{300};  // time after which the pool closes an unused session
constexpr int max_attempts = 4;            // most attempts of a call that deadlocks or whose session dies

// SQLSTATE feature_not_supported; a call that fails with it has done nothing. The reason may be a statement
// or plan that was prepared before the tables were changed or distributed, and does not fit them any more. A
// fresh session makes plans that fit.
constexpr const char* stale_plan = "0A000";

}  // namespace

/// Keeps one session as long as it is sound, so that its prepared statements stay.
class Database::Impl {
public:
    explicit Impl(const Options& options) : options_(options), hosts_(conninfo_by_host(options)) {
        ignore_settings_of_environment();
        Poco::Data::PostgreSQL::Connector::registerConnector();
    }

    /// Runs `work` on a sound session. Retries it after a failure if that is safe (failures.h).
    /// `is_retryable` has to return false as soon as `work` has handed a row over.
    template <typename Work>
    auto run(const Work& work, const std::function<bool()>& is_retryable, Deadline deadline) {
        if (steady_clock::now() >= deadline) throw TimedOut("the deadline has passed already");
        bool is_outcome_unknown = false;  // an earlier attempt may have taken effect
        for (int attempt = 1;; ++attempt) {
            bool was_begun = false;
            try {
                PgConnection& session = connection(deadline);
                was_begun = true;
                return work(session);
            } catch (const ConnectionLost& lost) {
                const bool may_have_run = lost.may_have_run();
                discard();
                ask_another_host_first();
                if (in_transaction_) throw Unavailable(lost.what());
                if (may_have_run && !is_retryable()) throw OutcomeUnknown(lost.what());
                is_outcome_unknown = is_outcome_unknown || may_have_run;
                if (attempt == max_attempts || steady_clock::now() >= deadline)
                    throw_unavailable(lost, is_outcome_unknown);
                util::log(util::Severity::warning, "session lost, call repeated", {{"reason", lost.what()}});
            } catch (const RolledBack& rolled_back) {
                discard_unless_idle();
                if (in_transaction_ || attempt == max_attempts) throw Refused("40001", rolled_back.what());
            } catch (const Refused& refused) {
                discard_unless_idle();
                // Only a stale plan needs a new session. Every other refusal concerns the statement alone.
                if (refused.sqlstate() != stale_plan) throw;
                discard();
                if (in_transaction_ || attempt > 1) throw;
                util::log(util::Severity::warning, "session replaced, call repeated",
                          {{"reason", refused.what()}});
            } catch (const StatementCancelled&) {
                discard_unless_idle();
                throw;  // The statement has changed nothing. The session is sound and stays open.
            } catch (const TimedOut& timed_out) {
                discard();
                if (was_begun && !in_transaction_ && !is_retryable()) throw OutcomeUnknown(timed_out.what());
                throw;
            } catch (const Unavailable& away) {
                discard();
                if (is_outcome_unknown) throw_unavailable(away, is_outcome_unknown);
                throw;
            } catch (...) {
                discard();  // A late answer could be taken for the answer to the next call.
                throw;
            }
        }
    }

    void transaction(const std::function<void()>& work, Deadline deadline, std::string_view request) {
        work_in_block(work, deadline, request);
        commit(deadline);
    }

    void rehearse(const std::function<void()>& work, Deadline deadline) {
        work_in_block(work, deadline, {});
        roll_back(deadline);
    }

    /// Connects, sets the session up and makes the call, all by the deadline.
    Rows execute_afresh(const Call& call, Deadline deadline) {
        const FreshSession handle = open_fresh_session(hosts_, deadline);
        PgConnection session(handle.get(), options_.longest_silence);
        try {
            // The first answer may take half of the time that is left; the other half is for the call.
            const auto now = steady_clock::now();
            await_first_answer(session, now + (deadline - now) / 2);
            session.execute_text(settings_of(session), deadline);
            return Rows(session.execute(call, deadline).release());
        } catch (const ConnectionLost& lost) {
            if (lost.may_have_run() && !call.retryable) throw OutcomeUnknown(lost.what());
            throw Unavailable(lost.what());
        } catch (const RolledBack& rolled_back) {
            throw Refused("40001", rolled_back.what());
        }
    }

    /// Adds `request`, the id of a request, to the session's application_name. unname() removes the id. Has
    /// to be called before BEGIN, because name() makes a query, and a transaction cannot set its isolation
    /// level after a query.
    void name(PgConnection& session, std::string_view request, Deadline deadline) {
        if (request.empty()) return;
        is_named_ = true;
        set_name(session, options_.application_name + ' ' + std::string(request), deadline);
    }

    void unname(Deadline deadline) {
        if (!std::exchange(is_named_, false) || !connection_) return;
        try {
            set_name(*connection_, options_.application_name, deadline);
        } catch (const std::exception&) {
            discard();
        }
    }

    /// Calls the SQL function set_config(), because the SQL statement SET takes no parameters.
    static void set_name(PgConnection& session, const std::string& name, Deadline deadline) {
        session.execute({.name = "set_application_name",
                         .sql = "SELECT pg_catalog.set_config('application_name', $1, false)",
                         .parameters = {name}},
                        deadline);
    }

    PgConnection& connection(Deadline deadline) {
        if (connection_) return *connection_;
        if (in_transaction_) throw Unavailable("the session of the transaction is lost");
        const auto begin = steady_clock::now();
        if (begin < closed_until_) throw Unavailable(last_failure_);
        try {
            open(deadline);
        } catch (const SharedSession&) {
            discard();
            throw;
        } catch (const std::exception& failure) {
            discard();
            if (steady_clock::now() >= deadline && deadline - begin < no_time)
                throw TimedOut("no session before the deadline: " + std::string(failure.what()));
            last_failure_ = as_unavailable(failure);
            closed_until_ = steady_clock::now() + circuit_time;
            throw Unavailable(last_failure_);
        }
        return *connection_;
    }

    /// Disconnects the session, so that the pool drops it. Otherwise the session would go back to the pool,
    /// which would lend it again in the middle of a command.
    void discard() {
        connection_.reset();
        is_named_ = false;
        if (!session_) return;
        try {
            Poco::Data::PostgreSQL::Utility::handle(*session_)->disconnect();
        } catch (const Poco::Exception& failure) {
            util::log(util::Severity::warning, "closing a session failed",
                      {{"reason", failure.displayText()}});
        }
        session_.reset();
    }

private:
    /// Runs `work` in a transaction block, and leaves the block open unless `work` throws.
    void work_in_block(const std::function<void()>& work, Deadline deadline, std::string_view request) {
        run(
            [&](PgConnection& session) {
                name(session, request, deadline);
                session.execute_text("BEGIN", deadline);
            },
            [] { return true; }, deadline);
        in_transaction_ = true;
        try {
            work();
        } catch (...) {
            in_transaction_ = false;
            roll_back(deadline);
            throw;
        }
        in_transaction_ = false;
    }

    void commit(Deadline deadline) {
        if (!connection_) throw Unavailable("the session of the transaction is lost");
        try {
            connection_->commit(deadline);
            unname(deadline);
        } catch (const ConnectionLost& lost) {
            discard();
            throw OutcomeUnknown(lost.what());
        } catch (const StatementCancelled&) {
            throw;  // PostgreSQL has rolled back, and the session is sound.
        } catch (const TimedOut& timed_out) {
            discard();
            throw OutcomeUnknown(timed_out.what());
        } catch (...) {
            discard();
            throw;
        }
    }

    /// Rolls back. A session that does not roll back at once is closed, which rolls back, too.
    void roll_back(Deadline deadline) {
        if (!connection_) return;
        try {
            connection_->execute_text("ROLLBACK", deadline);
            unname(deadline);
        } catch (const std::exception&) {
            discard();
        }
    }

    // Opens a session after a test connection, because Poco::Data leaks a descriptor if a connect is
    // rejected, and knows no deadline.
    void open(Deadline deadline) {
        try_session(deadline);
        if (pool_host_ != hosts_.front()) {
            pool_host_ = hosts_.front();
            pool_ =
                std::make_unique<Poco::Data::SessionPool>(Poco::Data::PostgreSQL::Connector::KEY, pool_host_,
                                                          1, 4, static_cast<int>(session_idle_time.count()));
        }
        try {
            session_ = std::make_unique<Poco::Data::Session>(pool_->get());
        } catch (const Poco::Exception& failure) {
            throw Unavailable(failure.displayText());
        }
        connection_ = std::make_unique<PgConnection>(*Poco::Data::PostgreSQL::Utility::handle(*session_),
                                                     options_.longest_silence);
        connection_->execute_text(settings_of(*connection_), deadline);
        refuse_shared_session(deadline);
    }

    void try_session(Deadline deadline) {
        const FreshSession handle = open_fresh_session(hosts_, deadline);
        PgConnection session(handle.get(), options_.longest_silence);
        await_first_answer(session, deadline);
    }

    /// Throws SharedSession if another session gets the same backend. A pooler may then lend this session to
    /// other clients between two statements, and leave them its prepared statements, settings and locks.
    void refuse_shared_session(Deadline deadline) {
        const std::int64_t backend = backend_of(*connection_, deadline);
        if (backend == connection_->backend()) return;  // no pooler stands in between
        if (backend_of_another_session(deadline) != backend) return;
        throw SharedSession(
            "a pooler in transaction mode stands before PostgreSQL, which loses prepared statements, "
            "settings and locks: let it keep sessions (pool_mode = session), or connect to PostgreSQL "
            "itself");
    }

    /// Opens another session for a moment, and returns the process number of its backend. Returns nothing if
    /// no other session can be opened. A pooler in session mode, for example, may have only one session to
    /// lend.
    [[nodiscard]] std::optional<std::int64_t> backend_of_another_session(Deadline deadline) const {
        const Deadline soon = std::min<Deadline>(deadline, steady_clock::now() + connect_time);
        std::vector<std::string> host = {hosts_.front()};
        try {
            const FreshSession handle = open_fresh_session(host, soon);
            PgConnection other(handle.get(), options_.longest_silence);
            return backend_of(other, soon);
        } catch (const TimedOut&) {
            return std::nullopt;
        } catch (const Unavailable&) {
            return std::nullopt;
        }
    }

    [[nodiscard]] std::string settings_of(PgConnection& session) const {
        return session_settings(options_, options_.role.empty() ? "" : session.quote_literal(options_.role));
    }

    /// Turns the failure to open a session, or to set it up, into Unavailable. PostgreSQL may have refused
    /// the session's settings or its role.
    static Unavailable as_unavailable(const std::exception& failure) {
        if (const auto* away = dynamic_cast<const Unavailable*>(&failure)) return *away;
        const auto* refused = dynamic_cast<const Refused*>(&failure);
        if (refused == nullptr) return Unavailable(failure.what());
        return Unavailable(refused->sqlstate() + ": " + refused->what(), {refused->sqlstate()});
    }

    [[noreturn]] static void throw_unavailable(const std::exception& failure, bool is_outcome_unknown) {
        if (is_outcome_unknown) throw UnavailableOutcomeUnknown(failure.what());
        throw Unavailable(failure.what());
    }

    /// Discards the session if a transaction block is open. A script that failed after its own BEGIN leaves
    /// such a block, in which PostgreSQL would refuse all later calls.
    void discard_unless_idle() {
        if (connection_ && !in_transaction_ && !connection_->is_idle()) discard();
    }

    /// Moves the current host to the end of `hosts_`, so that the next connect tries another host first. The
    /// current host has lost a session, and may leave the next connect without an answer.
    void ask_another_host_first() { std::rotate(hosts_.begin(), hosts_.begin() + 1, hosts_.end()); }

    Options options_;
    std::vector<std::string> hosts_;  ///< parameters of each host; the next one to connect to is first
    std::string pool_host_;
    std::unique_ptr<Poco::Data::SessionPool> pool_;
    std::unique_ptr<Poco::Data::Session> session_;
    std::unique_ptr<PgConnection> connection_;
    bool in_transaction_ = false;
    bool is_named_ = false;  ///< the session's application_name contains a request's id
    steady_clock::time_point closed_until_{};
    Unavailable last_failure_{""};
};

Database::Database(Options options) : impl_(std::make_unique<Impl>(options)) {}

Database::~Database() = default;

Rows Database::execute(const Call& call, Deadline deadline) {
    return impl_->run([&](PgConnection& session) { return Rows(session.execute(call, deadline).release()); },
                      [&] { return call.retryable; }, deadline);
}

Rows Database::execute_afresh(const Call& call, Deadline deadline) {
    return impl_->execute_afresh(call, deadline);
}

std::vector<Rows> Database::execute_together(std::span<const Call> calls, Deadline deadline) {
    const auto execute = [&](PgConnection& session) {
        std::vector<Rows> all;
        all.reserve(calls.size());
        for (Result& result : session.execute_together(calls, deadline)) all.emplace_back(result.release());
        return all;
    };
    return impl_->run(
        execute, [] { return true; }, deadline);
}

void Database::execute_script(const std::string& sql, Deadline deadline) {
    impl_->run([&](PgConnection& session) { session.execute_text(sql, deadline); }, [] { return false; },
               deadline);
}

void Database::stream(const Call& call, ValueFormat format,
                      const std::function<void(const StreamedRow&)>& each, Deadline deadline) {
    bool begun = false;
    const auto watched = [&](const StreamedRow& row) {
        begun = true;
        each(row);
    };
    const auto stream = [&](PgConnection& session) {
        try {
            session.stream(call, format == ValueFormat::binary, watched, deadline);
        } catch (const ConnectionLost& lost) {
            // No retry: rows that were passed on cannot be taken back.
            if (begun) throw Unavailable(lost.what());
            throw;
        } catch (const RolledBack& rolled_back) {
            if (begun) throw Unavailable(rolled_back.what());
            throw;
        }
    };
    impl_->run(
        stream, [] { return true; }, deadline);
}

void Database::copy_in(const std::string& sql, const std::function<bool(std::string&)>& source,
                       Deadline deadline) {
    impl_->run([&](PgConnection& session) { session.copy_in(sql, source, deadline); }, [] { return false; },
               deadline);
}

void Database::transaction(const std::function<void()>& work, Deadline deadline, std::string_view request) {
    impl_->transaction(work, deadline, request);
}

void Database::rehearse(const std::function<void()>& work, Deadline deadline) {
    impl_->rehearse(work, deadline);
}

void Database::drop_session() {
    impl_->discard();
}

}  // namespace data_import::database
