// Dry runs: imports that go through all checks, also those of the database, and store nothing (contract,
// section 10).
#pragma once

#include <string_view>

#include "data/database/database.h"
#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

/// Returns whether requests to the endpoint may be dry runs. True for the endpoints that store something for
/// an organisation, and for bulk requests as a whole.
[[nodiscard]] bool takes_dry_run(const Endpoint& endpoint);

/// Returns the declaration of the parameter `dry_run`, for the endpoints that take it.
[[nodiscard]] QueryParameter dry_run_parameter();

/// Returns whether the query makes the request a dry run. Looks at nothing else in the query. A request with
/// an invalid value of `dry_run` is no dry run, and is refused later.
[[nodiscard]] bool is_dry_run(const Endpoint& endpoint, const SentQuery& query);

/// Does the same as is_dry_run() for a query that is not decoded. Is called before the sender is checked, so
/// it must cost little: returns false for every query longer than 128 bytes.
[[nodiscard]] bool says_dry_run(const Endpoint& endpoint, std::string_view query);

/// Returns whether a query has the parameter `dry_run`, with any value.
[[nodiscard]] bool names_dry_run(const SentQuery& query);

/// Executes a call. A dry run executes it in a transaction of its own, and rolls that transaction back.
/// Throws as database::Database does.
[[nodiscard]] database::Rows execute_call(const Context& context, database::Database& database,
                                          const database::Call& call);

/// Turns the answer that a request would have got into the answer of its dry run. The status becomes 200, and
/// the header `Dry-Run` has the status that the request would have got.
class DryRunResponder : public Responder {
public:
    explicit DryRunResponder(Responder& target) : target_(target) {}

    void send(const Reply& reply) override;
    void begin(int status, std::string_view content_type, const Headers& headers) override;
    void write(std::string_view bytes) override { target_.write(bytes); }
    void end() override { target_.end(); }
    [[nodiscard]] bool begun() const override { return target_.begun(); }
    [[nodiscard]] bool is_abandoned() const override { return target_.is_abandoned(); }

private:
    Responder& target_;
};

}  // namespace data_import::http
