// Lists in sentences.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace data_import::util {

/// `A, B, C` of texts, or of what has one.
template <typename Items, typename Text = std::identity>
[[nodiscard]] std::string joined(const Items& items, Text text_of = {}) {
    std::string list;
    for (const auto& item : items) list.append(list.empty() ? "" : ", ").append(std::invoke(text_of, item));
    return list;
}

/// `A, B or C` of texts.
template <typename Items>
[[nodiscard]] std::string alternatives(const Items& items) {
    std::string list = joined(items);
    const std::size_t last = list.rfind(", ");
    return last == std::string::npos ? list : list.replace(last, 2, " or ");
}

}  // namespace data_import::util
