// The options of the command line for reading CSV files (data-import-csv(5)).
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
    bool decimal_comma = false;                      ///< numbers are written as 12,50
    std::optional<util::DateForm> dates = {};        ///< form that dates may have besides YYYY-MM-DD
    std::map<std::string, std::string> fields = {};  ///< field by name of its column, in lower case
    std::set<std::string> ignored_columns = {};      ///< names in lower case

    /// Returns the field that is in a column of this name: the one that --map names, else the field with the
    /// name of the column.
    [[nodiscard]] const std::string& field_of(const std::string& column) const;

    /// Returns the options as the command line has them: `--decimal-comma`, `--dates DD.MM.YYYY`, `--map
    /// vkont=body`. Empty if files are read as they are. Two readings are equal if their lists of options are
    /// equal.
    [[nodiscard]] std::vector<std::string> to_options() const;

    [[nodiscard]] bool operator==(const CsvReading&) const = default;
};

/// Returns whether the name is a column of some import.
[[nodiscard]] bool is_field_of_an_import(std::string_view name);

}  // namespace data_import::client
