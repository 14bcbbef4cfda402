// Reads values in PostgreSQL's binary form. Rows arrive fastest in this form, because PostgreSQL writes no
// text and this program reads none. All functions throw std::logic_error for bytes that are no value of the
// type, because that is a mistake of this program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"

namespace data_import::database {

/// A value in PostgreSQL's binary form; nothing for NULL.
using BinaryValue = std::optional<std::string_view>;

/// Reads a smallint, integer or bigint.
[[nodiscard]] std::int64_t binary_integer(std::string_view bytes);
[[nodiscard]] bool binary_boolean(std::string_view bytes);
/// Reads a timestamptz. PostgreSQL's infinities become the first and the last instant.
[[nodiscard]] util::Instant binary_instant(std::string_view bytes);
/// Reads a date as days since 1970-01-01.
[[nodiscard]] std::int64_t binary_date(std::string_view bytes);

/// Reads a numeric as `-12.5`, `0.000001`, `3`: without exponent, without zeros at the end after the point.
/// The other values are `NaN`, `Infinity` and `-Infinity`.
void append_numeric(std::string& text, std::string_view bytes);

/// Reads the elements of an array of one dimension, one after the other.
class BinaryArray {
public:
    explicit BinaryArray(std::string_view bytes);
    /// Returns the number of elements that next() has not returned yet.
    [[nodiscard]] std::size_t size() const { return left_; }
    /// Returns the next element; NULL after the last one.
    [[nodiscard]] BinaryValue next();
    /// Returns the next element; if the array has a single one, returns that at every call.
    [[nodiscard]] BinaryValue next_or_only();

private:
    std::string_view rest_;
    std::size_t left_ = 0;
    std::string_view only_;  ///< the element of an array that has only one
};

/// Reads the columns of a row that `record_send(ROW(...))` has sent. `columns` is reused from row to row.
void read_sent_record(std::string_view record, std::vector<BinaryValue>& columns);

}  // namespace data_import::database
