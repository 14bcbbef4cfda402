// The chunked transfer coding (RFC 9112, section 7.1), strictly: Poco's takes the end of a connection for the
// end of the body.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace data_import::net {

/// The body that `next` gives the bytes of, one by one; negative at the end of the connection. Reads up to
/// the end of the trailers and not beyond. Throws Poco::Net::MessageException for a body that is cut, wrongly
/// coded, or longer than `max_bytes`; what `next` throws passes through.
[[nodiscard]] std::string read_chunks(const std::function<int()>& next, std::size_t max_bytes);

/// The same for a body of any length, which is passed on in pieces of at most 16 KiB as it comes.
void pass_chunks(const std::function<int()>& next, const std::function<void(std::string_view)>& receive);

}  // namespace data_import::net
