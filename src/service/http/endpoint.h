// One endpoint as a value. Routing, validation, documentation and the tests that walk all endpoints follow
// from it.
//
// Most endpoints are two pure functions, before and after one database call. The first turns a valid request
// into an import into its account (`import`), or into another call (`plan`). The second, `reply`, turns the
// rows into a reply. The pipeline executes the call, so that an endpoint can be understood and tested without
// a database. The few endpoints that do more, such as listings, which stream their answer, have a `run`
// instead.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/database/database.h"
#include "data/json/value.h"
#include "data/json/writer.h"
#include "data/schema/schema.h"
#include "data/store/access.h"
#include "data/store/import.h"
#include "service/http/problem.h"
#include "service/http/query.h"
#include "service/http/request.h"

namespace data_import::http {

/// The place of the import supplier in a request. The supplier is checked against the token's scope before
/// `import` or `plan` is called.
enum class SupplierIn {
    nowhere,
    body,          ///< the field `import_supplier` of the body, in imports into one account
    first_segment  ///< the value of the first `{...}` in the path
};

/// A request that has passed all checks, as its endpoint sees it.
struct Context {
    const Request& request;
    std::vector<std::string> segments = {};       ///< values of the path's `{...}`, decoded
    Query query = {};                             ///< values of all parameters that the endpoint documents
    std::optional<json::Document> document = {};  ///< the parsed body, which has passed the endpoint's schema
    /// The API key of the token, with its scope; null only if no token is needed.
    std::shared_ptr<const store::ApiKeyAccess> access = {};
    /// The Unix time in seconds at which the token expires; 0 if no token is needed.
    std::int64_t token_expires_at = 0;
    database::Deadline deadline = {};
    bool is_dry = false;  ///< the request is a dry run: nothing that it stores may stay
    /// False for a line of a bulk request whose client does not want the bodies of successful answers.
    bool is_success_told = true;
    std::size_t line = 0;  ///< number of the line in a bulk request; 0: the request is not such a line

    [[nodiscard]] json::Value body() const { return document->root(); }
    [[nodiscard]] bool is_line() const { return line > 0; }
};

/// A successful answer, for the documentation and for the tests that compare answers with it. Its example
/// stands in src/base/texts/examples.txt. Failures are not declared in this way, because they follow from the
/// other members of Endpoint.
struct DocumentedAnswer {
    int status;
    std::string_view description;
    schema::Schema body;
    std::vector<std::string_view> media_types = {"application/json"};  ///< the client chooses one of them
};

using Plan = std::function<database::Call(const Context&)>;
using ReplyOf = std::function<Reply(const Context&, const database::Rows&)>;

/// Asks another server, such as a payment vendor, before anything is stored. Returns either the final answer
/// or the database call that stores the import. In the second case, Endpoint::reply gets the rows of the
/// call. If the account is locked, only the call is tried again; the other server is asked once.
using Ask = std::function<std::variant<Reply, database::Call>(const Context&, database::Database&)>;

/// Thrown by `ask` and `reply` if other work has locked the request's account or participant. Nothing was
/// stored. The request is tried again later, and the worker answers other requests meanwhile.
struct AccountLocked {};

/// Handles the whole request: calls the database as often as it needs, and answers.
using Run = std::function<void(const Context&, database::Database&, Responder&)>;

/// The group of an endpoint in the documentation.
enum class Tag { account_data, migration_progress, market_participants, tokens, service };

struct Endpoint {
    std::string_view method;
    std::string_view path;     ///< `/v1/.../{import_supplier}/`: a `{name}` matches one segment
    std::string_view summary;  ///< one sentence for the documentation
    Tag tag = Tag::service;
    SupplierIn supplier = SupplierIn::nowhere;
    bool needs_token = true;
    /// False: the endpoint is for operators, and its refusals are neither logged nor counted.
    bool is_public = true;
    std::string_view stores = {};  ///< the kind of records that it stores, as metrics name it
    /// One or two sentences for the documentation that say when a record is a repeat of another record.
    std::string_view identity = {};
    std::optional<schema::Schema> body = {};  ///< schema of the request's body, if it has one
    /// The body is NDJSON. Each line is a request to another endpoint, and `body` is the schema of a line.
    bool takes_lines = false;

    std::vector<QueryParameter> query = {};      ///< all parameters that it takes
    std::vector<DocumentedAnswer> answers = {};  ///< all answers except errors
    std::vector<Code> rule_codes = {};  ///< codes of items in `errors` that only this endpoint answers
    std::vector<Code> problems = {};    ///< failures that only this endpoint answers

    /// Returns the import of a request into one account. An endpoint without such an import has `plan`
    /// instead, which returns a call. `reply` gets the rows of the import or call.
    std::function<store::Import(const Context&)> import = {};
    Plan plan = {};
    /// Asks another server before anything is stored. An endpoint with `ask` has no `import` and no `plan`.
    Ask ask = {};
    ReplyOf reply = {};
    Run run = {};
    /// True: `run` may wait for a database or a vendor. False: `run` does not wait, and is called before the
    /// other requests of its batch are carried out.
    bool waits = true;
    bool has_etag = false;  ///< answers 304 to a client whose If-None-Match names the current answer
    std::size_t max_body_bytes = SIZE_MAX;  ///< limit of this endpoint, if it is lower than the limit of all
    /// Writes further members into the body of a 400 `validation_error`, before the members that all errors
    /// have. Called only if the context has a document; the document may be invalid, and other members of the
    /// context may be missing.
    std::function<void(json::Writer&, const Context&, const Problem&)> extend_refusal = {};
};

}  // namespace data_import::http
