// JSON for programs, as the commands write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace data_import::ctl {

/// A member that is a string, or null where there is no value.
inline json::Writer& member(json::Writer& writer, std::string_view name,
                            const std::optional<std::string>& value) {
    writer.key(name);
    return value ? writer.string(*value) : writer.null();
}

}  // namespace data_import::ctl
