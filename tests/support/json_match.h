// Comparing JSON with an expectation that holds placeholders.
#pragma once

#include <Poco/Dynamic/Var.h>

#include <string>
#include <vector>

namespace data_import::tests {

/// Throws std::runtime_error with the beginning of the text if it is no JSON.
[[nodiscard]] Poco::Dynamic::Var parse_json(const std::string& text);

/// Returns the first difference between `actual` and `expected`, with its place; an empty text if there is
/// none. `place` is the place of both values in the body. Objects must have the same members in any order,
/// arrays the same items in the same order. A string in `expected` stands for itself, except:
///   <any>         any value
///   <string>      any string that is not empty
///   <datetime>    an instant in UTC as answers have it, YYYY-MM-DDTHH:MM:SS[.ffffff]Z
///   <now>         an instant of this form, at most a minute from now
///   <number>      a number on the platform that the service has made, A- and eight hexadecimal digits
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

/// Returns the error in `text`, which must be a JSON object with exactly the keys `detail`, `code` and
/// `errors`. An object with `status` is the error of a failed transaction, and must also have `error_detail`
/// and `transaction_data` (contract, section 5.4). Throws std::runtime_error if `text` has another form.
[[nodiscard]] ErrorBody parse_error_body(const std::string& text);

}  // namespace data_import::tests
