// Fields of a payload that may be left out.
#pragma once

#include <optional>
#include <string_view>

#include "json/value.h"

namespace data_import::api {

/// The text of a string or number; nothing where it was not sent.
[[nodiscard]] inline std::optional<std::string_view> optional_text(const json::Value& object,
                                                                   std::string_view name) {
    const auto field = object.find(name);
    return field ? std::optional(field->text()) : std::nullopt;
}

}  // namespace data_import::api
