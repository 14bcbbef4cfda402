#include "service/api/obtain_token.h"

#include "base/codes/codes.h"
#include "base/util/log.h"
#include "data/keys/api_key.h"
#include "data/store/access.h"
#include "service/auth/address_block.h"
#include "service/graphql/error.h"
#include "service/http/problem.h"

namespace data_import::api {

namespace {

using graphql::TypeKind;

/// Returns the text of a member; nothing if it is null or was not sent.
std::optional<std::string> text_of(const graphql::Datum& input, std::string_view name) {
    const graphql::Datum* member = input.find(name);
    if (member == nullptr || member->is_null()) return std::nullopt;
    return member->text();
}

http::Problem throttled(std::chrono::seconds wait) {
    const std::string seconds = std::to_string(wait.count());
    return {Code::throttled,
            "Too many requests for tokens from this address were refused, including this one. For the next " +
                seconds + " seconds only a valid API key or refresh token gets a token.",
            {},
            {{"Retry-After", seconds}}};
}

graphql::Datum payload_of(const keys::IssuedTokens& issued) {
    return graphql::Datum::Members{{"token", issued.token},
                                   {"expiresIn", issued.expires_in.count()},
                                   {"refreshToken", issued.refresh_token},
                                   {"refreshExpiresIn", issued.refresh_expires_in.count()}};
}

}  // namespace

graphql::Schema token_schema() {
    return graphql::Schema(
        {{.kind = TypeKind::object,
          .name = "Query",
          .fields = {{.name = "apiVersion",
                      .type = "String!",
                      .description = "The version of the service's interface."}}},
         {.kind = TypeKind::object,
          .name = "Mutation",
          .fields = {{.name = "obtainToken",
                      .type = "ObtainTokenPayload",
                      .description =
                          "Obtains a token for an API key or a refresh token. Allowed once in a request.",
                      .arguments = {{.name = "input",
                                     .type = "ObtainTokenInput!",
                                     .description = "The API key or refresh token."}},
                      .once_per_request = true}}},
         {.kind = TypeKind::input_object,
          .name = "ObtainTokenInput",
          .description = "Exactly one of the two fields.",
          .inputs = {{.name = "APIKey",
                      .type = "String",
                      .description = "The API key from the operator of the platform."},
                     {.name = "refreshToken",
                      .type = "String",
                      .description = "The refresh token of an earlier answer."}}},
         {.kind = TypeKind::object,
          .name = "ObtainTokenPayload",
          .fields =
              {{.name = "token",
                .type = "String!",
                .description = "Sent with each request: `Authorization: Token <token>`."},
               {.name = "expiresIn", .type = "Int!", .description = "Seconds for which the token is valid."},
               {.name = "refreshToken",
                .type = "String!",
                .description = "Obtains the next token, and has no other use."},
               {.name = "refreshExpiresIn",
                .type = "Int!",
                .description = "Seconds for which the refresh token is valid."}}}},
        "Obtains the token that all requests for data need.");
}

// Does the same work for every outcome, one query to the database and two signed tokens, so that the time
// that it takes reveals nothing.
graphql::Datum TokenDesk::obtain_token(const graphql::Datum& input, const http::Request& request,
                                       database::Database& database, database::Deadline deadline) {
    const std::optional<std::string> api_key = text_of(input, "APIKey");
    const std::optional<std::string> refresh_token = text_of(input, "refreshToken");
    if (api_key.has_value() == refresh_token.has_value()) {
        throw graphql::FieldError("The input must have exactly one of APIKey and refreshToken.",
                                  codes::name_of(Code::validation_error));
    }
    store::TokenRequest wanted{.address_block = auth::address_block(request.remote_address)};
    keys::RefreshToken refresh;
    if (api_key) wanted.key_sha256_hex = keys::api_key_digest(*api_key);
    if (refresh_token) refresh = issuer_.read(*refresh_token);
    if (!refresh.api_key_id.empty()) wanted.api_key_id = refresh.api_key_id;
    const auto now = keys::present_second();
    const store::TokenRules rules{most_refused_, issuer_.reuse()};
    const store::TokenVerdict verdict =
        store::read_token_verdict(database.execute(store::request_token(wanted, rules, now), deadline));
    if (verdict.wait) throw throttled(*verdict.wait);
    const bool is_valid = verdict.api_key_id.has_value();
    const keys::IssuedTokens issued = issuer_.issue(
        {.api_key_id = is_valid ? *verdict.api_key_id : "0", .organisation = verdict.organisation},
        is_valid ? verdict.tokens_issued_at : now);
    if (is_valid) return payload_of(issued);
    util::log(util::Severity::notice, "a request for a token was refused",
              {{"request_id", request.request_id}});
    if (refresh.expired)
        throw graphql::FieldError("The refresh token has expired: send the API key.",
                                  codes::name_of(Code::token_expired));
    throw graphql::FieldError("The API key or refresh token is not valid.",
                              codes::name_of(Code::authentication_failed));
}

}  // namespace data_import::api
