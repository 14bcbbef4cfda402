// Writes and reads the sums of an account as JSON, in the form of the interface: `{"amount:CHARGE": "12.5"}`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/json/writer.h"
#include "data/store/reconciliation.h"

namespace data_import::store {

void write_sums(json::Writer& writer, const Sums& sums);
/// Returns the sums as JSON; nothing if `sums` is nothing.
[[nodiscard]] std::optional<std::string> json_or_null(const std::optional<Sums>& sums);

/// Reads the sums of a kind of records from `json`, which json_or_null() or a supplier wrote: an object of
/// decimal strings without exponent. Throws std::invalid_argument with a sentence if `json` is anything else,
/// or has a figure that the kind does not have.
[[nodiscard]] Sums read_sums(std::string_view json, std::string_view kind);
/// Reads sums from a column as read_sums() does; returns nothing for NULL.
[[nodiscard]] std::optional<Sums> optional_sums(const database::Row& row, std::size_t column,
                                                std::string_view kind);

/// Returns the normal form of a decimal, which is the same for all decimals of one value: `12.5` for `12.50`.
/// Throws as util::DecimalSum does.
[[nodiscard]] std::string plain_decimal(const std::string& decimal);

}  // namespace data_import::store
