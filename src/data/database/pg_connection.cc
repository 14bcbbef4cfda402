#include "data/database/pg_connection.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "data/database/fresh_session.h"

namespace data_import::database {

namespace {

std::string first_line(const char* message) {
    const std::string_view text = message == nullptr ? "" : message;
    return std::string(text.substr(0, text.find('\n')));
}

bool is_one_of(std::string_view sqlstate, std::initializer_list<std::string_view> prefixes) {
    for (const std::string_view prefix : prefixes) {
        if (sqlstate.starts_with(prefix)) return true;
    }
    return false;
}

[[noreturn]] void throw_by_sqlstate(const std::string& sqlstate, const std::string& message, int process) {
    const std::string text =
        sqlstate + ": " + message + " (PostgreSQL process " + std::to_string(process) + ")";
    // The server is going down or has crashed. The argument `true` says that the statement may have run,
    // because the message may come after the commit.
    if (is_one_of(sqlstate, {"08", "57P"})) throw ConnectionLost(text, true);
    // The statement was not run: the server has become a standby (25006), the prepared statement is gone
    // (26000), or another client has prepared a statement of the same name (42P05), because a pooler lends
    // one session to several clients. A fresh session runs the statement, or fails with the reason.
    if (is_one_of(sqlstate, {"25006", "26000", "42P05"})) throw ConnectionLost(text, false);
    if (is_one_of(sqlstate, {"40001", "40P01"})) throw RolledBack(text);
    if (sqlstate == "57014") throw StatementCancelled(text);
    if (is_one_of(sqlstate, {"42P01", "42703", "42883", "3F000", "42501"}))
        throw SchemaMissing(text, {sqlstate});
    // The server has too few connections, too little memory or disk space, or cannot use its files.
    if (is_one_of(sqlstate, {"53", "58"})) throw Unavailable(text, {sqlstate});
    throw Refused(sqlstate, message, process);
}

}  // namespace

// Sends do not block, so that the deadline also holds for large calls to a server that does not read.
PgConnection::PgConnection(PGconn* handle, std::chrono::milliseconds longest_silence)
    : handle_(handle),
      longest_silence_(longest_silence),
      other_notices_(PQsetNoticeReceiver(handle, &PgConnection::notice, this)) {
    PQsetnonblocking(handle_, 1);
}

PgConnection::~PgConnection() {
    PQsetNoticeReceiver(handle_, other_notices_, nullptr);
}

// Keeps the warning that a commit was ended without the standby's answer, and passes all other notices on.
//
// The file of PostgreSQL's source code that sends the warning identifies it, because the warning's text
// depends on the server's language, and all warnings have the same SQLSTATE.
void PgConnection::notice(void* connection, const PGresult* notice) {
    auto& self = *static_cast<PgConnection*>(connection);
    const char* source = PQresultErrorField(notice, PG_DIAG_SOURCE_FILE);
    if (source == nullptr || std::string_view(source) != "syncrep.c")
        return self.other_notices_(nullptr, notice);
    self.not_on_standby_ = first_line(PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
}

Result PgConnection::execute(const Call& call, Deadline deadline) {
    if (!prepared_.contains(call.name)) prepare(call, deadline);
    send_prepared(call);
    return finish(deadline);
}

// PostgreSQL runs all statements before a Sync in one transaction, and its answer to the Sync tells whether
// it has committed. Takes all results before it throws a failure, so that the session stays sound.
std::vector<Result> PgConnection::execute_together(std::span<const Call> calls, Deadline deadline) {
    for (const Call& call : calls) {
        if (!prepared_.contains(call.name)) prepare(call, deadline);
    }
    send(PQenterPipelineMode(handle_));
    for (const Call& call : calls) send_prepared(call);
    send(PQpipelineSync(handle_));
    std::vector<Result> results;
    Result failure;
    for (bool synced = false; !synced;) {
        Result result = next_result(deadline);
        if (!result) {  // null: the end of one statement's results
            if (PQstatus(handle_) == CONNECTION_BAD) throw ConnectionLost("closed in a pipeline", true);
            continue;
        }
        const ExecStatusType status = PQresultStatus(result.get());
        synced = status == PGRES_PIPELINE_SYNC;
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) results.push_back(std::move(result));
        if (status == PGRES_FATAL_ERROR) {
            if (PQstatus(handle_) == CONNECTION_BAD) check(result.get());
            if (!failure) failure = std::move(result);
        }
    }
    send(PQexitPipelineMode(handle_));
    check_standby();
    if (failure) check(failure.get());
    return results;
}

void PgConnection::send_prepared(const Call& call) const {
    std::vector<const char*> values;
    // libpq ignores these lengths for parameters in text form.
    std::vector<int> lengths(call.parameters.size());
    std::vector<int> is_binary(call.parameters.size());
    for (const Parameter& parameter : call.parameters)
        values.push_back(parameter ? parameter->c_str() : nullptr);
    for (const std::string& parameter : call.binary) {
        values.push_back(parameter.data());
        lengths.push_back(static_cast<int>(parameter.size()));
        is_binary.push_back(1);
    }
    send(PQsendQueryPrepared(handle_, call.name.c_str(), static_cast<int>(values.size()), values.data(),
                             lengths.data(), is_binary.data(), 0));
}

void PgConnection::prepare(const Call& call, Deadline deadline) {
    try {
        send(PQsendPrepare(handle_, call.name.c_str(), call.sql.c_str(), 0, nullptr));
        finish(deadline);
    } catch (const ConnectionLost& lost) {
        // The argument `false` says that nothing can have taken effect: preparing a statement changes no
        // data.
        throw ConnectionLost(lost.what(), false);
    }
    prepared_.insert(call.name);
}

Result PgConnection::execute_text(const std::string& sql, Deadline deadline) {
    send(PQsendQuery(handle_, sql.c_str()));
    return finish(deadline);
}

void PgConnection::commit(Deadline deadline) {
    send(PQsendQuery(handle_, "COMMIT"));
    const Result result = finish(deadline);
    if (std::string_view(PQcmdStatus(result.get())) != "COMMIT")
        throw Refused("25P02", "the transaction was rolled back");
}

void PgConnection::stream(const Call& call, bool is_binary,
                          const std::function<void(const StreamedRow&)>& each, Deadline deadline) {
    std::vector<const char*> values;
    for (const Parameter& parameter : call.parameters)
        values.push_back(parameter ? parameter->c_str() : nullptr);
    send(PQsendQueryParams(handle_, call.sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                           nullptr, nullptr, is_binary ? 1 : 0));
    PQsetSingleRowMode(handle_);
    Result last;
    while (Result next = next_result(deadline)) {
        if (PQresultStatus(next.get()) == PGRES_SINGLE_TUPLE)
            each(StreamedRow(*next));
        else
            last = std::move(next);
    }
    check_standby();
    check(last.get());
}

void PgConnection::copy_in(const std::string& sql, const std::function<bool(std::string&)>& source,
                           Deadline deadline) {
    begin_copy(sql, deadline);
    std::string chunk;
    while (source(chunk)) put_copy_data(chunk, deadline);
    int taken = 0;
    while ((taken = PQputCopyEnd(handle_, nullptr)) == 0) wait_for_output(deadline);
    send(taken == 1);
    finish(deadline);
}

void PgConnection::begin_copy(const std::string& sql, Deadline deadline) {
    send(PQsendQuery(handle_, sql.c_str()));
    const Result result = next_result(deadline);
    if (PQresultStatus(result.get()) == PGRES_COPY_IN) return;
    while (next_result(deadline)) {
        // Takes all results. A result that is left would be taken for one of the next call.
    }
    check(result.get());
    throw std::logic_error("no COPY: " + sql);
}

void PgConnection::put_copy_data(const std::string& chunk, Deadline deadline) {
    int taken = 0;
    while ((taken = PQputCopyData(handle_, chunk.data(), static_cast<int>(chunk.size()))) == 0) {
        wait_for_output(deadline);
    }
    send(taken == 1);
}

std::string PgConnection::quote_literal(std::string_view text) {
    const std::unique_ptr<char, void (*)(void*)> quoted(PQescapeLiteral(handle_, text.data(), text.size()),
                                                        PQfreemem);
    if (!quoted)
        throw std::runtime_error("the text cannot be quoted: " + first_line(PQerrorMessage(handle_)));
    return quoted.get();
}

void PgConnection::send(bool accepted) const {
    if (!accepted) throw ConnectionLost(first_line(PQerrorMessage(handle_)), false);
}

// After a long silence, tries whether the server answers a new connection. The trial takes up to
// connect_time. So it begins that long before `longest_silence_` is over, but not in the first half.
int PgConnection::wait(short events, Deadline deadline) {
    using namespace std::chrono;
    if (!silent_since_) silent_since_ = steady_clock::now();
    const Deadline ask_at =
        *silent_since_ + std::max<milliseconds>(longest_silence_ / 2, longest_silence_ - connect_time);
    const auto left = ceil<milliseconds>(std::min(deadline, ask_at) - steady_clock::now()).count();
    pollfd awaited{PQsocket(handle_), events, 0};
    const int ready = poll(&awaited, 1, static_cast<int>(std::clamp<long>(left, 0, 60'000)));
    if (ready > 0) {
        silent_since_.reset();
        return awaited.revents;
    }
    if (ready < 0 && errno != EINTR) throw ConnectionLost("poll failed on the session's socket", true);
    if (steady_clock::now() >= deadline) throw TimedOut("no answer from PostgreSQL before the deadline");
    if (ready < 0 || steady_clock::now() < ask_at) return 0;
    const auto asked = steady_clock::now();
    const bool is_answered = answers_others();
    const auto now = steady_clock::now();
    if (is_answered)
        silent_since_ = now;
    else if (now + (now - asked) / 2 >= *silent_since_ + longest_silence_)
        throw SilentServer("PostgreSQL answers nothing, neither this session nor a new one", true);
    return 0;
}

bool PgConnection::answers_others() const {
    const std::string_view address = PQhostaddr(handle_);
    std::string conninfo = "host=";
    conninfo += address.empty() ? PQhost(handle_) : address;
    conninfo += std::string(" port=") + PQport(handle_);
    conninfo += " connect_timeout=" + std::to_string(connect_time.count());
    const PGPing answer = PQping(conninfo.c_str());
    return answer == PQPING_OK || answer == PQPING_REJECT;
}

void PgConnection::wait_for_input(Deadline deadline) {
    if (wait(POLLIN, deadline) != 0 && PQconsumeInput(handle_) == 0) {
        throw ConnectionLost(first_line(PQerrorMessage(handle_)), true);
    }
}

void PgConnection::wait_for_output(Deadline deadline) {
    const int events = wait(POLLIN | POLLOUT, deadline);
    if (((events & POLLIN) != 0 && PQconsumeInput(handle_) == 0) || PQflush(handle_) < 0) {
        throw ConnectionLost(first_line(PQerrorMessage(handle_)), true);
    }
}

void PgConnection::wait_for_result(Deadline deadline) {
    while (PQflush(handle_) == 1) wait_for_output(deadline);
    while (PQisBusy(handle_) != 0) wait_for_input(deadline);
}

Result PgConnection::next_result(Deadline deadline) {
    wait_for_result(deadline);
    return Result(PQgetResult(handle_));
}

Result PgConnection::finish(Deadline deadline) {
    Result last;
    for (;;) {
        Result next = next_result(deadline);
        if (!next) break;
        // keeps the first failure of several statements
        if (!last || PQresultStatus(last.get()) != PGRES_FATAL_ERROR) last = std::move(next);
    }
    check_standby();
    check(last.get());
    return last;
}

void PgConnection::check_standby() const {
    if (!not_on_standby_.empty()) throw ConnectionLost(not_on_standby_, true);
}

void PgConnection::check(const PGresult* result) const {
    switch (PQresultStatus(result)) {
        case PGRES_TUPLES_OK:
        case PGRES_COMMAND_OK:
        case PGRES_COPY_IN:
            return;
        default:
            break;
    }
    const char* sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (sqlstate == nullptr) throw ConnectionLost(first_line(PQerrorMessage(handle_)), true);
    const std::string message = first_line(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    // An error from plancache.c says that the statement was not run, because the result type of a cached plan
    // has changed; a fresh session helps. Other files send the same SQLSTATE for unsupported features, which
    // are thrown as Refused. The file tells the two apart, because messages are translated.
    const char* file = PQresultErrorField(result, PG_DIAG_SOURCE_FILE);
    if (file != nullptr && std::string_view(file) == "plancache.c") throw ConnectionLost(message, false);
    throw_by_sqlstate(sqlstate, message, PQbackendPID(handle_));
}

}  // namespace data_import::database
