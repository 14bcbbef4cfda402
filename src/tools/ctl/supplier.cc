// The commands `supplier create | set | acknowledge | remove | list`.
#include <iostream>

#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "base/util/text.h"
#include "data/database/database.h"
#include "data/store/access_events.h"
#include "data/store/control_totals.h"
#include "data/store/progress.h"
#include "data/store/supplier_acts.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/migration.h"
#include "tools/ctl/supplier_columns.h"
#include "tools/ctl/supplier_completion.h"
#include "tools/ctl/supplier_erasure.h"
#include "tools/ctl/supplier_state.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

void print_supplier(const Context& context, const store::Supplier& supplier, const std::string& outcome) {
    Context::print(context.json() ? supplier_columns.json(supplier)
                                  : "import supplier " + supplier.code + " " + outcome + "\n");
}

void warn_of_undeclared_totals(const std::string& code) {
    std::cerr << program_name << ": " << code
              << " has not declared its totals, so nothing shows whether everything has arrived; "
                 "data-import-load --totals --declare declares them, also after the end\n";
}

void warn_of_undeclared_bookings(const std::string& code, const std::vector<store::Booking>& bookings) {
    for (const store::Booking& one : bookings) {
        if (one.is_declared()) continue;
        std::cerr << program_name << ": " << in_one_line(one.consumer)
                  << " has not declared what it has booked of " << code
                  << ", so nothing shows whether the platform has everything; " << program_name << ' '
                  << util::shell_command("consumer declare", {one.consumer, code}, " FILE")
                  << " declares it, also after the end\n";
    }
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
    context.database().transaction(
        [&] {
            if (!store::add_supplier(context.database(), supplier, context.acting_operator(),
                                     Context::soon()))
                throw Failure("import supplier " + supplier.code + " is there already; " +
                              std::string(program_name) + " " +
                              util::shell_command("supplier set", {supplier.code}) + " changes it");
        },
        Context::soon());
    warn_of_similar_code(context, supplier.code);
    print_supplier(context, need_supplier(context, supplier.code), "created");
}

void record_retention(Context& context, const std::string& code, const std::string& days) {
    store::record_action(
        context.database(),
        {.action = "erase_after_set",
         .import_supplier = code,
         .details =
             days.empty() ? "never" : util::counted(std::stoll(days), "day") + " after it became Complete"},
        context.acting_operator(), Context::soon());
}

void print_changed(const Context& context, const store::Supplier& supplier, bool tells_erasure) {
    const std::string plan = tells_erasure ? erasure_text(supplier, std::nullopt) : "";
    print_supplier(context, supplier, "changed" + (plan.empty() ? "" : "; its accounts are erased " + plan));
}

void set_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier before = need_supplier(context, invocation.argument("CODE"));
    const auto status = invocation.option("--status");
    const auto planned_end = invocation.option("--planned-end");
    const store::SupplierChange change{.status = {},
                                       .name = invocation.option("--name"),
                                       .document_root = invocation.option("--document-root"),
                                       .attention = invocation.option("--attention"),
                                       .erase_after_days = invocation.option("--erase-after")};
    const bool is_other_status = status && *status != before.status;
    std::optional<Unfinished> unfinished;
    if (is_other_status && status == "Complete") unfinished = find_unfinished(context, before.code);
    if (unfinished && !invocation.has("--force")) need_everything(before, *unfinished);
    context.database().transaction(
        [&] {
            if (!store::change_supplier(context.database(), before.code, change, context.operator_name(),
                                        Context::soon()))
                fail_unknown_supplier(context, before.code);
            if (is_other_status)
                store::set_status(context.database(), before, *status,
                                  unfinished ? end_text(*unfinished) : "", context.acting_operator(),
                                  Context::soon());
            if (planned_end)
                store::plan_end(context.database(), before.code,
                                planned_end->empty() ? std::nullopt : planned_end, context.acting_operator(),
                                Context::soon());
            if (change.erase_after_days) record_retention(context, before.code, *change.erase_after_days);
        },
        Context::soon());
    if (unfinished) {
        if (!unfinished->is_finished())
            std::cerr << program_name << ": " << before.code << " is Complete"
                      << in_one_line(end_text(*unfinished)) << '\n';
        if (!unfinished->totals.is_declared()) warn_of_undeclared_totals(before.code);
        warn_of_undeclared_bookings(before.code, unfinished->bookings);
    }
    print_changed(context, need_supplier(context, before.code),
                  change.erase_after_days || status == "Complete");
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

void acknowledge_figures(Context& context, const Invocation& invocation) {
    const std::string code = need_supplier(context, invocation.argument("CODE")).code;
    const auto reason = invocation.option("--reason");
    if (reason.has_value() == invocation.has("--off"))
        invocation.refuse("either --reason or --off has to be given");
    std::optional<store::Acknowledgement> figures;
    if (reason) {
        figures = store::figures_to_acknowledge(context.database(), code, Context::soon());
        if (!figures)
            throw Failure("there is nothing to acknowledge: no account of " + code +
                          " has failed, and no request was refused in the last hour");
        figures->reason = *reason;
    }
    const std::string text = figures ? store::acknowledged_text(*figures) : "taken back";
    context.database().transaction(
        [&] {
            store::acknowledge(context.database(), code, figures, context.acting_operator(), Context::soon());
        },
        Context::soon());
    Context::print(context.json() ? object({{"import_supplier", code},
                                            {"failed", figures ? figures->failed : 0},
                                            {"refused", figures ? figures->refused : 0}})
                                  : "import supplier " + code + ": acknowledged: " + text + "\n");
}

/// A supplier in a list, with its state.
struct Listed {
    store::Supplier supplier;
    store::SupplierProgress overview;
};

std::optional<std::string> time_or_none(const std::optional<std::string>& time) {
    return time ? std::optional(minute_of(*time)) : std::nullopt;
}

const Columns<Listed> list_columns = {
    {"code", "CODE", [](const Listed& one) { return one.supplier.code; }},
    {"name", "NAME", [](const Listed& one) { return one.supplier.name; }},
    {"status", "", [](const Listed& one) { return one.supplier.status; }},
    {"document_root", "", [](const Listed& one) { return one.supplier.document_root; }},
    {"created_at", "", [](const Listed& one) { return one.supplier.created_at; }},
    {"state", "STATE", [](const Listed& one) { return std::string(state_of(one.overview)); },
     [](const Listed& one) { return in_words(state_of(one.overview)); }},
    {"late", "", [](const Listed& one) { return is_late(one.overview); }},
    {"accounts", "ACCOUNTS", [](const Listed& one) { return one.overview.progress.all_accounts(); }},
    {"imported", "IMPORTED", [](const Listed& one) { return one.overview.progress.accounts.back(); },
     [](const Listed& one) { return percentage_text(one.overview.progress); }},
    {"failed", "FAILED",
     [](const Listed& one) { return one.overview.progress.accounts[store::place_of_state("failed")]; }},
    {"refused_last_hour", "REFUSED / H", [](const Listed& one) { return one.overview.refused_last_hour; }},
    {"verdict", "TOTALS",
     [](const Listed& one) { return std::string(store::verdict_word(one.overview.differs)); },
     [](const Listed& one) { return util::lowered(store::verdict_word(one.overview.differs)); }},
    {"planned_end", "PLANNED END", [](const Listed& one) { return one.overview.planned_end; }},
    {"estimated_end_at", "ESTIMATED END",
     [](const Listed& one) { return one.overview.progress.estimated_end_at; },
     [](const Listed& one) { return time_or_none(one.overview.progress.estimated_end_at).value_or(""); }},
    {"last_import_at", "LAST IMPORT", [](const Listed& one) { return one.overview.progress.last_import_at; },
     [](const Listed& one) { return time_or_none(one.overview.progress.last_import_at).value_or(""); }},
    {"signed_at", "", [](const Listed& one) { return one.overview.signed_at; }},
    {"attention", "", [](const Listed& one) { return one.overview.attention; }},
};

void list_suppliers(Context& context, const Invocation&) {
    database::Database& database = context.database();
    std::vector<Listed> listed;
    auto suppliers = store::list_suppliers(database, Context::soon());
    auto supplier = suppliers.begin();
    for (auto& overview :
         store::read_overview(database.execute(store::find_overview_of_all(), Context::soon()))) {
        while (supplier != suppliers.end() && supplier->code != overview.code) ++supplier;
        if (supplier == suppliers.end()) break;
        listed.push_back({std::move(*supplier), std::move(overview)});
    }
    Context::print(context.json() ? list_columns.json(listed)
                                  : list_columns.text(listed, "there are no import suppliers"));
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
        command(
            "supplier set", {supplier_code},
            {status,
             supplier_name,
             document_root,
             {"--planned-end", "DATE", check_planned_end,
              "Last planned day (UTC) of the migration; it is late afterwards. Empty: none."},
             {"--attention", "N", check_attention,
              "It needs attention from N failed accounts or N refusals in an hour on; 1 at first."},
             {"--erase-after", "DAYS", check_erase_after,
              "Erases its accounts so many days after it became Complete; empty: never."},
             {"--force", "", nullptr, "Makes it Complete although something is left, and says what."}},
            set_supplier,
            "Changes an import supplier. It can become Complete when no account is open (staged, in "
            "progress or failed), each consumer that takes it has taken everything, and its stored totals "
            "equal the declared ones, if it has declared any, and those that consumers have booked, if they "
            "have declared them, or the last signed report explains all differences and has the present "
            "figures. Otherwise it needs --force. The audit history tells who set which status, and what was "
            "open or "
            "different. With --erase-after its accounts are erased as by supplier erase, as soon as so many "
            "days "
            "are over and its consumers have taken everything.",
            "ACME --status Paused", true),
        command("supplier acknowledge", {supplier_code},
                {{"--reason", "TEXT", check_reason,
                  "Why nobody has to look at them. The audit history keeps it: name no person."},
                 {"--off", "", nullptr, "Takes the acknowledgement back."}},
                acknowledge_figures,
                "Acknowledges the failed accounts of a supplier and its refusals of the last hour: they do "
                "not need attention any more until their number grows. The audit history tells who "
                "acknowledged what.",
                "ACME --reason \"meters are being replaced\""),
        command(
            "supplier remove", {supplier_code}, {}, remove_supplier,
            "Removes an import supplier that was created by mistake. Refused once it has accounts, an API "
            "key with it in its scope, or a change of its status.",
            "acme"),
        command("supplier list", {}, {}, list_suppliers,
                "Lists the import suppliers with their state, their progress and their dates.", "--json")};
}

}  // namespace data_import::ctl
