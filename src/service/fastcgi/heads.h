// The heads of requests as nginx sends them, and the heads of answers as nginx reads them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/request.h"

namespace data_import::fastcgi {

/// The FastCGI parameters of a request. A parameter that was sent more than once has several entries. The
/// entries point into the texts of `environment`, which have to outlive this object. The search is linear,
/// because an index would be slower for so few parameters.
class Parameters {
public:
    /// Reads an array of `NAME=VALUE` texts that ends with a null pointer.
    explicit Parameters(char** environment);

    /// Returns the first value of a parameter; empty if absent.
    [[nodiscard]] std::string text(std::string_view name) const;
    /// Returns the value of a parameter; nothing if absent, empty if sent twice.
    [[nodiscard]] std::optional<std::string> single(std::string_view name) const;
    /// Returns all values of a parameter, with commas between them; empty if absent.
    [[nodiscard]] std::string joined(std::string_view name) const;

private:
    struct Entry {
        std::string_view name;
        std::string_view value;
    };

    std::vector<Entry> entries_;
};

/// Reads a request without its body. A request ID that nginx did not make is replaced.
[[nodiscard]] http::Request read_head(const Parameters& parameters);

/// Reads the person who has signed in. Only nginx can set the parameter with the person's name, because every
/// header of a client becomes a parameter `HTTP_...`.
[[nodiscard]] http::Person read_person(const Parameters& parameters);

/// Reads CONTENT_LENGTH, which must have digits only. Returns 0 if it is absent or empty, as nginx sends it
/// for a request without a body; nothing for any other text.
[[nodiscard]] std::optional<std::size_t> content_length(const Parameters& parameters);

/// The longest wait that queue_wait() returns. nginx gives up earlier, so a longer wait means that a clock
/// was set.
inline constexpr std::chrono::minutes longest_queue_wait{10};

/// Returns the time from `handed_over_at` to `now`, at least 0 and at most `longest_queue_wait`.
/// `handed_over_at` is nginx's `$msec`: Unix time in seconds with three decimals. Returns nothing if it has
/// another form.
[[nodiscard]] std::optional<std::chrono::microseconds> queue_wait(std::string_view handed_over_at,
                                                                  std::chrono::system_clock::time_point now);

/// Appends one header field. Throws std::logic_error if name or value holds a line break or a zero byte.
void append_header(std::string& head, std::string_view name, std::string_view value);

/// Returns status and header fields, without the empty line after them. Throws as append_header does.
[[nodiscard]] std::string format_head(int status, std::string_view content_type,
                                      const http::Headers& headers);

}  // namespace data_import::fastcgi
