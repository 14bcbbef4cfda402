// Dry runs: imports that go through all checks, also those of the database, and store nothing (contract,
// section 10).
#pragma once

#include <string_view>

#include "data/database/database.h"
#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

/// Returns whether requests to the endpoint may be dry runs: those that store something for an organisation,
/// also as lines of a bulk request.
[[nodiscard]] bool takes_dry_run(const Endpoint& endpoint);

/// Returns the parameter that such endpoints declare.
[[nodiscard]] QueryParameter dry_run_parameter();

/// Returns whether a request is a dry run, before anything else of its query is looked at. A request with an
/// invalid `dry_run` is none; it is refused for that value.
[[nodiscard]] bool is_dry_run(const Endpoint& endpoint, const SentQuery& query);

/// Does the same for a query that is not decoded yet, because its sender is unknown. Long ones count as none.
[[nodiscard]] bool says_dry_run(const Endpoint& endpoint, std::string_view query);

/// Returns whether a query names the parameter at all.
[[nodiscard]] bool names_dry_run(const SentQuery& query);

/// Executes a call; for a dry run, in a transaction of its own that is rolled back. Throws as
/// database::Database does.
[[nodiscard]] database::Rows execute_call(const Context& context, database::Database& database,
                                          const database::Call& call);

/// Turns the answer that a request would have got into that of its dry run.
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
