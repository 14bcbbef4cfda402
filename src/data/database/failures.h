// The kinds of failures of a call. The kind alone says how to handle a failure.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace data_import::database {

/// The parts of a refusal by PostgreSQL that are the same in every language, unlike its message. Both members
/// are empty if no server refused anything.
struct Refusal {
    std::string sqlstate = {};
    /// The C function in PostgreSQL's source that refused a session, such as `auth_failed`; or `pooler` if a
    /// pooler had no session to give. Empty if it is not known, or if no server refused anything.
    std::string function = {};
};
/// The value of Refusal::function if a pooler has accepted a connection and has no session for it.
inline constexpr const char* pooler = "pooler";

/// Returns whether PostgreSQL knows no such role, or the role may not log in.
[[nodiscard]] inline bool is_role_refused(const Refusal& refusal) {
    return refusal.sqlstate == "28000" && refusal.function == "InitializeSessionUserId";
}
/// Returns whether PostgreSQL forbids the system user or the certificate to use the role (peer, ident, cert).
[[nodiscard]] inline bool is_user_refused(const Refusal& refusal) {
    return refusal.sqlstate == "28000" && refusal.function == "auth_failed";
}

/// The database is away or not migrated. Nothing was done, and a later retry may succeed.
class Unavailable : public std::runtime_error {
public:
    explicit Unavailable(const std::string& message, Refusal refusal = {})
        : std::runtime_error(message), refusal_(std::move(refusal)) {}
    [[nodiscard]] const Refusal& refusal() const { return refusal_; }

private:
    Refusal refusal_;
};

/// The database is away, and an earlier attempt may have taken effect. The call may be retried nevertheless.
class UnavailableOutcomeUnknown : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// The server has no room for one more session. Open sessions may go on.
class NoSessionLeft : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// A pooler in transaction mode stands in front of PostgreSQL. It may give one session to several clients in
/// turn, so no call is sent through it.
class SharedSession : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// The database answers, but lacks tables, functions or rights that a migration brings.
class SchemaMissing : public Unavailable {
public:
    using Unavailable::Unavailable;
};

/// The outcome of a call that is not retryable, or of a transaction, is unknown: the session was lost after
/// the call, or the COMMIT, was sent.
class OutcomeUnknown : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The deadline passed before PostgreSQL answered, or PostgreSQL ended the statement at its own limit. If a
/// call that is not retryable may have stored something, `execute` throws OutcomeUnknown instead.
class TimedOut : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// PostgreSQL refused the call; nothing was stored. `what()` is for the log, never for a client.
class Refused : public std::runtime_error {
public:
    Refused(std::string sqlstate, const std::string& message, int server_process = 0)
        : std::runtime_error(message), sqlstate_(std::move(sqlstate)), server_process_(server_process) {}
    [[nodiscard]] const std::string& sqlstate() const { return sqlstate_; }
    /// Returns the server process that refused the statement, as PostgreSQL's own log names it; 0 if none
    /// did.
    [[nodiscard]] int server_process() const { return server_process_; }

private:
    std::string sqlstate_;
    int server_process_;
};

/// Returns whether the failed call may have taken effect.
[[nodiscard]] inline bool is_outcome_unknown(const std::exception& failure) {
    return dynamic_cast<const OutcomeUnknown*>(&failure) != nullptr ||
           dynamic_cast<const UnavailableOutcomeUnknown*>(&failure) != nullptr ||
           dynamic_cast<const TimedOut*>(&failure) != nullptr;
}

}  // namespace data_import::database
