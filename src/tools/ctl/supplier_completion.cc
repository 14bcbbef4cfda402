#include "tools/ctl/supplier_completion.h"

#include <algorithm>

#include "base/util/datetime.h"
#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "base/util/text.h"
#include "data/proof/account_totals.h"
#include "data/records/figure_text.h"
#include "data/report/report.h"
#include "data/store/progress.h"
#include "tools/console/text_table.h"
#include "tools/ctl/booked.h"
#include "tools/ctl/columns.h"

namespace data_import::ctl {

namespace {

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

/// Returns the reason why the last signed report does not explain the present differences; empty if it does.
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

bool are_explained(const std::vector<store::Booking>& bookings) {
    return std::ranges::all_of(bookings, &store::Booking::is_explained);
}

/// Writes into `unfinished` whether a signed report explains all present differences. Has to be called in the
/// snapshot in which `unfinished.totals` was read.
void judge_differences(Context& context, const std::string& code, Unfinished& unfinished) {
    database::Database& database = context.database();
    const auto [totals, explanations] =
        report::take_explanations(database, {.import_supplier = code, .deadline = Context::late()});
    unfinished.is_declaration_explained = explanations.is_complete();
    if (unfinished.totals.has_differences() && !unfinished.is_declaration_explained) return;
    if (!are_explained(unfinished.bookings)) return;
    const auto report = store::find_last_signed_report(database, code, Context::soon());
    const auto overview =
        store::read_overview(database.execute(store::find_overview({code}), Context::soon()));
    const bool is_signed = !overview.empty() && overview.front().is_signed();
    unfinished.unsigned_because = fault_of(report, !is_signed, explanations);
    if (unfinished.unsigned_because.empty()) unfinished.explained_by = report;
}

/// Returns the consumers that have not taken all news, or whose `consumer add` has not run to its end. Stops
/// the delivery of news while it counts, so that no account is missed.
std::vector<store::Booking> find_untaken(Context& context, const std::string& code) {
    database::Database& database = context.database();
    std::vector<store::Booking> untaken;
    database.transaction(
        [&] {
            store::hold_deliveries(database, Context::soon());
            untaken = store::read_bookings(database.execute(store::find_bookings(code), Context::soon()));
        },
        Context::soon());
    std::erase_if(untaken, [](const store::Booking& one) { return one.is_ready && one.not_taken == 0; });
    return untaken;
}

std::string untaken_text(const store::Booking& one) {
    const std::string name = "consumer " + in_one_line(one.consumer);
    return one.is_ready ? name + " has not taken " + util::counted(one.not_taken, "account")
                        : name + " is not added to the end";
}

std::string chained(const std::vector<std::string>& texts, std::string_view separator) {
    std::string text;
    for (const std::string& one : texts) text.append(text.empty() ? "" : separator).append(one);
    return text;
}

/// The reasons why a supplier does not become Complete, and what to do.
struct Reasons {
    std::vector<std::string> why;
    std::vector<std::string> remedies;

    void add(std::string reason, std::string remedy) {
        why.push_back(std::move(reason));
        remedies.push_back(std::move(remedy));
    }
};

void add_open(Reasons& reasons, const Unfinished& unfinished) {
    if (unfinished.open.empty()) return;
    reasons.why.push_back("its accounts are not all imported (" + util::joined(unfinished.open) + ")");
    // if the totals differ and no signed report explains it, add_differences() adds the remedy
    if (!unfinished.totals.has_differences() || unfinished.explained_by)
        reasons.remedies.emplace_back("import what is missing");
}

void add_differences(Reasons& reasons, const store::Supplier& supplier, const Unfinished& unfinished) {
    if (unfinished.explained_by || !unfinished.totals.has_differences()) return;
    reasons.why.push_back("its stored totals differ from the declared ones (" +
                          differences_text(unfinished.totals, most_named) + ")");
    if (unfinished.is_declaration_explained)
        reasons.remedies.emplace_back("accepted differences of accounts explain them");
    else
        reasons.remedies.push_back(report::remedy(unfinished.totals.figures, supplier.code));
}

void add_bookings(Reasons& reasons, const store::Supplier& supplier, const Unfinished& unfinished) {
    if (unfinished.explained_by) return;
    for (const store::Booking& one : unfinished.bookings) {
        if (!one.has_differences()) continue;
        const std::string consumer = in_one_line(one.consumer);
        reasons.add("what " + consumer + " has booked differs from what is stored (" +
                        store::booked_differences_text(one, most_named) + ")",
                    one.is_explained() ? "the differences of " + consumer + " are accepted"
                                       : report::remedy(one, supplier.code));
    }
}

void add_untaken(Reasons& reasons, const Unfinished& unfinished) {
    for (const store::Booking& one : unfinished.untaken) {
        const auto advised = [&](const char* verb) {
            return std::string(program_name) + " " +
                   util::shell_command(std::string("consumer ") + verb, {one.consumer});
        };
        reasons.add(untaken_text(one), one.is_ready
                                           ? "run its program until it has taken everything (" +
                                                 std::string(program_name) + " consumer list tells), or " +
                                                 advised("remove") + " if nobody uses it"
                                           : "repeat " + advised("add") + " as it was begun");
    }
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

std::string totals_text(const store::ControlTotals& totals) {
    if (!totals.is_declared()) return "not declared";
    if (totals.has_differences()) return "different: " + differences_text(totals, 1);
    return util::lowered(totals.verdict_with_coverage());
}

bool Unfinished::has_differences() const {
    return totals.has_differences() || std::ranges::any_of(bookings, &store::Booking::has_differences);
}

Unfinished find_unfinished(Context& context, const std::string& code) {
    Unfinished unfinished;
    proof::with_snapshot(context.database(), [&] {
        unfinished = {};
        unfinished.totals = store::read_control_totals(
            context.database().execute(store::find_control_totals(code), Context::soon()));
        unfinished.bookings =
            store::read_bookings(context.database().execute(store::find_bookings(code), Context::soon()));
        if (unfinished.has_differences()) judge_differences(context, code, unfinished);
    });
    unfinished.open = open_accounts(unfinished.totals);
    if (!unfinished.bookings.empty()) unfinished.untaken = find_untaken(context, code);
    return unfinished;
}

void need_everything(const store::Supplier& supplier, const Unfinished& unfinished) {
    if (unfinished.is_finished()) return;
    Reasons reasons;
    add_open(reasons, unfinished);
    add_differences(reasons, supplier, unfinished);
    add_bookings(reasons, supplier, unfinished);
    if (!unfinished.unsigned_because.empty())
        reasons.remedies.back() += ", but " + in_one_line(unfinished.unsigned_because) + ": sign a report (" +
                                   std::string(program_name) + " " +
                                   util::shell_command("report", {supplier.code}, " --signed-by NAME") + ")";
    add_untaken(reasons, unfinished);
    throw Failure("import supplier " + supplier.code + " stays " + supplier.status + ", because " +
                  chained(reasons.why, ", and ") + "; " + chained(reasons.remedies, "; ") +
                  ", or repeat the command with --force");
}

std::string end_text(const Unfinished& unfinished) {
    std::vector<std::string> against = unfinished.open;
    const auto differing = std::ranges::count_if(unfinished.totals.figures,
                                                 [](const auto& one) { return one.difference.has_value(); });
    const auto& report = unfinished.explained_by;
    if (differing > 0)
        against.push_back(std::to_string(differing) + (differing == 1 ? " figure" : " figures") +
                          " not as declared" + (report ? ", explained" : ""));
    for (const store::Booking& one : unfinished.bookings) {
        if (one.has_differences())
            against.push_back("booked by " + one.consumer + ": " +
                              store::booked_differences_text(one, most_named) +
                              (report ? ", explained" : ""));
    }
    std::ranges::transform(unfinished.untaken, std::back_inserter(against), untaken_text);
    std::string text = against.empty() ? ""
                       : unfinished.is_finished()
                           ? ": " + util::joined(against) + " by the report that " + report->signed_by +
                                 " signed at " + minute_of(report->signed_at)
                           : " by force: " + util::joined(against);
    if (!unfinished.totals.is_declared()) text += ", without declared totals";
    for (const store::Booking& one : unfinished.bookings) {
        if (!one.is_declared()) text += ", without totals of consumer " + one.consumer;
    }
    return text;
}

}  // namespace data_import::ctl
