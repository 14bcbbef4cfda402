// The way in which a run reads CSV files (data-import-csv(5)), as its command line says.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/date_form.h"

namespace data_import::client {

struct CsvReading {
    bool decimal_comma = false;                      ///< numbers have one
    std::optional<util::DateForm> dates = {};        ///< the form of dates besides YYYY-MM-DD
    std::map<std::string, std::string> fields = {};  ///< by the names of columns, in lower case
    std::set<std::string> ignored_columns = {};      ///< in lower case

    /// Returns the field that a column of this name holds: its own name, unless the command line names
    /// another one.
    [[nodiscard]] const std::string& field_of(const std::string& column) const;

    /// Writes the options of the command line: `--decimal-comma`, `--dates DD.MM.YYYY`, `--map vkont=body`.
    /// None for files that are read as they are. Equal options mean equal readings.
    [[nodiscard]] std::vector<std::string> to_options() const;

    [[nodiscard]] bool operator==(const CsvReading&) const = default;
};

/// Returns whether the name is a column of some import.
[[nodiscard]] bool is_field_of_an_import(std::string_view name);

}  // namespace data_import::client
