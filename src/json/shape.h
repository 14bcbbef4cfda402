// What Poco's parser says of a text that was scanned. Private to the folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "json/scan.h"
#include "json/value.h"

namespace data_import::json {

/// A document without the texts of its keys, strings and numbers: the same for all texts with one skeleton.
struct Shape {
    using Node = Document::Node;
    std::vector<Node> nodes;  ///< one for each token; of keys, strings and numbers the type only
};

/// Clients send the same few shapes again and again: those with short skeletons that this thread was asked
/// for last are remembered, and not parsed again. Throws SyntaxError for what is not JSON, except within
/// strings.
[[nodiscard]] Shape shape_of(std::string_view text, const Scan& scan);

/// Calls `take` with the number of each token that has escapes, and its text without them. Throws SyntaxError
/// for what is not JSON in one.
void decode(std::string_view text, const Scan& scan,
            const std::function<void(std::uint32_t token, std::string_view decoded)>& take);

}  // namespace data_import::json
