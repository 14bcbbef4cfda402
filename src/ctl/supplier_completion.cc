#include "ctl/supplier_completion.h"

#include <algorithm>

#include "console/text_table.h"
#include "ctl/columns.h"
#include "proof/account_totals.h"
#include "records/figure_text.h"
#include "report/report.h"
#include "store/progress.h"
#include "util/datetime.h"
#include "util/joined.h"
#include "util/shell_command.h"

namespace data_import::ctl {

namespace {

/// Differences that one line names.
constexpr std::size_t most_named = 5;

std::vector<std::string> open_accounts(const store::ControlTotals& totals) {
    std::vector<std::string> open;
    for (std::size_t state = 0; state < store::account_states.size(); ++state) {
        const std::string_view name = store::account_states[state];
        if (name != "imported" && totals.accounts[state] != 0)
            open.push_back(std::to_string(totals.accounts[state]) + " " + in_words(name));
    }
    return open;
}

bool has_accepted_after(const report::Explanations& explanations, const std::string& as_of) {
    const auto end = util::parse_datetime(as_of);
    return std::ranges::any_of(explanations.accepted, [&](const store::AcceptedDifference& one) {
        return util::parse_datetime(one.acceptance.at) > end;
    });
}

/// Why the last signed report explains nothing now; empty if it does.
std::string fault_of(const std::optional<store::SignedReport>& report, bool has_changed,
                     const report::Explanations& explanations) {
    if (!report) return "no report tells so";
    const std::string signed_at =
        "the report that " + report->signed_by + " signed at " + minute_of(report->signed_at);
    if (has_changed) return signed_at + " has other figures";
    if (has_accepted_after(explanations, report->as_of))
        return signed_at + " does not tell of all accepted differences";
    return "";
}

/// In the snapshot of the totals: whether a signed report explains all differences of the present.
void judge_differences(Context& context, const std::string& code, Unfinished& unfinished) {
    database::Database& database = context.database();
    const auto [totals, explanations] =
        report::take_explanations(database, {.import_supplier = code, .deadline = Context::late()});
    if (!explanations.is_complete()) return;
    const auto report = store::find_last_signed_report(database, code, Context::soon());
    const auto overview =
        store::read_overview(database.execute(store::find_overview({code}), Context::soon()));
    const bool is_signed = !overview.empty() && overview.front().is_signed();
    unfinished.unsigned_because = fault_of(report, !is_signed, explanations);
    if (unfinished.unsigned_because.empty()) unfinished.explained_by = report;
}

}  // namespace

std::string differences_text(const store::ControlTotals& totals, std::size_t most) {
    std::vector<std::string> named;
    std::size_t all = 0;
    for (const store::ControlFigure& one : totals.figures) {
        if (!one.difference || ++all > most) continue;
        named.push_back((one.kind == one.figure ? one.kind : one.kind + " " + one.figure) + " " +
                        records::figure_text(one.figure, *one.declared) + " declared, " +
                        records::figure_text(one.figure, one.held.value_or("0")) + " stored");
    }
    if (all > named.size()) named.push_back(std::to_string(all - named.size()) + " more");
    return util::joined(named);
}

Unfinished find_unfinished(Context& context, const std::string& code) {
    Unfinished unfinished;
    proof::with_snapshot(context.database(), [&] {
        unfinished = {};
        unfinished.totals = store::read_control_totals(
            context.database().execute(store::find_control_totals(code), Context::soon()));
        if (unfinished.totals.has_differences()) judge_differences(context, code, unfinished);
    });
    unfinished.open = open_accounts(unfinished.totals);
    return unfinished;
}

void need_everything(const store::Supplier& supplier, const Unfinished& unfinished) {
    if (unfinished.is_finished()) return;
    std::string text = "import supplier " + supplier.code + " stays " + supplier.status + ", because ";
    if (!unfinished.open.empty())
        text += "its accounts are not all imported (" + util::joined(unfinished.open) + ")";
    if (!unfinished.totals.has_differences() || unfinished.explained_by)
        throw Failure(text + "; import what is missing, or repeat the command with --force");
    text += std::string(unfinished.open.empty() ? "" : ", and ") +
            "its stored totals differ from the declared ones (" +
            differences_text(unfinished.totals, most_named) + ")";
    if (unfinished.unsigned_because.empty())
        throw Failure(text + "; " + report::remedy(unfinished.totals.figures, supplier.code) +
                      ", or repeat the command with --force");
    throw Failure(text + "; accepted differences of accounts explain them, but " +
                  in_one_line(unfinished.unsigned_because) + ": sign a report (" + std::string(program_name) +
                  " " + util::shell_command("report", {supplier.code}, " --signed-by NAME") +
                  "), or repeat the command with --force");
}

std::string end_text(const Unfinished& unfinished) {
    std::vector<std::string> against = unfinished.open;
    const auto differing = std::ranges::count_if(unfinished.totals.figures,
                                                 [](const auto& one) { return one.difference.has_value(); });
    const auto& report = unfinished.explained_by;
    if (differing > 0)
        against.push_back(std::to_string(differing) + (differing == 1 ? " figure" : " figures") +
                          " not as declared" + (report ? ", explained" : ""));
    std::string text = against.empty() ? ""
                       : unfinished.is_finished()
                           ? ": " + util::joined(against) + " by the report that " + report->signed_by +
                                 " signed at " + minute_of(report->signed_at)
                           : " by force: " + util::joined(against);
    if (!unfinished.totals.is_declared()) text += ", without declared totals";
    return text;
}

}  // namespace data_import::ctl
