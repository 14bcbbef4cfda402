// Lists in sentences.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace data_import::util {

/// Writes `A, B, C`.
template <typename Items, typename Text = std::identity>
[[nodiscard]] std::string joined(const Items& items, Text text_of = {}) {
    std::string list;
    for (const auto& item : items) list.append(list.empty() ? "" : ", ").append(std::invoke(text_of, item));
    return list;
}

/// Writes `A, B or C`.
template <typename Items>
[[nodiscard]] std::string alternatives(const Items& items) {
    std::string list = joined(items);
    const std::size_t last = list.rfind(", ");
    return last == std::string::npos ? list : list.replace(last, 2, " or ");
}

}  // namespace data_import::util
