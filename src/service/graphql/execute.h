// Answering a GraphQL request: parse, validate, execute (specification of October 2021, sections 2, 5, 6, 7).
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

/// Limits on one request, so that no document costs much more than it is long. A document above them is
/// refused; the error names the limit.
inline constexpr std::size_t max_document_bytes = 64 * 1024;
inline constexpr std::size_t max_tokens = 10'000;
/// Levels of selection sets, lists, objects and list types inside one another in the document, and of
/// selection sets with fragments taken in.
inline constexpr std::size_t max_document_nesting = 64;
/// Selections that validation looks at, those of a fragment again for each set of fields that it is merged
/// into.
inline constexpr std::size_t max_merged_selections = 200'000;
/// Errors of fields in an answer; execution stops there.
inline constexpr std::size_t max_errors = 100;
/// Fields in the answer, lists multiplied out. The whole of this service's schema has about 3,000.
inline constexpr std::size_t max_answered_fields = 20'000;
/// `data` in the answer: a long alias counts in every item of a list. No field is begun after it.
inline constexpr std::size_t max_answer_bytes = 1024 * 1024;

struct Request {
    std::string_view query;  ///< the document, UTF-8
    /// The JSON object `variables`; nothing if it is absent or null. Another JSON type is the caller's to
    /// refuse.
    std::optional<json::Value> variables = {};
    /// Which operation of the document; empty where it is absent, null or "" (as clients send it).
    std::string_view operation_name = {};
};

/// A field of a root type that has to be resolved.
struct RootField {
    std::string_view type;   ///< `Query` or `Mutation`
    std::string_view field;  ///< its name in the schema, not its alias
    /// An object: the arguments that were given or have a default value, coerced to their types. An argument
    /// that was given as null is there and null; one that was not given is not there.
    const Datum& arguments;
};

/// Gives the value of a root field: for an object type an object with (at least) the fields that the type
/// has, for the others what fits. Throws FieldError to make the field null with an error that clients see.
/// Any other exception leaves execute() as it is.
/// Root fields are resolved one after the other in the order of the document, those of mutations too; a field
/// that `@skip` or `@include` takes away is not resolved. `__typename`, `__schema` and `__type` never come
/// here.
using Resolver = std::function<Datum(const RootField&)>;

struct Response {
    /// False for a request error: the document could not be parsed, is not valid, has no such operation, or
    /// the variables do not fit. Nothing was resolved then, and `body` has no `data`.
    bool executed = false;
    /// The response as JSON: `{"data":...}`, `{"errors":[...],"data":...}` or `{"errors":[...]}`. A request
    /// error is the first that was found, and stands alone; an error has one location. Never holds values of
    /// variables or string literals of the document, so that secrets in them cannot come back.
    std::string body;
};

/// Answers one request. Time and memory are bounded by the limits above.
[[nodiscard]] Response execute(const Schema& schema, const Request& request, const Resolver& resolve);

/// The answer to a request that names its document by a hash (Apollo's automatic persisted queries). No
/// document is kept here: the message, which clients compare, makes them send the document itself from then
/// on.
[[nodiscard]] Response refuse_persisted_query();

}  // namespace data_import::graphql
