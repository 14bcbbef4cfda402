// The query of a request, with the parameters that an endpoint documents: booleans, one of several words,
// whole numbers or texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/query_text.h"
#include "data/schema/schema.h"

namespace data_import::http {

/// The least, the greatest and the default value of a whole number.
struct QueryRange {
    std::int64_t min;
    std::int64_t max;
    std::int64_t default_value;
};

/// A parameter of the query. It is a boolean unless one of the members below says otherwise.
struct QueryParameter {
    std::string_view name;
    std::string_view description;
    bool default_value = false;                  ///< default value of a boolean parameter
    std::vector<std::string_view> choices = {};  ///< the value is one of them; the first is the default
    std::optional<QueryRange> range = {};        ///< the value is a whole number in this range
    bool is_text = false;                        ///< the value is any text; there is no default
};

/// Returns the parameter's default value as Query::values holds it. Returns nothing if the parameter takes
/// any text, because such a parameter has no default.
[[nodiscard]] std::optional<std::string> default_of(const QueryParameter& parameter);

/// The values of a query. A parameter with an invalid value has its default value.
struct Query {
    /// The value of each parameter by its name: `true` or `false`, a whole number, a word, or a text. A
    /// parameter that was not sent has its default; a text that was not sent has no entry.
    std::map<std::string_view, std::string> values = {};
    std::vector<schema::Violation> violations = {};  ///< `attr` is the parameter's name; `position` is 0

    [[nodiscard]] bool flag(std::string_view name) const { return values.at(name) == "true"; }
    [[nodiscard]] std::int64_t number(std::string_view name) const { return std::stoll(values.at(name)); }
};

/// The parameters of a request, in their order and decoded.
using SentQuery = std::vector<util::NamedValue>;

/// Decodes a query: see util::decode_query. If there are more parameters than any endpoint has, reads only as
/// many as suffice to refuse the query. Throws Problem bad_request for a wrong encoding.
[[nodiscard]] SentQuery decode_query(std::string_view text);

/// Returns whether the parameter was sent.
[[nodiscard]] bool has_parameter(const SentQuery& query, std::string_view name);
/// Returns the value of a boolean parameter; the first one, if it was sent twice. Returns nothing if the
/// parameter was not sent or is not valid.
[[nodiscard]] std::optional<bool> find_boolean(const SentQuery& query, std::string_view name);

/// Returns the values and the violations of a query. A boolean is `true`, `false`, `1` or `0`, in capitals or
/// not; any other value is `invalid`. A whole number has up to 18 digits; any other text is `invalid`, and a
/// number outside of its range is `min_value` or `max_value`. A word that is not among the choices is
/// `invalid_choice`. A documented parameter that is sent twice is `invalid`.
///
/// An undocumented parameter is always `unknown_field`, because a misspelt one would otherwise take its
/// default without the client's knowledge (contract, sections 2.2 and 5.4).
[[nodiscard]] Query read_query(const SentQuery& sent, const std::vector<QueryParameter>& parameters);

}  // namespace data_import::http
