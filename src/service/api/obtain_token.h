// The mutation obtainToken: it gives a token for an API key or a refresh token (contract, section 6.1).
#pragma once

#include <cstddef>

#include "data/database/database.h"
#include "data/keys/token.h"
#include "service/graphql/data.h"
#include "service/graphql/types.h"
#include "service/http/request.h"

namespace data_import::api {

/// Returns the schema of `/v1/graphql/`.
[[nodiscard]] graphql::Schema token_schema();

/// Issues tokens for the endpoint, and limits the refused requests of each address block.
class TokenDesk {
public:
    TokenDesk(keys::IssuerOptions options, std::size_t most_refused_in_a_minute)
        : issuer_(std::move(options)), most_refused_(most_refused_in_a_minute) {}

    /// Returns an ObtainTokenPayload for `input`, which is an ObtainTokenInput. Throws graphql::FieldError
    /// `authentication_failed` or `token_expired` if the API key or refresh token is refused. Throws
    /// http::Problem `throttled` instead if the client's address has had too many refusals. Throws
    /// graphql::FieldError `validation_error` unless `input` has exactly one of API key and refresh token;
    /// this error does not count as a refusal. Throws what Database::execute and the key ring throw.
    [[nodiscard]] graphql::Datum obtain_token(const graphql::Datum& input, const http::Request& request,
                                              database::Database& database, database::Deadline deadline);

private:
    keys::TokenIssuer issuer_;
    std::size_t most_refused_;
};

}  // namespace data_import::api
