#include "report/explanations.h"

#include <algorithm>
#include <map>
#include <set>

#include "records/kinds.h"
#include "util/decimal_sum.h"

namespace data_import::report {

namespace {

std::string negated(const std::string& decimal) {
    if (decimal == "0") return decimal;
    return decimal.front() == '-' ? decimal.substr(1) : '-' + decimal;
}

/// What accepted differences of a kind come to.
struct Accepted {
    std::int64_t records = 0;
    util::DecimalSum amount;
    bool tells_amounts = true;
};

bool is_amount(std::string_view kind, std::string_view figure) {
    const std::string_view amount = records::kind_of(kind).amount;
    return !amount.empty() && figure.substr(0, figure.find(':')) == amount;
}

class Explainer {
public:
    Explainer(Explanations& explanations, const FindHolding& find_holding)
        : explanations_(explanations), find_holding_(find_holding) {}

    /// All that were accepted for one account and kind, the newest first.
    void take(std::span<const store::AcceptedDifference> accepted) {
        const store::Difference& newest = accepted.front().difference;
        const Holding now = find_holding_(newest.external_account_number, newest.kind);
        const auto holds = [&](const store::AcceptedDifference& one) {
            const store::KindFigures& then = one.difference.held;
            return then.records == now.figures.records && then.amount == now.figures.amount &&
                   then.fingerprint == now.figures.fingerprint;
        };
        const auto found = std::ranges::find_if(accepted, holds);
        if (found == accepted.end()) return static_cast<void>(++explanations_.lapsed);
        add(found->difference);
        if (!now.is_known) unknown_accounts_.insert(newest.external_account_number);
        explanations_.accepted.push_back(*found);
    }

    void judge() {
        for (DifferingFigure& one : explanations_.figures) judge_by_itself(one);
        for (DifferingFigure& one : explanations_.figures) judge_amount(one);
        for (DifferingFigure& one : explanations_.figures) judge_other_count(one);
    }

private:
    void add(const store::Difference& difference) {
        Accepted& kind = by_kind_[difference.kind];
        kind.records += difference.held.records - difference.declared.records;
        if (!difference.declared.amount) return static_cast<void>(kind.tells_amounts = false);
        kind.amount.add(difference.held.amount.value_or("0"));
        kind.amount.add(negated(*difference.declared.amount));
    }

    void judge_by_itself(DifferingFigure& one) {
        const store::ControlFigure& figure = one.figure;
        if (figure.kind == store::accounts_figure)
            one.accepted = negated(std::to_string(unknown_accounts_.size()));
        else if (figure.figure == store::records_figure && by_kind_.contains(figure.kind))
            one.accepted = std::to_string(by_kind_[figure.kind].records);
        one.is_explained = one.accepted == figure.difference;
    }

    void judge_amount(DifferingFigure& one) {
        if (one.figure.kind == store::accounts_figure || !is_amount(one.figure.kind, one.figure.figure))
            return;
        const auto kind = by_kind_.find(one.figure.kind);
        if (kind == by_kind_.end() || !kind->second.tells_amounts) return;
        one.accepted = kind->second.amount.to_text();
        one.is_explained =
            !has_opposite_amounts(one.figure.kind) && one.accepted == amount_difference(one.figure.kind);
    }

    void judge_other_count(DifferingFigure& one) {
        const store::ControlFigure& figure = one.figure;
        if (figure.kind == store::accounts_figure || figure.figure == store::records_figure ||
            is_amount(figure.kind, figure.figure) || !by_kind_.contains(figure.kind))
            return;
        bool tells_records = false;
        bool all_explained = true;
        for (const DifferingFigure& other : explanations_.figures) {
            if (other.figure.kind != figure.kind) continue;
            tells_records = tells_records || other.figure.figure == store::records_figure;
            if (other.accepted) all_explained = all_explained && other.is_explained;
        }
        one.is_explained = tells_records && all_explained;
    }

    /// What is accepted is known of all amounts of a kind together: one that is too high and another one that
    /// is too low could hide each other.
    [[nodiscard]] bool has_opposite_amounts(const std::string& kind) const {
        bool has_less = false;
        bool has_more = false;
        for (const DifferingFigure& one : explanations_.figures) {
            if (one.figure.kind != kind || !is_amount(kind, one.figure.figure)) continue;
            (one.figure.difference->starts_with('-') ? has_less : has_more) = true;
        }
        return has_less && has_more;
    }

    /// Of all amounts of the kind together.
    [[nodiscard]] std::string amount_difference(const std::string& kind) const {
        util::DecimalSum sum;
        for (const DifferingFigure& one : explanations_.figures) {
            if (one.figure.kind == kind && is_amount(kind, one.figure.figure))
                sum.add(*one.figure.difference);
        }
        return sum.to_text();
    }

    Explanations& explanations_;
    const FindHolding& find_holding_;
    std::map<std::string, Accepted, std::less<>> by_kind_;
    std::set<std::string> unknown_accounts_;
};

}  // namespace

bool Explanations::is_complete() const {
    return std::ranges::all_of(figures, &DifferingFigure::is_explained);
}

Explanations explain(const store::ControlTotals& totals,
                     const std::vector<store::AcceptedDifference>& accepted,
                     const FindHolding& find_holding) {
    Explanations explanations;
    for (const store::ControlFigure& figure : totals.figures) {
        if (figure.difference) explanations.figures.push_back({.figure = figure});
    }
    Explainer explainer(explanations, find_holding);
    const auto is_same = [](const store::AcceptedDifference& one, const store::AcceptedDifference& other) {
        return one.difference.external_account_number == other.difference.external_account_number &&
               one.difference.kind == other.difference.kind;
    };
    for (auto first = accepted.begin(); first != accepted.end();) {
        const auto last = std::find_if_not(first, accepted.end(),
                                           [&](const auto& other) { return is_same(*first, other); });
        explainer.take({first, last});
        first = last;
    }
    explainer.judge();
    return explanations;
}

}  // namespace data_import::report
