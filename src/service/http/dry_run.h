// Dry runs: imports that go through all checks, those of the database included, and store nothing
// (contract, section 10).
#pragma once

#include <string_view>

#include "data/database/database.h"
#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

/// Whether requests to the endpoint may be dry runs: those that store something for an organisation, each
/// line of a bulk request included.
[[nodiscard]] bool takes_dry_run(const Endpoint& endpoint);

/// The parameter that such endpoints declare.
[[nodiscard]] QueryParameter dry_run_parameter();

/// Whether a request is a dry run, before anything else of its query is looked at. A request with an invalid
/// `dry_run` is not one; it is refused for that value.
[[nodiscard]] bool is_dry_run(const Endpoint& endpoint, const SentQuery& query);

/// The same for a query that is not decoded yet, because its sender is unknown. Long ones count as none.
[[nodiscard]] bool says_dry_run(const Endpoint& endpoint, std::string_view query);

/// Whether a query names the parameter at all.
[[nodiscard]] bool names_dry_run(const SentQuery& query);

/// Executes a call; of a dry run in a transaction of its own, which is rolled back. Throws as
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
