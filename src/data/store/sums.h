// Sums as JSON, as the interface gives those of an account: `{"amount:CHARGE": "12.5"}`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/json/writer.h"
#include "data/store/reconciliation.h"

namespace data_import::store {

void write_sums(json::Writer& writer, const Sums& sums);
/// Nothing if they are not told.
[[nodiscard]] std::optional<std::string> json_or_null(const std::optional<Sums>& sums);

/// The sums in a JSON text of `json_or_null` or of a supplier, for a kind of records: an object of decimal
/// strings without exponent. Throws std::invalid_argument with a sentence for anything else and for a figure
/// that the kind does not have.
[[nodiscard]] Sums read_sums(std::string_view json, std::string_view kind);
/// The same for a column; nothing for NULL.
[[nodiscard]] std::optional<Sums> optional_sums(const database::Row& row, std::size_t column,
                                                std::string_view kind);

/// The same number has one text: `12.50` is `12.5`. Throws as util::DecimalSum does.
[[nodiscard]] std::string plain_decimal(const std::string& decimal);

}  // namespace data_import::store
