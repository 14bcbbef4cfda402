#include "service/metrics/exposition.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

namespace data_import::metrics {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

constexpr std::uint64_t per_second = 1'000'000;

/// Writes microseconds as seconds, exactly and without zeros at the end.
std::string seconds(std::uint64_t microseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%llu.%06llu",
                  static_cast<unsigned long long>(microseconds / per_second),
                  static_cast<unsigned long long>(microseconds % per_second));
    std::string number(text);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number;
}

std::string escaped(std::string_view value) {
    std::string text;
    for (const char character : value) {
        if (character == '\n') {
            text += "\\n";
            continue;
        }
        if (character == '\\' || character == '"') text += '\\';
        text += character;
    }
    return text;
}

std::string braced(const Labels& labels) {
    std::string text;
    for (const auto& [name, value] : labels) {
        text += (text.empty() ? "{" : ",") + std::string(name) + "=\"" + escaped(value) + '"';
    }
    return text.empty() ? text : text + "}";
}

/// Writes the samples of one metric.
class Samples {
public:
    explicit Samples(std::string& text, std::string_view name) : text_(text), name_(name) {}

    void add(const Labels& labels, const std::string& value, std::string_view suffix = "") {
        text_ += name_ + std::string(suffix) + braced(labels) + ' ' + value + '\n';
    }
    void add(const Labels& labels, std::uint64_t value) { add(labels, std::to_string(value)); }

    template <std::size_t size>
    void add_histogram(const Labels& labels, const Histogram<size>& histogram,
                       const std::vector<std::string>& bounds, const std::string& sum) {
        std::uint64_t count = 0;
        for (std::size_t bucket = 0; bucket < histogram.buckets.size(); ++bucket) {
            count += histogram.buckets[bucket];
            Labels with_bound = labels;
            with_bound.emplace_back("le", bucket < bounds.size() ? bounds[bucket] : "+Inf");
            add(with_bound, std::to_string(count), "_bucket");
        }
        add(labels, sum, "_sum");
        add(labels, std::to_string(count), "_count");
    }

private:
    std::string& text_;
    std::string name_;
};

Labels pool_label(std::size_t pool) {
    return {{"pool", std::string(pool_names[pool])}};
}

/// Returns a function that writes a gauge without labels. `value` returns the gauge's value; if it returns
/// nothing, the function writes nothing.
template <typename Value>
auto single(Value value) {
    return [value](Samples& samples, const Figures& figures, const ServiceState& state) {
        if (const std::optional found = value(figures, state)) samples.add({}, std::to_string(*found));
    };
}

/// Returns a function that writes a gauge or counter: one sample for each pool. `value` returns the sample's
/// value from the figures of the pool.
template <typename Value>
auto each_pool(Value value) {
    return [value](Samples& samples, const Figures& figures, const ServiceState&) {
        for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
            samples.add(pool_label(pool), std::invoke(value, figures.pools[pool]));
        }
    };
}

template <typename Counts, typename Names>
void add_named(Samples& samples, const Counts& counts, const Names& names, std::string_view label) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        samples.add({{label, std::string(names[index])}}, std::to_string(counts[index]));
    }
}

void add_reloads(Samples& samples, const Figures& figures, const ServiceState&) {
    samples.add({{"result", "taken"}}, figures.reloads);
    samples.add({{"result", "refused"}}, figures.refused_reloads);
}

Labels endpoint_labels(const EndpointName& endpoint) {
    return {{"method", std::string(endpoint.method)}, {"endpoint", std::string(endpoint.path)}};
}

void add_requests_of(Samples& samples, const EndpointName& endpoint,
                     const std::array<Count, statuses.size()>& counts, bool is_known) {
    for (std::size_t index = 0; index < statuses.size(); ++index) {
        const bool is_awaited = is_known && (statuses[index] == 500 || statuses[index] == 503);
        if (counts[index] == 0 && !is_awaited) continue;
        Labels labels = endpoint_labels(endpoint);
        labels.emplace_back("status", std::to_string(statuses[index]));
        samples.add(labels, counts[index]);
    }
}

void add_requests(Samples& samples, const Figures& figures, const ServiceState& state) {
    for (std::size_t index = 0; index < state.endpoints.size() && index < max_endpoints; ++index) {
        add_requests_of(samples, state.endpoints[index], figures.requests[index], true);
    }
    add_requests_of(samples, {"-", "-"}, figures.requests[max_endpoints], false);
}

void add_items(Samples& samples, const Figures& figures, const ServiceState& state) {
    for (std::size_t index = 0; index < state.endpoints.size() && index < max_endpoints; ++index) {
        if (state.endpoints[index].stores.empty()) continue;
        samples.add({{"kind", std::string(state.endpoints[index].stores)}}, figures.items[index]);
    }
}

std::vector<std::string> duration_bounds_in_seconds() {
    std::vector<std::string> bounds;
    for (const auto& bound : duration_bounds)
        bounds.push_back(seconds(static_cast<std::uint64_t>(bound.count())));
    return bounds;
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

std::vector<std::string> batch_bounds_in_requests() {
    std::vector<std::string> bounds;
    for (const auto bound : batch_bounds) bounds.push_back(number(bound));
    return bounds;
}

/// Returns a function that writes the member `histogram` of each pool's figures. `bounds` are the upper
/// bounds of the buckets as text. `show` turns the sum of all values in a histogram into text.
template <typename Histogram>
auto each_pool_histogram(Histogram PoolFigures::*histogram, std::vector<std::string> bounds,
                         std::string (*show)(std::uint64_t)) {
    return [=](Samples& samples, const Figures& figures, const ServiceState&) {
        for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
            const Histogram& of_pool = figures.pools[pool].*histogram;
            samples.add_histogram(pool_label(pool), of_pool, bounds, show(of_pool.sum));
        }
    };
}

void add_durations_by_endpoint(Samples& samples, const Figures& figures, const ServiceState& state) {
    const std::vector<std::string> bounds = duration_bounds_in_seconds();
    const std::size_t known = std::min(state.endpoints.size(), figures.durations_by_endpoint.size());
    for (std::size_t index = 0; index < known; ++index) {
        const auto& durations = figures.durations_by_endpoint[index];
        if (std::ranges::all_of(durations.buckets, [](std::uint64_t count) { return count == 0; })) continue;
        samples.add_histogram(endpoint_labels(state.endpoints[index]), durations, bounds,
                              seconds(durations.sum));
    }
}

void add_worker_ends(Samples& samples, const Figures& figures, const ServiceState&) {
    for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
        for (std::size_t end = 0; end < worker_end_names.size(); ++end) {
            Labels labels = pool_label(pool);
            labels.emplace_back("reason", worker_end_names[end]);
            samples.add(labels, figures.pools[pool].worker_ends[end]);
        }
    }
}

void add_accounts(Samples& samples, const Figures&, const ServiceState& state) {
    for (const Accounts& accounts : state.accounts)
        samples.add(
            {{"supplier", accounts.import_supplier}, {"status", accounts.status}, {"state", accounts.state}},
            std::to_string(accounts.count));
}

void add_refusals(Samples& samples, const Figures&, const ServiceState& state) {
    for (const Refusals& refusals : state.refusals)
        samples.add({{"supplier", refusals.import_supplier}, {"code", refusals.code}},
                    std::to_string(refusals.count));
}

/// Makes the writer of a metric with a sample for each consumer and supplier.
auto each_consumer(std::int64_t ConsumerFigures::*figure) {
    return [figure](Samples& samples, const Figures&, const ServiceState& state) {
        for (const ConsumerFigures& one : state.consumers)
            samples.add({{"consumer", one.consumer}, {"supplier", one.import_supplier}},
                        std::to_string(one.*figure));
    };
}

using Writer = std::function<void(Samples&, const Figures&, const ServiceState&)>;

struct MetricRow {
    Metric metric;
    Writer write;
};

/// Returns all metrics, each with the function that writes it, in the order of the answer.
const std::vector<MetricRow>& rows() {
    using F = const Figures&;
    using S = const ServiceState&;
    static const std::vector<MetricRow> all{
        {{"data_import_build_info", Type::gauge, "version", "Always 1; the label says which version runs."},
         [](Samples& samples, const Figures&, const ServiceState& state) {
             samples.add({{"version", std::string(state.version)}}, std::uint64_t{1});
         }},
        {{"data_import_start_time_seconds", Type::gauge, "", "When the service was started, in Unix time."},
         single([](F figures, S) { return figures.started_at; })},
        {{"data_import_configuration_time_seconds", Type::gauge, "",
          "When the configuration in force was read, in Unix time."},
         single([](F figures, S) { return figures.configured_at; })},
        {{"data_import_reloads_total", Type::counter, "result",
          "Reloads of the configuration: taken, or refused because it is wrong."},
         add_reloads},

        {{"data_import_requests_total", Type::counter, "method endpoint status",
          "Requests by endpoint and HTTP status; status 0 if the client was gone before its answer."},
         add_requests},
        {{"data_import_request_duration_seconds", Type::histogram, "pool",
          "Time from the start of a request in a worker to its answer."},
         each_pool_histogram(&PoolFigures::durations, duration_bounds_in_seconds(), seconds)},
        {{"data_import_endpoint_duration_seconds", Type::histogram, "method endpoint",
          "The same by endpoint, for endpoints that have had requests."},
         add_durations_by_endpoint},
        {{"data_import_queue_wait_seconds", Type::histogram, "pool",
          "Time from nginx handing a request over to a worker taking it."},
         each_pool_histogram(&PoolFigures::queue_waits, duration_bounds_in_seconds(), seconds)},
        {{"data_import_requests_in_flight", Type::gauge, "pool",
          "Requests that workers have taken and not yet answered."},
         each_pool(&PoolFigures::in_flight)},
        {{"data_import_longest_request_seconds", Type::gauge, "pool",
          "How long the longest running request has been running."},
         each_pool([](const PoolFigures& pool) {
             return seconds(static_cast<std::uint64_t>(pool.longest_busy.count()));
         })},
        {{"data_import_received_bytes_total", Type::counter, "pool", "Bytes of request bodies."},
         each_pool(&PoolFigures::received_bytes)},
        {{"data_import_sent_bytes_total", Type::counter, "pool", "Bytes of response bodies."},
         each_pool(&PoolFigures::sent_bytes)},
        {{"data_import_items_total", Type::counter, "kind", "Stored records; repeats do not count."},
         add_items},
        {{"data_import_batch_requests", Type::histogram, "pool", "Requests that shared one transaction."},
         each_pool_histogram(&PoolFigures::batches, batch_bounds_in_requests(), number)},

        {{"data_import_abandoned_requests_total", Type::counter, "pool",
          "Requests that were not executed, because their clients were gone or nginx had given up."},
         each_pool(&PoolFigures::abandoned)},
        {{"data_import_requests_beyond_share_total", Type::counter, "pool",
          "Requests that were answered 429, because their organisation used its whole share of the pool and "
          "others needed theirs."},
         each_pool(&PoolFigures::beyond_share)},

        {{"data_import_workers", Type::gauge, "pool", "Worker processes that run."},
         each_pool(&PoolFigures::workers)},
        {{"data_import_workers_busy", Type::gauge, "pool", "Worker processes that are working on requests."},
         each_pool(&PoolFigures::workers_busy)},
        {{"data_import_workers_configured", Type::gauge, "pool", "Worker processes that should run."},
         each_pool(&PoolFigures::workers_configured)},
        {{"data_import_worker_starts_total", Type::counter, "pool", "Worker processes that were started."},
         each_pool(&PoolFigures::worker_starts)},
        {{"data_import_worker_ends_total", Type::counter, "pool reason",
          "Worker processes that ended: stopped or used_up as planned, or died."},
         add_worker_ends},

        {{"data_import_database_up", Type::gauge, "",
          "1 if the database answered just now and could write, otherwise 0."},
         single([](F, S state) { return state.database_up; })},
        {{"data_import_database_last_answer_time_seconds", Type::gauge, "",
          "When a database call of any worker succeeded last, in Unix time; 0: never since the start."},
         single([](F figures, S) { return figures.database_answered_at; })},
        {{"data_import_database_failures_total", Type::counter, "kind", "Database calls that failed."},
         [](Samples& samples, const Figures& figures, const ServiceState&) {
             add_named(samples, figures.database_failures, database_failure_names, "kind");
         }},
        {{"data_import_schema_version", Type::gauge, "",
          "Last migration of the database; missing while it does not answer."},
         single([](F, S state) { return state.schema_version; })},
        {{"data_import_schema_version_needed", Type::gauge, "", "Last migration that this version needs."},
         single([](F, S state) { return state.schema_version_needed; })},

        {{"data_import_accounts", Type::gauge, "supplier status state",
          "Number of accounts for each supplier, its status and the accounts' state. At most 50 suppliers: "
          "first those that are not Complete, the newest first. Missing while the database does not answer "
          "within a second."},
         add_accounts},
        {{"data_import_refusals_last_hour", Type::gauge, "supplier code",
          "Refusals in the last hour on all hosts together, for each supplier (empty if unknown) and error "
          "code. Only the 200 most frequent pairs of supplier and code. Missing while the database does not "
          "answer within a second."},
         add_refusals},

        {{"data_import_consumer_waiting_accounts", Type::gauge, "consumer supplier",
          "Accounts that wait until a consumer takes them, for each supplier (empty: market participants). "
          "At "
          "most 500 pairs of consumer and supplier: those with the most first. Missing while the database "
          "does "
          "not answer within a second."},
         each_consumer(&ConsumerFigures::waiting_accounts)},
        {{"data_import_consumer_oldest_waiting_seconds", Type::gauge, "consumer supplier",
          "How long the first of them has waited; 0: none waits."},
         each_consumer(&ConsumerFigures::oldest_waiting_seconds)},
        {{"data_import_consumer_taken_accounts_total", Type::counter, "consumer supplier",
          "Accounts that a consumer has taken."},
         each_consumer(&ConsumerFigures::taken_accounts)},
        {{"data_import_consumer_taken_records_total", Type::counter, "consumer supplier",
          "Records that were new in them."},
         each_consumer(&ConsumerFigures::taken_records)},

        {{"data_import_signing_keys", Type::gauge, "",
          "Keys that verify tokens. Without a key no token is accepted."},
         single([](F, S state) { return state.signing_keys; })},
        {{"data_import_newest_signing_key_time_seconds", Type::gauge, "",
          "When the key that signs tokens was made, in Unix time."},
         single([](F, S state) { return state.newest_signing_key; })},
        {{"data_import_vendor_requests_total", Type::counter, "outcome",
          "Requests to payment vendors by their outcome; circuit_open: not sent."},
         [](Samples& samples, const Figures& figures, const ServiceState&) {
             add_named(samples, figures.vendor_requests, vendor_outcome_names, "outcome");
         }},
    };
    return all;
}

}  // namespace

std::string_view type_name(Type type) {
    return type == Type::counter ? "counter" : type == Type::gauge ? "gauge" : "histogram";
}

std::vector<std::pair<std::string, std::string>> described_table() {
    std::vector<std::pair<std::string, std::string>> described;
    for (const Metric& metric : table()) {
        const std::string labels = metric.labels.empty() ? "" : " {" + std::string(metric.labels) + "}";
        described.emplace_back(std::string(metric.name) + labels,
                               std::string(type_name(metric.type)) + ". " + std::string(metric.sentence));
    }
    return described;
}

std::string expose(const Figures& figures, const ServiceState& state) {
    std::string text;
    for (const auto& [metric, write] : rows()) {
        const std::string name(metric.name);
        text += "# HELP " + name + ' ' + std::string(metric.sentence) + '\n';
        text += "# TYPE " + name + ' ' + std::string(type_name(metric.type)) + '\n';
        Samples samples(text, name);
        write(samples, figures, state);
    }
    return text;
}

std::vector<Metric> table() {
    std::vector<Metric> metrics;
    for (const MetricRow& row : rows()) metrics.push_back(row.metric);
    return metrics;
}

}  // namespace data_import::metrics
