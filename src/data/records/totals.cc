#include "data/records/totals.h"

#include <string_view>

namespace data_import::records {

namespace {

/// Returns a field's own name: `quantity` of `amounts.quantity`, `amount` of `amount`.
std::string_view own_name(std::string_view field) {
    return field.substr(field.find('.') + 1);
}

void add_value(Sums& sums, const Figure& figure, const json::Value& record) {
    const auto value = record.find(own_name(figure.field));
    if (!value) return;
    std::string name(figure.name);
    if (!figure.by.empty()) (name += ':') += record.at(own_name(figure.by)).text();
    sums[name].add(value->text());
}

// Most items have the same unit as the item before, so the sum is looked up only when the unit changes. In an
// item, the unit stands after the quantity.
void add_items(Sums& sums, const Figure& figure, const json::Value& items) {
    std::string_view last;
    util::DecimalSum* sum = nullptr;
    for (const json::Value item : items.items()) {
        json::MembersInTurn members(item);
        const std::string_view decimal = members.find(own_name(figure.field)).value().text();
        const std::string_view by = members.find(own_name(figure.by)).value().text();
        if (sum == nullptr || by != last) sum = &sums[(std::string(figure.name) += ':') += by];
        last = by;
        sum->add(decimal);
    }
}

}  // namespace

Sums figures_of(const Kind& kind, const json::Value& record) {
    Sums sums;
    for (const Figure& figure : kind.figures) {
        const std::size_t dot = figure.field.find('.');
        if (dot == std::string_view::npos) {
            add_value(sums, figure, record);
            continue;
        }
        const json::Value items = record.at(figure.field.substr(0, dot));
        figure.counts_items ? sums[std::string(figure.name)].add(std::to_string(items.size()))
                            : add_items(sums, figure, items);
    }
    return sums;
}

void add(KindTotals& totals, const KindTotals& more) {
    totals.records += more.records;
    for (const auto& [figure, sum] : more.sums) totals.sums[figure].add(sum.to_text());
    totals.fingerprint.add(more.fingerprint);
}

std::string amount_of(const KindTotals& totals, const Kind& kind) {
    util::DecimalSum amount;
    if (kind.amount.empty()) return amount.to_text();
    for (const auto& [figure, sum] : totals.sums) {
        if (figure.substr(0, figure.find(':')) == kind.amount) amount.add(sum.to_text());
    }
    return amount.to_text();
}

void write_sums(json::Writer& writer, const Sums& sums) {
    writer.begin_object();
    for (const auto& [figure, sum] : sums) writer.key(figure).string(sum.to_text());
    writer.end_object();
}

void write_kinds(json::Writer& writer, const AccountTotals& totals) {
    writer.begin_object();
    for (std::size_t place = 0; place < totals.kinds.size(); ++place) {
        const KindTotals& kind = totals.kinds[place];
        if (kind.records == 0) continue;
        writer.key(kinds()[place].name).begin_object().key("records").integer(kind.records);
        write_sums(writer.key("sums"), kind.sums);
        writer.key("fingerprint").string(kind.fingerprint.to_text()).end_object();
    }
    writer.end_object();
}

}  // namespace data_import::records
