#include "tools/client/answer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/util/gzip.h"
#include "base/util/whole_number.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/payload/paths.h"

namespace data_import::client {

namespace {

std::string text_of(const json::Value& object, std::string_view key) {
    const auto member = object.find(key);
    return member && member->is(json::Type::string) ? std::string(member->text()) : std::string();
}

std::vector<ErrorItem> errors_of(const json::Value& answer) {
    std::vector<ErrorItem> items;
    const auto errors = answer.find("errors");
    if (!errors || !errors->is(json::Type::array)) return items;
    for (const json::Value item : errors->items()) {
        if (!item.is(json::Type::object)) break;
        items.push_back({text_of(item, "attr"), text_of(item, "code"), text_of(item, "detail")});
    }
    return items;
}

void add_result(std::size_t place, const json::Value& item, ImportAnswer& answer) {
    if (!item.is(json::Type::object)) return;
    const std::string status = text_of(item, "status");
    const auto differs = item.find("differs");
    const auto stored = item.find("transaction_data");
    const bool is_other = differs && differs->is(json::Type::boolean) && differs->boolean();
    const bool is_told = stored && stored->is(json::Type::object);
    if (is_told && !is_other && stored->find("description")) ++answer.moved;
    if (is_other) {
        answer.differing.push_back({place, is_told ? text_of(*stored, "transaction_id") : std::string()});
    }
    if (!status.empty()) ++answer.records[status + (is_other ? " with other content" : "")];
}

void add_results(const json::Value& results, ImportAnswer& answer) {
    std::size_t place = 0;
    for (const json::Value item : results.items()) add_result(place++, item, answer);
}

std::optional<std::size_t> number_of(const json::Value& object, std::string_view name) {
    const auto member = object.find(name);
    if (!member || !member->is(json::Type::number)) return std::nullopt;
    return util::whole_number<std::size_t>(member->text());
}

/// Adds `told`, one line of the service's answer to a bulk request, to `answers`. `lines` is the number of
/// lines of the bulk request. Returns false if `told` has a wrong form, or answers a line of the request that
/// has an answer already.
bool add_line(LineAnswers& answers, const json::Value& told, std::size_t lines) {
    const auto line = number_of(told, "line");
    const auto status = number_of(told, "status");
    const auto body = told.find("body");
    if (!line || !status || !body || *line == 0 || *line > lines || *status < 200 || *status > 599)
        return false;
    return answers.emplace(*line - 1, LineAnswer{static_cast<int>(*status), answer_of(*body)}).second;
}

bool counts_fit(const json::Value& last, std::size_t lines, const LineAnswers& answers) {
    const auto refused = static_cast<std::size_t>(
        std::ranges::count_if(answers, [](const auto& answer) { return answer.second.status >= 300; }));
    return number_of(last, "lines") == lines && number_of(last, "refused") == refused &&
           number_of(last, "accepted") == lines - refused;
}

[[noreturn]] void fail() {
    throw std::runtime_error(
        "the answer is not an array of objects: is --url the address of a data-import service?");
}

bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

}  // namespace

ImportAnswer answer_of(const json::Value& body) {
    ImportAnswer answer;
    if (body.is(json::Type::array)) add_results(body, answer);
    if (!body.is(json::Type::object)) return answer;
    answer.code = text_of(body, "code");
    answer.detail = text_of(body, "detail");
    answer.errors = errors_of(body);
    const auto results = body.find("results");
    if (results && results->is(json::Type::array)) add_results(*results, answer);
    return answer;
}

std::optional<ImportAnswer> read_answer(const std::string& body) {
    try {
        return answer_of(json::read(body).root());
    } catch (const json::SyntaxError&) {
        return std::nullopt;
    }
}

std::optional<ImportAnswer> skim_answer(const std::string& body) {
    if (!is_closed_json(body)) return std::nullopt;
    ImportAnswer answer;
    if (!body.starts_with('[') && !body.starts_with(R"({"results")")) return answer;
    try {
        std::size_t place = 0;
        ArrayItems items(
            [&](const std::string& item) { add_result(place++, json::read(item).root(), answer); });
        const std::size_t begin = body.find('[');
        items.take(std::string_view(body).substr(std::min(begin, body.size()), body.rfind(']') + 1 - begin));
    } catch (const std::runtime_error&) {
        // One of the items cannot be read. The items before it are counted; this item and those after it are
        // not.
    }
    return answer;
}

std::string bulk_path(const std::vector<const Job*>& jobs) {
    const bool is_long = jobs.size() == 1 && jobs.front()->request.body.size() > longest_read;
    const bool is_echo = is_long || std::ranges::all_of(jobs, &Job::is_document);
    return std::string(payload::paths::bulk) + "?results=" + (is_echo ? "errors" : "all");
}

std::string pack_lines(const std::vector<const Job*>& jobs) {
    util::Gzip packed(Z_BEST_SPEED);  // packs piece by piece, so that the lines are never all in memory twice
    for (const Job* const job : jobs) {
        std::string begin = R"({"path":)";
        json::append_string(begin, job->request.path);
        packed.add(begin + R"(,"body":)");
        packed.add(job->request.body);
        packed.add("}\n");
    }
    return packed.take();
}

std::optional<LineAnswers> read_line_answers(const std::string& body, std::size_t lines) {
    LineAnswers answers;
    std::string_view rest = body;
    try {
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            if (end == std::string_view::npos) return std::nullopt;
            const json::Document document = json::read(std::string(rest.substr(0, end)));
            rest.remove_prefix(end + 1);
            if (!document.root().is(json::Type::object)) return std::nullopt;
            if (rest.empty())
                return counts_fit(document.root(), lines, answers) ? std::optional(std::move(answers))
                                                                   : std::nullopt;
            if (!add_line(answers, document.root(), lines)) return std::nullopt;
        }
    } catch (const json::SyntaxError&) {
        // The text is no answer to a bulk request.
    }
    return std::nullopt;
}

void ArrayItems::take(std::string_view piece) {
    for (const char byte : piece) expected_ == Expected::item ? take_of_item(byte) : take(byte);
}

void ArrayItems::finish() const {
    if (expected_ != Expected::nothing)
        throw std::runtime_error("the answer ends in the middle of its array");
}

void ArrayItems::take(char byte) {
    if (is_space(byte)) return;
    const bool may_begin = expected_ == Expected::item_or_end || expected_ == Expected::next_item;
    const bool may_end = expected_ == Expected::item_or_end || expected_ == Expected::comma_or_end;
    if (byte == '[' && expected_ == Expected::before) {
        expected_ = Expected::item_or_end;
    } else if (byte == '{' && may_begin) {
        expected_ = Expected::item;
        take_of_item(byte);
    } else if (byte == ',' && expected_ == Expected::comma_or_end) {
        expected_ = Expected::next_item;
    } else if (byte == ']' && may_end) {
        expected_ = Expected::nothing;
    } else {
        fail();
    }
}

void ArrayItems::take_of_item(char byte) {
    if (item_.size() == longest) fail();
    item_ += byte;
    if (in_string_) {
        const bool ends = byte == '"' && !is_escaped_;
        is_escaped_ = byte == '\\' && !is_escaped_;
        in_string_ = !ends;
        return;
    }
    in_string_ = byte == '"';
    if (byte == '{' || byte == '[') ++depth_;
    if ((byte != '}' && byte != ']') || --depth_ > 0) return;
    each_(item_);
    item_.clear();
    expected_ = Expected::comma_or_end;
}

}  // namespace data_import::client
