// PostgreSQL's answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pg_result;

namespace data_import::database {

/// The rows of an answer. Conversions are strict: they throw std::logic_error where the text is not of the
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
    /// Some of the rows.
    [[nodiscard]] Rows part(std::size_t first, std::size_t size) const;

private:
    Rows(std::shared_ptr<pg_result> result, std::size_t first, std::size_t size);

    std::shared_ptr<pg_result> result_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace data_import::database
