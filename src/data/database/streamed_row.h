// A row of a query's result. Database::stream() passes each row to a callback before it reads the next row.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

struct pg_result;

namespace data_import::database {

/// A row of an answer, as a callback gets it. The row and the texts that it returns are valid only until the
/// callback ends. Throws std::out_of_range for a column that does not exist.
class StreamedRow {
public:
    /// `result` holds this row alone.
    explicit StreamedRow(const pg_result& result) : result_(result) {}
    /// Returns a column's value in the form that the call asked for, as text or in PostgreSQL's binary form;
    /// nothing for NULL.
    [[nodiscard]] std::optional<std::string_view> optional(std::size_t column) const;
    /// Returns a column's text. Throws std::bad_optional_access for NULL.
    [[nodiscard]] std::string_view text(std::size_t column) const { return optional(column).value(); }

private:
    const pg_result& result_;
};

}  // namespace data_import::database
