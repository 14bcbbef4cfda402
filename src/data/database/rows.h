// The rows of PostgreSQL's answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace data_import::database {

class Row;

/// The rows of an answer. Conversions are strict: they throw std::logic_error if the text is not of the
/// type.
class Rows {
public:
    explicit Rows(pg_result* result);
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::optional<std::string> optional_text(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;
    [[nodiscard]] bool boolean(std::size_t row, std::size_t column) const;
    [[nodiscard]] Row operator[](std::size_t row) const;
    /// Calls `read` for each row, in their order, and returns the results.
    template <typename Read>
    [[nodiscard]] auto each(const Read& read) const;
    /// Returns the texts of the first column.
    [[nodiscard]] std::vector<std::string> texts() const;

    /// Returns `size` rows from the row `first` on.
    [[nodiscard]] Rows part(std::size_t first, std::size_t size) const;

private:
    Rows(std::shared_ptr<pg_result> result, std::size_t first, std::size_t size);

    std::shared_ptr<pg_result> result_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

/// One row of an answer. The Rows have to outlive it. Times and uuids have the form that clients get.
class Row {
public:
    Row(const Rows& rows, std::size_t place) : rows_(rows), place_(place) {}

    [[nodiscard]] bool is_null(std::size_t column) const { return rows_.is_null(place_, column); }
    [[nodiscard]] std::string text(std::size_t column) const {
        return std::string(rows_.text(place_, column));
    }
    [[nodiscard]] std::int64_t integer(std::size_t column) const { return rows_.integer(place_, column); }
    [[nodiscard]] std::size_t count(std::size_t column) const {
        return static_cast<std::size_t>(integer(column));
    }
    [[nodiscard]] bool boolean(std::size_t column) const { return rows_.boolean(place_, column); }
    /// Returns a timestamptz as RFC 3339 in UTC.
    [[nodiscard]] std::string time(std::size_t column) const;
    /// Returns a uuid as 32 hexadecimal digits.
    [[nodiscard]] std::string uuid(std::size_t column) const;

    // These three return nothing for NULL.
    [[nodiscard]] std::optional<std::string> optional_text(std::size_t column) const {
        return rows_.optional_text(place_, column);
    }
    [[nodiscard]] std::optional<std::string> optional_time(std::size_t column) const {
        return is_null(column) ? std::nullopt : std::optional(time(column));
    }
    [[nodiscard]] std::optional<std::string> optional_uuid(std::size_t column) const {
        return is_null(column) ? std::nullopt : std::optional(uuid(column));
    }

private:
    const Rows& rows_;
    std::size_t place_;
};

inline Row Rows::operator[](std::size_t row) const {
    return {*this, row};
}

template <typename Read>
auto Rows::each(const Read& read) const {
    std::vector<decltype(read((*this)[0]))> all;
    all.reserve(size());
    for (std::size_t row = 0; row < size(); ++row) all.push_back(read((*this)[row]));
    return all;
}

/// Turns `2020-01-01 12:00:00.5+00`, as PostgreSQL writes times in sessions in UTC, into
/// `2020-01-01T12:00:00.5Z`. Throws std::logic_error for another form.
[[nodiscard]] std::string to_rfc3339(std::string_view timestamptz);

}  // namespace data_import::database
