#include "programs/service.h"

#include <memory>

#include "api/routes.h"
#include "auth/authenticator.h"
#include "http/pipeline.h"
#include "store/database.h"

namespace data_import::programs {

namespace {

store::Options database_options(const config::Settings& settings, std::string_view pool) {
    return {.conninfo = settings.database,
            .application_name = "data-importd-" + std::string(pool),
            // a listing is one statement as long as its client reads
            .statement_timeout = pool == "listing" ? settings.listing_timeout : settings.statement_timeout};
}

/// Everything that one worker holds, in the order in which the parts need each other.
class Service {
public:
    Service(const config::Settings& settings, std::string_view pool)
        : endpoints_(api::endpoints({.listing_timeout = settings.listing_timeout,
                                     .check_installation =
                                         [directory = settings.keys_directory] {
                                             static_cast<void>(auth::KeyRing::load(directory));
                                         }})),
          database_(database_options(settings, pool)),
          authenticator_(settings.keys_directory, settings.access_refresh),
          pipeline_(endpoints_, authenticator_, database_,
                    {.unknown_fields = settings.unknown_fields == "ignore" ? schema::UnknownFields::ignore
                                                                           : schema::UnknownFields::refuse,
                     .timeout = settings.request_timeout,
                     .log_requests = settings.log_requests}) {}

    void answer(const http::Request& request, http::Responder& responder) {
        pipeline_.answer(request, responder);
    }

private:
    std::vector<http::Endpoint> endpoints_;
    store::Database database_;
    auth::Authenticator authenticator_;
    http::Pipeline pipeline_;
};

}  // namespace

http::Handler make_handler(const config::Settings& settings, std::string_view pool) {
    const auto service = std::make_shared<Service>(settings, pool);
    return [service](const http::Request& request, http::Responder& responder) {
        service->answer(request, responder);
    };
}

}  // namespace data_import::programs
