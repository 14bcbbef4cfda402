// Arrays in the text form of PostgreSQL.
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// Text form of a PostgreSQL array for one text parameter: `{a,"b c",NULL}`.
class ArrayText {
public:
    void add(std::string_view element);
    void add_null();
    /// All elements of another array behind those that are there.
    void append(const ArrayText& other);
    [[nodiscard]] std::string take();

private:
    void begin_element();

    std::string text_ = "{";
};

}  // namespace data_import::util
