#include "http/bulk.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "database/failures.h"
#include "http/bulk_line.h"
#include "http/carriages.h"
#include "http/dry_run.h"
#include "http/failure_answer.h"
#include "http/lines.h"
#include "http/media_type.h"
#include "http/responders.h"
#include "http/visit.h"
#include "json/writer.h"
#include "util/foreign_form.h"
#include "util/log.h"
#include "util/spool.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t most_lines = 10'000;
constexpr std::size_t most_bytes = 64UL * 1024 * 1024;  // unpacked
constexpr std::size_t beside_body = 64UL * 1024;        // of a line: its address, its id, white space

/// What a transaction holds at most, give or take a line: others wait for its accounts, and their commits
/// behind its own.
struct TransactionSize {
    std::size_t lines;
    std::size_t bytes;
};
constexpr TransactionSize size_alone{512, 1024UL * 1024};
constexpr TransactionSize size_in_company{128, 256UL * 1024};  // of bulk requests
constexpr TransactionSize size_beside_short_ones{32, 64UL * 1024};

/// How long the lines of a request wait for locked accounts, all together: each takes away from the time of
/// those behind it.
constexpr std::chrono::seconds wait_for_accounts{2};
constexpr std::chrono::milliseconds pause_between_tries{5};

/// What is kept of a request's time for handing over the answer.
constexpr std::chrono::seconds time_to_answer{10};

/// Of the answer, in memory.
constexpr std::size_t answer_in_memory = 1024UL * 1024;

/// A line on its way, as a request of its own.
class Line {
public:
    /// `denied`: why nothing more is taken from this client.
    Line(const BodyLine& read, const Context& bulk, Means& means, bool is_success_told,
         const std::optional<Problem>& denied)
        : number_(read.number),
          parsed_(parse(read, means)),
          request_(request_of(parsed_, bulk.request)),
          visit_({request_, answer_}, means, bulk, read.number, is_success_told) {
        if (denied)
            visit_.refuse(*denied);
        else if (parsed_.problem)
            visit_.refuse(*parsed_.problem);
        else if (visit_.admit_line())
            visit_.prepare(std::move(parsed_.document));
        parsed_.document.reset();  // also where it was refused before
    }

    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const std::optional<std::string>& id() const { return parsed_.id; }
    [[nodiscard]] Visit& visit() { return visit_; }
    [[nodiscard]] const Reply& reply() const { return answer_.reply(); }

private:
    static BulkLine parse(const BodyLine& read, const Means& means) {
        BulkLine line;
        if (!read.is_too_long) line = read_bulk_line(read.text, means.options.unknown_fields);
        if (read.is_too_long || line.body.size() > means.options.max_body_bytes)
            line.problem = Problem{Code::payload_too_large};
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
    Visit visit_;
};

using Lines = std::vector<std::unique_ptr<Line>>;

/// The answer, which is not begun before all lines are done: its status tells of all of them.
class Results {
public:
    explicit Results(std::string_view shown) : shows_good_(shown == "all"), shows_bad_(shown != "none") {}

    [[nodiscard]] bool shows_good() const { return shows_good_; }

    void add(const Line& line) {
        const Reply& reply = line.reply();
        const bool is_good = reply.status < 300;
        ++(is_good ? accepted_ : refused_);
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
        last.key("accepted").integer(accepted_).key("refused").integer(refused_).end_object();
        append(last.take() + '\n');
        responder.begin(refused_ == 0 ? 200 : 207, "application/x-ndjson",
                        {{"Content-Length", std::to_string(bytes_)}});
        spool_.read([&](std::string_view piece) { responder.write(piece); });
        responder.end();
    }

private:
    void append(const std::string& line) {
        bytes_ += line.size();
        spool_.append(line);
    }

    bool shows_good_;
    bool shows_bad_;
    std::int64_t accepted_ = 0;
    std::int64_t refused_ = 0;
    std::size_t bytes_ = 0;
    util::Spool spool_{answer_in_memory};
};

class Bulk {
public:
    Bulk(const Context& context, Means& means, const Responder& responder)
        : context_(context),
          means_(means),
          responder_(responder),
          begin_until_(context.deadline - time_to_answer),
          wait_left_(context.is_dry ? steady_clock::duration(brief_wait) : wait_for_accounts),
          results_(context.choices.at("results")) {}

    Results& carry_out() {
        check_body();
        LineReader reader = lines();
        Lines together;
        std::size_t bytes = 0;
        TransactionSize most = transaction_size();
        while (const std::optional<BodyLine> read = reader.next()) {
            if (together.empty()) look_at_key();
            bytes += read->text.size();
            together.push_back(
                std::make_unique<Line>(*read, context_, means_, results_.shows_good(), denied_));
            if (together.size() < most.lines && bytes < most.bytes) continue;
            carry_out(together);
            bytes = 0;
            most = transaction_size();
        }
        carry_out(together);
        return results_;
    }

private:
    [[nodiscard]] LineReader lines() const {
        return {context_.request.body,
                is_gzip(context_.request.content_encoding),
                {.line = means_.options.max_body_bytes + beside_body, .body = most_bytes}};
    }

    /// It may have been revoked, or given another scope, since the request began. That its token expires does
    /// not matter. Where it cannot be looked at, lines before may be stored: only the rest is refused.
    void look_at_key() {
        try {
            context_.access =
                means_.authenticator
                    .authenticate(context_.request.authorization, means_.database, context_.deadline)
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
        if (means_.recorder.is_beside_short_imports(organisation)) return size_beside_short_ones;
        return means_.recorder.is_alone(organisation) ? size_alone : size_in_company;
    }

    /// Looks at all of it before anything is stored.
    void check_body() const {
        check_form();
        LineReader reader = lines();
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

    /// What is no text of lines at all is not told for each of them.
    void check_form() const {
        const std::string_view body = context_.request.body;
        const auto form = util::packed_form(body);
        if (is_gzip(context_.request.content_encoding)) {
            if (form == "gzip" || body.empty()) return;
            throw Problem{Code::parse_error,
                          "The body cannot be unpacked: it is not gzip, as its Content-Encoding says."};
        }
        if (form) {
            throw Problem{Code::parse_error, "The body is packed (" + std::string(*form) +
                                                 "): pack it with gzip, and say so by the header "
                                                 "Content-Encoding: gzip; or send it as it is."};
        }
        if (const auto encoding = util::wide_encoding(body))
            throw Problem{Code::parse_error,
                          "The body is in " + std::string(*encoding) + "; it must be in UTF-8."};
    }

    void carry_out(Lines& lines) {
        if (responder_.is_abandoned()) throw ClientGone();
        if (steady_clock::now() < begin_until_)
            begin(lines);
        else
            refuse_late(lines);
        for (const auto& line : lines) {
            results_.add(*line);
            line->visit().report();
        }
        lines.clear();
    }

    void begin(const Lines& lines) {
        std::vector<Visit*> imports;
        for (const auto& line : lines) {
            Visit& visit = line->visit();
            if (visit.travel() == Travel::together && !refuse_behind_failed(visit)) imports.push_back(&visit);
        }
        if (context_.is_dry)
            rehearse_together(imports);
        else
            travel_together(imports);
        // what has no account, then what somebody else had, and what was together when something unexpected
        // happened
        for (const auto& line : lines) {
            Visit& visit = line->visit();
            if (visit.travel() == Travel::nowhere) continue;
            const bool has_account = visit.travel() == Travel::together;
            if (has_account && refuse_behind_failed(visit)) continue;
            if (!has_account && locked_.contains(visit.context().request.path)) {
                visit.refuse({Code::service_unavailable, std::string(account_stays_locked)});
                continue;
            }
            if (steady_clock::now() >= begin_until_)
                refuse_late(visit);
            else if (!carry_out(visit) && !has_account)
                locked_.insert(visit.context().request.path);
            if (has_account && line->reply().status >= 500) failed_.emplace(account_of(visit));
        }
    }

    /// Lines of one account take effect in their order: where an earlier one may be repeated, those behind it
    /// are to be repeated, too.
    bool refuse_behind_failed(Visit& visit) const {
        if (!failed_.contains(account_of(visit))) return false;
        visit.refuse({Code::service_unavailable,
                      "An earlier line for this account could not be carried out; nothing of this one was "
                      "stored. Repeat both, in their order."});
        return true;
    }

    /// False: it was refused, because what it is for stays locked.
    bool carry_out(Visit& visit) {
        auto begun = steady_clock::now();
        while (!visit.carry_out()) {
            const auto now = steady_clock::now();
            wait_left_ -= now - std::exchange(begun, now);
            if (wait_left_ <= wait_left_.zero()) {
                visit.refuse({Code::service_unavailable, std::string(account_stays_locked)});
                return false;
            }
            std::this_thread::sleep_for(pause_between_tries);
        }
        return true;
    }

    /// The locks first, so that no line overtakes an earlier one for its account.
    void travel_together(const std::vector<Visit*>& visits) {
        if (visits.empty()) return;
        std::vector<Carriage> carriages;
        std::vector<database::Rows> results;
        try {
            means_.database.transaction(
                [&] {
                    carriages = carriages_of(free_ones(visits));
                    std::vector<database::Call> calls;
                    for (const Carriage& carriage : carriages) calls.push_back(call_of(carriage));
                    results = means_.database.execute_together(calls, context_.deadline);
                },
                context_.deadline, context_.request.request_id);
        } catch (const std::exception& failure) {
            log_repeated(visits.size(), failure);
            if (database::is_doubtful(failure)) std::ranges::for_each(visits, &Visit::doubt);
            return;
        }
        for (std::size_t number = 0; number < carriages.size(); ++number)
            hand_over(carriages[number], results[number]);
        means_.recorder.count_batch(visits.size());
    }

    /// Each line is judged by what is stored: those of a carriage do not know of each other, and what a
    /// carriage brings is undone before the next one.
    void rehearse_together(const std::vector<Visit*>& visits) {
        for (const Carriage& carriage : carriages_of(visits)) {
            if (steady_clock::now() >= begin_until_) return;
            try {
                hand_over(carriage, execute(context_, means_.database, call_of(carriage)));
            } catch (const std::exception& failure) {
                log_repeated(carriage.size(), failure);
            }
        }
    }

    void log_repeated(std::size_t lines, const std::exception& failure) const {
        util::log(util::Severity::notice, "lines taken together are repeated one by one",
                  {{"request_id", context_.request.request_id},
                   {"lines", lines},
                   {"reason", logged_reason(failure)}});
    }

    static void hand_over(const Carriage& carriage, const database::Rows& rows) {
        const std::vector<database::Rows> parts = store::by_request(rows, carriage.size());
        for (std::size_t place = 0; place < carriage.size(); ++place) carriage[place]->answer(parts[place]);
    }

    /// Those whose accounts nobody else has, which are locked now.
    std::vector<Visit*> free_ones(const std::vector<Visit*>& visits) {
        std::set<std::string_view> accounts;
        for (const Visit* visit : visits) accounts.insert(account_of(*visit));
        const database::Rows held = means_.database.execute(
            store::lock_accounts({accounts.begin(), accounts.end()}), context_.deadline);
        for (std::size_t row = 0; row < held.size(); ++row) accounts.erase(held.text(row, 0));
        std::vector<Visit*> free;
        std::ranges::copy_if(visits, std::back_inserter(free),
                             [&](const Visit* visit) { return accounts.contains(account_of(*visit)); });
        return free;
    }

    static void refuse_late(Visit& visit) {
        visit.refuse(
            {Code::service_unavailable, "This line could not be begun in time; nothing of it was stored."});
    }

    static void refuse_late(const Lines& lines) {
        for (const auto& line : lines) {
            if (line->visit().travel() != Travel::nowhere) refuse_late(line->visit());
        }
    }

    Context context_;
    Means& means_;
    const Responder& responder_;
    std::optional<Problem> denied_ = {};
    std::set<std::string, std::less<>> failed_ = {};  ///< accounts of lines that were answered 5xx
    std::set<std::string, std::less<>> locked_ = {};  ///< addresses without accounts that wait for a lock
    steady_clock::time_point begin_until_;
    steady_clock::duration wait_left_;  ///< for locked accounts
    Results results_;
};

}  // namespace

void carry_out_bulk(const Context& context, Means& means, Responder& responder) {
    Bulk bulk(context, means, responder);
    bulk.carry_out().hand_over(responder);
}

}  // namespace data_import::http
