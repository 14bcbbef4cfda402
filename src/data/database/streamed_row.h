// A row of an answer that is passed on while it arrives.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

struct pg_result;

namespace data_import::database {

/// Valid during the call that gets it, and so are its views. A column that there is not throws
/// std::out_of_range.
class StreamedRow {
public:
    /// `result` has this row alone.
    explicit StreamedRow(const pg_result& result) : result_(result) {}
    /// A column's value, as text or in PostgreSQL's binary form, as was asked for; nothing for NULL.
    [[nodiscard]] std::optional<std::string_view> optional(std::size_t column) const;
    /// Throws std::bad_optional_access for NULL.
    [[nodiscard]] std::string_view text(std::size_t column) const { return optional(column).value(); }

private:
    const pg_result& result_;
};

}  // namespace data_import::database
