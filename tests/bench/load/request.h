// Requests as they go over the wire, made once; the parts that differ each time are written over in place.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::bench {

/// The lengths of an account's number and of a serial, in digits. A body holds marks of these lengths, which
/// `fill_in` replaces by digits.
inline constexpr std::size_t account_digits = 6;
inline constexpr std::size_t serial_digits = 16;
inline const std::string account_mark(account_digits, '\1');
inline const std::string serial_mark(serial_digits, '\2');

struct Request {
    std::string bytes;  ///< head and body
    std::size_t head_bytes = 0;
    std::vector<std::size_t> account_places;
    std::vector<std::size_t> serial_places;

    [[nodiscard]] bool differs() const { return !account_places.empty() || !serial_places.empty(); }
    /// Writes an account number and a serial into `copy`, a copy of `bytes`, at the places where `bytes` has
    /// their marks. Overwrites the number and the serial of an earlier call. The number is a random one from
    /// 1 to `accounts`. No other request of any run has the same serial.
    void fill_in(std::string& copy, std::size_t accounts) const;
};

using SharedRequest = std::shared_ptr<const Request>;

/// Adds Content-Length to the head, and Authorization unless the token is empty.
[[nodiscard]] SharedRequest post(std::string_view path, std::string_view token, std::string_view body,
                                 std::string_view content_type = "application/json");
[[nodiscard]] SharedRequest get(std::string_view path, std::string_view token);

/// Returns a body with `count` new notes for one account, `bytes` long give or take a percent. `account` is
/// an account's number in digits, or `account_mark`, which Request::fill_in() replaces by a number.
[[nodiscard]] std::string notes(std::string_view supplier, std::string_view account, std::size_t count,
                                std::size_t bytes);
/// Returns the `count` lines of a bulk request. Each line imports five notes of 200 bytes for one account.
/// The accounts have the numbers from `first` + 1 to `first` + `accounts`, and take turns from line to line.
[[nodiscard]] std::string bulk_lines(std::string_view supplier, std::size_t count, std::size_t first,
                                     std::size_t accounts);
[[nodiscard]] std::string payment(std::string_view supplier, std::string_view vendor);
/// Returns a body, about `bytes` bytes long, with one note. The note is a JSON object with as many members as
/// fit, and all members have different keys.
[[nodiscard]] std::string distinct_keys(std::string_view supplier, std::size_t bytes);
/// A GraphQL request with `count` variables that its document does not use.
[[nodiscard]] std::string graphql_variables(std::size_t count);
[[nodiscard]] std::string obtain_token(std::string_view api_key);

}  // namespace data_import::bench
