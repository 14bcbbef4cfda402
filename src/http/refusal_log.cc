#include "http/refusal_log.h"

#include <algorithm>
#include <set>

#include "schema/declared.h"
#include "util/datetime.h"

namespace data_import::http {

namespace {

bool is_parameter(const Endpoint& endpoint, std::string_view attr) {
    return std::ranges::any_of(endpoint.query,
                               [&](const QueryParameter& parameter) { return parameter.name == attr; });
}

std::string place_of(const Endpoint* endpoint, const schema::Violation& violation) {
    if (endpoint == nullptr) return "";
    if (is_parameter(*endpoint, violation.attr)) return violation.attr;
    return endpoint->body ? schema::declared_part(*endpoint->body, violation.attr) : "";
}

/// What an unknown field is called may look like a place that is declared: only the place around it counts.
schema::Violation without_own_name(schema::Violation violation) {
    if (violation.code == Code::unknown_field) {
        const std::size_t point = violation.attr.rfind('.');
        violation.attr.resize(point == std::string::npos ? 0 : point);
    }
    return violation;
}

std::set<store::RefusalKind> kinds_in(const Endpoint* endpoint, std::string_view import_supplier,
                                      const Problem& problem) {
    const codes::Row& row = codes::row_of(problem.code);
    store::RefusalKind kind{.import_supplier = std::string(import_supplier),
                            .endpoint = std::string(endpoint == nullptr ? "" : endpoint->path),
                            .status = row.status,
                            .code = std::string(row.name)};
    if (problem.violations.empty()) return {kind};
    std::set<store::RefusalKind> kinds;
    for (const schema::Violation& violation : problem.violations) {
        kind.item_code = codes::name_of(violation.code);
        kind.attr = place_of(endpoint, without_own_name(violation));
        kinds.insert(kind);
    }
    return kinds;
}

store::RefusalKind other_kind() {
    return {.import_supplier = "", .endpoint = "", .status = 0, .code = std::string(store::other_refusals)};
}

/// As the request names it, in the token's scope or not; empty where it does not.
std::string_view named_supplier(const Endpoint& endpoint, const Context& context) {
    if (endpoint.supplier == SupplierIn::first_segment && !context.segments.empty())
        return context.segments.front();
    if (endpoint.supplier != SupplierIn::body || !context.document) return {};
    const json::Value body = context.document->root();
    if (body.type() != json::Type::object) return {};
    const auto field = body.find("import_supplier");
    return field && field->type() == json::Type::string ? field->text() : std::string_view();
}

}  // namespace

std::string_view supplier_of_refusal(const Endpoint* endpoint, const Context& context) {
    if (endpoint == nullptr || !context.access) return {};
    const auto& scope = context.access->import_suppliers;
    const std::string_view named = named_supplier(*endpoint, context);
    if (scope.contains(named)) return named;
    return scope.size() == 1 ? std::string_view(*scope.begin()) : std::string_view();
}

void RefusalLog::note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
                      std::string_view request_id) {
    const store::RefusalCount one{
        .count = 1, .sample_request_id = std::string(request_id), .last_at = util::now()};
    for (const store::RefusalKind& kind : kinds_in(endpoint, import_supplier, problem))
        add(noted_, kind, one);
}

void RefusalLog::note_differing(const Endpoint& endpoint, std::string_view import_supplier,
                                const Reply& reply, std::string_view request_id) {
    add(noted_,
        {.import_supplier = std::string(import_supplier),
         .endpoint = std::string(endpoint.path),
         .status = reply.status,
         .code = "",
         .item_code = std::string(store::transaction_differs)},
        {.count = static_cast<std::int64_t>(reply.differing),
         .sample_request_id = std::string(request_id),
         .last_at = util::now()});
}

void RefusalLog::add(Kinds& kinds, const store::RefusalKind& kind, const store::RefusalCount& count) {
    const store::RefusalKind other = other_kind();
    const bool has_room = kinds.size() < most_kinds + kinds.count(other) || kinds.contains(kind);
    store::RefusalCount& known = kinds[has_room ? kind : other];
    known.count += count.count;
    if (known.last_at > count.last_at) return;
    known.last_at = count.last_at;
    known.sample_request_id = count.sample_request_id;
}

std::optional<database::Call> RefusalLog::flush() {
    for (const auto& [kind, count] : noted_) add(in_flight_, kind, count);
    noted_.clear();
    if (in_flight_.empty()) return std::nullopt;
    return store::add_refusals(in_flight_);
}

void RefusalLog::stored() {
    in_flight_.clear();
}

}  // namespace data_import::http
