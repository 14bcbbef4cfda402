// Values in PostgreSQL's binary form, in which COPY sends rows fastest: no text is made there, and none read
// here. Bytes that are no such value are a mistake of the program: std::logic_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"

namespace data_import::database {

/// NULL is nothing.
using BinaryValue = std::optional<std::string_view>;

/// smallint, integer or bigint.
[[nodiscard]] std::int64_t binary_integer(std::string_view bytes);
[[nodiscard]] bool binary_boolean(std::string_view bytes);
/// timestamptz; PostgreSQL's infinities are the first and the last instant.
[[nodiscard]] util::Instant binary_instant(std::string_view bytes);
/// date: days since 1970-01-01.
[[nodiscard]] std::int64_t binary_date(std::string_view bytes);

/// numeric, as `-12.5`, `0.000001`, `3`: no exponent, no zeros at the end after the point. The other values
/// are `NaN`, `Infinity` and `-Infinity`.
void append_numeric(std::string& text, std::string_view bytes);

/// The elements of an array of one dimension, one after the other.
class BinaryArray {
public:
    explicit BinaryArray(std::string_view bytes);
    /// How many are left.
    [[nodiscard]] std::size_t size() const { return left_; }
    /// NULL after the last one.
    [[nodiscard]] BinaryValue next();
    /// The same, but an array of one element gives it again and again.
    [[nodiscard]] BinaryValue next_or_only();

private:
    std::string_view rest_;
    std::size_t left_ = 0;
    std::string_view only_;  ///< the element, where there is but one
};

/// The columns of a row that `record_send(ROW(...))` has sent; `columns` is reused from row to row.
void read_sent_record(std::string_view record, std::vector<BinaryValue>& columns);

}  // namespace data_import::database
