// Writes a report as HTML, in one document that needs no other file.
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include "base/texts/texts.h"
#include "base/util/joined.h"
#include "base/util/shell_command.h"
#include "base/util/version.h"
#include "data/records/figure_text.h"
#include "data/records/kinds.h"
#include "data/report/booked.h"
#include "data/report/curve.h"
#include "data/report/markup.h"
#include "data/report/report.h"

namespace data_import::report {

namespace {

using records::figure_text;

/// Style that only drafts have: each page says at its top that it is a draft.
constexpr const char* draft_style = R"(
@page { @top-center { content: 'DRAFT – not signed'; font: bold 9pt sans-serif; color: #a3211a; } }
)";

std::string code(std::string_view text) {
    return "<code>" + escaped(text) + "</code>";
}

/// Returns an account number as HTML that is not broken between lines, unless the number is very long.
std::string account_number(std::string_view number) {
    const std::string text = breakable(number);
    return text.starts_with("<span") ? text : "<span class=\"whole\">" + text + "</span>";
}

std::string fact(std::string_view name, const std::string& html) {
    return "<dt>" + std::string(name) + "</dt><dd>" + html + "</dd>\n";
}

std::string percentage(std::int64_t tenths) {
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

constexpr std::int64_t whole_percentage = 1000;  // 100 %, in tenths of a percent

std::string percentage_text(std::int64_t part, std::int64_t tenths, std::int64_t whole) {
    if (part > 0 && tenths == 0) return "&lt; 0.1 %";
    return percentage(part < whole ? std::min(tenths, whole_percentage - 1) : whole_percentage);
}

/// Returns a text for each part: its percentage of the sum of all parts, such as `12.3 %`; `none` for each
/// part if the sum is 0. A part above 0 but below 0.1 % is written `< 0.1 %`, and a part that is not the
/// whole gets at most 99.9 %.
///
/// The first percentage is rounded to the nearest tenth. The others are rounded up or down, so that all
/// percentages of at least 0.1 % add up to the rounded percentage of their parts together. The page of
/// migrations rounds in the same way (shares() in nginx/migration/src/format.ts).
std::vector<std::string> percentages(const std::vector<std::int64_t>& parts) {
    const std::int64_t whole = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
    if (whole == 0) return std::vector<std::string>(parts.size(), none);
    const auto rounded = [whole](std::int64_t part) {
        return (part * whole_percentage * 2 + whole) / (whole * 2);
    };
    std::vector<std::int64_t> tenths;
    std::vector<std::size_t> others;
    std::int64_t together = 0;
    std::int64_t told = 0;
    for (std::size_t place = 0; place < parts.size(); ++place) {
        tenths.push_back(parts[place] * whole_percentage / whole);
        if (tenths.back() == 0) continue;
        if (place == 0) {
            tenths.back() = rounded(parts[place]);
        } else {
            others.push_back(place);
        }
        together += parts[place];
        told += tenths.back();
    }
    std::ranges::stable_sort(others, std::ranges::greater{},
                             [&](std::size_t place) { return parts[place] * whole_percentage % whole; });
    std::int64_t left = rounded(together) - told;
    for (const std::size_t place : others) tenths[place] += left-- > 0 ? 1 : 0;
    std::vector<std::string> texts;
    for (std::size_t place = 0; place < parts.size(); ++place)
        texts.push_back(percentage_text(parts[place], tenths[place], whole));
    return texts;
}

std::string verdict_of(const Report& report) {
    if (!report.totals.is_declared()) return "UNDECLARED: the supplier has not declared its totals";
    if (!report.totals.has_differences())
        return report.totals.verdict_with_coverage() +
               (report.explanations.is_complete()
                    ? ": the stored totals are those that the supplier has declared"
                    : ", but accepted differences of accounts hide other differences that are not explained");
    return report.totals.verdict_with_coverage() + (report.explanations.is_complete()
                                                        ? ": all differences are explained"
                                                        : ": not all differences are explained");
}

std::string made_by(const Report& report) {
    if (!report.by) return "the page of operators";
    return escaped(report.by->system_user) + " on " + escaped(report.by->host);
}

std::string head_of(const Report& report) {
    const std::string title = "Migration of " + escaped(report.supplier.name);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\" translate=\"no\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"google\" content=\"notranslate\">\n"
        "<meta name=\"generator\" content=\"data-import\">\n<meta name=\"report\" content=\"" +
        std::string(id_mark) + report.id +
        "\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>" +
        (report.is_draft ? "Draft: " : "") + title + " (" + escaped(report.supplier.code) +
        ")</title>\n<style>\n" + std::string(texts::report_style) + (report.is_draft ? draft_style : "") +
        "</style>\n</head>\n<body>\n";
    if (report.is_draft)
        html +=
            "<p class=\"stamp\" aria-hidden=\"true\">DRAFT<br>not signed</p>\n"
            "<p class=\"draft\">Draft – not signed, not binding.</p>\n";
    return html + "<h1>" + title + "</h1>\n";
}

/// Returns whether the supplier can still import, in words.
std::string imports_of(const std::string& status) {
    if (status == "Ongoing") return "open when this report was made";
    return status == "Paused" ? "paused" : "closed: the migration is complete";
}

std::string summary(const Report& report) {
    const bool is_good = report.totals.is_declared() && report.explanations.is_complete();
    std::string html = "<p class=\"verdict " + std::string(is_good ? "good" : "bad") + "\">" +
                       verdict_of(report) + "</p>\n" + booked_verdicts(report) + "<dl>\n";
    html += fact("Import supplier", code(report.supplier.code));
    html += fact("Imports", imports_of(report.supplier.status));
    html += fact("As of", time_of(report.totals.as_of));
    if (report.signer)
        html += fact(report.is_draft ? "To be signed by" : "Signed by", escaped(*report.signer));
    html += fact("Made by", made_by(report));
    html +=
        fact("Last import", report.progress.last_import_at ? time_of(*report.progress.last_import_at) : none);
    html += fact("Versions", "data-import " + escaped(util::version) + ", schema " +
                                 std::to_string(report.schema_version));
    html += fact("Report", code(report.id));
    return html + "</dl>\n";
}

std::string accounts(const Report& report) {
    const std::int64_t all = report.progress.all_accounts();
    const std::vector<std::int64_t> counts(report.progress.accounts.rbegin(),
                                           report.progress.accounts.rend());
    const std::vector<std::string> parts = percentages(counts);
    Table table({{"state"}, {"accounts", true}, {"share", true}});
    for (std::size_t place = 0; place < counts.size(); ++place)
        table.add({in_words(store::account_states[counts.size() - 1 - place]), grouped(counts[place]),
                   parts[place]});
    table.add({"<b>all</b>", "<b>" + grouped(all) + "</b>", all == 0 ? none : percentage(whole_percentage)});
    return "<h2>Accounts</h2>\n" + table.take();
}

std::string throughput(const Report& report) {
    std::vector<std::string_view> kinds;
    for (const records::Kind& kind : records::kinds()) kinds.push_back(kind.name);
    const std::string records = draw_curve(report.throughput, kinds, "Records stored");
    const std::string accounts = draw_curve(report.throughput, {"accounts"}, "Accounts imported");
    if (records.empty() && accounts.empty())
        return "<h2>Throughput</h2>\n<p class=\"dim\">Nothing was imported.</p>\n";
    return "<h2>Throughput</h2>\n" + records + accounts +
           "<p class=\"dim\">Everything that was imported, including notes that the service pinned itself "
           "and records that were removed later.</p>\n";
}

/// Returns a remark on how many records the service made itself; empty if there are none. Control totals
/// leave them out, other figures of the report count them.
std::string by_service(const Report& report, const store::ControlFigure& figure) {
    if (figure.figure != store::records_figure) return "";
    const std::int64_t own = store::records_by_service(report.progress, report.totals, figure.kind);
    return own == 0 ? "" : "<br><small>plus " + grouped(own) + " that the service itself made</small>";
}

std::string verdict_on(const DifferingFigure& differing) {
    if (differing.is_explained) return "yes";
    std::string text = "<b class=\"bad\">no</b>";
    if (differing.accepted)
        text +=
            " <small>(accepted: " + figure_text(differing.figure.figure, *differing.accepted) + ")</small>";
    return text;
}

std::string totals(const Report& report) {
    Table table(
        {{"kind"}, {"figure"}, {"declared", true}, {"stored", true}, {"difference", true}, {"explained"}});
    Judgements judgements(report.explanations.figures);
    for (const store::ControlFigure& one : report.totals.figures) {
        const DifferingFigure* differing = judgements.find(one);
        table.add({escaped(in_words(one.kind)), figure_name(one.figure), number(one.figure, one.declared),
                   figure_text(one.figure, one.held.value_or("0")) + by_service(report, one),
                   difference_cell(one.figure, one.declared.has_value(), one.difference),
                   differing == nullptr ? "" : verdict_on(*differing)},
                  differing != nullptr && !differing->is_explained ? "open" : "");
    }
    std::string html = "<h2>Control totals</h2>\n" + table.take() +
                       "<p class=\"dim\">The difference is the stored total minus the declared total.</p>\n";
    for (const auto& [kind, count] : report.totals.left_out)
        html += "<p class=\"dim\">" + grouped(count) + " further figures of " + escaped(in_words(kind)) +
                ", which are not declared, are not listed.</p>\n";
    return html;
}

/// Returns a command of data-importctl about the report's supplier, for people to paste into a shell.
std::string command(std::string_view name, const Report& report, std::string_view options) {
    return "data-importctl " + util::shell_command(name, {report.supplier.code}, options);
}

/// Returns a sentence on entries that a list does not show: how many they are, and the command `how` that
/// lists them. Empty if the list shows all.
std::string rest(std::int64_t all, std::size_t listed, const std::string& how) {
    const std::int64_t more = all - static_cast<std::int64_t>(listed);
    if (more <= 0) return "";
    return "<p class=\"dim\">" + grouped(more) + " more are not listed: " + code(how) + "</p>\n";
}

std::string both(const std::string& declared, const std::string& held) {
    return declared == held ? declared : declared + " → " + held;
}

std::string explanations(const Report& report) {
    const std::vector<store::AcceptedDifference>& accepted = report.explanations.accepted;
    if (accepted.empty() && report.explanations.lapsed == 0) return "";
    std::string html = "<h2>Accepted differences of accounts</h2>\n";
    Table table({{"account"}, {"kind"}, {"records", true}, {"amount", true}, {"why, by whom and when"}});
    const std::size_t listed = std::min(accepted.size(), most_listed);
    for (std::size_t place = 0; place < listed; ++place) {
        const auto& [difference, acceptance] = accepted[place];
        const auto& [number_of_account, kind, declared, held] = difference;
        const std::string_view amount = records::kind_of(kind).amount;
        table.add({account_number(number_of_account), escaped(in_words(kind)),
                   both(grouped(declared.records), grouped(held.records)),
                   declared.amount ? both(figure_text(amount, *declared.amount), number(amount, held.amount))
                                   : none,
                   breakable(acceptance.reason) + "<br><small>" + escaped(acceptance.by) + ", " +
                       time_of(acceptance.at) + "</small>"});
    }
    if (!accepted.empty()) html += table.take();
    if (static_cast<std::size_t>(accepted.size()) > listed)
        html += "<p class=\"dim\">" + grouped(static_cast<std::int64_t>(accepted.size() - listed)) +
                " more are not listed.</p>\n";
    html += "<p class=\"dim\">Declared → stored.";
    if (report.explanations.lapsed > 0)
        html += " " + grouped(report.explanations.lapsed) +
                " more were accepted but no longer hold, because the account has changed since.";
    return html + "</p>\n";
}

std::string differences(std::int64_t count, const std::string& which) {
    return grouped(count) + (count == 1 ? " difference" : " differences") + which;
}

/// Says whether somebody has compared the accounts with a file of the supplier, one by one.
std::string comparison(const Report& report) {
    const auto& known = report.comparison;
    if (!known)
        return "<h2>Comparison of accounts</h2>\n<p>The accounts were not compared one by one with a file of "
               "the supplier (" +
               code("data-importctl reconcile") + ").</p>\n";
    std::string html = "<h2>Comparison of accounts</h2>\n<p>" + escaped(known->by) + " compared " +
                       grouped(known->accounts) + (known->accounts == 1 ? " account" : " accounts") +
                       " one by one with a file of the supplier, " + time_of(known->at) + ": " +
                       differences(known->open, " that " + std::string(known->open == 1 ? "was" : "were") +
                                                    " not accepted") +
                       ", " + differences(known->accepted, " accepted") + ".";
    if (known->has_changed_since) html += " <b>The figures have changed since.</b>";
    return html + "</p>\n";
}

std::string open_accounts(const Report& report, const char* title, std::string_view state,
                          const std::vector<store::OpenAccount>& accounts) {
    if (accounts.empty()) return "";
    const bool has_reasons = state == "failed";
    Table table(has_reasons ? std::vector<Heading>{{"account"}, {"since"}, {"reason"}}
                            : std::vector<Heading>{{"account"}, {"since"}});
    for (const store::OpenAccount& account : accounts) {
        std::vector<std::string> cells = {account_number(account.external_account_number),
                                          time_of(account.since)};
        if (has_reasons) cells.push_back(account.reason ? breakable(*account.reason) : none);
        table.add(cells);
    }
    return "<h3>" + std::string(title) + "</h3>\n" + table.take() +
           rest(report.count_of(state), accounts.size(),
                command("account list", report, " --state " + std::string(state)));
}

std::string accounts_without(const Report& report, const AccountsWithout& without) {
    if (without.first.empty()) return "";
    return "<h3>Imported without " + in_words(without.kind) + "</h3>\n<p>" +
           util::joined(without.first, account_number) + "</p>\n" +
           rest(without.count, without.first.size(),
                command("account list", report, " --without " + std::string(without.kind)));
}

std::string exceptions(const Report& report) {
    Table table({{"what"}, {"how many", true}});
    table.add({"failed accounts", grouped(report.count_of("failed"))});
    table.add({"accounts in progress", grouped(report.count_of("in_progress"))});
    table.add({"staged accounts", grouped(report.count_of("staged"))});
    std::string lists =
        open_accounts(report, "Failed accounts, the latest first", "failed", report.failed) +
        open_accounts(report, "Accounts in progress, the longest first", "in_progress", report.in_progress);
    if (report.scan) {
        for (const AccountsWithout& without : report.scan->without) {
            table.add({"imported accounts without " + in_words(without.kind), grouped(without.count)});
            lists += accounts_without(report, without);
        }
    }
    table.add({"transactions that were sent again with other content, which was not stored",
               grouped(report.progress.differing_transactions)});
    return "<h2>Exceptions</h2>\n" + table.take() + lists;
}

std::string keys(const Scan& scan) {
    std::string html = "<h2>API keys that imported</h2>\n";
    if (scan.keys.empty()) return html + "<p class=\"dim\">There are no records.</p>\n";
    Table table({{"key"}, {"organisation"}, {"records", true}, {"first"}, {"last"}});
    for (const store::ImportingKey& key : scan.keys) {
        std::string organisation = key.organisation ? breakable(*key.organisation) : none;
        if (key.revoked_at) organisation += " <small>(revoked " + time_of(*key.revoked_at) + ")</small>";
        table.add({escaped(key.api_key_id), organisation, grouped(key.records), time_of(key.first_at),
                   time_of(key.last_at)});
    }
    return html + table.take();
}

std::string proof(const Report& report) {
    if (!report.scan)
        return "<h2>Records</h2>\n"
               "<p>The records themselves were not read. To see whether they add up to the totals, which "
               "accounts have none, and which API keys imported them, type " +
               code(command("report", report, " --signed-by NAME --draft")) + "</p>\n";
    const Scan& of = *report.scan;
    std::string html = "<h2>Proof</h2>\n<p>At the moment of this report " + grouped(of.records) +
                       " records of " + grouped(of.accounts) + " accounts were read, one by one. ";
    if (of.differences.empty())
        return html + "They add up to the stored totals above, in every figure.</p>\n";
    html += "<b class=\"bad\">They do not add up to the stored totals above:</b></p>\n";
    Table table({{"kind"}, {"figure"}, {"in the totals", true}, {"in the records", true}});
    for (const store::ControlFigure& one : of.differences)
        table.add({escaped(in_words(one.kind)), figure_name(one.figure), number(one.figure, one.held),
                   number(one.figure, one.declared)},
                  "open");
    return html + table.take();
}

std::string signature(const Report& report) {
    if (report.is_draft) return "";
    return "<p class=\"dim\">To check that this file is as it was signed: " +
           code("data-importctl report verify FILE") + "</p>\n<div class=\"sign\"><div>" +
           escaped(report.signer.value()) + "</div><div>Date and signature</div></div>\n";
}

}  // namespace

std::string to_html(const Report& report) {
    return head_of(report) + summary(report) + accounts(report) + totals(report) + booked(report) +
           comparison(report) + explanations(report) + exceptions(report) + throughput(report) +
           (report.scan ? keys(*report.scan) : "") + "<div class=\"end\">\n" + proof(report) +
           signature(report) + "</div>\n</body>\n</html>\n";
}

}  // namespace data_import::report
