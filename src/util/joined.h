// Lists in sentences.
#pragma once

#include <functional>
#include <string>

namespace data_import::util {

/// `A, B, C` of texts, or of what has one.
template <typename Items, typename Text = std::identity>
[[nodiscard]] std::string joined(const Items& items, Text text_of = {}) {
    std::string list;
    for (const auto& item : items) list.append(list.empty() ? "" : ", ").append(std::invoke(text_of, item));
    return list;
}

}  // namespace data_import::util
