#include "data/proof/record_totals.h"

#include <stdexcept>

#include "base/util/decimal_sum.h"

namespace data_import::proof {

using database::BinaryValue;

namespace {

std::string name_of(const records::Figure& figure, const BinaryValue& by) {
    std::string name(figure.name);
    if (!figure.by.empty()) (name += ':') += by.value_or("");
    return name;
}

// Leaves out NaN and numbers that are too large for a sum. No import stores such numbers, but an
// administrator can. The fingerprint includes them.
void add_number(util::DecimalSum& sum, std::string_view value, bool is_integer) {
    std::string text;
    is_integer ? static_cast<void>(text = std::to_string(database::binary_integer(value)))
               : database::append_numeric(text, value);
    if (text.find_first_not_of("-.0123456789") != std::string::npos) return;
    try {
        sum.add(text);
    } catch (const std::overflow_error&) {
    }
}

}  // namespace

RecordTotals::RecordTotals(const records::Kind& kind) : kind_(kind), record_(kind.record) {
    for (const records::Figure& figure : kind.figures) {
        const std::size_t field = record_.place_of(figure.field);
        figures_.push_back({.figure = &figure,
                            .field = field,
                            .by = figure.by.empty() ? field : record_.place_of(figure.by),
                            .is_of_items = figure.field.find('.') != std::string_view::npos,
                            .is_integer = record_.columns()[field].is_integer});
    }
}

void RecordTotals::add(records::KindTotals& totals, std::string_view external_account_number,
                       const std::vector<BinaryValue>& row, std::string& text) const {
    text = records::digest_head(kind_.name, external_account_number);
    record_.append_canonical(text, row);
    totals.fingerprint.add(text);
    add_figures(totals, row);
}

void RecordTotals::add_figures(records::KindTotals& totals, const std::vector<BinaryValue>& row) const {
    ++totals.records;
    for (const FigureColumns& places : figures_)
        places.is_of_items ? add_items(totals, places, row) : add_value(totals, places, row);
}

void RecordTotals::add_value(records::KindTotals& totals, const FigureColumns& places,
                             const std::vector<BinaryValue>& row) {
    const BinaryValue& value = row[places.field];
    if (value) add_number(totals.sums[name_of(*places.figure, row[places.by])], *value, places.is_integer);
}

// Most items have the same unit as the one before, so the sum is looked up only when the unit changes.
void RecordTotals::add_items(records::KindTotals& totals, const FigureColumns& places,
                             const std::vector<BinaryValue>& row) {
    if (!row[places.field] || !row[places.by]) return;
    database::BinaryArray values(*row[places.field]);
    if (places.figure->counts_items)
        return totals.sums[name_of(*places.figure, {})].add(std::to_string(values.size()));
    database::BinaryArray by(*row[places.by]);
    BinaryValue last;
    util::DecimalSum* sum = nullptr;
    while (values.size() > 0) {
        const BinaryValue value = values.next();
        const BinaryValue name = by.next_or_only();
        if (sum == nullptr || name != last) sum = &totals.sums[name_of(*places.figure, name)];
        last = name;
        if (value) add_number(*sum, *value, places.is_integer);
    }
}

const std::vector<RecordTotals>& record_totals() {
    static const std::vector<RecordTotals> all = [] {
        std::vector<RecordTotals> made;
        for (const records::Kind& kind : records::kinds()) made.emplace_back(kind);
        return made;
    }();
    return all;
}

}  // namespace data_import::proof
