#include "metrics/metric_table.h"

#include <array>

namespace data_import::metrics {

namespace {

// clang-format off
constexpr std::array rows{
    Metric{"data_import_build_info", Type::gauge, "version", "Always 1; the label says which version runs."},
    Metric{"data_import_start_time_seconds", Type::gauge, "", "When the service was started, in Unix time."},
    Metric{"data_import_configuration_time_seconds", Type::gauge, "",
           "When the configuration in force was read, in Unix time."},
    Metric{"data_import_reloads_total", Type::counter, "result",
           "Times that the configuration was read again: taken, or refused because it is wrong."},

    Metric{"data_import_requests_total", Type::counter, "method endpoint status",
           "Requests by endpoint and HTTP status; status 0 where the client was gone before its answer."},
    Metric{"data_import_request_duration_seconds", Type::histogram, "pool",
           "Time from the start of a request in a worker to its answer."},
    Metric{"data_import_endpoint_duration_seconds", Type::histogram, "method endpoint",
           "The same by endpoint, for those that have been asked."},
    Metric{"data_import_queue_wait_seconds", Type::histogram, "pool",
           "Time that requests waited between nginx, which handed them over, and the worker that took them."},
    Metric{"data_import_requests_in_flight", Type::gauge, "pool", "Requests that workers have taken and not answered."},
    Metric{"data_import_longest_request_seconds", Type::gauge, "pool",
           "Since when the longest running request is being worked on."},
    Metric{"data_import_received_bytes_total", Type::counter, "pool", "Bytes of request bodies."},
    Metric{"data_import_sent_bytes_total", Type::counter, "pool", "Bytes of response bodies."},
    Metric{"data_import_items_total", Type::counter, "kind",
           "Records that were stored, without repeats of records that were there."},
    Metric{"data_import_batch_requests", Type::histogram, "pool", "Requests that shared one transaction."},

    Metric{"data_import_abandoned_requests_total", Type::counter, "pool",
           "Requests that were dropped unexecuted, since their clients were gone or nginx had given up."},
    Metric{"data_import_requests_beyond_share_total", Type::counter, "pool",
           "Requests that were answered 429, because their organisation had its share of the pool and others wanted theirs."},

    Metric{"data_import_workers", Type::gauge, "pool", "Worker processes that run."},
    Metric{"data_import_workers_busy", Type::gauge, "pool", "Worker processes that have requests in their hands."},
    Metric{"data_import_workers_configured", Type::gauge, "pool", "Worker processes that should run."},
    Metric{"data_import_worker_starts_total", Type::counter, "pool", "Worker processes that were started."},
    Metric{"data_import_worker_ends_total", Type::counter, "pool reason",
           "Worker processes that ended: stopped or used_up as planned, or died."},

    Metric{"data_import_database_up", Type::gauge, "", "1 when the database answered just now and could write, 0 when not."},
    Metric{"data_import_database_last_answer_time_seconds", Type::gauge, "",
           "When a database call of any worker succeeded last, in Unix time; 0: never since the start."},
    Metric{"data_import_database_failures_total", Type::counter, "kind", "Database calls that failed."},
    Metric{"data_import_schema_version", Type::gauge, "",
           "Last migration of the database; missing while it does not answer."},
    Metric{"data_import_schema_version_needed", Type::gauge, "", "Last migration that this version needs."},

    Metric{"data_import_accounts", Type::gauge, "supplier status state",
           "Accounts by supplier, its status, and their state, of the 50 suppliers that were made last, those that are not "
           "Complete before the others; missing while the database does not answer."},
    Metric{"data_import_refusals_last_hour", Type::gauge, "supplier code",
           "Refusals of the last hour over all hosts, by supplier (empty: none is known) and code of the item or answer: the 200 "
           "most frequent; missing while the database does not answer."},

    Metric{"data_import_signing_keys", Type::gauge, "", "Keys that verify tokens; without any, none is accepted."},
    Metric{"data_import_newest_signing_key_time_seconds", Type::gauge, "",
           "When the key that signs tokens was made, in Unix time."},
    Metric{"data_import_vendor_requests_total", Type::counter, "outcome",
           "Requests to payment vendors by how they ended; circuit_open: not sent."},
};
// clang-format on

}  // namespace

std::span<const Metric> table() {
    return rows;
}

std::string_view type_name(Type type) {
    switch (type) {
        case Type::counter:
            return "counter";
        case Type::gauge:
            return "gauge";
        case Type::histogram:
            break;
    }
    return "histogram";
}

}  // namespace data_import::metrics
