#include "metrics/exposition.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "metrics/metric_table.h"

namespace data_import::metrics {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

constexpr std::uint64_t per_second = 1'000'000;

/// Microseconds as seconds, exactly and without trailing zeros.
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

/// The samples of one metric.
class Samples {
public:
    explicit Samples(std::string& text, std::string_view name) : text_(text), name_(name) {}

    void add(const Labels& labels, const std::string& value, std::string_view suffix = "") {
        text_ += name_ + std::string(suffix) + braced(labels) + ' ' + value + '\n';
    }
    void add(const Labels& labels, std::uint64_t value) { add(labels, std::to_string(value)); }
    void add_time(std::int64_t unix_time) { add({}, std::to_string(unix_time)); }

    void add_histogram(const Labels& labels, const Histogram& histogram,
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

/// One gauge or counter for each pool.
template <typename Value>
auto each_pool(Value value) {
    return [value](Samples& samples, const Figures& figures, const State&) {
        for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
            samples.add(pool_label(pool), value(figures.pools[pool]));
        }
    };
}

template <typename Counts, typename Names>
void add_named(Samples& samples, const Counts& counts, const Names& names, std::string_view label) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        samples.add({{label, std::string(names[index])}}, std::to_string(counts[index]));
    }
}

void add_reloads(Samples& samples, const Figures& figures, const State&) {
    samples.add({{"result", "taken"}}, figures.reloads);
    samples.add({{"result", "refused"}}, figures.refused_reloads);
}

Labels endpoint_labels(const EndpointName& endpoint) {
    return {{"method", std::string(endpoint.method)}, {"endpoint", std::string(endpoint.path)}};
}

void add_requests_of(Samples& samples, const EndpointName& endpoint,
                     const std::array<std::uint64_t, statuses.size()>& counts, bool is_known) {
    for (std::size_t index = 0; index < statuses.size(); ++index) {
        const bool is_awaited = is_known && (statuses[index] == 500 || statuses[index] == 503);
        if (counts[index] == 0 && !is_awaited) continue;
        Labels labels = endpoint_labels(endpoint);
        labels.emplace_back("status", std::to_string(statuses[index]));
        samples.add(labels, counts[index]);
    }
}

void add_requests(Samples& samples, const Figures& figures, const State& state) {
    for (std::size_t index = 0; index < state.endpoints.size() && index < max_endpoints; ++index) {
        add_requests_of(samples, state.endpoints[index], figures.requests[index], true);
    }
    add_requests_of(samples, {"-", "-"}, figures.requests[max_endpoints], false);
}

void add_items(Samples& samples, const Figures& figures, const State& state) {
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

/// One histogram of times for each pool.
auto each_pool_times(Histogram PoolFigures::*times) {
    return [times](Samples& samples, const Figures& figures, const State&) {
        const std::vector<std::string> bounds = duration_bounds_in_seconds();
        for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
            const Histogram& of_pool = figures.pools[pool].*times;
            samples.add_histogram(pool_label(pool), of_pool, bounds, seconds(of_pool.sum));
        }
    };
}

void add_durations_by_endpoint(Samples& samples, const Figures& figures, const State& state) {
    const std::vector<std::string> bounds = duration_bounds_in_seconds();
    const std::size_t known = std::min(state.endpoints.size(), figures.durations_by_endpoint.size());
    for (std::size_t index = 0; index < known; ++index) {
        const Histogram& durations = figures.durations_by_endpoint[index];
        if (std::ranges::all_of(durations.buckets, [](std::uint64_t count) { return count == 0; })) continue;
        samples.add_histogram(endpoint_labels(state.endpoints[index]), durations, bounds,
                              seconds(durations.sum));
    }
}

void add_batches(Samples& samples, const Figures& figures, const State&) {
    std::vector<std::string> bounds;
    for (const auto bound : batch_bounds) bounds.push_back(std::to_string(bound));
    for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
        const Histogram& batches = figures.pools[pool].batches;
        samples.add_histogram(pool_label(pool), batches, bounds, std::to_string(batches.sum));
    }
}

void add_worker_ends(Samples& samples, const Figures& figures, const State&) {
    for (std::size_t pool = 0; pool < figures.pools.size(); ++pool) {
        for (std::size_t end = 0; end < worker_end_names.size(); ++end) {
            Labels labels = pool_label(pool);
            labels.emplace_back("reason", worker_end_names[end]);
            samples.add(labels, figures.pools[pool].worker_ends[end]);
        }
    }
}

void add_signing_key_time(Samples& samples, const Figures&, const State& state) {
    if (state.newest_signing_key) samples.add_time(*state.newest_signing_key);
}

void add_schema_version(Samples& samples, const Figures&, const State& state) {
    if (state.schema_version) samples.add_time(*state.schema_version);
}

void add_accounts(Samples& samples, const Figures&, const State& state) {
    for (const Accounts& accounts : state.accounts)
        samples.add(
            {{"supplier", accounts.import_supplier}, {"status", accounts.status}, {"state", accounts.state}},
            std::to_string(accounts.count));
}

void add_refusals(Samples& samples, const Figures&, const State& state) {
    for (const Refusals& refusals : state.refusals)
        samples.add({{"supplier", refusals.import_supplier}, {"code", refusals.code}},
                    std::to_string(refusals.count));
}

using Writer = std::function<void(Samples&, const Figures&, const State&)>;

/// One writer for each row of the table.
const std::map<std::string_view, Writer>& writers() {
    using P = const PoolFigures&;
    static const std::map<std::string_view, Writer> all{
        {"data_import_build_info",
         [](Samples& samples, const Figures&, const State& state) {
             samples.add({{"version", std::string(state.version)}}, std::uint64_t{1});
         }},
        {"data_import_start_time_seconds", [](Samples& samples, const Figures& figures,
                                              const State&) { samples.add_time(figures.started_at); }},
        {"data_import_configuration_time_seconds",
         [](Samples& samples, const Figures& figures, const State&) {
             samples.add_time(figures.configured_at);
         }},
        {"data_import_reloads_total", add_reloads},
        {"data_import_requests_total", add_requests},
        {"data_import_request_duration_seconds", each_pool_times(&PoolFigures::durations)},
        {"data_import_endpoint_duration_seconds", add_durations_by_endpoint},
        {"data_import_queue_wait_seconds", each_pool_times(&PoolFigures::queue_waits)},
        {"data_import_requests_in_flight", each_pool([](P pool) { return pool.in_flight; })},
        {"data_import_longest_request_seconds",
         each_pool([](P pool) { return seconds(static_cast<std::uint64_t>(pool.longest_busy.count())); })},
        {"data_import_received_bytes_total", each_pool([](P pool) { return pool.received_bytes; })},
        {"data_import_sent_bytes_total", each_pool([](P pool) { return pool.sent_bytes; })},
        {"data_import_items_total", add_items},
        {"data_import_batch_requests", add_batches},
        {"data_import_abandoned_requests_total", each_pool([](P pool) { return pool.abandoned; })},
        {"data_import_requests_beyond_share_total", each_pool([](P pool) { return pool.beyond_share; })},
        {"data_import_workers", each_pool([](P pool) { return pool.workers; })},
        {"data_import_workers_busy", each_pool([](P pool) { return pool.workers_busy; })},
        {"data_import_workers_configured", each_pool([](P pool) { return pool.workers_configured; })},
        {"data_import_worker_starts_total", each_pool([](P pool) { return pool.worker_starts; })},
        {"data_import_worker_ends_total", add_worker_ends},
        {"data_import_database_up",
         [](Samples& samples, const Figures&, const State& state) {
             samples.add({}, std::uint64_t{state.database_up});
         }},
        {"data_import_database_last_answer_time_seconds",
         [](Samples& samples, const Figures& figures, const State&) {
             samples.add_time(figures.database_answered_at);
         }},
        {"data_import_database_failures_total",
         [](Samples& samples, const Figures& figures, const State&) {
             add_named(samples, figures.database_failures, database_failure_names, "kind");
         }},
        {"data_import_schema_version", add_schema_version},
        {"data_import_schema_version_needed",
         [](Samples& samples, const Figures&, const State& state) {
             samples.add_time(state.schema_version_needed);
         }},
        {"data_import_accounts", add_accounts},
        {"data_import_refusals_last_hour", add_refusals},
        {"data_import_signing_keys",
         [](Samples& samples, const Figures&, const State& state) {
             samples.add({}, std::uint64_t{state.signing_keys});
         }},
        {"data_import_newest_signing_key_time_seconds", add_signing_key_time},
        {"data_import_vendor_requests_total",
         [](Samples& samples, const Figures& figures, const State&) {
             add_named(samples, figures.vendor_requests, vendor_outcome_names, "outcome");
         }},
    };
    return all;
}

}  // namespace

std::string expose(const Figures& figures, const State& state) {
    std::string text;
    for (const Metric& metric : table()) {
        const std::string name(metric.name);
        text += "# HELP " + name + ' ' + std::string(metric.sentence) + '\n';
        text += "# TYPE " + name + ' ' + std::string(type_name(metric.type)) + '\n';
        Samples samples(text, name);
        writers().at(metric.name)(samples, figures, state);
    }
    return text;
}

}  // namespace data_import::metrics
