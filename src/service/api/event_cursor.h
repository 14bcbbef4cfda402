// Cursors: a client's progress in the events of a supplier, as an opaque text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/store/events.h"

namespace data_import::api {

/// Returns a cursor for this place: letters, digits, `-` and `_`, valid for this supplier only.
[[nodiscard]] std::string to_cursor(std::string_view import_supplier, const store::EventPlace& place);

/// Returns the place of a cursor; nothing for a text that is no cursor, or one of another supplier.
[[nodiscard]] std::optional<store::EventPlace> parse_cursor(std::string_view import_supplier,
                                                            std::string_view cursor);

}  // namespace data_import::api
