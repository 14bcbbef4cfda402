#include "data/report/explanations.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/util/decimal_sum.h"
#include "data/records/kinds.h"

namespace data_import::report {

namespace {

/// A sum of decimals. It becomes unknown if it gets more digits than a DecimalSum holds.
class Sum {
public:
    void add(const std::string& decimal) {
        try {
            if (is_known_) sum_.add(decimal);
        } catch (const std::overflow_error&) {
            is_known_ = false;
        }
    }
    void subtract(const std::string& decimal) {
        add(decimal.starts_with('-') ? decimal.substr(1) : '-' + decimal);
    }
    [[nodiscard]] std::optional<std::string> to_text() const {
        return is_known_ ? std::optional(sum_.to_text()) : std::nullopt;
    }

private:
    util::DecimalSum sum_;
    bool is_known_ = true;
};

/// The accepted differences of one kind, added up.
struct Accepted {
    Sum records;
    /// Sums of the differences by figure, over the accounts for which the supplier has declared sums.
    std::map<std::string, Sum, std::less<>> sums = {};
    /// Sum of the differences of amounts, over the accounts for which the supplier has declared an amount
    /// (one value for all types or units), but no sums.
    Sum amount = {};
    /// Whether the supplier has declared sums (sums_of()) for each difference that was added.
    bool tells_sums = true;
    /// Whether the supplier has declared sums (sums_of()) or an amount for each difference that was added.
    bool tells_amounts = true;
};

bool is_amount(std::string_view kind, std::string_view figure) {
    const std::string_view amount = records::kind_of(kind).amount;
    return !amount.empty() && figure.substr(0, figure.find(':')) == amount;
}

/// Returns the declared sums. They are empty if the account is declared to have no records. Returns nothing
/// if no sums are declared.
std::optional<store::Sums> sums_of(const store::KindFigures& declared) {
    if (declared.sums) return declared.sums;
    if (declared.records == 0 && declared.amount.value_or("0") == "0") return store::Sums();
    return std::nullopt;
}

class Explainer {
public:
    Explainer(const store::ControlTotals& totals, const FindRecords& find_records)
        : totals_(totals), find_records_(find_records) {}

    /// Takes all accepted differences of one account and kind, the newest first. Counts only the newest
    /// one that was accepted with the same records as the account has now.
    void take(std::span<const store::AcceptedDifference> accepted) {
        const store::Difference& newest = accepted.front().difference;
        const AccountRecords now = find_records_(newest.external_account_number, newest.kind);
        const auto holds = [&](const store::AcceptedDifference& one) {
            const store::KindFigures& then = one.difference.held;
            return then.records == now.figures.records && then.amount == now.figures.amount &&
                   then.fingerprint == now.figures.fingerprint;
        };
        const auto found = std::ranges::find_if(accepted, holds);
        if (found == accepted.end()) return static_cast<void>(++explanations_.lapsed);
        explanations_.accepted.push_back(*found);
        store::Difference& difference = explanations_.accepted.back().difference;
        difference.held.sums = now.figures.sums;
        add(difference);
        if (!now.is_known) unknown_accounts_.insert(newest.external_account_number);
    }

    /// Returns the result. Lists each declared figure that judge() does not find explained, and each
    /// explained figure whose stored value differs from the declared one.
    [[nodiscard]] Explanations finish() {
        for (const store::ControlFigure& figure : totals_.figures) {
            if (!figure.declared) continue;
            DifferingFigure one{.figure = figure};
            judge(one);
            if (figure.difference || !one.is_explained) explanations_.figures.push_back(std::move(one));
        }
        return std::move(explanations_);
    }

private:
    void add(const store::Difference& difference) {
        const auto& [number, kind, declared, held] = difference;
        Accepted& accepted = by_kind_[kind];
        accepted.records.add(std::to_string(held.records));
        accepted.records.subtract(std::to_string(declared.records));
        if (const auto sums = sums_of(declared)) {
            for (const auto& [figure, sum] : held.sums.value_or(store::Sums()))
                accepted.sums[figure].add(sum);
            for (const auto& [figure, sum] : *sums) accepted.sums[figure].subtract(sum);
            return;
        }
        accepted.tells_sums = false;
        if (!declared.amount) return static_cast<void>(accepted.tells_amounts = false);
        accepted.amount.add(held.amount.value_or("0"));
        accepted.amount.subtract(*declared.amount);
    }

    void judge(DifferingFigure& one) {
        const store::ControlFigure& figure = one.figure;
        const std::string difference = figure.difference.value_or("0");
        if (figure.kind == store::accounts_figure) {
            one.accepted = std::to_string(-static_cast<std::int64_t>(unknown_accounts_.size()));
            one.is_explained = one.accepted == difference;
            return;
        }
        const auto kind = by_kind_.find(figure.kind);
        if (kind == by_kind_.end()) return static_cast<void>(one.is_explained = !figure.difference);
        const Accepted& accepted = kind->second;
        if (figure.figure == store::records_figure) {
            one.accepted = accepted.records.to_text();
        } else if (accepted.tells_sums) {
            one.accepted = sum_of(accepted, figure.figure).to_text();
        } else if (is_amount(figure.kind, figure.figure) && accepted.tells_amounts) {
            return judge_amounts_together(one, accepted);
        }
        one.is_explained = one.accepted == difference;
    }

    static Sum sum_of(const Accepted& accepted, const std::string& figure) {
        const auto found = accepted.sums.find(figure);
        return found == accepted.sums.end() ? Sum() : found->second;
    }

    void judge_amounts_together(DifferingFigure& one, const Accepted& accepted) {
        const std::string& kind = one.figure.kind;
        const auto judged = amounts_together_.find(kind);
        const bool is_explained =
            judged == amounts_together_.end() ? do_amounts_add_up(kind, accepted) : judged->second;
        amounts_together_[kind] = is_explained;
        one.accepted = accepted_amount(kind, accepted);
        one.is_explained = is_explained;
    }

    /// Returns whether the accepted differences explain all amounts of a kind together. They do not if one
    /// amount is too high and another one too low, because the two could cancel out, or if an amount is not
    /// declared, because nobody knows its difference.
    [[nodiscard]] bool do_amounts_add_up(const std::string& kind, const Accepted& accepted) const {
        Sum all;
        bool has_less = false;
        bool has_more = false;
        for (const store::ControlFigure& one : totals_.figures) {
            if (one.kind != kind || !is_amount(kind, one.figure)) continue;
            if (!one.declared) return false;
            const std::string difference = one.difference.value_or("0");
            all.add(difference);
            Sum left;
            left.add(difference);
            if (const auto told = sum_of(accepted, one.figure).to_text()) left.subtract(*told);
            const std::string text = left.to_text().value_or("0");
            if (text != "0") (text.starts_with('-') ? has_less : has_more) = true;
        }
        const auto amount = accepted_amount(kind, accepted);
        const auto is_kind = [&](const auto& name_and_count) { return name_and_count.first == kind; };
        return amount && amount == all.to_text() && !(has_less && has_more) &&
               std::ranges::none_of(totals_.left_out, is_kind);
    }

    static std::optional<std::string> accepted_amount(const std::string& kind, const Accepted& accepted) {
        Sum sum = accepted.amount;
        for (const auto& [figure, told] : accepted.sums) {
            if (!is_amount(kind, figure)) continue;
            const auto text = told.to_text();
            if (!text) return std::nullopt;
            sum.add(*text);
        }
        return sum.to_text();
    }

    const store::ControlTotals& totals_;
    const FindRecords& find_records_;
    Explanations explanations_;
    std::map<std::string, Accepted, std::less<>> by_kind_;
    std::set<std::string> unknown_accounts_;
    std::map<std::string, bool> amounts_together_;  ///< results of do_amounts_add_up(), by kind
};

}  // namespace

bool Explanations::is_complete() const {
    return std::ranges::all_of(figures, &DifferingFigure::is_explained);
}

const DifferingFigure* Judgements::find(const store::ControlFigure& figure) {
    if (next_ == end_ || next_->figure.kind != figure.kind || next_->figure.figure != figure.figure)
        return nullptr;
    return &*next_++;
}

Explanations explain(const store::ControlTotals& totals,
                     const std::vector<store::AcceptedDifference>& accepted,
                     const FindRecords& find_records) {
    Explainer explainer(totals, find_records);
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
    return explainer.finish();
}

}  // namespace data_import::report
