// Rows of COPY in PostgreSQL's text format.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::database {

/// Appends a row in the form that COPY ... FROM STDIN reads. A column without a text becomes NULL.
void append_copy_row(std::string& text, std::initializer_list<std::optional<std::string_view>> columns);

}  // namespace data_import::database
