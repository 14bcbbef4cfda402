// Writes a schema as JSON Schema 2020-12, as OpenAPI 3.1 uses it. So validation and documentation have the
// same declaration.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "data/json/writer.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Schemas that other schemas refer to by name, as JSON texts for `components/schemas` of the document.
using Components = std::map<std::string, std::string, std::less<>>;

/// The sender of the value that a schema describes. A request must not have fields that are not declared. An
/// answer may get more in future versions, and clients have to ignore these.
enum class Side { request, answer };

/// Writes the schema of a value that `side` sends. Adds the forms of a variant to `components`, and refers to
/// them there, because a discriminator can name only components. The name of such a component consists of
/// `name`, the names of the fields that lead to the variant, and the name of the form, joined in CamelCase.
/// `name` has to be unique in the document.
void write_openapi(json::Writer& writer, const Schema& schema, Side side, std::string_view name,
                   Components& components);

/// Returns `TransactionsCreate` for `transactions-create`, `SupplyCharge` for `SUPPLY_CHARGE`: words begin
/// after everything that is no letter or digit.
[[nodiscard]] std::string camel_case(std::string_view text);

}  // namespace data_import::schema
