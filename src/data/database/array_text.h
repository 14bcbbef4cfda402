// Arrays in the text form of PostgreSQL.
#pragma once

#include <string>
#include <string_view>

namespace data_import::database {

/// Makes a PostgreSQL array in text form, to be sent as one text parameter: `{a,"b c"}`.
class ArrayText {
public:
    void add(std::string_view element);
    [[nodiscard]] std::string take();

private:
    std::string text_ = "{";
};

}  // namespace data_import::database
