// A strict reader of the chunked transfer coding (RFC 9112, section 7.1). It replaces Poco's reader, which
// takes the end of the connection for the end of the body, even if the body is cut.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace data_import::net {

/// A source of bytes: fills at least one byte of `buffer` and returns how many; 0 at the end of the
/// connection.
using ReadBytes = std::function<std::size_t(char* buffer, std::size_t size)>;

/// Reads a body from `read`, up to the end of the trailers and not beyond. Throws Poco::Net::MessageException
/// for a body that is cut, wrongly coded, or longer than `max_bytes`. Exceptions of `read` pass through.
[[nodiscard]] std::string read_chunks(const ReadBytes& read, std::size_t max_bytes);

/// Reads a chunked body of any length, and passes it on in pieces of at most 16 KiB as they come. Throws as
/// read_chunks() does.
void pass_chunks(const ReadBytes& read, const std::function<void(std::string_view)>& receive);

}  // namespace data_import::net
