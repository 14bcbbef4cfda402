// supplier create | set | remove | list | show
#include <algorithm>
#include <iostream>

#include "codes/codes.h"
#include "console/text_table.h"
#include "ctl/columns.h"
#include "ctl/command.h"
#include "ctl/known_supplier.h"
#include "ctl/migration.h"
#include "ctl/refusals.h"
#include "ctl/values.h"
#include "database/database.h"
#include "proof/account_totals.h"
#include "report/report.h"
#include "store/access_events.h"
#include "store/control_totals.h"
#include "util/joined.h"
#include "util/shell_command.h"
#include "util/text.h"

namespace data_import::ctl {

namespace {

const Columns<store::Supplier> columns = {
    {"code", "CODE", &store::Supplier::code},
    {"name", "NAME", &store::Supplier::name},
    {"status", "STATUS", &store::Supplier::status},
    {"document_root", "DOCUMENT ROOT", &store::Supplier::document_root},
    {"created_at", "", &store::Supplier::created_at},
};

void print_supplier(const Context& context, const store::Supplier& supplier, const std::string& outcome) {
    Context::print(context.json() ? columns.json(supplier)
                                  : "import supplier " + supplier.code + " " + outcome + "\n");
}

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

std::string differences_text(const store::ControlTotals& totals, std::size_t most) {
    std::vector<std::string> named;
    std::size_t all = 0;
    for (const store::ControlFigure& one : totals.figures) {
        if (!one.difference || ++all > most) continue;
        named.push_back((one.kind == one.figure ? one.kind : one.kind + " " + one.figure) + " " +
                        *one.declared + " declared, " + one.held.value_or("0") + " stored");
    }
    if (all > named.size()) named.push_back(std::to_string(all - named.size()) + " more");
    return util::joined(named);
}

/// A supplier with all that `supplier show` tells.
struct Presentation {
    store::Supplier supplier;
    std::optional<store::SignedReport> last_report;
    Migration migration;
};

Presentation presentation_of(Context& context, const std::string& code) {
    database::Database& database = context.database();
    Presentation all;
    all.supplier = need_supplier(context, code);
    proof::with_snapshot(database, [&] {
        const auto ask = [&](const database::Call& call) { return database.execute(call, Context::soon()); };
        if (auto progress = store::read_progress(ask(store::find_progress(code))))
            all.migration.progress = *std::move(progress);
        all.migration.totals = store::read_control_totals(ask(store::find_control_totals(code)));
        all.last_report = store::find_last_signed_report(database, code, Context::soon());
    });
    // a throttled client only has to slow down: that is no error
    auto refusals = store::list_refusals(database,
                                         {.import_supplier = code,
                                          .since = {},
                                          .except = std::string(codes::row_of(Code::throttled).name),
                                          .most = 1},
                                         Context::soon());
    if (!refusals.empty()) all.migration.last_error = std::move(refusals.front());
    return all;
}

std::string json_of(const Presentation& all) {
    json::Writer writer;
    writer.begin_object();
    columns.write_members(writer, all.supplier);
    writer.key("status_since").string(all.supplier.status_since);
    writer.key("status_by").string_or_null(all.supplier.status_by);
    writer.key("verdict").string(all.migration.totals.verdict());
    writer.key("last_report");
    if (all.last_report) {
        writer.begin_object().key("id").string(all.last_report->id);
        writer.key("signed_by").string(all.last_report->signed_by);
        writer.key("signed_at").string(all.last_report->signed_at).end_object();
    } else {
        writer.null();
    }
    write_migration(writer, all.migration);
    return writer.end_object().take() + "\n";
}

std::string status_text(const store::Supplier& supplier) {
    if (!supplier.status_by) return supplier.status;
    return supplier.status + " since " + minute_of(supplier.status_since) + ", set by " + *supplier.status_by;
}

std::string totals_text(const store::ControlTotals& totals) {
    if (!totals.is_declared()) return "not declared";
    if (totals.has_differences()) return "different: " + differences_text(totals, 1);
    return util::lowered(totals.verdict_with_coverage());
}

std::string text_of(const Presentation& all) {
    const auto& report = all.last_report;
    return property_list(
               {{"code", all.supplier.code},
                {"name", all.supplier.name},
                {"status", status_text(all.supplier)},
                {"document root", all.supplier.document_root},
                {"created", all.supplier.created_at},
                {"control totals", totals_text(all.migration.totals)},
                {"last report", report ? "signed " + minute_of(report->signed_at) + " by " + report->signed_by
                                       : "none was signed"}}) +
           "\n" + migration_text(all.migration);
}

/// A reason against the end of a migration: what is open, and whether declared totals are met.
struct Unfinished {
    std::vector<std::string> open;  ///< `3 staged`
    store::ControlTotals totals;

    [[nodiscard]] bool is_finished() const { return open.empty() && !totals.has_differences(); }
};

Unfinished unfinished_of(Context& context, const std::string& code) {
    Unfinished unfinished;
    unfinished.totals = store::read_control_totals(
        context.database().execute(store::find_control_totals(code), Context::soon()));
    unfinished.open = open_accounts(unfinished.totals);
    return unfinished;
}

/// Whether accepted differences of accounts explain all differences now, and who has signed that.
std::optional<std::string> explanation(Context& context, const std::string& code) {
    bool is_complete = false;
    proof::with_snapshot(context.database(), [&] {
        is_complete = report::take_explanations(context.database(),
                                                {.import_supplier = code, .deadline = Context::late()})
                          .second.is_complete();
    });
    if (!is_complete) return std::nullopt;
    const auto report = store::find_last_signed_report(context.database(), code, Context::soon());
    return "accepted differences of accounts explain them" +
           (report ? ", as the report tells that " + report->signed_by + " signed at " +
                         minute_of(report->signed_at)
                   : std::string());
}

/// Refuses to complete a supplier with open accounts or differing totals: its accounts would stay open, and
/// the service would refuse missing records from then on.
void need_everything(Context& context, const store::Supplier& supplier, const Unfinished& unfinished) {
    if (unfinished.is_finished()) return;
    std::string text = "import supplier " + supplier.code + " stays " + supplier.status + ", because ";
    if (!unfinished.open.empty())
        text += "its accounts are not all imported (" + util::joined(unfinished.open) + ")";
    if (!unfinished.totals.has_differences())
        throw Failure(text + "; import what is missing, or repeat the command with --force");
    text += std::string(unfinished.open.empty() ? "" : ", and ") +
            "its stored totals differ from the declared ones (" +
            differences_text(unfinished.totals, most_named) + ")";
    if (const auto why = explanation(context, supplier.code))
        throw Failure(text + "; " + *why + ": " +
                      (unfinished.open.empty() ? "" : "import the open accounts, or ") +
                      "repeat the command with --force");
    throw Failure(text + "; " + report::remedy(unfinished.totals.figures, supplier.code) +
                  ", or repeat the command with --force");
}

/// The change of the status for the audit history.
std::string change_text(const store::Supplier& before, const std::string& status,
                        const std::optional<Unfinished>& unfinished) {
    std::string text = before.status + " -> " + status;
    if (!unfinished) return text;
    std::vector<std::string> against = unfinished->open;
    const auto differing = std::ranges::count_if(unfinished->totals.figures,
                                                 [](const auto& one) { return one.difference.has_value(); });
    if (differing > 0)
        against.push_back(std::to_string(differing) + (differing == 1 ? " figure" : " figures") +
                          " not as declared");
    if (!against.empty()) text += " by force: " + util::joined(against);
    if (!unfinished->totals.is_declared()) text += ", without declared totals";
    return text;
}

void warn_of_undeclared_totals(const std::string& code) {
    std::cerr << program_name << ": " << code
              << " has not declared its totals, so nothing shows whether everything has arrived; "
                 "data-import-load --totals --declare declares them, also after the end\n";
}

void warn_of_similar_code(Context& context, const std::string& code) {
    for (const store::Supplier& other : store::list_suppliers(context.database(), Context::soon())) {
        if (other.code == code || util::lowered(other.code) != util::lowered(code)) continue;
        std::cerr << program_name << ": " << code << " is not " << in_one_line(other.code)
                  << ", which is there, too: capitals count; " << program_name << ' '
                  << util::shell_command("supplier remove", {code}) << " removes it\n";
    }
}

void create_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier supplier{.code = invocation.argument("CODE"),
                                   .name = invocation.option("--name").value(),
                                   .status = invocation.option("--status").value_or("Ongoing"),
                                   .document_root = invocation.option("--document-root").value_or(""),
                                   .created_at = {}};
    if (!store::create_supplier(context.database(), supplier, Context::soon())) {
        throw Failure("import supplier " + supplier.code + " is there already; " + std::string(program_name) +
                      " " + util::shell_command("supplier set", {supplier.code}) + " changes it");
    }
    warn_of_similar_code(context, supplier.code);
    print_supplier(context, need_supplier(context, supplier.code), "created");
}

void set_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier before = need_supplier(context, invocation.argument("CODE"));
    const store::SupplierChange change{.status = invocation.option("--status"),
                                       .name = invocation.option("--name"),
                                       .document_root = invocation.option("--document-root")};
    const bool is_other_status = change.status && *change.status != before.status;
    std::optional<Unfinished> unfinished;
    if (is_other_status && change.status == "Complete") unfinished = unfinished_of(context, before.code);
    if (unfinished && !invocation.has("--force")) need_everything(context, before, *unfinished);
    context.database().transaction(
        [&] {
            if (!store::change_supplier(context.database(), before.code, change, context.operator_name(),
                                        Context::soon()))
                fail_unknown_supplier(context, before.code);
            if (is_other_status)
                store::record_action(context.database(),
                                     {.action = "status_set",
                                      .import_supplier = before.code,
                                      .details = change_text(before, *change.status, unfinished)},
                                     context.acting_operator(), Context::soon());
        },
        Context::soon());
    if (unfinished && !unfinished->totals.is_declared()) warn_of_undeclared_totals(before.code);
    print_supplier(context, need_supplier(context, before.code), "changed");
}

void remove_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier supplier = need_supplier(context, invocation.argument("CODE"));
    context.database().transaction(
        [&] {
            if (!store::remove_supplier(context.database(), supplier.code, Context::soon()))
                fail_unknown_supplier(context, supplier.code);
            store::record_action(context.database(),
                                 {.action = "supplier_removed", .import_supplier = supplier.code},
                                 context.acting_operator(), Context::soon());
        },
        Context::soon());
    print_supplier(context, supplier, "removed");
}

void list_suppliers(Context& context, const Invocation&) {
    const auto suppliers = store::list_suppliers(context.database(), Context::soon());
    Context::print(context.json() ? columns.json(suppliers)
                                  : columns.text(suppliers, "there are no import suppliers"));
}

void show_supplier(Context& context, const Invocation& invocation) {
    const Presentation all = presentation_of(context, invocation.argument("CODE"));
    Context::print(context.json() ? json_of(all) : text_of(all));
}

}  // namespace

std::vector<Command> supplier_commands() {
    const Option status{"--status", "Ongoing|Paused|Complete", check_supplier_status,
                        "Ongoing takes imports; Paused and Complete refuse them."};
    const Option supplier_name{"--name", "NAME", check_name, "The supplier's name for people."};
    const Option new_supplier_name{"--name", "NAME", check_name, "The supplier's name for people.", true};
    const Option document_root{
        "--document-root", "PATH", check_document_root,
        "Folder of the document bucket that holds its documents; empty: the whole bucket."};
    return {
        command("supplier create", {supplier_code}, {new_supplier_name, document_root, status},
                create_supplier, "Creates an import supplier.",
                "ACME --name \"Acme Energy\" --document-root acme"),
        command("supplier set", {supplier_code},
                {status,
                 supplier_name,
                 document_root,
                 {"--force", "", nullptr, "Makes it Complete although accounts are open or totals differ."}},
                set_supplier,
                "Changes an import supplier. It can become Complete when no account is open (staged, in "
                "progress or failed) and its stored totals equal the declared ones, if it has declared any. "
                "Otherwise it needs --force, even if a signed report explains the differences. The audit "
                "history tells who set which status, and what was open or different under --force.",
                "ACME --status Paused", true),
        command(
            "supplier remove", {supplier_code}, {}, remove_supplier,
            "Removes an import supplier that was created by mistake. Refused once it has accounts, an API "
            "key with it in its scope, or a change of its status.",
            "acme"),
        command("supplier list", {}, {}, list_suppliers, "Lists the import suppliers.", "--json"),
        command("supplier show", {supplier_code}, {}, show_supplier,
                "Shows an import supplier, whether its totals are the declared ones, which report was signed "
                "last, "
                "and the progress of its migration.",
                "ACME")};
}

}  // namespace data_import::ctl
