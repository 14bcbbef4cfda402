#include "data/store/import.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/util/crypto.h"

namespace data_import::store {

namespace {

constexpr char unit_separator = '\x1f';

std::string array_of(std::span<const Import* const> imports, std::size_t field) {
    database::ArrayBinary array(imports.front()->function->fields[field]);
    for (const Import* import : imports) array.add(import->fields[field]);
    return array.take();
}

std::string json_of(std::span<const Import* const> imports) {
    std::string json = "[";
    for (const Import* import : imports) (json += json.size() > 1 ? "," : "") += import->row;
    return json += ']';
}

void append(std::vector<RowSet>& sets, const std::vector<RowSet>& more, std::size_t owners_before) {
    for (std::size_t set = 0; set < sets.size(); ++set) sets[set].append(more[set], owners_before);
}

void take_rows(std::vector<std::string>& parameters, std::span<const Import* const> imports) {
    std::vector<RowSet> rows = imports.front()->rows;
    std::vector<RowSet> parts = imports.front()->parts;
    for (std::size_t request = 1; request < imports.size(); ++request) {
        if (!parts.empty()) append(parts, imports[request]->parts, rows.front().size());
        append(rows, imports[request]->rows, request);
    }
    for (RowSet& set : rows) set.take_parameters(parameters);
    for (RowSet& set : parts) set.take_parameters(parameters);
}

/// The imports for one account that no call carries out yet, in their order, as places in the list of all
/// imports.
class Queue {
public:
    void push(std::size_t place) { places_.push_back(place); }

    [[nodiscard]] std::size_t size() const { return places_.size() - next_; }
    [[nodiscard]] std::size_t front() const { return places_[next_]; }

    /// Moves imports from the front of the queue into a call of `function`, up to the first import that
    /// cannot be part of the call.
    void move_to(std::vector<std::size_t>& call, const ImportFunction* function,
                 std::span<const Import* const> imports) {
        std::set<std::string_view> contents;
        while (size() > 0 && call.size() < function->most) {
            const Import& import = *imports[front()];
            if (import.function != function || !contents.insert(import.content).second) return;
            call.push_back(front());
            ++next_;
            if (import.content.empty()) return;
        }
    }

private:
    std::vector<std::size_t> places_;
    std::size_t next_ = 0;
};

std::vector<Queue> queues_of(std::span<const Import* const> imports) {
    std::vector<Queue> queues;
    std::map<std::string_view, std::size_t> accounts;
    for (std::size_t place = 0; place < imports.size(); ++place) {
        const auto [account, is_new] = accounts.emplace(imports[place]->fields.front(), queues.size());
        if (is_new) queues.emplace_back();
        queues[account->second].push(place);
    }
    return queues;
}

}  // namespace

std::string account_key(std::string_view import_supplier, std::string_view external_account_number) {
    std::string name(import_supplier);
    (name += unit_separator) += external_account_number;
    return util::uuid_digest(name);
}

RowSet::RowSet(std::vector<database::ArrayBinary> arrays)
    : has_owners_(false), bounds_(arrays.size(), 0), columns_(std::move(arrays)) {
    for (const database::ArrayBinary& array : columns_) bounds_.push_back(array.size());
}

void RowSet::add(std::size_t owner, std::initializer_list<Field> fields) {
    owners_.push_back(owner);
    auto column = columns_.begin();
    for (const Field& field : fields) {
        field ? column->add(*field) : column->add_null();
        ++column;
    }
}

void RowSet::append(const RowSet& other, std::size_t places) {
    for (const std::size_t owner : other.owners_) owners_.push_back(owner + places);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        columns_[column].append(other.columns_[column]);
        if (!has_owners_) bounds_.push_back(columns_[column].size());
    }
}

void RowSet::take_parameters(std::vector<std::string>& parameters) {
    database::ArrayBinary places(database::ElementType::integer);
    for (const std::size_t place : has_owners_ ? owners_ : bounds_)
        places.add_integer(static_cast<std::int32_t>(place));
    parameters.push_back(places.take());
    for (database::ArrayBinary& column : columns_) parameters.push_back(column.take());
}

std::string import_sql(std::string_view function, std::string_view answer, std::size_t parameters) {
    std::string sql = "SELECT ";
    ((sql += answer) += " FROM data_import.") += function;
    for (std::size_t place = 1; place <= parameters; ++place)
        (sql += place == 1 ? "($" : ", $") += std::to_string(place);
    return sql += ')';
}

Import::Import(const ImportFunction& carried_out_by, const ImportTarget& target)
    : function(&carried_out_by),
      fields{account_key(target.import_supplier, target.external_account_number),
             std::string(target.import_supplier), std::string(target.request_id),
             std::string(target.api_key_id)} {}

void call_in(std::string_view schema, database::Call& call) {
    if (schema == own_schema) return;
    (call.name += '@') += schema;
    call.sql.replace(call.sql.find(own_schema), own_schema.size(), schema);
}

database::Call together(std::span<const Import* const> imports, std::string_view schema) {
    const Import& first = *imports.front();
    database::Call call{
        .name = first.function->name, .sql = first.function->sql, .retryable = first.retryable};
    call_in(schema, call);
    if (!first.row.empty()) call.parameters.emplace_back(json_of(imports));
    for (std::size_t field = 0; field < first.fields.size(); ++field)
        call.binary.push_back(array_of(imports, field));
    take_rows(call.binary, imports);
    return call;
}

// Each account has a queue of its imports. A call takes imports of one kind: the kind of the first import in
// the longest queue. From the front of each queue, the call takes the imports of this kind.
//
// The longest queue chooses the kind, so that long queues catch up with the others. Then most queues have
// imports of the same kind in front, and more imports share a call.
std::vector<std::vector<std::size_t>> shared_calls(std::span<const Import* const> imports) {
    std::vector<std::vector<std::size_t>> calls;
    std::vector<Queue> queues = queues_of(imports);
    for (std::size_t left = imports.size(); left > 0; left -= calls.back().size()) {
        const ImportFunction* function =
            imports[std::ranges::max_element(queues, {}, &Queue::size)->front()]->function;
        calls.emplace_back();
        for (Queue& queue : queues) queue.move_to(calls.back(), function, imports);
    }
    return calls;
}

std::vector<database::Rows> by_request(const database::Rows& rows, std::size_t requests) {
    std::vector<database::Rows> parts;
    std::size_t row = 0;
    for (std::size_t request = 1; request <= requests; ++request) {
        const std::size_t first = row;
        while (row < rows.size() && rows.integer(row, 0) == static_cast<std::int64_t>(request)) ++row;
        if (row == first) throw std::logic_error("an import function has passed a request over");
        parts.push_back(rows.part(first, row - first));
    }
    return parts;
}

database::Call lock_accounts(const std::vector<std::string_view>& keys, std::string_view schema) {
    database::ArrayBinary array(database::ElementType::uuid);
    for (const std::string_view key : keys) array.add(key);
    database::Call call{
        .name = "lock_accounts",
        .sql =
            "SELECT replace(locked::text, '-', '') FROM unnest(data_import.try_lock_accounts($1)) AS locked",
        .binary = {array.take()}};
    call_in(schema, call);
    return call;
}

bool is_locked(const database::Rows& rows) {
    return rows.text(0, 1) == "account_locked";
}

ImportVerdict read_import_verdict(const database::Rows& rows) {
    return parse_import_verdict(rows.text(0, 1));
}

ImportVerdict parse_import_verdict(std::string_view text) {
    if (text == "done") return ImportVerdict::done;
    if (text == "repeated") return ImportVerdict::repeated;
    if (text == "supplier_paused") return ImportVerdict::supplier_paused;
    if (text == "supplier_complete") return ImportVerdict::supplier_complete;
    if (text == "account_staged") return ImportVerdict::account_staged;
    if (text == "account_in_progress") return ImportVerdict::account_in_progress;
    if (text == "account_failed") return ImportVerdict::account_failed;
    if (text == "account_not_found") return ImportVerdict::account_not_found;
    if (text == "account_locked") return ImportVerdict::account_locked;
    throw std::logic_error("an import function answered an unknown verdict");
}

}  // namespace data_import::store
