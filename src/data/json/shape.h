// The shape of a scanned text: the types of its keys and values, and how these are nested. Poco's parser
// finds the shape. Private to the folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "data/json/scan.h"
#include "data/json/value.h"

namespace data_import::json {

/// A document without the texts of its keys, strings and numbers. It is made from the skeleton of a JSON text
/// (Scan::skeleton), so all texts with the same skeleton have the same shape.
struct Shape {
    using Node = Document::Node;
    /// One node for each token; nodes of keys, strings and numbers have only their type.
    std::vector<Node> nodes;
};

/// Returns the shape of `text`. `scan` is the result of scan() for `text`. Throws SyntaxError if `text` has a
/// fault outside of strings; decode() finds the faults within strings.
///
/// Each thread remembers the shapes of the last few short skeletons (Scan::skeleton), because clients send
/// the same shapes again and again.
[[nodiscard]] Shape shape_of(std::string_view text, const Scan& scan);

/// Calls `take` with the index of each token that has escapes, and its decoded text. Throws SyntaxError for a
/// token that is not JSON.
void decode(std::string_view text, const Scan& scan,
            const std::function<void(std::uint32_t token, std::string_view decoded)>& take);

}  // namespace data_import::json
