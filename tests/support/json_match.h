// Comparing JSON with an expectation that holds placeholders.
#pragma once

#include <Poco/Dynamic/Var.h>

#include <string>
#include <vector>

namespace data_import::tests {

/// Throws std::runtime_error with the beginning of the text if it is no JSON.
[[nodiscard]] Poco::Dynamic::Var parse_json(const std::string& text);

/// The first difference, with its place, or an empty text when `actual` is as expected. Objects have the same
/// members (in any order), arrays the same items in the same order. Strings of the expectation stand for
/// themselves, except:
///   <any>         any value
///   <string>      any string that is not empty
///   <datetime>    an instant in UTC as answers have it, YYYY-MM-DDTHH:MM:SS[.ffffff]Z
///   <now>         an instant of this form, at most a minute from now
///   <number>      a number on the platform as the service gives them out, A- and eight hexadecimal digits
[[nodiscard]] std::string difference(const Poco::Dynamic::Var& expected, const Poco::Dynamic::Var& actual,
                                     const std::string& place = "");

/// One item of `errors` in an answer.
struct ErrorItem {
    std::string attr;
    std::string code;
    std::string detail;
};

/// An answer of the common shape (contract, section 3.1).
struct ErrorBody {
    std::string code;
    std::string detail;
    std::vector<ErrorItem> errors;
};

/// Throws std::runtime_error unless the text is an error as all endpoints answer it, a JSON object with
/// exactly the keys `detail`, `code` and `errors`. The error of a failed transaction must also have the keys
/// `status`, `error_detail` and `transaction_data` (contract, section 5.4).
[[nodiscard]] ErrorBody parse_error_body(const std::string& text);

}  // namespace data_import::tests
