#include "service/http/bulk.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/util/foreign_form.h"
#include "base/util/limits.h"
#include "base/util/temporary_file.h"
#include "data/json/writer.h"
#include "service/http/bulk_line.h"
#include "service/http/executor.h"
#include "service/http/failure_answer.h"
#include "service/http/header_fields.h"
#include "service/http/responders.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t most_lines = util::limits::bulk_lines;
constexpr std::size_t most_bytes = util::limits::bulk_body;  // bytes of the unpacked body
/// The most bytes of a line besides its body: for its path, its id and white space.
constexpr std::size_t beside_body = 64UL * 1024;

/// The size at which a transaction is full; its last line may exceed it. A transaction has to be small while
/// other organisations work, because they wait for its accounts, and their commits wait for its commit.
struct TransactionSize {
    std::size_t lines;
    std::size_t bytes;
};
/// The lines and bytes of a full transaction while no other organisation imports.
constexpr TransactionSize size_alone{512, 1024UL * 1024};
/// The lines and bytes of a full transaction while other organisations send bulk requests, but no single
/// imports.
constexpr TransactionSize size_beside_bulk{128, 256UL * 1024};
/// The lines and bytes of a full transaction while other organisations send single imports.
constexpr TransactionSize size_beside_imports{32, 64UL * 1024};

/// The time that all lines of a request together may wait for locked accounts: the more one line waits, the
/// less is left for the lines after it.
constexpr std::chrono::seconds wait_for_accounts = util::limits::bulk_wait;

/// The last part of the request's time. It is kept for handing over the answer, so no line is begun in it.
constexpr std::chrono::seconds time_to_answer{10};

/// Bytes of the answer that are held in memory. The rest goes into a temporary file.
constexpr std::size_t answer_in_memory = 1024UL * 1024;

/// A line of the bulk request, carried out as a request of its own.
class LineRun {
public:
    /// Begins the line `read` of the bulk request `bulk`. `denied` is the problem of an API key that lost its
    /// rights during the bulk request, for example because it was revoked; nothing if the key may still
    /// import. A line with `denied` is refused with this problem. `is_success_told` tells whether the client
    /// wants the bodies of successful answers.
    LineRun(const BodyLine& read, const Context& bulk, WorkerContext& worker, bool is_success_told,
            const std::optional<Problem>& denied)
        : number_(read.number),
          parsed_(parse(read, worker)),
          request_(request_of(parsed_, bulk.request)),
          run_({request_, answer_}, worker, bulk, read.number, is_success_told) {
        if (denied)
            run_.refuse(*denied);
        else if (parsed_.problem)
            run_.refuse(*parsed_.problem);
        else if (run_.enter_line())
            run_.prepare(std::move(parsed_.document));
        parsed_.document.reset();  // not needed any more, also if the line was refused
    }

    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const std::optional<std::string>& id() const { return parsed_.id; }
    [[nodiscard]] RequestRun& run() { return run_; }
    [[nodiscard]] const Reply& reply() const { return answer_.reply(); }

private:
    static BulkLine parse(const BodyLine& read, const WorkerContext& worker) {
        BulkLine line;
        if (!read.is_too_long) line = read_bulk_line(read.text, worker.options.unknown_fields);
        if (read.is_too_long || line.body.size() > worker.options.max_body_bytes)
            line.problem = Problem{
                Code::payload_too_large,
                "The body is larger than " + std::to_string(worker.options.max_body_bytes) + " bytes."};
        if (read.is_too_long && has_lost_line_breaks(read.text)) line.problem->detail = lost_line_breaks;
        return line;
    }

    static Request request_of(BulkLine& line, const Request& bulk) {
        Request request;
        request.method = "POST";
        request.path = line.path;
        request.query = line.query;
        request.content_type = "application/json";
        request.request_id = bulk.request_id;
        request.client_request_id = bulk.client_request_id;
        request.traceparent = bulk.traceparent;
        request.remote_address = bulk.remote_address;
        request.body = std::move(line.body);
        return request;
    }

    std::size_t number_;
    BulkLine parsed_;
    Request request_;
    HeldAnswer answer_;
    RequestRun run_;
};

using Lines = std::vector<std::unique_ptr<LineRun>>;

/// The answer to the bulk request. It begins when all lines are done, because its status depends on all of
/// them.
class Results {
public:
    explicit Results(std::string_view shown) : shows_good_(shown == "all"), shows_bad_(shown != "none") {}

    [[nodiscard]] bool shows_good() const { return shows_good_; }

    void add(const LineRun& line) {
        const Reply& reply = line.reply();
        const bool is_good = reply.status < 300;
        ++(is_good ? accepted_ : refused_);
        if (!is_good) ++refused_by_status_[reply.status];
        if (!(is_good ? shows_good_ : shows_bad_)) return;
        json::Writer writer;
        writer.begin_object().key("line").integer(static_cast<std::int64_t>(line.number()));
        if (line.id()) writer.key("id").string(*line.id());
        writer.key("status").integer(reply.status).key("body").raw(reply.body).end_object();
        append(writer.take() + '\n');
    }

    void hand_over(Responder& responder) {
        json::Writer last;
        last.begin_object().key("lines").integer(accepted_ + refused_);
        last.key("accepted").integer(accepted_).key("refused").integer(refused_);
        if (!shows_bad_ && refused_ > 0) write_statuses(last.key("refused_by_status"));
        append(last.end_object().take() + '\n');
        responder.begin(refused_ == 0 ? 200 : 207, "application/x-ndjson",
                        {{"Content-Length", std::to_string(bytes_)}});
        spool_.read([&](std::string_view piece) { responder.write(piece); });
        responder.end();
    }

private:
    void write_statuses(json::Writer& writer) const {
        writer.begin_object();
        for (const auto& [status, lines] : refused_by_status_)
            writer.key(std::to_string(status)).integer(lines);
        writer.end_object();
    }

    void append(const std::string& line) {
        bytes_ += line.size();
        spool_.append(line);
    }

    bool shows_good_;
    bool shows_bad_;
    std::int64_t accepted_ = 0;
    std::int64_t refused_ = 0;
    std::map<int, std::int64_t> refused_by_status_;
    std::size_t bytes_ = 0;
    util::Spool spool_{answer_in_memory};
};

class Bulk {
public:
    Bulk(const Context& context, WorkerContext& worker, const Responder& responder)
        : context_(context),
          worker_(worker),
          responder_(responder),
          begin_until_(context.deadline - time_to_answer),
          wait_left_(wait_for_accounts),
          results_(context.query.values.at("results")) {}

    Results& answer_lines() {
        check_body();
        BodyLines reader = lines();
        Lines batch;
        std::size_t bytes = 0;
        TransactionSize most = transaction_size();
        while (const std::optional<BodyLine> read = reader.next()) {
            if (batch.empty()) look_at_key();
            bytes += read->text.size();
            batch.push_back(
                std::make_unique<LineRun>(*read, context_, worker_, results_.shows_good(), denied_));
            if (batch.size() < most.lines && bytes < most.bytes) continue;
            answer_batch(batch);
            bytes = 0;
            most = transaction_size();
        }
        answer_batch(batch);
        return results_;
    }

private:
    [[nodiscard]] BodyLines lines() const {
        return {context_.request.body,
                is_gzip(context_.request.content_encoding),
                {.line = worker_.options.max_body_bytes + beside_body, .body = most_bytes}};
    }

    /// Checks the API key again, because it may have been revoked, or got another scope, since the request
    /// began. A token that has expired meanwhile does not matter. If the check fails, the remaining lines are
    /// refused one by one, because earlier lines may be stored already.
    void look_at_key() {
        try {
            context_.access =
                worker_.authenticator
                    .authenticate(context_.request.authorization, worker_.database, context_.deadline)
                    .access;
        } catch (const auth::Denied& denied) {
            if (denied.denial != auth::Denial::token_expired)
                denied_ = current_failure(context_.request.request_id).problem;
        } catch (const std::exception&) {
            denied_ = current_failure(context_.request.request_id).problem;
        }
    }

    [[nodiscard]] TransactionSize transaction_size() const {
        const std::string_view organisation = context_.access->organisation;
        if (worker_.recorder.shares().others_import(organisation)) return size_beside_imports;
        return worker_.recorder.shares().is_alone(organisation) ? size_alone : size_beside_bulk;
    }

    /// Checks the form, the size and the number of lines of the whole body, before anything is stored.
    void check_body() const {
        check_form();
        BodyLines reader = lines();
        std::size_t count = 0;
        try {
            while (reader.next()) ++count;
        } catch (const util::GzipError& error) {
            throw Problem{Code::parse_error,
                          "The body cannot be unpacked: " + std::string(error.what()) + '.'};
        }
        if (reader.bytes_read() > most_bytes) {
            throw Problem{Code::payload_too_large, "The body is larger than " + std::to_string(most_bytes) +
                                                       " bytes when it is unpacked."};
        }
        if (count > most_lines) {
            throw validation_error({{.attr = "",
                                     .code = Code::max_items,
                                     .detail = "A bulk request must have at most " +
                                               std::to_string(most_lines) + " lines that are not empty."}});
        }
    }

    /// Refuses a body that is not compressed as its Content-Encoding says, or that is in a wide encoding such
    /// as UTF-16. So the client gets one error for the whole body, and not one for each line. Without
    /// `Content-Encoding: gzip`, a body with a line that looks like an object is not refused.
    void check_form() const {
        const std::string_view body = context_.request.body;
        const auto form = util::packed_form(body);
        if (is_gzip(context_.request.content_encoding)) {
            if (form == "gzip" || body.empty()) return;
            throw Problem{Code::parse_error,
                          "The body cannot be unpacked: its Content-Encoding says gzip, but it is not gzip."};
        }
        if (has_object_line(body)) return;
        if (form) {
            throw Problem{Code::parse_error, "The body is compressed (" + std::string(*form) +
                                                 "): compress it with gzip and send the header "
                                                 "Content-Encoding: gzip, or send it uncompressed."};
        }
        if (const auto encoding = util::wide_encoding(body))
            throw Problem{Code::parse_error,
                          "The body is in " + std::string(*encoding) + "; it must be in UTF-8."};
    }

    void answer_batch(Lines& lines) {
        if (responder_.is_abandoned()) throw ClientGone();
        std::vector<RequestRun*> runs;
        for (const auto& line : lines) {
            if (!refuse_behind_failed(line->run())) runs.push_back(&line->run());
        }
        execute_batch(runs);
        for (const auto& line : lines) {
            results_.add(*line);
            line->run().report();
        }
        lines.clear();
    }

    void execute_batch(const std::vector<RequestRun*>& runs) {
        const auto together = context_.is_dry ? Together::dry_run : Together::locks_first;
        // The accounts that a line found locked. Later lines for them are not tried now.
        std::set<std::string_view> locked;
        const auto carry_out_alone = [&](RequestRun& run) {
            if (locked.contains(run.lock_name())) return run.leave_locked();
            if (may_begin(run)) run.carry_out_alone();
            if (run.next() == Next::retry_lock) locked.insert(run.lock_name());
            remember_failed_account(run);
        };
        if (!is_late()) {
            const database::Deadline deadline = context_.is_dry ? begin_until_ : context_.deadline;
            execute_runs({worker_, together, deadline, carry_out_alone, context_.request.request_id}, runs);
        }
        for (RequestRun* run : runs) {
            if (!run->is_answered()) wait_for_lock(*run);
        }
    }

    /// Returns whether the line may be begun, and refuses it otherwise. The line is refused if an earlier
    /// line for its account failed, if it has no account and an earlier line with its path stayed locked, or
    /// if there is no time left to begin it.
    bool may_begin(RequestRun& run) {
        if (refuse_behind_failed(run)) return false;
        if (!run.has_import() && locked_paths_.contains(run.lock_name())) {
            run.refuse_for_lock();
            return false;
        }
        if (!is_late()) return true;
        run.refuse({Code::service_unavailable,
                    "There was no time left to begin this line; nothing of it was stored."});
        return false;
    }

    [[nodiscard]] bool is_late() const { return steady_clock::now() >= begin_until_; }

    /// Refuses the line and returns true if an earlier line for its account was answered 5xx. Otherwise
    /// returns false; an earlier answer 4xx does not matter.
    ///
    /// Lines for an account have to take effect in their order. So a client that repeats the failed line has
    /// to repeat the later lines for the account, too.
    bool refuse_behind_failed(RequestRun& run) const {
        if (run.is_answered() || !run.has_import() || !failed_.contains(run.lock_name())) return false;
        run.refuse({Code::service_unavailable,
                    "An earlier line for this account could not be executed; nothing of this line was "
                    "stored. Repeat both, in their order."});
        return true;
    }

    void remember_failed_account(const RequestRun& run) {
        if (run.is_answered() && run.has_import() && run.status() >= 500) failed_.emplace(run.lock_name());
    }

    /// Tries a line for a locked account again until it is answered. Refuses it when the time for waiting is
    /// used up.
    void wait_for_lock(RequestRun& run) {
        const auto begun = steady_clock::now();
        LockWait lock_wait;
        while (may_begin(run)) {
            run.try_again();
            run.carry_out_alone();
            if (run.is_answered()) break;
            if (const auto next = lock_wait.next_try(begun + wait_left_)) {
                std::this_thread::sleep_until(*next);
                continue;
            }
            run.refuse_for_lock();
            if (!run.has_import()) locked_paths_.emplace(run.lock_name());
            break;
        }
        wait_left_ -= steady_clock::now() - begun;
        remember_failed_account(run);
    }

    Context context_;
    WorkerContext& worker_;
    const Responder& responder_;
    std::optional<Problem> denied_ = {};
    std::set<std::string, std::less<>> failed_ = {};  ///< accounts of lines that were answered 5xx
    /// Paths of refused lines that import a market participant or its fees. Each of these lines was refused
    /// because the participant was locked for too long by other work.
    std::set<std::string, std::less<>> locked_paths_ = {};
    steady_clock::time_point begin_until_;
    steady_clock::duration wait_left_;  ///< time that remains for waiting for locked accounts
    Results results_;
};

}  // namespace

void answer_lines(const Context& context, WorkerContext& worker, Responder& responder) {
    Bulk bulk(context, worker, responder);
    bulk.answer_lines().hand_over(responder);
}

}  // namespace data_import::http
