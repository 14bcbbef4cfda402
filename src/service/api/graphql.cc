#include <memory>

#include "base/util/version.h"
#include "data/database/database.h"
#include "data/payload/paths.h"
#include "service/api/endpoints.h"
#include "service/api/obtain_token.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"
#include "service/http/header_fields.h"

namespace data_import::api {

namespace {

using schema::any_object;
using schema::anything;
using schema::array;
using schema::integer;
using schema::nullable;
using schema::object;
using schema::text;

constexpr std::string_view json_type = "application/json";
constexpr std::string_view graphql_type = "application/graphql-response+json";

/// Returns whether the request has a hash of its document in place of the document.
bool is_persisted_query(const json::Value& request) {
    const auto query = request.find("query");
    const auto extensions = request.find("extensions");
    if ((query && !query->text().empty()) || !extensions || !extensions->is(json::Type::object)) return false;
    const auto persisted = extensions->find("persistedQuery");
    return persisted && persisted->is(json::Type::object);
}

void check_document(const json::Value& request, schema::Report& report) {
    if (!request.find("query") && !is_persisted_query(request))
        report.add("query", Code::required, "The field query is required.");
}

/// Declares the body of a request as the GraphQL-over-HTTP draft has it, section 5.1.
schema::Object request_schema() {
    return object()
        .may("query", text(0, graphql::max_document_bytes),
             "A GraphQL document. Required, unless `extensions` has `persistedQuery`, which is answered "
             "`PersistedQueryNotSupported`.")
        .may("variables", nullable(any_object()), "Values of the variables of the document, by name.")
        .may("operationName", nullable(text(0, graphql::max_document_bytes)),
             "Name of the operation to execute, if the document has several.")
        .may("extensions", nullable(any_object()), "Ignored, except for `persistedQuery` without a `query`.")
        .rule({"query", "extensions"}, check_document);
}

/// Declares the member `data` of an answer, with the fields' own names. A client's document may give the
/// fields other names (aliases).
schema::Object data_schema() {
    const auto payload =
        object()
            .may("token", text(1, 4096), "Sent with each request: `Authorization: Token <token>`.")
            .may("expiresIn", integer(0), "In seconds: how long the token is valid.")
            .may("refreshToken", text(1, 4096), "Obtains the next token, and has no other use.")
            .may("refreshExpiresIn", integer(0), "In seconds: how long the refresh token is valid.");
    return object()
        .may("obtainToken", nullable(payload), "Result of the mutation; null if it failed.")
        .may("apiVersion", text(1, 64), "The version of the service's interface.");
}

std::vector<std::string> codes_of_errors() {
    std::vector<std::string> codes(std::begin(graphql::code::all), std::end(graphql::code::all));
    for (const Code code : {Code::authentication_failed, Code::token_expired, Code::validation_error})
        codes.emplace_back(codes::name_of(code));
    return codes;
}

schema::Object answer_schema() {
    const auto location = object()
                              .need("line", integer(1), "Line in the document, counted from 1.")
                              .need("column", integer(1), "Column of the line, counted from 1.");
    const auto error =
        object()
            .need("message", text(1, graphql::max_document_bytes),
                  "A sentence for people; its wording may change.")
            .may("locations", array(location), "Places in the document.")
            .may("path", array(anything()), "Where in `data` the value is missing.")
            .may("extensions", object().need("code", schema::choice(codes_of_errors()), "Kind of the error."),
                 "The part for programs.");
    return object()
        .may("data", nullable(schema::anything_like(data_schema())),
             "Results of the fields, by name or alias; null if the operation failed.")
        .may("errors", array(error).min(1), "The errors; left out if there are none.");
}

std::vector<http::DocumentedAnswer> answers() {
    return {{200,
             "The response, as the GraphQL language describes it. An item of `errors` has `extensions.code`: "
             "`authentication_failed` for an API key or refresh token that is not valid, `token_expired` for "
             "a refresh token that has expired.",
             answer_schema(),
             {json_type, graphql_type}},
            {400,
             "With `Accept: application/graphql-response+json`: the document cannot be executed.",
             answer_schema(),
             {json_type, graphql_type}}};
}

/// Returns whether the client wants the answer in the newer media type, application/graphql-response+json.
/// A client that does not know this media type accepts only application/json, or `*/*`.
bool prefers_graphql_type(std::string_view accept) {
    const double weight = http::named_weight(accept, graphql_type).value_or(0);
    return weight > 0 && weight >= http::named_weight(accept, json_type).value_or(0);
}

graphql::Request request_of(const json::Value& body) {
    graphql::Request request{.query = body.at("query").text()};
    const auto variables = body.find("variables");
    if (variables && variables->is(json::Type::object)) request.variables = variables;
    const auto name = body.find("operationName");
    if (name && name->is(json::Type::string)) request.operation_name = name->text();
    return request;
}

/// The state that the endpoint keeps from one request to the next.
class GraphqlService {
public:
    explicit GraphqlService(const Options& options)
        : desk_(options.tokens, options.max_refused_token_requests) {}

    void answer(const http::Context& context, database::Database& database, http::Responder& responder) {
        const auto resolve = [&](const graphql::RootField& root) -> graphql::Datum {
            if (root.field == "apiVersion") return util::version;
            return desk_.obtain_token(*root.arguments.find("input"), context.request, database,
                                      context.deadline);
        };
        const bool is_persisted = is_persisted_query(context.body());
        graphql::Response response = is_persisted
                                         ? graphql::refuse_persisted_query()
                                         : graphql::execute(schema_, request_of(context.body()), resolve);
        http::Reply reply{.body = std::move(response.body)};
        if (prefers_graphql_type(context.request.accept)) {
            reply.content_type = std::string(graphql_type) + "; charset=utf-8";
            // The refusal of a persisted query keeps the status 200, as Apollo Server sends it, because
            // clients read that answer only then.
            if (!response.executed && !is_persisted) reply.status = 400;
        }
        responder.send(reply);
    }

private:
    const graphql::Schema schema_ = token_schema();
    TokenDesk desk_;
};

http::Run run(const Options& options) {
    return [service = std::make_shared<GraphqlService>(options)](
               const http::Context& context, database::Database& database, http::Responder& responder) {
        service->answer(context, database, responder);
    };
}

}  // namespace

http::Endpoint graphql(const Options& options) {
    return {.method = "POST",
            .path = payload::paths::graphql,
            .summary = "Obtain a token with an API key or a refresh token (GraphQL mutation obtainToken).",
            .tag = http::Tag::tokens,
            .needs_token = false,
            .body = request_schema(),
            .answers = answers(),
            .run = run(options),
            .max_body_bytes = options.max_graphql_bytes};
}

}  // namespace data_import::api
