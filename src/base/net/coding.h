// Unpacks the bodies of answers. A server or a proxy may have packed them, although no request of this
// program asks for packed answers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/util/gzip.h"

namespace data_import::net {

inline constexpr std::string_view gzip = "gzip";

/// Returns the value of Content-Encoding in lower case, but `gzip` for `x-gzip`, the old name of gzip. Empty
/// for a plain body.
[[nodiscard]] std::string coding_of(std::string_view content_encoding);

/// Passes the pieces of a body on: unpacked if the body is packed, otherwise as they are.
class Unpacker {
public:
    /// Gets the next bytes of the unpacked body.
    using Receive = std::function<void(std::string_view)>;

    Unpacker(Receive receive, bool is_packed);

    /// Takes the next piece of the body. Unpacks the piece if the body is packed, and passes the result to
    /// `receive`. Throws Poco::Net::MessageException if a packed body is not gzip. Throws what `receive`
    /// throws.
    void take(std::string_view piece);
    /// Ends the body. Throws Poco::Net::MessageException if a packed body is cut.
    void finish() const;

private:
    Receive receive_;
    std::optional<util::Gunzip> gunzip_;
    bool has_begun_ = false;
};

/// Unpacks a whole body that is packed with gzip. Throws Poco::Net::MessageException if the body is not gzip
/// or is cut off, or if the unpacked body is longer than `max_bytes`. Returns an empty text for an empty
/// body.
[[nodiscard]] std::string unpacked(std::string_view packed, std::size_t max_bytes);

}  // namespace data_import::net
