// supplier create | set | acknowledge | remove | list | show
#include <iostream>

#include "codes/codes.h"
#include "console/text_table.h"
#include "ctl/booked.h"
#include "ctl/columns.h"
#include "ctl/command.h"
#include "ctl/known_supplier.h"
#include "ctl/migration.h"
#include "ctl/refusals.h"
#include "ctl/supplier_completion.h"
#include "ctl/supplier_erasure.h"
#include "ctl/supplier_state.h"
#include "ctl/values.h"
#include "database/database.h"
#include "proof/account_totals.h"
#include "store/access_events.h"
#include "store/control_totals.h"
#include "store/progress.h"
#include "store/shared_json.h"
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

std::string acknowledged_text(const store::Acknowledgement& known) {
    return std::to_string(known.failed) + " failed, " + std::to_string(known.refused) + " refused";
}

/// A supplier with all that `supplier show` tells.
struct Presentation {
    store::Supplier supplier;
    std::optional<store::SignedReport> last_report;
    store::SupplierProgress overview;
    Migration migration;
    std::vector<store::Booking> bookings;  ///< of the moment of the migration
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
        all.bookings = store::read_bookings(ask(store::find_bookings(code)));
        all.last_report = store::find_last_signed_report(database, code, Context::soon());
        auto overview = store::read_overview(ask(store::find_overview({code})));
        if (!overview.empty()) all.overview = std::move(overview.front());
    });
    all.migration.planned_end = all.overview.planned_end;
    all.migration.is_late = is_late(all.overview);
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

void write_bookings(json::Writer& writer, const Presentation& all) {
    if (all.bookings.empty()) return;
    writer.key("booked").begin_array();
    for (const store::Booking& one : all.bookings) {
        store::write_booking(writer.begin_object(), one, store::beside(all.migration.totals, one));
        writer.end_object();
    }
    writer.end_array();
}

void write_erasure(json::Writer& writer, const Presentation& all) {
    writer.key("erase_after_days");
    all.supplier.erase_after_days ? writer.integer(*all.supplier.erase_after_days) : writer.null();
    writer.key("erase_at").string_or_null(all.supplier.erase_at);
    store::write_erasure(writer.key("erasure"), all.overview.erasure);
}

std::string json_of(const Presentation& all) {
    json::Writer writer;
    writer.begin_object();
    columns.write_members(writer, all.supplier);
    writer.key("status_since").string(all.supplier.status_since);
    writer.key("status_by").string_or_null(all.supplier.status_by);
    writer.key("verdict").string(all.migration.totals.verdict());
    writer.key("state").string(state_of(all.overview)).key("late").boolean(is_late(all.overview));
    writer.key("planned_end").string_or_null(all.overview.planned_end);
    writer.key("attention").integer(all.overview.attention);
    store::write_acknowledgement(writer.key("acknowledged"), all.overview.acknowledgement);
    writer.key("last_report");
    if (all.last_report) {
        writer.begin_object().key("id").string(all.last_report->id);
        writer.key("signed_by").string(all.last_report->signed_by);
        writer.key("signed_at").string(all.last_report->signed_at).end_object();
    } else {
        writer.null();
    }
    write_erasure(writer, all);
    write_migration(writer, all.migration);
    write_bookings(writer, all);
    return writer.end_object().take() + "\n";
}

std::string status_text(const store::Supplier& supplier) {
    if (!supplier.status_by) return supplier.status;
    return supplier.status + " since " + minute_of(supplier.status_since) + ", set by " + *supplier.status_by;
}

std::string attention_text(const store::SupplierProgress& supplier) {
    std::string text = "from " + std::to_string(supplier.attention) + " failed or refused on";
    if (const auto& known = supplier.acknowledgement)
        text += "; acknowledged: " + acknowledged_text(*known) + ", by " + known->by + " " +
                minute_of(known->at) + ": " + known->reason;
    return text;
}

std::string text_of(const Presentation& all) {
    const auto& report = all.last_report;
    std::vector<std::pair<std::string, std::string>> properties = {
        {"code", all.supplier.code},
        {"name", all.supplier.name},
        {"status", status_text(all.supplier)},
        {"state", in_words(state_of(all.overview))},
        {"attention", attention_text(all.overview)},
        {"document root", all.supplier.document_root},
        {"created", minute_of(all.supplier.created_at)},
        {all.overview.erasure ? "erased" : "to be erased", erasure_text(all.supplier, all.overview.erasure)},
        {"control totals", totals_text(all.migration.totals)}};
    for (const store::Booking& one : all.bookings)
        properties.emplace_back("booked by " + in_one_line(one.consumer), booking_text(one));
    properties.emplace_back(
        "last report",
        report ? "signed " + minute_of(report->signed_at) + " by " + report->signed_by : "none was signed");
    std::string text = property_list(properties);
    if (!all.overview.erasure || !all.overview.erasure->ended_at)
        text += "\n" + migration_text(all.migration);
    for (const store::Booking& one : all.bookings) {
        if (one.is_declared())
            text += "\nbooked by " + in_one_line(one.consumer) + "\n" +
                    three_columns_text(all.migration.totals, one);
    }
    return text;
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
    if (!store::create_supplier(context.database(), supplier, Context::soon())) {
        throw Failure("import supplier " + supplier.code + " is there already; " + std::string(program_name) +
                      " " + util::shell_command("supplier set", {supplier.code}) + " changes it");
    }
    warn_of_similar_code(context, supplier.code);
    print_supplier(context, need_supplier(context, supplier.code), "created");
}

void record_retention(Context& context, const std::string& code, const std::string& days) {
    store::record_action(
        context.database(),
        {.action = "erase_after_set",
         .import_supplier = code,
         .details = days.empty() ? "never" : counted(std::stoll(days), "day") + " after it became Complete"},
        context.acting_operator(), Context::soon());
}

void print_changed(const Context& context, const store::Supplier& supplier, bool tells_erasure) {
    const std::string plan = tells_erasure ? erasure_text(supplier, std::nullopt) : "";
    print_supplier(context, supplier, "changed" + (plan.empty() ? "" : "; its accounts are erased " + plan));
}

void set_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier before = need_supplier(context, invocation.argument("CODE"));
    const store::SupplierChange change{.status = invocation.option("--status"),
                                       .name = invocation.option("--name"),
                                       .document_root = invocation.option("--document-root"),
                                       .planned_end = invocation.option("--planned-end"),
                                       .attention = invocation.option("--attention"),
                                       .erase_after_days = invocation.option("--erase-after")};
    const bool is_other_status = change.status && *change.status != before.status;
    std::optional<Unfinished> unfinished;
    if (is_other_status && change.status == "Complete") unfinished = find_unfinished(context, before.code);
    if (unfinished && !invocation.has("--force")) need_everything(before, *unfinished);
    context.database().transaction(
        [&] {
            if (!store::change_supplier(context.database(), before.code, change, context.operator_name(),
                                        Context::soon()))
                fail_unknown_supplier(context, before.code);
            if (is_other_status)
                store::record_action(context.database(),
                                     {.action = "status_set",
                                      .import_supplier = before.code,
                                      .details = before.status + " -> " + *change.status +
                                                 (unfinished ? end_text(*unfinished) : "")},
                                     context.acting_operator(), Context::soon());
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
                  change.erase_after_days || change.status == "Complete");
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

/// The figures to be acknowledged. Throws Failure if all of them are 0.
store::Acknowledgement present_figures(Context& context, const std::string& code) {
    const auto found =
        store::read_overview(context.database().execute(store::find_overview({code}), Context::soon()));
    if (found.empty()) fail_unknown_supplier(context, code);
    store::Acknowledgement figures{.failed = found.front().progress.accounts[store::place_of_state("failed")],
                                   .refused = found.front().refused_last_hour};
    if (figures.failed == 0 && figures.refused == 0)
        throw Failure("there is nothing to acknowledge: no account of " + code +
                      " has failed, and no request was refused in the last hour");
    return figures;
}

void acknowledge_figures(Context& context, const Invocation& invocation) {
    const std::string code = need_supplier(context, invocation.argument("CODE")).code;
    const auto reason = invocation.option("--reason");
    if (reason.has_value() == invocation.has("--off"))
        invocation.refuse("either --reason or --off has to be given");
    std::optional<store::Acknowledgement> figures;
    if (reason) {
        figures = present_figures(context, code);
        figures->reason = *reason;
        figures->by = context.operator_name();
    }
    const std::string text = figures ? acknowledged_text(*figures) : "taken back";
    context.database().transaction(
        [&] {
            store::acknowledge(context.database(), code, figures, Context::soon());
            store::record_action(context.database(),
                                 {.action = "figures_acknowledged",
                                  .import_supplier = code,
                                  .details = text + (reason ? ": " + *reason : "")},
                                 context.acting_operator(), Context::soon());
        },
        Context::soon());
    Context::print(context.json() ? object({{"import_supplier", code},
                                            {"failed", figures ? figures->failed : 0},
                                            {"refused", figures ? figures->refused : 0}})
                                  : "import supplier " + code + ": acknowledged: " + text + "\n");
}

/// A supplier among others, with its state.
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
     [](const Listed& one) { return share_text(one.overview.progress); }},
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
                "Lists the import suppliers with their state, their progress and their dates.", "--json"),
        command("supplier show", {supplier_code}, {}, show_supplier,
                "Shows an import supplier, whether its totals are the declared ones, which report was signed "
                "last, and the progress of its migration. If consumers take it, it also shows what each of "
                "them has booked, beside what is stored and declared.",
                "ACME")};
}

}  // namespace data_import::ctl
