#include "data/proof/supplier_figures.h"

#include "data/records/figure_text.h"
#include "data/records/kinds.h"

namespace data_import::proof {

void SupplierFigures::add(const records::AccountTotals& account) {
    ++accounts_;
    figures_[{std::string(store::accounts_figure), std::string(store::accounts_figure)}].add("1");
    for (std::size_t place = 0; place < account.kinds.size(); ++place) {
        const records::KindTotals& totals = account.kinds[place];
        if (totals.records == 0) continue;
        const std::string kind(records::kinds()[place].name);
        records_ += totals.records;
        figures_[{kind, std::string(store::records_figure)}].add(std::to_string(totals.records));
        for (const auto& [figure, sum] : totals.sums) figures_[{kind, figure}].add(sum.to_text());
    }
}

std::vector<store::ControlFigure> SupplierFigures::differences(const store::ControlTotals& totals) const {
    auto counted = figures_;
    std::vector<store::ControlFigure> differences;
    const auto compare = [&](const std::string& kind, const std::string& figure, const std::string& held,
                             const std::string& of_records) {
        if (held == of_records) return;
        util::DecimalSum difference;
        difference.add(held);
        difference.add(of_records.front() == '-' ? of_records.substr(1) : '-' + of_records);
        differences.push_back({kind, figure, held, of_records, difference.to_text()});
    };
    for (const store::ControlFigure& one : totals.figures) {
        const auto found = counted.find({one.kind, one.figure});
        compare(one.kind, one.figure, one.held.value_or("0"),
                found == counted.end() ? "0" : found->second.to_text());
        if (found != counted.end()) counted.erase(found);
    }
    for (const auto& [name, sum] : counted) compare(name.first, name.second, "0", sum.to_text());
    return differences;
}

std::string describe_wrong_total(const store::ControlFigure& figure) {
    return (figure.kind == figure.figure ? figure.kind : figure.kind + " " + figure.figure) + " " +
           records::figure_text(figure.figure, figure.declared.value_or("0")) + " in the records, " +
           records::figure_text(figure.figure, figure.held.value_or("0")) + " in the totals";
}

}  // namespace data_import::proof
