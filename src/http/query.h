// The query of a request: the parameters that an endpoint documents, booleans or one of several words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace data_import::http {

/// A parameter of the query.
struct QueryParameter {
    std::string_view name;
    std::string_view description;
    bool default_value = false;                  ///< of a boolean
    std::vector<std::string_view> choices = {};  ///< of another one: its words, the first is the default
};

/// The values of all documented booleans, by name.
using QueryValues = std::map<std::string_view, bool>;

/// The words of all others.
using QueryChoices = std::map<std::string_view, std::string_view>;

/// What a query says. A parameter with a violation has its default value.
struct Query {
    QueryValues values;
    QueryChoices choices = {};
    std::vector<schema::Violation> violations = {};  ///< attr is the parameter's name; position 0
};

/// The value of a parameter as it was sent, encoded; nothing where it is not there.
[[nodiscard]] std::optional<std::string_view> find_parameter(std::string_view text, std::string_view name);
/// That of a boolean; nothing where it is not valid, either.
[[nodiscard]] std::optional<bool> find_boolean(std::string_view text, std::string_view name);

/// Reads `name=value&name=value`, names and values percent-encoded. A value is `true`, `false`, `1` or `0`,
/// in any case; anything else, no value at all, and a parameter that is sent twice are `invalid` (decisions,
/// section 5). A parameter that is not documented is `unknown_field` like a field of the payload: a misspelt
/// one would otherwise take its default behind the client's back. Throws Problem bad_request for a name that
/// cannot be decoded.
[[nodiscard]] Query read_query(std::string_view text, const std::vector<QueryParameter>& parameters,
                               schema::UnknownFields unknown);

}  // namespace data_import::http
