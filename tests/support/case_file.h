// The text cases under tests/cases: tests/cases/README.md describes their form.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http.h"

namespace data_import::tests {

/// The kind of data that a step sends.
enum class StepKind {
    request,  ///< an HTTP request over TLS; usual headers are added
    raw,      ///< bytes over TLS, as they are
    plain,    ///< bytes without TLS to the TLS port
    command   ///< a line of bash
};

struct ExpectedError {
    std::string attr;
    std::string code;
    std::string detail = "";  ///< a part of the error's `detail` in the answer; empty: not compared
};

/// The expected answer. Texts may hold `{{variables}}`. An optional member without a value is not checked.
struct Expectation {
    int status = 0;                     ///< the HTTP status, or the exit status of a command
    std::optional<std::string> code;    ///< `code` in the body of the answer; nothing: not checked
    std::vector<ExpectedError> errors;  ///< all items of `errors` in the body, in their order
    std::vector<std::string> detail;    ///< texts that the body's top-level `detail` contains, all of them
    HeaderList headers;                 ///< the value `<any>` stands for any value
    std::vector<std::string> absent_headers;
    std::optional<long> stored;       ///< number of notes that the step adds to the database
    bool same_body = false;           ///< the same bytes as the body of the step before
    std::optional<double> within;     ///< seconds within which the answer has to be there
    std::optional<long> calls;        ///< number of requests to the vendor simulator for payment instructions
    std::optional<long> connections;  ///< number of connections that the vendor simulator accepts in the step
    std::optional<std::string> body;  ///< JSON with placeholders
    /// Expected output of a command: the texts of the case's lines `out ...` for standard output, and of its
    /// lines `err ...` for standard error.
    std::vector<std::string> output;
    std::vector<std::string> errors_output;
};

struct Step {
    int line = 0;
    StepKind kind = StepKind::request;
    HttpRequest request;                                     ///< method, target, the case's own headers, body
    std::vector<std::string> without;                        ///< usual headers that are not sent
    std::string text;                                        ///< bytes of a raw step, line of a command
    std::vector<std::pair<std::string, std::string>> files;  ///< name and contents, made before a command
    Expectation expected;
};

struct Case {
    std::string name;
    int line = 0;
    std::vector<Step> steps;
};

/// Throws std::runtime_error `FILE:LINE: what is wrong`.
[[nodiscard]] std::vector<Case> read_cases(const std::filesystem::path& file);

/// The folder of the cases: CASES in the environment, else tests/cases.
[[nodiscard]] std::filesystem::path cases_directory();

}  // namespace data_import::tests
