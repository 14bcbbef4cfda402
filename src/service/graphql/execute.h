// Answers a GraphQL request: parse, validate, execute (specification of October 2021, sections 2, 5, 6, 7).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "data/json/value.h"
#include "service/graphql/data.h"
#include "service/graphql/error.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Limits on one request, so that the cost of a document stays in proportion to its length. A document above
/// them is refused; the error names the limit.
inline constexpr std::size_t max_document_bytes = 64 * 1024;
inline constexpr std::size_t max_tokens = 10'000;
/// Nested levels of selection sets, lists, objects and list types in the document. For selection sets, the
/// levels inside a fragment count in addition to the level at which the fragment is used.
inline constexpr std::size_t max_document_nesting = 64;
/// Selections that validation looks at. The selections of a fragment count again for each set of fields that
/// the fragment is merged into.
inline constexpr std::size_t max_merged_selections = 200'000;
/// Errors of fields in one answer. The next error stops the execution.
inline constexpr std::size_t max_errors = 100;
/// Fields in the answer, counted in each item of a list. An answer with this service's whole schema has about
/// 3,000.
inline constexpr std::size_t max_answered_fields = 20'000;
/// Bytes of `data` in the answer. The limit on fields is not enough, because every item of a list repeats the
/// alias of a field, which may be long. No field is begun after this length.
inline constexpr std::size_t max_answer_bytes = 1024 * 1024;

struct Request {
    std::string_view query;  ///< the document, UTF-8
    /// The JSON object `variables`; nothing if it is absent or null. The caller has to refuse another JSON
    /// type.
    std::optional<json::Value> variables = {};
    /// The operation to execute; empty if it is absent, null or "" (as clients send it).
    std::string_view operation_name = {};
};

/// A field of `Query` or `Mutation` for which the resolver is called.
struct RootField {
    std::string_view type;   ///< `Query` or `Mutation`
    std::string_view field;  ///< its name in the schema, not its alias
    /// An object: the arguments that were given or have a default value, coerced to their types. An argument
    /// that was given as null is there and null; one that was not given is missing.
    const Datum& arguments;
};

/// Returns the value of a root field. For an object type, this is an object with at least the fields of the
/// type; for any other type, it is a value of the type. Throws FieldError to make the field null and to add
/// an error that clients see. Any other exception passes through execute() unchanged.
///
/// Root fields are resolved one after the other in the order of the document, also in queries. The resolver
/// is not called for a field that `@skip` or `@include` removes, nor for `__typename`, `__schema` and
/// `__type`.
using Resolver = std::function<Datum(const RootField&)>;

struct Response {
    /// True unless a request error came before execution: the document could not be parsed or is not valid,
    /// Request::operation_name selects no operation, or the variables do not fit. After a request error, no
    /// field was resolved, and `body` has no `data`.
    bool executed = false;
    /// The response as JSON: `{"data":...}`, `{"errors":[...],"data":...}` or `{"errors":[...]}`. Only the
    /// first request error is reported. Each error has at most one location. The response never has values of
    /// variables, or string literals of the document, so that secrets in them cannot come back.
    std::string body;
};

/// Answers one request. The constants from max_document_bytes to max_answer_bytes limit time and memory.
[[nodiscard]] Response execute(const Schema& schema, const Request& request, const Resolver& resolve);

/// Answers a request that has only a hash of its document (Apollo's automatic persisted queries). This
/// service keeps no documents. Clients know this answer by its message, and then send the document itself.
[[nodiscard]] Response refuse_persisted_query();

}  // namespace data_import::graphql
