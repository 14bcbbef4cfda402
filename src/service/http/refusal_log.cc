#include "service/http/refusal_log.h"

#include <algorithm>

#include "base/util/datetime.h"
#include "base/util/limits.h"
#include "base/util/text.h"
#include "data/schema/declared.h"
#include "data/store/import.h"

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

constexpr std::size_t longest_detail = 512;  // code points; the limit of data_import.refused_request

/// Returns a sentence of an answer as it is kept: in one line, and cut at `longest_detail` code points.
std::string kept(std::string_view sentence) {
    std::string text(util::first_code_points(sentence, longest_detail));
    std::ranges::replace_if(
        text, [](char character) { return static_cast<unsigned char>(character) < ' '; }, ' ');
    return text;
}

/// Returns the detail of the answer; empty for a parse error, whose sentence may quote the body.
std::string detail_of(const Problem& problem) {
    return problem.code == Code::parse_error ? std::string() : kept(problem.detail);
}

/// Returns the violation with a place that names only declared fields. The place of an unknown field becomes
/// the place of the object that has the field, because the field's name, which the client chose, could be
/// taken for a declared name. Any other violation stays as it is.
schema::Violation without_own_name(schema::Violation violation) {
    if (violation.code == Code::unknown_field) {
        const std::size_t point = violation.attr.rfind('.');
        violation.attr.resize(point == std::string::npos ? 0 : point);
    }
    return violation;
}

/// Returns the declared part of a violation's place with its indexes, such as `notes.3.body`; empty if
/// nothing of it is declared.
std::string numbered_place_of(const Endpoint* endpoint, const schema::Violation& violation) {
    const std::string declared = place_of(endpoint, violation);
    if (declared.empty()) return declared;
    std::size_t end = 0;
    for (auto segments = std::ranges::count(declared, '.') + 1; segments > 0; --segments)
        end = std::min(violation.attr.find('.', end + 1), violation.attr.size());
    return violation.attr.substr(0, end);
}

/// Returns the kinds of error in the answer. Each kind comes with the sentence of the first error of this
/// kind.
std::map<store::RefusalKind, std::string> kinds_in(const Endpoint* endpoint, std::string_view import_supplier,
                                                   const Problem& problem) {
    const codes::CodeRow& row = codes::row_of(problem.code);
    store::RefusalKind kind{.import_supplier = std::string(import_supplier),
                            .endpoint = std::string(endpoint == nullptr ? "" : endpoint->path),
                            .status = row.status,
                            .code = std::string(row.name)};
    if (problem.violations.empty()) return {{kind, detail_of(problem)}};
    std::map<store::RefusalKind, std::string> kinds;
    for (const schema::Violation& violation : problem.violations) {
        kind.item_code = codes::name_of(violation.code);
        kind.attr = place_of(endpoint, without_own_name(violation));
        kinds.try_emplace(kind, kept(violation.detail));
    }
    return kinds;
}

store::RefusalKind other_kind() {
    return {.import_supplier = "", .endpoint = "", .status = 0, .code = std::string(store::other_refusals)};
}

/// Returns the text of the body's member `name`; empty if there is none.
std::string_view named_in_body(const Context& context, std::string_view name) {
    if (!context.document) return {};
    const json::Value body = context.document->root();
    if (body.type() != json::Type::object) return {};
    const auto field = body.find(name);
    return field && field->type() == json::Type::string ? field->text() : std::string_view();
}

/// Returns the supplier that the request names, in the token's scope or not; empty if it names none.
std::string_view named_supplier(const Endpoint& endpoint, const Context& context) {
    if (endpoint.supplier == SupplierIn::first_segment && !context.segments.empty())
        return context.segments.front();
    return endpoint.supplier == SupplierIn::body ? named_in_body(context, "import_supplier")
                                                 : std::string_view();
}

std::optional<NamedAccount> account_in_body(const Endpoint* endpoint, const Context& context) {
    if (endpoint == nullptr || endpoint->supplier != SupplierIn::body) return std::nullopt;
    const NamedAccount account{named_in_body(context, "import_supplier"),
                               named_in_body(context, "external_account_number")};
    return account.external_account_number.empty() ? std::nullopt : std::optional(account);
}

}  // namespace

std::string_view supplier_of_refusal(const Endpoint* endpoint, const Context& context) {
    if (endpoint == nullptr || !context.access) return {};
    const auto& scope = context.access->import_suppliers;
    const std::string_view named = named_supplier(*endpoint, context);
    if (scope.contains(named)) return named;
    return scope.size() == 1 ? std::string_view(*scope.begin()) : std::string_view();
}

std::optional<NamedAccount> named_account(const Endpoint* endpoint, const Context& context) {
    if (!context.access) return std::nullopt;
    const auto account = account_in_body(endpoint, context);
    if (!account || !context.access->import_suppliers.contains(account->import_supplier)) return std::nullopt;
    return account;
}

std::optional<std::string> account_key_in_body(const Endpoint* endpoint, const Context& context) {
    const auto account = account_in_body(endpoint, context);
    if (!account) return std::nullopt;
    return store::account_key(account->import_supplier, account->external_account_number);
}

std::optional<std::string> shown_account(const Endpoint* endpoint, const Context& context) {
    const auto account = named_account(endpoint, context);
    if (!account) return std::nullopt;
    const std::string_view number = account->external_account_number;
    if (util::count_code_points(number) > util::limits::external_account_number ||
        util::has_control_character(number) || util::has_direction_control(number))
        return std::nullopt;
    return std::string(number);
}

std::vector<store::RefusedPlace> refused_places(const Endpoint* endpoint, const Problem& problem,
                                                std::size_t most) {
    std::vector<store::RefusedPlace> places;
    for (const schema::Violation& violation : problem.violations) {
        if (places.size() == most) break;
        places.push_back({std::string(codes::name_of(violation.code)),
                          numbered_place_of(endpoint, without_own_name(violation)), kept(violation.detail)});
    }
    return places;
}

void RefusalLog::note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
                      std::string_view request_id) {
    store::RefusalCount one{.count = 1, .sample_request_id = std::string(request_id), .last_at = util::now()};
    for (auto&& [kind, detail] : kinds_in(endpoint, import_supplier, problem)) {
        one.detail = std::move(detail);
        add(kind, one);
    }
}

void RefusalLog::note_differing(const Endpoint& endpoint, std::string_view import_supplier,
                                const Reply& reply, std::string_view request_id) {
    add({.import_supplier = std::string(import_supplier),
         .endpoint = std::string(endpoint.path),
         .status = reply.status,
         .code = "",
         .item_code = std::string(store::transaction_differs)},
        {.count = static_cast<std::int64_t>(reply.differing),
         .sample_request_id = std::string(request_id),
         .last_at = util::now()});
}

void RefusalLog::keep(const Endpoint* endpoint, const Context& context, const Problem& problem, Time now) {
    if (!context.access) return;
    OfKey& of_key = keys_[context.access->id];
    if (context.is_line()) count_line(of_key, context);
    const auto account = named_account(endpoint, context);
    if (!account) return;
    ++counts_.of_accounts[std::string(account->import_supplier)];
    if (!make_room(of_key, now)) return;
    const codes::CodeRow& row = codes::row_of(problem.code);
    of_key.waiting.push_back(
        {.account_key = store::account_key(account->import_supplier, account->external_account_number),
         .import_supplier = std::string(account->import_supplier),
         .shown_number = shown_account(endpoint, context).value_or(""),
         .at = util::now(),
         .refusal = {.request_id = context.request.request_id,
                     .line = context.line,
                     .api_key_id = context.access->id,
                     .endpoint = std::string(endpoint->path),
                     .status = row.status,
                     .code = std::string(row.name),
                     .error_count = problem.violations.size(),
                     .places = refused_places(endpoint, problem, most_places),
                     .detail = problem.violations.empty() ? detail_of(problem) : std::string()}});
    ++waiting_;
}

void RefusalLog::count_line(OfKey& of_key, const Context& context) {
    const auto known = counts_.lines.find(context.request.request_id);
    if (known != counts_.lines.end()) {
        ++known->second.lines;
    } else if (of_key.bulk_requests < most_bulk_requests) {
        ++of_key.bulk_requests;
        counts_.lines[context.request.request_id] = {.api_key_id = context.access->id, .lines = 1};
    }
}

/// Makes room for one more single refusal of an API key (an entry for one refused request that waits to be
/// stored). Returns false if there is no room; the new refusal is then only counted. If the key is beyond its
/// rate, drops its own oldest entry. If too many entries of all keys wait, drops the oldest entry of the key
/// with the most.
bool RefusalLog::make_room(OfKey& of_key, Time now) {
    OfKey* giver = nullptr;
    if (of_key.room.take_one(now)) {
        if (waiting_ < most_waiting) return true;
        giver = &std::ranges::max_element(keys_, {}, [](const auto& key) {
                     return key.second.waiting.size();
                 })->second;
    } else {
        if (of_key.waiting.empty()) return false;
        giver = &of_key;
    }
    giver->waiting.pop_front();
    --waiting_;
    return true;
}

void RefusalLog::add(const store::RefusalKind& kind, const store::RefusalCount& count) {
    const store::RefusalKind other = other_kind();
    auto& kinds = counts_.kinds;
    const bool has_room = kinds.size() < most_kinds + kinds.count(other) || kinds.contains(kind);
    store::RefusalCount& known = kinds[has_room ? kind : other];
    known.count += count.count;
    if (known.last_at > count.last_at) return;
    known.last_at = count.last_at;
    known.sample_request_id = count.sample_request_id;
    known.detail = has_room ? count.detail : std::string();
}

std::optional<database::Call> RefusalLog::flush() {
    const std::vector<store::AccountRefusal> singles = next_singles();
    if (counts_.empty() && singles.empty()) return std::nullopt;
    return store::add_refusals(counts_, singles);
}

/// Returns copies of at most `most_flushed` single refusals that wait: the oldest of each API key, then the
/// second oldest of each, and so on.
std::vector<store::AccountRefusal> RefusalLog::next_singles() {
    std::vector<store::AccountRefusal> singles;
    for (auto& [api_key, of_key] : keys_) of_key.flushed = 0;
    const std::size_t most = std::min(waiting_, most_flushed);
    while (singles.size() < most) {
        for (auto& [api_key, of_key] : keys_) {
            if (of_key.flushed < of_key.waiting.size() && singles.size() < most)
                singles.push_back(of_key.waiting[of_key.flushed++]);
        }
    }
    return singles;
}

void RefusalLog::stored(bool are_singles_kept) {
    counts_ = {};
    for (auto& [api_key, of_key] : keys_) {
        of_key.bulk_requests = 0;
        if (!are_singles_kept) continue;
        const auto kept = of_key.waiting.begin() + static_cast<std::ptrdiff_t>(of_key.flushed);
        of_key.waiting.erase(of_key.waiting.begin(), kept);
        waiting_ -= of_key.flushed;
        of_key.flushed = 0;
    }
}

}  // namespace data_import::http
