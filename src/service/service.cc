#include "service/service.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "base/util/log.h"
#include "data/database/database.h"
#include "data/store/consumers.h"
#include "data/store/erasure.h"
#include "data/store/housekeeping.h"
#include "data/store/import_log.h"
#include "data/store/upkeep.h"
#include "service/api/local_endpoints.h"
#include "service/api/routes.h"
#include "service/auth/authenticator.h"
#include "service/http/pipeline.h"
#include "service/http/refusal_log.h"

namespace data_import::service {

namespace {

using sharing::PoolKind;

database::Options database_options(const config::Settings& settings, PoolKind pool) {
    return {.conninfo = pool == PoolKind::operators ? settings.operator_database : settings.database,
            .application_name = "data-importd-" + name_of(pool),
            // A listing is one statement that lasts as long as its client reads.
            .statement_timeout =
                pool == PoolKind::listing ? settings.listing_timeout : settings.statement_timeout,
            .longest_silence = settings.database_silence,
            .looks_up = pool != PoolKind::listing && pool != PoolKind::operators};
}

/// Returns the settings of the endpoint of payment instructions. Every worker knows the codes of the vendors,
/// for its answers; only the workers of pool vendor send requests to them, and have their secrets.
api::PaymentVendors payment_vendors(const config::Settings& settings, PoolKind pool,
                                    const std::vector<payment_vendors::Vendor>& vendors,
                                    const metrics::Recorder& recorder) {
    api::PaymentVendors payment{
        .codes = payment_vendors::codes_of(vendors),
        .vendors = pool == PoolKind::vendor ? vendors : std::vector<payment_vendors::Vendor>(),
        .max_answer_bytes = settings.vendor_answer_bytes,
        .circuit = {.failures = settings.vendor_circuit_failures,
                    .time_outs = settings.vendor_circuit_time_outs,
                    .first_pause = settings.vendor_circuit_pause,
                    .longest_pause = settings.vendor_circuit_longest_pause},
        .count = [recorder](metrics::VendorOutcome outcome) { recorder.count_vendor_request(outcome); }};
    if (payment.vendors.size() > 1)
        payment.begin_asking = [recorder](std::string_view vendor) {
            return recorder.shares().ask_vendor(vendor);
        };
    return payment;
}

/// Returns the upkeep that the workers of the pool do between requests; nothing for other pools than listing
/// and vendor.
///
/// The pools listing and vendor do it, because calls of upkeep can be long, as the requests of these pools
/// are. One of the two would not be enough, because all its workers may be busy for hours. Upkeep has to
/// deliver news within five seconds.
std::vector<store::Upkeep> upkeep_of(const config::Settings& settings, PoolKind pool) {
    if (pool != PoolKind::listing && pool != PoolKind::vendor) return {};
    const store::Retention retention{.import_log_days = settings.import_log_days,
                                     .events_days = settings.events_days,
                                     .idempotency_keys = settings.idempotency_retention};
    return {{"the delivery of news",
             store::deliver_news(),
             {.pause = std::chrono::seconds(2), .at_once = std::chrono::seconds(1)}},
            {"the erasure of suppliers",
             store::erase_due_suppliers(),
             {.pause = std::chrono::seconds(10), .at_once = std::chrono::milliseconds(500)}},
            {"housekeeping", store::housekeeping(retention), {.pause = std::chrono::seconds(10)}}};
}

void refuse_when_drained(const std::filesystem::path& mark) {
    if (!std::filesystem::exists(mark)) return;
    throw http::Problem{Code::service_unavailable,
                        "This host is drained: data-importctl drain --off puts it into service again."};
}

/// All objects of one worker. They are made in the order of the members, and each may use those before it.
class Service : public http::Handler {
public:
    Service(const config::Settings& settings, const fastcgi::Pool& pool, const metrics::Board& board,
            const std::vector<payment_vendors::Vendor>& vendors)
        : upkeep_(upkeep_of(settings, pool.kind)),
          recorder_(board.recorder()),
          endpoints_(api::endpoints({.listing_timeout = settings.listing_timeout,
                                     .check_installation =
                                         [mark = config::drain_mark(settings),
                                          ring = std::make_shared<keys::CurrentRing>(
                                              settings.keys_directory, settings.access_refresh)] {
                                             refuse_when_drained(mark);
                                             static_cast<void>(ring->ring());
                                         },
                                     .payment = payment_vendors(settings, pool.kind, vendors, recorder_),
                                     .tokens = {.keys_directory = settings.keys_directory,
                                                .refresh = settings.access_refresh,
                                                .token_lifetime = settings.token_lifetime,
                                                .refresh_token_lifetime = settings.refresh_token_lifetime},
                                     .max_refused_token_requests = settings.max_refused_token_requests,
                                     .max_graphql_bytes = settings.max_graphql_bytes})),
          database_(database_options(settings, pool.kind)),
          shard_groups_(database_, database_options(settings, pool.kind)),
          authenticator_(settings.keys_directory, settings.access_refresh),
          pipeline_({.endpoints = endpoints_,
                     .authenticator = authenticator_,
                     .database = database_,
                     .shard_groups = shard_groups_,
                     .keyed_answers = {database_,
                                       shard_groups_,
                                       {settings.idempotency_retention, settings.idempotency_bytes}},
                     .refusals = refusals_,
                     .recorder = recorder_,
                     .options = {.unknown_fields = settings.unknown_fields == "ignore"
                                                       ? schema::UnknownFields::ignore
                                                       : schema::UnknownFields::refuse,
                                 .timeout = settings.request_timeout,
                                 .most_rest = http::PacedResponder::most_rest(settings.listing_timeout),
                                 .log_requests = settings.log_requests,
                                 .max_body_bytes = settings.max_body_bytes,
                                 .shares_bytes = pool.shares_bytes}}) {
        endpoints_.push_back(api::admission(authenticator_, recorder_));
        for (http::Endpoint& endpoint : api::operator_endpoints(settings.operators_see_records))
            endpoints_.push_back(std::move(endpoint));
        endpoints_.push_back(api::metrics(
            {.board = board,
             .recorder = recorder_,
             .load_keys = [directory = settings.keys_directory] { return keys::KeyRing::load(directory); },
             .endpoints = endpoints_}));
        if (pool.kind != PoolKind::operators) return;
        for (http::Endpoint& endpoint : api::acting_endpoints(settings.operator_acts_a_minute))
            endpoints_.push_back(std::move(endpoint));
    }

    std::unique_ptr<http::Admitted> admit(const http::Task& task) override { return pipeline_.admit(task); }
    [[nodiscard]] bool admission_waits() const override { return pipeline_.admission_waits(); }

    void answer(std::span<const std::unique_ptr<http::Admitted>> requests,
                http::WorkerEvents& events) override {
        const metrics::Recorder::Busy busy = recorder_.begin(requests.size());
        pipeline_.answer(requests, events);
    }

    void tick() override {
        authenticator_.tick(database_);
        pipeline_.tick();
        store_refusals();
        for (store::Upkeep& one : upkeep_) one.run(database_);
    }

    void finish() override {
        authenticator_.tick(database_);
        pipeline_.tick();
        const auto until = std::chrono::steady_clock::now() + finish_time;
        Storing state = Storing::more;
        while ((state == Storing::more || state == Storing::busy) &&
               std::chrono::steady_clock::now() < until) {
            state = store_some_refusals();
            if (state == Storing::busy) std::this_thread::sleep_for(busy_pause);
        }
    }

private:
    /// The result of store_some_refusals(). `done`: no refusals were left to store. `more`: some were stored,
    /// and more may be left. `busy`: only the counts were stored, because another session is storing refusals
    /// or erasing an account; a later call has to store the single refusals. `failed`: the database failed,
    /// or the outcome of the commit is unknown.
    enum class Storing { done, more, busy, failed };

    /// Spends only a short time on storing refusals, because requests wait meanwhile. The next tick stores
    /// the refusals that are left.
    void store_refusals() {
        const auto until = std::chrono::steady_clock::now() + refusals_time;
        while (store_some_refusals() == Storing::more && std::chrono::steady_clock::now() < until) {
        }
    }

    /// Stores the counts of refusals, and some refusals one by one. If the database cannot be reached, counts
    /// and refusals stay in memory for the next call. If the outcome of the commit is unknown, the counts are
    /// dropped, because the next call could add them a second time.
    Storing store_some_refusals() {
        const std::optional<database::Call> call = refusals_.flush();
        if (!call) return Storing::done;
        try {
            const database::Rows rows =
                database_.execute(*call, std::chrono::steady_clock::now() + tick_timeout);
            const bool are_kept = store::read_are_last_kept(rows);
            refusals_.stored(are_kept);
            return are_kept ? Storing::more : Storing::busy;
        } catch (const database::OutcomeUnknown& failure) {
            refusals_.stored(false);
            util::log(util::Severity::warning, "whether the import log was written is unknown",
                      {{"reason", failure.what()}});
        } catch (const std::exception& failure) {
            util::log(util::Severity::warning, "the import log is not written", {{"reason", failure.what()}});
        }
        return Storing::failed;
    }

    static constexpr std::chrono::seconds tick_timeout{2};
    static constexpr std::chrono::milliseconds refusals_time{200};
    static constexpr std::chrono::seconds finish_time{2};
    static constexpr std::chrono::milliseconds busy_pause{20};

    std::vector<store::Upkeep> upkeep_;
    http::RefusalLog refusals_;
    metrics::Recorder recorder_;
    std::vector<http::Endpoint> endpoints_;
    database::Database database_;
    store::ShardGroups shard_groups_;
    auth::Authenticator authenticator_;
    http::Pipeline pipeline_;
};

}  // namespace

std::unique_ptr<http::Handler> make_handler(const config::Settings& settings, const fastcgi::Pool& pool,
                                            const metrics::Board& board,
                                            std::vector<payment_vendors::Vendor>& vendors) {
    if (pool.kind != PoolKind::vendor) payment_vendors::forget_secrets(vendors);
    return std::make_unique<Service>(settings, pool, board, vendors);
}

}  // namespace data_import::service
