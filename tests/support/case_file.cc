#include "case_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace data_import::tests {

namespace {

struct Line {
    int number = 0;
    std::string text;
};
using Lines = std::vector<Line>;

bool begins_with(const std::string& text, std::string_view prefix) {
    return text.rfind(prefix, 0) == 0;
}

/// The rest of the text after the word and a blank; nothing if the text begins otherwise.
std::optional<std::string> behind(const std::string& text, const std::string& word) {
    if (!begins_with(text, word + ' ')) return std::nullopt;
    return text.substr(word.size() + 1);
}

std::string joined(Lines::const_iterator begin, Lines::const_iterator end, const char* separator) {
    std::string text;
    for (auto line = begin; line != end; ++line) text += (line == begin ? "" : separator) + line->text;
    return text;
}

std::vector<Lines> split(const Lines& lines, const std::string& separator) {
    std::vector<Lines> parts(1);
    for (const Line& line : lines) {
        if (line.text == separator) {
            parts.emplace_back();
        } else {
            parts.back().push_back(line);
        }
    }
    return parts;
}

/// Removes the blank lines at both ends, which only separate the sections of a file.
Lines trimmed(Lines lines) {
    while (!lines.empty() && lines.back().text.empty()) lines.pop_back();
    while (!lines.empty() && lines.front().text.empty()) lines.erase(lines.begin());
    return lines;
}

class Reader {
public:
    explicit Reader(std::filesystem::path file) : file_(std::move(file)) {}

    std::vector<Case> read() {
        std::vector<Case> cases;
        Lines body;
        for (const Line& line : lines()) {
            if (begins_with(line.text, "=== ")) {
                finish(cases, body);
                cases.push_back({line.text.substr(4), line.number, {}});
            } else if (!cases.empty()) {
                body.push_back(line);
            }
        }
        finish(cases, body);
        return cases;
    }

private:
    [[noreturn]] void fail(int line, const std::string& reason) const {
        throw std::runtime_error(file_.string() + ':' + std::to_string(line) + ": " + reason);
    }

    Lines lines() const {
        std::ifstream stream(file_);
        if (!stream) throw std::runtime_error("cannot read " + file_.string());
        Lines found;
        std::string text;
        while (std::getline(stream, text)) found.push_back({static_cast<int>(found.size()) + 1, text});
        return found;
    }

    void finish(std::vector<Case>& cases, Lines& body) const {
        if (!cases.empty()) {
            for (const Lines& part : split(body, "+++"))
                cases.back().steps.push_back(step(cases.back(), part));
        }
        body.clear();
    }

    Step step(const Case& of, const Lines& part) const {
        const std::vector<Lines> halves = split(part, "---");
        if (halves.size() != 2)
            fail(of.line, "a step has to have one line --- between what is sent and what is expected");
        const Lines sent = trimmed(halves[0]);
        const Lines expected = trimmed(halves[1]);
        if (sent.empty() || expected.empty()) fail(of.line, "nothing is sent or nothing is expected");
        Step step;
        step.line = sent.front().number;
        read_sent(sent, step);
        read_expected(expected, step);
        return step;
    }

    void read_sent(const Lines& sent, Step& step) const {
        const std::string& first = sent.front().text;
        if (first == "RAW" || first == "PLAIN") {
            step.kind = first == "RAW" ? StepKind::raw : StepKind::plain;
            step.text = joined(sent.begin() + 1, sent.end(), "\r\n");
        } else if (begins_with(first, "$ ") || begins_with(first, "file ")) {
            read_command(sent, step);
        } else {
            read_request(sent, step);
        }
    }

    void read_command(const Lines& sent, Step& step) const {
        step.kind = StepKind::command;
        for (const Line& line : sent) {
            if (const auto name = behind(line.text, "file")) {
                step.files.emplace_back(*name, "");
            } else if (const auto command = behind(line.text, "$")) {
                step.text = *command;
            } else if (!step.files.empty() && step.text.empty()) {
                step.files.back().second += line.text + '\n';
            } else {
                fail(line.number, "only files stand before the command, and nothing behind it");
            }
        }
        if (step.text.empty()) fail(sent.front().number, "a command step without a line that begins with $");
    }

    void read_request(const Lines& sent, Step& step) const {
        const std::string& first = sent.front().text;
        const std::size_t blank = first.find(' ');
        if (blank == std::string::npos) fail(sent.front().number, "no METHOD and path: " + first);
        step.request.method = first.substr(0, blank);
        step.request.target = first.substr(blank + 1);
        auto line = sent.begin() + 1;
        for (; line != sent.end() && !line->text.empty(); ++line) {
            if (const auto name = behind(line->text, "no header")) {
                step.without.push_back(*name);
            } else {
                step.request.headers.push_back(header(*line));
            }
        }
        if (line != sent.end()) step.request.body = joined(line + 1, sent.end(), "\n");
    }

    std::pair<std::string, std::string> header(const Line& line) const {
        const std::size_t colon = line.text.find(": ");
        if (colon == std::string::npos) fail(line.number, "no header `Name: value`: " + line.text);
        return {line.text.substr(0, colon), line.text.substr(colon + 2)};
    }

    void read_expected(const Lines& lines, Step& step) const {
        Expectation& expected = step.expected;
        try {
            expected.status = std::stoi(lines.front().text);
        } catch (const std::logic_error&) {
            fail(lines.front().number, "an expectation begins with a status");
        }
        auto line = lines.begin() + 1;
        for (; line != lines.end() && !line->text.empty(); ++line) read_expected_line(*line, step);
        if (line != lines.end()) expected.body = joined(line + 1, lines.end(), "\n");
    }

    void read_expected_line(const Line& line, Step& step) const {
        Expectation& expected = step.expected;
        if (step.kind == StepKind::command) {
            read_expected_output(line, expected);
        } else if (const auto code = behind(line.text, "code")) {
            expected.code = *code;
        } else if (const auto error = behind(line.text, "error")) {
            expected.errors.push_back(expected_error(line, *error));
        } else if (const auto detail = behind(line.text, "detail")) {
            expected.detail.push_back(*detail);
        } else if (const auto stored = behind(line.text, "stored")) {
            expected.stored = std::stol(*stored);
        } else if (const auto absent = behind(line.text, "no header")) {
            expected.absent_headers.push_back(*absent);
        } else if (line.text == "same body") {
            expected.same_body = true;
        } else if (const auto within = behind(line.text, "within")) {
            expected.within = std::stod(*within);  // "2.5 s"
        } else if (const auto calls = behind(line.text, "calls")) {
            expected.calls = std::stol(*calls);
        } else if (const auto connections = behind(line.text, "connections")) {
            expected.connections = std::stol(*connections);
        } else {
            expected.headers.push_back(header(line));
        }
    }

    void read_expected_output(const Line& line, Expectation& expected) const {
        if (const auto output = behind(line.text, "out")) {
            expected.output.push_back(*output);
        } else if (const auto errors = behind(line.text, "err")) {
            expected.errors_output.push_back(*errors);
        } else {
            fail(line.number, "neither `out ...` nor `err ...`: " + line.text);
        }
    }

    ExpectedError expected_error(const Line& line, const std::string& text) const {
        const std::size_t blank = text.find(' ');
        if (blank == std::string::npos)
            fail(line.number, "an error is `error ATTR CODE [TEXT]`, with \"\" for an empty ATTR");
        const std::string attr = text.substr(0, blank);
        const std::size_t next = std::min(text.find(' ', blank + 1), text.size());
        return {.attr = attr == "\"\"" ? "" : attr,
                .code = text.substr(blank + 1, next - blank - 1),
                .detail = text.substr(std::min(next + 1, text.size()))};
    }

    std::filesystem::path file_;
};

}  // namespace

std::vector<Case> read_cases(const std::filesystem::path& file) {
    return Reader(file).read();
}

std::filesystem::path cases_directory() {
    const char* given = std::getenv("CASES");
    return given == nullptr ? "tests/cases" : given;
}

}  // namespace data_import::tests
