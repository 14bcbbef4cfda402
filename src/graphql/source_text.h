// The text of a document, and where in it something stands. Private to the folder.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graphql/error.h"

namespace data_import::graphql {

/// Finds lines and columns in UTF-8 text. Lines end with LF, CR or CR LF. The first question costs one pass
/// over the text, the others next to nothing, because one violation can have thousands of places.
class Locator {
public:
    explicit Locator(std::string_view text) : text_(text) {}

    /// `offset` counts bytes.
    [[nodiscard]] Location at(std::uint32_t offset);

private:
    [[nodiscard]] Location advance(Location from, std::size_t offset, std::size_t end) const;

    std::string_view text_;
    std::vector<Location> checkpoints_;  ///< one for each `distance` bytes
};

/// The document cannot be read; `what()` is a sentence for the client.
class SyntaxError : public std::runtime_error {
public:
    SyntaxError(const std::string& message, std::size_t offset)
        : std::runtime_error(message), offset_(static_cast<std::uint32_t>(offset)) {}

    [[nodiscard]] std::uint32_t offset() const { return offset_; }  ///< bytes

private:
    std::uint32_t offset_;
};

}  // namespace data_import::graphql
