#include "client/bulk_request.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "json/reader.h"
#include "json/writer.h"
#include "payload/paths.h"
#include "util/whole_number.h"

namespace data_import::client {

namespace {

constexpr std::size_t longest_echo = std::size_t{1} << 20;

/// Packs piece by piece, so that the lines never stand side by side in memory.
class Gzip {
public:
    Gzip() {
        constexpr int gzip_form = 16 + MAX_WBITS;
        constexpr int memory = 8;
        if (deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, gzip_form, memory, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~Gzip() { deflateEnd(&stream_); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    void add(std::string_view text) { write(text, Z_NO_FLUSH); }

    [[nodiscard]] std::string take() {
        write({}, Z_FINISH);
        return std::move(packed_);
    }

private:
    void write(std::string_view text, int flush) {
        // zlib does not write there
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        stream_.avail_in = static_cast<uInt>(text.size());
        do {
            char piece[16384];
            stream_.next_out = reinterpret_cast<Bytef*>(piece);
            stream_.avail_out = sizeof piece;
            deflate(&stream_, flush);
            packed_.append(piece, sizeof piece - stream_.avail_out);
        } while (stream_.avail_out == 0);
    }

    z_stream stream_{};
    std::string packed_;
};

std::optional<std::size_t> number_of(const json::Value& object, std::string_view name) {
    const auto member = object.find(name);
    if (!member || !member->is(json::Type::number)) return std::nullopt;
    return util::whole_number<std::size_t>(member->text());
}

/// False if the line does not belong to such an answer.
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

}  // namespace

std::string bulk_path(const std::vector<const Job*>& jobs) {
    const bool is_long = jobs.size() == 1 && jobs.front()->request.body.size() > longest_echo;
    const bool is_echo = is_long || std::ranges::all_of(jobs, &Job::is_document);
    return std::string(payload::paths::bulk) + "?results=" + (is_echo ? "errors" : "all");
}

std::string pack_lines(const std::vector<const Job*>& jobs) {
    Gzip packed;
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
        // answered like any other text that is no such answer
    }
    return std::nullopt;
}

}  // namespace data_import::client
