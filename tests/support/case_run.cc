#include "case_run.h"

#include <Poco/String.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "answer_check.h"
#include "answer_record.h"
#include "command.h"
#include "json_match.h"
#include "vendor_simulator.h"

namespace data_import::tests {

namespace {

void need(bool condition, const std::string& reason) {
    if (!condition) throw std::runtime_error(reason);
}

bool names(const HeaderList& headers, const std::string& name) {
    return std::any_of(headers.begin(), headers.end(),
                       [&](const auto& header) { return Poco::icompare(header.first, name) == 0; });
}

/// The tables whose lines in World::digest() differ, with a space after each.
std::string changed_tables(const std::string& before, const std::string& after) {
    std::istringstream lines(after);
    std::string changed;
    for (std::string line; std::getline(lines, line);) {
        if (before.find(line) == std::string::npos) changed += line.substr(0, line.find(' ') + 1);
    }
    return changed;
}

/// Whether a step is an import whose outcome depends on path, query and body alone. Steps whose body is no
/// JSON do not count, because the end of such a body cannot be found within a line of a bulk request.
bool can_be_line(const Step& step) {
    constexpr std::size_t longest = 200;
    static const std::regex imports(
        "/v1/data-import/(?!payment-instruction)[a-z-]+/(create|import)/(\\?.*)?");
    const bool is_plain = step.kind == StepKind::request && step.request.method == "POST" &&
                          step.request.headers.empty() && step.without.empty() &&
                          step.expected.headers.empty();
    const bool is_of_payload = step.expected.status == 200 || step.expected.status == 201 ||
                               step.expected.status == 400 || step.expected.code == "account_not_found";
    return is_plain && is_of_payload && step.expected.code != "parse_error" &&
           step.expected.code != "bad_request" && step.request.target.size() < longest &&
           std::regex_match(step.request.target, imports) &&
           step.request.target.find("check_previously_added") == std::string::npos &&
           step.request.target.find("dry_run") == std::string::npos;
}

/// Whether a step is an import that can be a dry run, too.
bool can_be_dry(const Step& step) {
    static const std::regex imports("/v1/data-import/(bulk|[a-z-]+/(create|import))/(\\?.*)?");
    return step.kind == StepKind::request && step.request.method == "POST" &&
           std::regex_match(step.request.target, imports) &&
           !names(step.request.headers, "Idempotency-Key") &&
           step.request.target.find("dry_run") == std::string::npos;
}

HttpRequest as_dry_run(HttpRequest request) {
    request.target += request.target.find('?') == std::string::npos ? "?dry_run=true" : "&dry_run=true";
    return request;
}

/// Replaces the times in a body by `<time>`, including the times that sentences quote.
std::string without_times(const std::string& body) {
    static const std::regex time("\"20[0-9-]+T[0-9:.]+Z\\\\?\"");
    return std::regex_replace(body, time, "\"<time>\"");
}

HttpRequest as_bulk(HttpRequest request) {
    std::replace(request.body.begin(), request.body.end(), '\n', ' ');
    request.body = "{\"path\": \"" + request.target + "\", \"body\": " + request.body + "}\n";
    request.target = "/v1/data-import/bulk/";
    for (auto& [name, value] : request.headers) {
        if (name == "Content-Type") value = "application/x-ndjson";
    }
    return request;
}

/// Takes the answer to a bulk request of one line. Returns the answer to this line as if the line had been
/// sent as a request of its own.
Answer answer_of_line(Answer answer) {
    const std::string head = R"({"line":1,"status":)";
    const std::string body = R"(,"body":)";
    const std::size_t end = answer.body.find("}\n{\"lines\":1,");
    const std::size_t digits = head.size() + 3;
    need(answer.body.starts_with(head) && answer.body.compare(digits, body.size(), body) == 0 &&
             end != std::string::npos,
         "no answer to one line: " + shown(answer));
    const int status = std::stoi(answer.body.substr(head.size(), 3));
    need(answer.status == (status < 300 ? 200 : 207), "the wrong status: " + shown(answer));
    answer.status = status;
    answer.body = answer.body.substr(digits + body.size(), end - digits - body.size());
    for (auto& [name, value] : answer.headers) {
        if (Poco::icompare(name, "Content-Type") == 0) value = "application/json";
    }
    std::erase_if(answer.headers, [](const auto& header) { return header.first == "Content-Length"; });
    answer.headers.emplace_back("Content-Length", std::to_string(answer.body.size()));
    return answer;
}

class StepRun {
public:
    StepRun(const Step& step, World& world, Variables& variables, std::string& body_before, Way way)
        : step_(step),
          world_(world),
          variables_(variables),
          body_before_(body_before),
          is_line_(way == Way::bulk && can_be_line(step)),
          is_rehearsed_(way == Way::alone && can_be_dry(step)) {}

    void run() {
        if (step_.kind == StepKind::command) return run_command_step();
        const std::optional<Answer> dry = is_rehearsed_ ? std::optional(rehearse()) : std::nullopt;
        const long notes_before = world_.stored_notes();
        const long rows_before = world_.stored_rows();
        const VendorTotals vendor_before = vendor_totals();
        const auto begin = std::chrono::steady_clock::now();
        const Answer answer = send();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        check(answer);
        if (dry) check_dry(*dry, answer);
        check_stored(world_.stored_notes() - notes_before, world_.stored_rows() - rows_before, answer);
        check_time(took.count());
        check_vendor(vendor_before);
        body_before_ = answer.body;
    }

private:
    Answer send() {
        if (step_.kind == StepKind::plain) {
            HttpConnection connection(world_.stack().port());
            connection.send(variables_.expand(step_.text) + "\r\n\r\n");
            return connection.receive();
        }
        HttpConnection connection(world_.stack().port(), world_.stack().value("CA_FILE"));
        if (step_.kind == StepKind::request) {
            const HttpRequest request = completed();
            if (is_line_) return answer_of_line(connection.ask(as_bulk(request)));
            const Answer answer = connection.ask(request);
            record_answer(request, answer);
            return answer;
        }
        connection.send(variables_.expand(step_.text) + "\r\n\r\n");
        return connection.receive();
    }

    /// Sends the step as a dry run and returns the answer. Throws if the dry run has changed anything.
    Answer rehearse() {
        const std::string began = world_.moment();
        const std::string before = world_.digest(began);
        const long calls_before = vendor_calls();
        HttpConnection connection(world_.stack().port(), world_.stack().value("CA_FILE"));
        const HttpRequest request = as_dry_run(completed());
        Answer answer = connection.ask(request);
        check_any_answer(answer);
        record_answer(request, answer);
        const std::string after = world_.digest(began);
        need(after == before,
             "a dry run has changed " + changed_tables(before, after) + "and was answered " + shown(answer));
        need(vendor_calls() == calls_before, "a dry run has asked a vendor: " + shown(answer));
        return answer;
    }

    /// Returns how many requests for payment instructions the vendor simulator has got so far; 0 if the step
    /// cannot make the service ask a vendor.
    [[nodiscard]] long vendor_calls() const {
        const bool may_ask = step_.request.target.find("payment-instruction") != std::string::npos;
        return may_ask ? VendorSimulator(world_.stack()).totals().calls : 0;
    }

    /// Throws unless `dry`, the answer to the dry run, tells the status of `answer` and has the same body. If
    /// `answer` is the refusal of a vendor, the dry run must succeed, because it asks no vendor.
    void check_dry(const Answer& dry, const Answer& answer) const {
        const bool is_vendors = step_.expected.code && step_.expected.code->starts_with("vendor_");
        const bool is_success = is_vendors || answer.status < 300;
        const std::string status = std::to_string(is_vendors ? 201 : answer.status);
        need(dry.status == (is_success ? 200 : answer.status) &&
                 dry.header("Dry-Run").value_or("") == (is_success ? status : "") &&
                 (is_vendors || without_times(dry.body) == without_times(answer.body)),
             "the dry run was answered\n" + shown(dry) + "\nand the request\n" + shown(answer));
    }

    /// The request with variables replaced and the usual headers added.
    HttpRequest completed() {
        HttpRequest request = step_.request;
        request.target = variables_.expand(request.target);
        request.body = variables_.expand(request.body);
        for (auto& header : request.headers) header.second = variables_.expand(header.second);
        add_usual(request, "Host", "localhost");
        add_usual(request, "Connection", "close");
        add_usual(request, "Authorization", "Token " + variables_.expand("{{token}}"));
        if (request.method == "POST" || request.method == "PUT")
            add_usual(request, "Content-Type", "application/json");
        return request;
    }

    void add_usual(HttpRequest& request, const std::string& name, const std::string& value) const {
        const auto& without = step_.without;
        if (names(request.headers, name) || std::find(without.begin(), without.end(), name) != without.end())
            return;
        request.headers.emplace_back(name, value);
    }

    void check(const Answer& answer) {
        try {
            check_any_answer(answer, step_.request.method == "HEAD");
            check_head(answer);
            if (step_.expected.code) check_refusal(parse_error_body(answer.body));
            if (step_.expected.body) check_body(answer.body);
            need(!step_.expected.same_body || answer.body == body_before_,
                 "the body differs from that before: " + body_before_);
        } catch (const std::runtime_error& reason) {
            throw std::runtime_error(std::string(reason.what()) + "\n    got " + shown(answer));
        }
    }

    void check_head(const Answer& answer) {
        need(answer.status == step_.expected.status,
             "expected status " + std::to_string(step_.expected.status));
        for (const auto& [name, value] : step_.expected.headers) {
            const std::optional<std::string> found = answer.header(name);
            need(found && (value == "<any>" || *found == variables_.expand(value)),
                 "expected " + name + ": " + value);
        }
        for (const std::string& name : step_.expected.absent_headers)
            need(!answer.header(name), name + " is there");
    }

    void check_refusal(const ErrorBody& body) {
        need(body.code == *step_.expected.code, "expected code " + *step_.expected.code);
        for (const std::string& part : step_.expected.detail) {
            need(body.detail.find(variables_.expand(part)) != std::string::npos,
                 "expected in the detail: " + part);
        }
        const std::vector<ExpectedError>& expected = step_.expected.errors;
        for (std::size_t index = 0; index < std::min(expected.size(), body.errors.size()); ++index) {
            need(expected[index].attr == body.errors[index].attr &&
                     expected[index].code == body.errors[index].code &&
                     body.errors[index].detail.find(expected[index].detail) != std::string::npos,
                 "expected error " + std::to_string(index) + ": " + expected[index].attr + ' ' +
                     expected[index].code + ' ' + expected[index].detail);
        }
        need(expected.size() == body.errors.size(),
             "expected " + std::to_string(expected.size()) + " errors");
    }

    /// `"<any>"` alone stands for any JSON.
    void check_body(const std::string& body) {
        if (*step_.expected.body == "\"<any>\"") return static_cast<void>(parse_json(body));
        const std::string found =
            difference(parse_json(variables_.expand(*step_.expected.body)), parse_json(body));
        need(found.empty(), found);
    }

    /// A refused request must not have stored anything, even if the case does not say so.
    void check_stored(long notes, long rows, const Answer& answer) const {
        need(answer.status < 400 || rows == 0, std::to_string(rows) + " rows were stored");
        const std::optional<long> expected = step_.expected.stored;
        need(!expected || notes == *expected, std::to_string(notes) + " notes were stored");
    }

    void check_time(double seconds) const {
        const std::optional<double> limit = step_.expected.within;
        need(!limit || seconds <= *limit, "the answer took " + std::to_string(seconds) + " s");
    }

    [[nodiscard]] VendorTotals vendor_totals() const {
        if (!step_.expected.calls && !step_.expected.connections) return {};
        return VendorSimulator(world_.stack()).totals();
    }

    void check_vendor(const VendorTotals& before) const {
        const VendorTotals after = vendor_totals();
        const long calls = after.calls - before.calls;
        const long connections = after.connections - before.connections;
        need(calls == step_.expected.calls.value_or(calls),
             std::to_string(calls) + " requests reached the vendor");
        need(connections == step_.expected.connections.value_or(connections),
             std::to_string(connections) + " connections were made to the vendor");
    }

    void run_command_step() {
        for (const auto& [name, text] : step_.files) {
            std::ofstream(world_.directory() / name, std::ios::binary) << variables_.expand(text);
        }
        const CommandResult result = run_command(command_line());
        try {
            check_command(result);
        } catch (const std::runtime_error& reason) {
            throw std::runtime_error(std::string(reason.what()) + "\n    status " +
                                     std::to_string(result.status) +
                                     "\n    output: " + result.output.substr(0, 1500) +
                                     "\n    errors: " + result.errors.substr(0, 1500));
        }
    }

    /// The command line of the step; `ctl` or `load` as its first word stands for the program of this stack.
    std::string command_line() {
        const std::string line = variables_.expand(step_.text);
        for (const auto& [word, variable] : {std::pair("ctl", "CTL"), std::pair("load", "LOAD")}) {
            if (line == word || line.rfind(std::string(word) + ' ', 0) == 0) {
                return world_.stack().value(variable) + line.substr(std::string(word).size());
            }
        }
        return line;
    }

    void check_command(const CommandResult& result) {
        need(result.status == step_.expected.status,
             "expected exit status " + std::to_string(step_.expected.status));
        for (const std::string& wanted : step_.expected.output) check_stream("output", wanted, result.output);
        for (const std::string& wanted : step_.expected.errors_output)
            check_stream("errors", wanted, result.errors);
        if (result.status != 0) need(!result.errors.empty(), "a failure that says nothing on standard error");
        if (result.status == 1) {
            need(std::count(result.errors.begin(), result.errors.end(), '\n') == 1,
                 "a refusal says why in one line on standard error");
        }
    }

    void check_stream(const std::string& name, const std::string& wanted, const std::string& text) {
        const std::string expected = variables_.expand(wanted);
        bool good = false;
        if (expected == "nothing") {
            good = text.empty();
        } else if (expected.rfind("json ", 0) == 0) {
            const std::string found = difference(parse_json(expected.substr(5)), parse_json(text));
            need(found.empty(), name + ": " + found);
            good = true;
        } else if (expected.rfind("matches ", 0) == 0) {
            good = std::regex_search(text, std::regex(expected.substr(8)));
        } else if (expected.rfind("without ", 0) == 0) {
            good = text.find(expected.substr(8)) == std::string::npos;
        } else {
            good = text.find(expected) != std::string::npos;
        }
        need(good, "expected in the " + name + ": " + expected);
    }

    const Step& step_;
    World& world_;
    Variables& variables_;
    std::string& body_before_;
    bool is_line_;
    bool is_rehearsed_;  ///< a dry run is sent first
};

}  // namespace

bool has_bulk_lines(const Case& one) {
    return std::ranges::any_of(one.steps, can_be_line);
}

void run_case(const Case& one, World& world, Way way) {
    Variables variables(world);
    std::string body_before;
    for (const Step& step : one.steps) {
        try {
            StepRun(step, world, variables, body_before, way).run();
        } catch (const std::exception& reason) {
            throw std::runtime_error("line " + std::to_string(step.line) + ": " + reason.what());
        }
    }
}

}  // namespace data_import::tests
