// Arrays in PostgreSQL's binary form: PostgreSQL reads them without parsing texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace data_import::database {

/// PostgreSQL's types by their OIDs, which are the same in all databases.
enum class ElementType : std::uint32_t {
    boolean = 16,
    bigint = 20,
    integer = 23,
    text = 25,
    date = 1082,
    timestamptz = 1184,
    numeric = 1700,
    uuid = 2950,
};

/// Makes a one-dimensional array in PostgreSQL's binary form. add() takes each element as text: booleans as
/// `t` or `f`, dates as `YYYY-MM-DD`, instants as in util/datetime.h, decimals with or without exponent,
/// uuids as 32 hexadecimal digits.
class ArrayBinary {
public:
    explicit ArrayBinary(ElementType type);
    /// Throws std::logic_error for a text that is not of the type. The caller has to check texts before.
    void add(std::string_view element);
    void add_integer(std::int32_t element);  ///< adds an element to an array of ElementType::integer
    void add_null();
    /// Appends all elements of another array of the same type.
    void append(const ArrayBinary& other);
    /// Keeps only one element if all elements are equal and none is NULL. Otherwise changes nothing.
    void keep_once();
    [[nodiscard]] ElementType type() const { return type_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::string take();

private:
    ElementType type_;
    bool has_nulls_ = false;
    std::size_t size_ = 0;
    std::string bytes_;  ///< the array in binary form; take() fills its head in
};

}  // namespace data_import::database
