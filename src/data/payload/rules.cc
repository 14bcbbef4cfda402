#include "data/payload/rules.h"

#include <string>
#include <unordered_set>

#include "base/util/datetime.h"
#include "base/util/keyed_hash.h"

namespace data_import::payload {

namespace {

/// Compares two dates or two instants. Dates, and instants in full seconds of UTC, sort like their texts.
bool is_before(std::string_view left, std::string_view right) {
    constexpr std::size_t longest_plain = std::string_view("2024-02-29T13:45:00Z").size();
    if (left.size() == right.size() && left.size() <= longest_plain) return left < right;
    return util::parse_datetime(left) < util::parse_datetime(right);
}

bool has_form(const json::Value& value, const schema::Schema& form) {
    return value.is(json::Type::string) && schema::check(form, value, schema::UnknownFields::refuse).empty();
}

}  // namespace

void check_period(const json::Value& object, std::string_view start, std::string_view end,
                  schema::Report& report) {
    const auto first = object.find(start);
    const auto last = object.find(end);
    if (!first || !last || !is_before(last->text(), first->text())) return;
    report.add(end, Code::period_end_before_start,
               std::string(end) + " must not be earlier than " + std::string(start) + ".");
}

void check_document_period(const json::Value& object, schema::Report& report) {
    check_period(object, "period_start_at", "period_end_at", report);
}

void check_repetitions(const json::Value& object, const Identity& identity, schema::Report& report) {
    const auto items = object.find(identity.array);
    if (!items || !items->is(json::Type::array)) return;
    std::unordered_set<std::string_view, util::KeyedHash> known(0, util::KeyedHash::of_process());
    std::size_t index = 0;
    for (const json::Value item : items->items()) {
        if (index == identity.max_items || !report.takes(item)) return;
        const std::size_t place = index++;
        if (!item.is(json::Type::object)) continue;
        const auto name = item.find(identity.field);
        if (!name || !has_form(*name, identity.form) || known.insert(name->text()).second) continue;
        report.add(
            std::string(identity.array) + '.' + std::to_string(place) + '.' + std::string(identity.field),
            identity.code, std::string(identity.detail));
    }
}

}  // namespace data_import::payload
