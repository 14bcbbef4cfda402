// Writes the figures in Prometheus's text format, version 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/metrics/board.h"

namespace data_import::metrics {

inline constexpr std::string_view media_type = "text/plain; version=0.0.4; charset=utf-8";

enum class Type { counter, gauge, histogram };

struct Metric {
    std::string_view name;
    Type type;
    std::string_view labels;    ///< names of its labels, with blanks between them
    std::string_view sentence;  ///< the text of its HELP line
};

/// Returns all metrics in the order of the answer.
[[nodiscard]] std::vector<Metric> table();

/// Returns the rows of the manual page about metrics. Each row has the name of a metric with its labels, such
/// as `data_import_build_info {version}`, and its type with its sentence, such as `gauge. Always 1; ...`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> described_table();

/// Returns `counter`, `gauge` or `histogram`.
[[nodiscard]] std::string_view type_name(Type type);

struct EndpointName {
    std::string_view method;
    std::string_view path;
    std::string_view stores = {};  ///< the kind of records that only this endpoint stores; empty: none
};

/// The number of refusals of one supplier's requests with one code.
struct Refusals {
    std::string import_supplier;  ///< code of the supplier; empty if none is known
    std::string code;
    std::int64_t count = 0;
};

/// The number of accounts of one supplier in one state.
struct Accounts {
    std::string import_supplier;
    std::string status;  ///< status of the supplier
    std::string state;
    std::int64_t count = 0;
};

/// The figures of a consumer for one supplier.
struct ConsumerFigures {
    std::string consumer;
    /// Code of the supplier. Empty if the figures are those of market participants, which belong to no
    /// supplier. Also empty for a consumer that had no news yet.
    std::string import_supplier;
    std::int64_t waiting_accounts = 0;
    std::int64_t oldest_waiting_seconds = 0;
    std::int64_t taken_accounts = 0;
    std::int64_t taken_records = 0;
};

/// The part of the metrics that is not counted in shared memory, but read anew for each answer.
struct ServiceState {
    std::string_view version = {};             ///< version of the program
    std::vector<EndpointName> endpoints = {};  ///< all endpoints, in the order of their counters
    bool database_up = false;
    std::optional<std::int64_t> schema_version = {};
    std::int64_t schema_version_needed = 0;
    std::size_t signing_keys = 0;
    std::optional<std::int64_t> newest_signing_key = {};  ///< Unix time at which the newest key was made
    std::vector<Accounts> accounts = {};
    std::vector<Refusals> refusals = {};  ///< refusals of the last hour, the most frequent ones
    std::vector<ConsumerFigures> consumers = {};
};

/// Writes every metric of the table with its HELP and TYPE lines, one sample per line. Series of requests
/// that were never counted are left out, except for the statuses 500 and 503 of each endpoint: these begin at
/// 0, so that rates in Prometheus see the first such answer.
[[nodiscard]] std::string expose(const Figures& figures, const ServiceState& state);

}  // namespace data_import::metrics
