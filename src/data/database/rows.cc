#include <libpq-fe.h>

#include "base/util/whole_number.h"
#include "data/database/rows.h"

namespace data_import::database {

Rows::Rows(pg_result* result)
    : result_(result, PQclear), size_(static_cast<std::size_t>(PQntuples(result))) {}

Rows::Rows(std::shared_ptr<pg_result> result, std::size_t first, std::size_t size)
    : result_(std::move(result)), first_(first), size_(size) {}

Rows Rows::part(std::size_t first, std::size_t size) const {
    return {result_, first_ + first, size};
}

std::size_t Rows::size() const {
    return size_;
}

bool Rows::is_null(std::size_t row, std::size_t column) const {
    return PQgetisnull(result_.get(), static_cast<int>(first_ + row), static_cast<int>(column)) != 0;
}

std::string_view Rows::text(std::size_t row, std::size_t column) const {
    if (row >= size() || column >= static_cast<std::size_t>(PQnfields(result_.get()))) {
        throw std::logic_error("an answer of PostgreSQL has fewer rows or columns than its reader needs");
    }
    const int r = static_cast<int>(first_ + row);
    const int c = static_cast<int>(column);
    return {PQgetvalue(result_.get(), r, c), static_cast<std::size_t>(PQgetlength(result_.get(), r, c))};
}

std::optional<std::string> Rows::optional_text(std::size_t row, std::size_t column) const {
    if (is_null(row, column)) return std::nullopt;
    return std::string(text(row, column));
}

std::int64_t Rows::integer(std::size_t row, std::size_t column) const {
    const auto number = util::whole_number<std::int64_t>(text(row, column));
    if (!number) throw std::logic_error("a column of PostgreSQL's answer is no integer");
    return *number;
}

bool Rows::boolean(std::size_t row, std::size_t column) const {
    const std::string_view truth = text(row, column);
    if (truth != "t" && truth != "f") throw std::logic_error("a column of PostgreSQL's answer is no boolean");
    return truth == "t";
}

std::vector<std::string> Rows::texts() const {
    return each([](const Row& row) { return row.text(0); });
}

std::string Row::time(std::size_t column) const {
    return to_rfc3339(rows_.text(place_, column));
}

std::string Row::uuid(std::size_t column) const {
    std::string digits = text(column);
    std::erase(digits, '-');
    return digits;
}

std::string to_rfc3339(std::string_view timestamptz) {
    constexpr std::string_view utc = "+00";
    constexpr std::size_t date_length = 10;
    if (timestamptz.size() < 22 || !timestamptz.ends_with(utc) || timestamptz[date_length] != ' ')
        throw std::logic_error("a time in PostgreSQL's answer is not in UTC");
    std::string text(timestamptz.substr(0, timestamptz.size() - utc.size()));
    text[date_length] = 'T';
    return text += 'Z';
}

}  // namespace data_import::database
