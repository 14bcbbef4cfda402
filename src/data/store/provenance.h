// The columns that say which request brought a row. An import passes each row to the database as a JSON
// object; these columns are put in front of the object's members.
#pragma once

#include <string>
#include <string_view>

namespace data_import::store {

/// The request that brings rows.
struct Provenance {
    std::string_view request_id;  ///< 32 hexadecimal digits
    std::string_view api_key_id;
};

/// Returns the columns request_id, api_key_id and imported_at (the time of the transaction) as members of an
/// object, each with a comma after it.
[[nodiscard]] std::string columns_of(const Provenance& provenance);

/// Returns a text column as a member of an object, with a comma after it.
[[nodiscard]] std::string text_column(std::string_view name, std::string_view value);

/// Appends an object to `rows`, after a comma if `rows` has objects already. The object has the members in
/// `columns`, then the members of the object `row`. In `columns`, a comma stands after each member. `row`
/// must have at least one member.
void append_row(std::string& rows, std::string_view columns, std::string_view row);

}  // namespace data_import::store
