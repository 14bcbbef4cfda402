#include "data/proof/comparison.h"

#include <map>
#include <utility>

#include "data/proof/account_totals.h"
#include "data/proof/supplier_figures.h"
#include "data/records/kinds.h"
#include "data/store/access_events.h"
#include "data/store/sums.h"

namespace data_import::proof {

namespace {

bool differs(const store::KindFigures& declared, const store::KindFigures& held) {
    return declared.records != held.records ||
           (declared.amount && store::plain_decimal(*declared.amount) != *held.amount) ||
           (declared.fingerprint && *declared.fingerprint != *held.fingerprint) ||
           (declared.sums && !differing_sums(*declared.sums, *held.sums).empty());
}

/// Compares the rows of the supplier's file with the stored accounts, and calls `events.differs` for each
/// difference. `files` has the rows of the supplier's file, and the reasons for which differences are
/// accepted. `by` is the operator who gave the reasons.
///
/// Both lists are gone through together, because both are ordered by account number.
class Comparison {
public:
    Comparison(store::Reconciliation& files, const ComparisonEvents& events, const std::string& by)
        : files_(files), events_(events), by_(by) {}

    void take_account(const records::AccountTotals& account) {
        take_unknown_accounts(account.external_account_number);
        std::vector<store::KindFigures> declared(account.kinds.size());
        for (const auto* row = files_.peek();
             row != nullptr && row->external_account_number == account.external_account_number;
             row = files_.peek()) {
            declared[records::place_of(row->kind)] = row->figures;
            files_.pop();
        }
        for (std::size_t kind = 0; kind < declared.size(); ++kind)
            compare(account.external_account_number, kind, declared[kind],
                    held_of(account.kinds[kind], kind));
    }

    [[nodiscard]] std::int64_t accepted() const { return accepted_; }

    /// Compares with 0 the rows of the supplier's file that are left and have an account number less than
    /// `before`; without `before`, all rows that are left. The accounts of these rows do not exist here.
    void take_unknown_accounts(const std::optional<std::string>& before) {
        for (const auto* row = files_.peek();
             row != nullptr && (!before || row->external_account_number < *before); row = files_.peek()) {
            const std::size_t kind = records::place_of(row->kind);
            compare(row->external_account_number, kind, row->figures, held_of({}, kind));
            files_.pop();
        }
    }

private:
    static store::KindFigures held_of(const records::KindTotals& totals, std::size_t kind) {
        return figures_of(totals, records::kinds()[kind]);
    }

    void compare(const std::string& number, std::size_t kind, const store::KindFigures& declared,
                 const store::KindFigures& held) {
        if (!differs(declared, held)) return;
        const store::Difference difference{.external_account_number = number,
                                           .kind = std::string(records::kinds()[kind].name),
                                           .declared = declared,
                                           .held = held};
        if (files_.accept(difference, by_)) ++accepted_;
        events_.differs(difference, files_.find_acceptance(difference));
    }

    store::Reconciliation& files_;
    const ComparisonEvents& events_;
    const std::string& by_;
    std::int64_t accepted_ = 0;
};

}  // namespace

std::vector<DifferingSum> differing_sums(const store::Sums& declared, const store::Sums& held) {
    std::map<std::string, DifferingSum> sums;
    for (const auto& [figure, sum] : declared) sums[figure] = {figure, sum, "0"};
    for (const auto& [figure, sum] : held) {
        sums.try_emplace(figure, DifferingSum{figure, "0", "0"}).first->second.held = sum;
    }
    std::vector<DifferingSum> differing;
    for (auto& [figure, sum] : sums) {
        if (sum.declared != sum.held) differing.push_back(std::move(sum));
    }
    return differing;
}

Compared compare_accounts(database::Database& database, const std::string& import_supplier,
                          store::Reconciliation& files, const std::string& by, const ComparisonEvents& events,
                          database::Deadline deadline) {
    Compared compared;
    Comparison comparison(files, events, by);
    SupplierFigures figures;
    static_cast<void>(stream_account_totals(database,
                                            {.import_supplier = import_supplier, .deadline = deadline},
                                            [&](const records::AccountTotals& account) {
                                                ++compared.accounts;
                                                comparison.take_account(account);
                                                figures.add(account);
                                                events.account_done();
                                            }));
    comparison.take_unknown_accounts(std::nullopt);
    compared.accepted = comparison.accepted();
    compared.wrong_totals = figures.differences(store::read_control_totals(database.execute(
        store::find_control_totals(import_supplier, store::all_undeclared_figures), deadline)));
    return compared;
}

std::optional<std::int64_t> record_accepted(database::Database& database, const std::string& import_supplier,
                                            std::int64_t accepted, const store::Operator& by,
                                            database::Deadline deadline) {
    if (accepted == 0) return std::nullopt;
    return store::record_action(
        database,
        {.action = "differences_accepted",
         .import_supplier = import_supplier,
         .details = std::to_string(accepted) + (accepted == 1 ? " difference" : " differences")},
        by, deadline);
}

}  // namespace data_import::proof
