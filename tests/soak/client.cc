#include "client.h"

#include <Poco/Exception.h>
#include <Poco/JSON/Object.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "../support/answer_check.h"
#include "../support/answer_record.h"
#include "../support/json_match.h"
#include "answers.h"

namespace data_import::soak {

namespace {

using namespace std::chrono_literals;
using tests::Answer;
using tests::HttpRequest;

/// The number of attempts in a row; after them a client does other work, and tries again later.
constexpr int attempts_in_a_row = 6;

/// The limit of attempts at a payment instruction whose vendor always fails.
constexpr int most_hopeless_attempts = 12;

/// Times for which clients wait for an answer. Patient clients wait longer than the service's own limit for
/// one request. Impatient ones hang up while many faults still last.
constexpr std::chrono::milliseconds patience = 65s;
constexpr std::chrono::milliseconds impatience = 2s;

std::string three_digits(int number) {
    const std::string digits = std::to_string(number);
    return std::string(3 - digits.size(), '0') + digits;
}

/// Returns whether the answer names every record of this import, and so does not belong to another request.
bool tells_of(const Answer& answer, const Import& import) {
    if (import.kind == "price_sheets") {
        const auto counts = tests::parse_json(answer.body).extract<Poco::JSON::Object::Ptr>();
        return counts->getValue<long>("price_sheets_imported") +
                   counts->getValue<long>("price_sheets_already_imported") ==
               import.records;
    }
    for (long number = 0; number < import.records; ++number) {
        if (answer.body.find(import.id + '.' + std::to_string(number)) == std::string::npos) return false;
    }
    return true;
}

bool has_key(const HttpRequest& request) {
    return std::ranges::any_of(request.headers,
                               [](const auto& header) { return header.first == "Idempotency-Key"; });
}

Entry entry_of(const Import& import, Kind kind, long records, long details) {
    return {.id = import.id, .kind = kind, .place = import.place, .records = records, .details = details};
}

/// Returns the sort of a request: its method and its path. The path of a GET request is cut, so that requests
/// for different accounts of a supplier have the same sort.
std::string sort_of(const HttpRequest& request) {
    constexpr std::size_t longest = 48;  // characters; the digits of account numbers come later in a path
    const std::string path = request.target.substr(0, request.target.find('?'));
    return request.method + ' ' + (request.method == "GET" ? path.substr(0, longest) : path);
}

/// For tests/openapi/check, a client records at most this many answers with the same sort_of() of the request
/// and the same status and code.
constexpr int most_of_a_sort = 5;

void record(const HttpRequest& request, const Answer& answer) {
    static std::mutex mutex;
    if (request.target == "/v1/openapi.json") return;
    const std::lock_guard<std::mutex> lock(mutex);
    tests::record_answer(request, answer);
}

}  // namespace

Client::Client(Run& run, int number)
    : run_(run),
      number_(number),
      author_(run.book, static_cast<std::size_t>(number) % run.book.organisations.size(),
              three_digits(number), run.seed + static_cast<std::uint64_t>(number)),
      random_(~run.seed + static_cast<std::uint64_t>(number)) {}

void Client::work() {
    while (!run_.settling) {
        act();
        pause(0, 30);
    }
    // no fault happens any more, so the service can acknowledge each import of the backlog
    while (!backlog_.empty() && !run_.giving_up) {
        repeat_something();
        pause(10, 30);
    }
}

/// Does one piece of work. An answer that cannot be read is a complaint, and its import is not sent again.
void Client::act() {
    try {
        const long chance = draw(random_, 1, 500);
        if (chance == 1)
            obtain_token();
        else if (chance <= 100)
            read_something();
        else if (chance <= 150)
            repeat_something();
        else
            import_something();
    } catch (const std::exception& failure) {
        ++ledger_.complaints["an answer that cannot be read: " + std::string(failure.what())].count;
    }
}

void Client::import_something() {
    Import import = author_.next();
    ledger_.entries.push_back(entry_of(import, import.kind, import.records, import.details));
    if (import.moves_dates) ledger_.entries.push_back(entry_of(import, moved_dates, 1, 0));
    const std::size_t entry = ledger_.entries.size() - (import.moves_dates ? 2 : 1);
    Pending pending{.import = std::move(import), .entry = entry};
    if (pending.import.retryable && draw(random_, 1, 50) == 1) hang_up(pending);
    deliver(std::move(pending));
}

void Client::repeat_something() {
    if (backlog_.empty() || backlog_.front().due > Clock::now()) return;
    Pending pending = std::move(backlog_.front());
    backlog_.pop_front();
    deliver(std::move(pending));
}

void Client::deliver(Pending pending) {
    for (int count = 0; count < attempts_in_a_row; ++count) {
        if (attempt(pending)) return;
        if (pending.import.hopeless && (run_.settling || pending.attempts >= most_hopeless_attempts)) {
            state_of(pending) = State::unknown;
            return;
        }
        while (!run_.giving_up && Clock::now() < pending.due) pause(5, 50);
        if (run_.giving_up) return;
    }
    backlog_.push_back(std::move(pending));
}

/// Sends the import once and returns whether it needs no more attempts.
bool Client::attempt(Pending& pending) {
    const Answer answer = ask(pending.import.request);
    ++pending.attempts;
    judge(pending, answer);
    Entry& entry = ledger_.entries.at(pending.entry);
    entry.last_answer = name_of(answer);
    if (pending.import.moves_dates) {
        ledger_.entries.at(pending.entry + 1).state = entry.state;
        ledger_.entries.at(pending.entry + 1).last_answer = entry.last_answer;
    }
    return entry.state != State::open;
}

void Client::judge(Pending& pending, const Answer& answer) {
    if (is_good(answer)) return acknowledge(pending, answer);
    if (is_refusal(answer)) return refuse(pending, answer);
    if (!was_not_carried_out(answer)) {
        pending.was_sent = true;
        if (!pending.import.retryable) {
            state_of(pending) = State::unknown;
            return;
        }
    }
    put_off(pending, answer);
}

void Client::acknowledge(Pending& pending, const Answer& answer) {
    state_of(pending) = State::acknowledged;
    ++run_.acknowledged;
    const Import& import = pending.import;
    if (import.refusal != 0) return complain("accepted, but has to be refused", import.request, answer);
    if (!tells_of(answer, import)) complain("not the answer to this request", import.request, answer);
    if (import.retryable && draw(random_, 1, 20) == 1) repeat_acknowledged(import, answer);
}

/// Repeats an acknowledged import, like a client that has lost the answer.
void Client::repeat_acknowledged(const Import& import, const Answer& first) {
    const Answer second = ask(import.request);
    // the account may have been reset or erased in between: then the second request was not a repeat
    if (is_removable(import.place)) return;
    if (is_refusal(second)) complain("refused after it was acknowledged", import.request, second);
    if (is_good(second) && has_key(import.request) && second.body != first.body)
        complain("another answer for the same Idempotency-Key", import.request, second);
}

void Client::refuse(Pending& pending, const Answer& answer) {
    const Import& import = pending.import;
    const std::string code = code_of(answer);
    state_of(pending) = pending.was_sent ? State::unknown : State::refused;
    if (is_removable(import.place) && answer.status == 404) return;  // the account is erased
    if (import.kind == "payment_instructions" && code == "vendor_unavailable") {
        state_of(pending) = State::unknown;
    } else if (import.refusal == 0) {
        complain("refused, but is right", import.request, answer);
    } else {
        state_of(pending) = State::refused;
        if (answer.status != import.refusal)
            complain("refused otherwise than it should be", import.request, answer);
    }
}

/// Puts the next attempt off, longer each time. Every second client waits at least as long as Retry-After
/// says; the others ignore it.
void Client::put_off(Pending& pending, const Answer& answer) {
    const long most = 20L << std::min(pending.attempts, 7);
    std::chrono::milliseconds wait(draw(random_, most / 2, most));
    if (number_ % 2 == 0)
        wait = std::max<std::chrono::milliseconds>(
            wait, std::chrono::seconds(std::stoi(answer.header("Retry-After").value_or("0"))));
    pending.due = Clock::now() + wait;
}

/// Sends a request and closes before the answer comes, like a client that ends.
void Client::hang_up(Pending& pending) {
    try {
        connection().send(tests::to_bytes(with_token(pending.import.request)));
        pause(0, 5);
        pending.was_sent = true;
        ++ledger_.answers["hung up"];
    } catch (const Poco::Exception&) {
        // without a connection there is nothing to close
    }
    connection_.reset();
}

/// Sends a request. If the token has expired, the request was not executed: gets a new token and sends it
/// again.
Answer Client::ask(const HttpRequest& request) {
    Answer answer = ask_without_token(with_token(request));
    for (int count = 0; count < 3 && answer.status == 401 && code_of(answer) == "token_expired"; ++count) {
        token_.clear();
        answer = ask_without_token(with_token(request));
    }
    return answer;
}

HttpRequest Client::with_token(HttpRequest request) {
    while (token_.empty() && !run_.giving_up) obtain_token();
    request.headers.emplace_back("Authorization", "Token " + token_);
    return request;
}

Answer Client::ask_without_token(const HttpRequest& request) {
    Answer answer;
    const auto begin = Clock::now();
    try {
        answer = connection().ask(request);
    } catch (const Poco::Exception& failure) {
        answer = Answer{};
        answer.body = failure.displayText();
    }
    if (!is_there(answer) || answer.header("Connection") == "close") connection_.reset();
    note(request, answer, Clock::now() - begin);
    return answer;
}

tests::HttpConnection& Client::connection() {
    if (!connection_) {
        connection_ = std::make_unique<tests::HttpConnection>(run_.stack.port(), run_.stack.value("CA_FILE"));
        connection_->set_timeout(number_ % 4 == 3 ? impatience : patience);
    }
    return *connection_;
}

void Client::note(const HttpRequest& request, const Answer& answer, Clock::duration took) {
    const double seconds = std::chrono::duration<double>(took).count();
    if (seconds > ledger_.longest_wait) {
        ledger_.longest_wait = seconds;
        ledger_.longest_request = request.method + ' ' + request.target + " (" + name_of(answer) + ')';
    }
    ++ledger_.answers[name_of(answer)];
    if (!is_there(answer)) return;
    if (++recorded_[sort_of(request) + name_of(answer)] <= most_of_a_sort) record(request, answer);
    try {
        run_.contract.check(request, answer);
    } catch (const std::exception& failure) {
        complain(failure.what(), request, answer);
    }
}

void Client::complain(const std::string& what, const HttpRequest& request, const Answer& answer) {
    const std::string reason = what.substr(0, what.find(':'));
    Complaint& complaint = ledger_.complaints[reason + ": " + sort_of(request) + ' ' + name_of(answer)];
    if (++complaint.count == 1)
        complaint.example = request.body.substr(0, 600) + "\n    " + tests::shown(answer);
}

void Client::pause(long least_milliseconds, long most_milliseconds) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(draw(random_, least_milliseconds, most_milliseconds)));
}

const Organisation& Client::organisation() const {
    return run_.book.organisations.at(static_cast<std::size_t>(number_) % run_.book.organisations.size());
}

}  // namespace data_import::soak
