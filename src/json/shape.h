// What Poco's parser finds in a text: which values stand in which. Private to the folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/scan.h"
#include "json/value.h"

namespace data_import::json {

/// A document without the texts of its keys, strings and numbers: the same for all texts with one skeleton.
struct Shape {
    using Node = Document::Node;
    /// A key or string that had escapes.
    struct Decoded {
        std::uint32_t node;
        std::string text;
    };

    std::vector<Node> nodes;  ///< one for each token; of keys, strings and numbers the type only
    std::vector<Decoded> decoded;
};

/// Of the text that was scanned. Clients send the same few shapes again and again: those with short skeletons
/// that this thread was asked for last are remembered, and not parsed again. Throws SyntaxError for what is
/// not JSON.
[[nodiscard]] std::shared_ptr<const Shape> shape_of(std::string_view text, const Scan& scan);

}  // namespace data_import::json
