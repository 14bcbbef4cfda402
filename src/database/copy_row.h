// Rows of COPY in PostgreSQL's text format.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::database {

/// Appends a row as COPY ... FROM STDIN reads it: the columns' texts, nothing for NULL.
void append_copy_row(std::string& text, std::initializer_list<std::optional<std::string_view>> columns);

/// One of COPY ... TO STDOUT. Reused from row to row, so that a listing needs no allocation for each. Views
/// are valid until the next row, and as long as the text that it was read from.
class CopyRow {
public:
    /// Throws std::logic_error for a row with another number of columns.
    void read(std::string_view row, std::size_t columns);
    /// A column's text; nothing for NULL.
    [[nodiscard]] std::optional<std::string_view> optional(std::size_t column) const {
        return fields_.at(column);
    }
    /// Throws std::bad_optional_access for NULL.
    [[nodiscard]] std::string_view text(std::size_t column) const { return fields_.at(column).value(); }

private:
    std::vector<std::optional<std::string_view>> fields_;
    std::vector<std::string> buffers_;  ///< the texts of columns that had escapes
};

}  // namespace data_import::database
