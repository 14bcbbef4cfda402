// The command `reconcile`.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/util/shell_command.h"
#include "base/util/temporary_file.h"
#include "data/json/writer.h"
#include "data/proof/account_totals.h"
#include "data/proof/comparison.h"
#include "data/proof/supplier_figures.h"
#include "data/proof/total_rows.h"
#include "data/records/figure_text.h"
#include "data/records/kinds.h"
#include "data/report/report.h"
#include "data/store/access_events.h"
#include "data/store/reconciliation.h"
#include "data/store/shared_json.h"
#include "data/store/sums.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/row_file.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t kept_in_memory = 1024UL * 1024;

/// Prints differences as they are found. If the command accepts differences, the output is kept until
/// print_kept(), because they are accepted only when the whole comparison is committed.
class Findings {
public:
    Findings(const Context& context, bool accepts) : is_json_(context.json()) {
        if (accepts) kept_.emplace(kept_in_memory);
    }

    void begin() {
        if (is_json_) print("{\"differences\": [");
    }

    void add(const store::Difference& difference, const std::optional<store::Acceptance>& acceptance) {
        ++(acceptance ? accepted_ : open_);
        if (!acceptance) {
            is_missing_ |= difference.declared.records > difference.held.records;
            is_surplus_ |= difference.declared.records < difference.held.records;
        }
        is_json_ ? print_json(difference, acceptance) : print_text(difference, acceptance);
    }
    void count_account() { ++accounts_; }

    void finish(const std::string& file, std::size_t wrong_totals) {
        if (is_json_) {
            json::Writer writer;
            writer.begin_object().key("accounts").integer(accounts_).key("different").integer(open_);
            writer.key("accepted").integer(accepted_);
            writer.key("wrong_totals").integer(static_cast<std::int64_t>(wrong_totals)).end_object();
            print("], " + writer.take().substr(1) + "\n");
        } else {
            print(std::to_string(accounts_) + (accounts_ == 1 ? " account" : " accounts") +
                  " compared with " + file + ": " + std::to_string(open_) +
                  (open_ == 1 ? " difference, " : " differences, ") + std::to_string(accepted_) +
                  (accepted_ == 1 ? " accepted one\n" : " accepted ones\n"));
        }
    }
    /// Prints the output that was kept.
    void print_kept() {
        if (kept_) kept_->read([](std::string_view piece) { Context::print(std::string(piece)); });
    }

    [[nodiscard]] std::int64_t open() const { return open_; }
    [[nodiscard]] store::AccountComparison comparison(std::string by) const {
        return {.accounts = accounts_, .open = open_, .accepted = accepted_, .by = std::move(by)};
    }
    /// Returns a text that tells how to remove the differences that are not accepted.
    [[nodiscard]] std::string remedy(const std::string& code) const {
        return report::remedy(is_missing_, is_surplus_, code);
    }

private:
    void print(const std::string& text) { kept_ ? kept_->append(text) : Context::print(text); }

    void print_json(const store::Difference& difference, const std::optional<store::Acceptance>& acceptance) {
        json::Writer writer;
        store::write_difference(writer.begin_object(), difference);
        writer.key("accepted");
        if (acceptance) {
            store::write_acceptance(writer.begin_object(), *acceptance);
            writer.end_object();
        } else {
            writer.null();
        }
        print((open_ + accepted_ > 1 ? ",\n" : "\n") + writer.end_object().take());
    }

    void print_text(const store::Difference& difference, const std::optional<store::Acceptance>& acceptance) {
        if (difference.external_account_number != last_account_)
            print(in_one_line(difference.external_account_number) + "\n");
        last_account_ = difference.external_account_number;
        const store::KindFigures& declared = difference.declared;
        const store::KindFigures& held = difference.held;
        std::string text;
        const auto add = [&](const std::string& figure, const std::string& left, const std::string& right) {
            if (left != right)
                text += "  " + difference.kind + " " + in_one_line(figure) + ": declared " + left +
                        ", stored " + right + "\n";
        };
        const auto add_figure = [&](const std::string& name, std::string_view figure, const std::string& left,
                                    const std::string& right) {
            add(name, records::figure_text(figure, left), records::figure_text(figure, right));
        };
        add("records", std::to_string(declared.records), std::to_string(held.records));
        if (declared.sums)
            for (const auto& [figure, left, right] : proof::differing_sums(*declared.sums, *held.sums))
                add_figure(figure, figure, left, right);
        else if (declared.amount)
            add_figure("amount", records::kind_of(difference.kind).amount,
                       store::plain_decimal(*declared.amount), *held.amount);
        if (declared.fingerprint) add("fingerprint", *declared.fingerprint, *held.fingerprint);
        if (acceptance)
            text += "    accepted by " + in_one_line(acceptance->by) + " " + minute_of(acceptance->at) +
                    ": " + in_one_line(acceptance->reason) + "\n";
        print(text);
    }

    bool is_json_;
    std::int64_t accounts_ = 0;
    std::int64_t open_ = 0;
    std::int64_t accepted_ = 0;
    /// True if at least one difference is not accepted and has fewer records stored than declared.
    bool is_missing_ = false;
    /// True if at least one difference is not accepted and has more records stored than declared.
    bool is_surplus_ = false;
    std::string last_account_;
    std::optional<util::Spool> kept_;
};

struct Files {
    RowFile<proof::TotalRows> totals;
    std::optional<RowFile<proof::ReasonRows>> reasons = {};
};

void require_none(const std::string& file, const store::LoadErrors& errors) {
    if (errors.count > 0) throw RowsRefused("nothing was compared", file, errors);
}

void read(store::Reconciliation& reconciliation, Files& files, ProgressLine& progress) {
    progress.phase("reading " + files.totals.name());
    reconciliation.copy_totals([&](std::string& chunk) { return files.totals.next_chunk(chunk); });
    require_none(files.totals.name(), files.totals.errors());
    if (files.reasons) {
        progress.phase("reading " + files.reasons->name());
        reconciliation.copy_reasons([&](std::string& chunk) { return files.reasons->next_chunk(chunk); });
        require_none(files.reasons->name(), files.reasons->errors());
    }
    require_none(files.totals.name(), reconciliation.duplicates(most_row_errors));
}

void require_no_idle_reasons(const store::LoadErrors& idle) {
    if (idle.count == 0) return;
    throw Failure("nothing was accepted: line " + std::to_string(idle.first.front().line) +
                  " of the reasons: " + idle.first.front().sentence +
                  (idle.count == 1 ? "" : ", nor do " + std::to_string(idle.count - 1) + " more") +
                  "; remove what does not differ");
}

/// Warns on standard error if an amount such as 1.234 was read as 1234, but may have a decimal point.
void tell_of_ambiguous_amounts(const proof::TotalRows& rows) {
    if (!rows.first_ambiguous()) return;
    const auto& [line, written, read] = *rows.first_ambiguous();
    const std::size_t others = rows.ambiguous_amounts() - 1;
    std::cerr << program_name << ": line " << line << ": " << written << " was read as " << read
              << ", with its point between thousands"
              << (others == 0 ? "" : "; so were " + std::to_string(others) + " more amounts")
              << ": correct it if that is a decimal point" << std::endl;
}

/// Warns on standard error if the stored totals are wrong. The comparison is right all the same, because it
/// counts the records and does not use the stored totals.
void tell_of_wrong_totals(const std::string& code, const std::vector<store::ControlFigure>& wrong) {
    if (wrong.empty()) return;
    std::cerr << program_name << ": the stored totals of " << code << " are not what its records say ("
              << proof::describe_wrong_total(wrong.front())
              << (wrong.size() == 1 ? "" : ", " + std::to_string(wrong.size() - 1) + " more")
              << "): " << program_name << ' ' << util::shell_command("recount", {code}, " --yes")
              << " corrects them" << std::endl;
}

void reconcile_accounts(Context& context, const Invocation& invocation) {
    const std::string& code = invocation.argument("CODE");
    ProgressLine progress;
    Files files{.totals = {invocation.argument("FILE.csv"), progress, invocation.has("--decimal-comma")}};
    if (const auto accepted = invocation.option("--accept")) files.reasons.emplace(*accepted, progress);
    database::Database& database = context.database();
    need_supplier(context, code);
    need_accounts(context, code);
    Findings findings(context, files.reasons.has_value());
    std::vector<store::ControlFigure> wrong_totals;
    std::optional<std::string> digest;
    const auto work = [&] {
        database.execute_script("SET LOCAL statement_timeout = 0", Context::late());
        store::Reconciliation reconciliation(database, code, Context::late());
        read(reconciliation, files, progress);
        progress.phase("comparing accounts");
        findings.begin();
        std::uint64_t accounts = 0;
        const proof::Compared compared = proof::compare_accounts(
            database, code, reconciliation, context.operator_name(),
            {.differs = [&](const auto& difference,
                            const auto& acceptance) { findings.add(difference, acceptance); },
             .account_done =
                 [&] {
                     findings.count_account();
                     progress.rows_done(++accounts, -1);
                 }},
            Context::late());
        wrong_totals = compared.wrong_totals;
        findings.finish(files.totals.name(), wrong_totals.size());
        require_no_idle_reasons(reconciliation.idle_reasons(1));
        proof::record_accepted(database, code, compared.accepted, context.acting_operator(), Context::late());
        digest = store::figures_digest(database, code, Context::late());
    };
    try {
        proof::with_snapshot(database, work);
    } catch (const RowsRefused& refused) {
        print_row_errors(context, refused.errors());
        throw;
    }
    store::record_comparison(database, code, findings.comparison(context.operator_name()), digest,
                             Context::soon());
    findings.print_kept();
    tell_of_ambiguous_amounts(files.totals.rows());
    tell_of_wrong_totals(code, wrong_totals);
    if (findings.open() > 0)
        throw Failure(std::to_string(findings.open()) +
                      (findings.open() == 1 ? " difference is" : " differences are") + " not accepted; " +
                      findings.remedy(code) + ", or give reasons with --accept");
}

}  // namespace

std::vector<Command> reconcile_commands() {
    return {command(
        "reconcile", {supplier_code, {"FILE.csv", check_file}},
        {{"--accept", "FILE.csv", check_file,
          "Accepts the present differences of the accounts and kinds that this file names."},
         {"--decimal-comma", "", nullptr,
          "Amounts are written as 12,50 and 1.234,50. 1.234 is read as 1234, and standard error says so."}},
        reconcile_accounts,
        "Compares a supplier's file of its accounts with the database, and prints the accounts that differ. "
        "The exit status is 1 if there are any. Reports tell when this was done last. If FILE is -, it is "
        "read from standard input. The header of "
        "the file:\n  "
        "external_account_number,kind,records,amount[,fingerprint,sums]\nkind is " +
            record_kinds() +
            ". amount is the sum over all records: of transactions their amounts, whatever their type; of "
            "statements gross_amount; of delivery notes and energy amounts their quantities, whatever the "
            "unit; of invoices amount_total. Other kinds have no amount. fingerprint shows whether contents "
            "differ although records and amount are the same. sums is a JSON object with each "
            "figure separately, for transactions {\"amount:CHARGE\": \"12.50\", \"amount:PAYMENT\": "
            "\"40\"}; its figures amounts (of delivery notes) and line_items (of invoices) are numbers of "
            "items. data-import-load --totals --per-account writes all columns. Empty cells of amount, "
            "fingerprint or sums are not compared. Without sums, data-importctl report can explain money "
            "and quantities only by the column amount, and the figures amounts and line_items not at all. A "
            "kind or a whole account that is stored but has no row in the file counts as 0 records there. " +
            about_csv +
            "\nThe file of --accept is CSV, too, with this header:\n  external_account_number,kind,reason\n"
            "An accepted difference is printed as accepted and does not count as a difference, as long as "
            "both sides stay the same.",
        "ACME totals.csv")};
}

}  // namespace data_import::ctl
