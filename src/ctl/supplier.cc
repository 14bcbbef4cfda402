// supplier create | set | list | show
#include "codes/codes.h"
#include "console/text_table.h"
#include "ctl/columns.h"
#include "ctl/command.h"
#include "ctl/known_supplier.h"
#include "ctl/migration.h"
#include "ctl/values.h"
#include "database/database.h"
#include "proof/account_totals.h"
#include "store/control_totals.h"
#include "util/joined.h"
#include "util/shell_command.h"

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

std::string json_of(const store::Supplier& supplier, const Migration& migration) {
    json::Writer writer;
    writer.begin_object();
    columns.write_members(writer, supplier);
    write_migration(writer, migration);
    return writer.end_object().take() + "\n";
}

std::string text_of(const store::Supplier& supplier, const Migration& migration) {
    return property_list({{"code", supplier.code},
                          {"name", supplier.name},
                          {"status", supplier.status},
                          {"document root", supplier.document_root},
                          {"created", supplier.created_at}}) +
           "\n" + migration_text(migration);
}

Migration migration_of(Context& context, const std::string& code) {
    database::Database& database = context.database();
    std::optional<store::MigrationProgress> progress;
    store::ControlTotals totals;
    proof::with_snapshot(database, [&] {
        progress = store::read_progress(database.execute(store::find_progress(code), Context::soon()));
        if (progress)
            totals = store::read_control_totals(
                database.execute(store::find_control_totals(code), Context::soon()));
    });
    if (!progress) fail_unknown_supplier(context, code);
    // a throttled client only has to slow down: that is no error
    auto refusals = store::list_refusals(database,
                                         {.import_supplier = code,
                                          .since = {},
                                          .except = std::string(codes::row_of(Code::throttled).name),
                                          .most = 1},
                                         Context::soon());
    return {.progress = *std::move(progress),
            .totals = std::move(totals),
            .last_error = refusals.empty() ? std::nullopt : std::optional(std::move(refusals.front()))};
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

std::string differences_text(const store::ControlTotals& totals) {
    std::vector<std::string> named;
    std::size_t all = 0;
    for (const store::ControlFigure& one : totals.figures) {
        if (!one.difference || ++all > most_named) continue;
        named.push_back((one.kind == one.figure ? one.kind : one.kind + " " + one.figure) + " " +
                        *one.declared + " declared, " + one.held.value_or("0") + " stored");
    }
    if (all > named.size()) named.push_back(std::to_string(all - named.size()) + " more");
    return util::joined(named);
}

/// Refuses to complete a supplier with open accounts or differing totals: its accounts would stay open, and
/// the service would refuse missing records from then on.
void need_everything(Context& context, const store::Supplier& supplier) {
    if (supplier.status == "Complete") return;
    const store::ControlTotals totals = store::read_control_totals(
        context.database().execute(store::find_control_totals(supplier.code), Context::soon()));
    const std::vector<std::string> open = open_accounts(totals);
    std::string reasons;
    if (!open.empty()) reasons = "its accounts are not all imported (" + util::joined(open) + ")";
    if (totals.has_differences()) {
        reasons += std::string(reasons.empty() ? "" : ", and ") +
                   "its stored totals differ from the declared ones (" + differences_text(totals) + ")";
    }
    if (reasons.empty()) return;
    throw Failure("import supplier " + supplier.code + " stays " + supplier.status + ", because " + reasons +
                  "; import what is missing, or repeat the command with --force");
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
    print_supplier(context, need_supplier(context, supplier.code), "created");
}

void set_supplier(Context& context, const Invocation& invocation) {
    const std::string& code = invocation.argument("CODE");
    if (invocation.option("--status") == "Complete" && !invocation.has("--force"))
        need_everything(context, need_supplier(context, code));
    const store::SupplierChange change{.status = invocation.option("--status"),
                                       .name = invocation.option("--name"),
                                       .document_root = invocation.option("--document-root")};
    if (!store::change_supplier(context.database(), code, change, context.operator_name(), Context::soon()))
        fail_unknown_supplier(context, code);
    print_supplier(context, need_supplier(context, code), "changed");
}

void list_suppliers(Context& context, const Invocation&) {
    const auto suppliers = store::list_suppliers(context.database(), Context::soon());
    Context::print(context.json() ? columns.json(suppliers)
                                  : columns.text(suppliers, "there are no import suppliers"));
}

void show_supplier(Context& context, const Invocation& invocation) {
    const store::Supplier supplier = need_supplier(context, invocation.argument("CODE"));
    const Migration migration = migration_of(context, supplier.code);
    Context::print(context.json() ? json_of(supplier, migration) : text_of(supplier, migration));
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
                "Otherwise it needs --force, even if a signed report explains the differences.",
                "ACME --status Paused", true),
        command("supplier list", {}, {}, list_suppliers, "Lists the import suppliers.", "--json"),
        command("supplier show", {supplier_code}, {}, show_supplier,
                "Shows an import supplier and the progress of its migration.", "ACME")};
}

}  // namespace data_import::ctl
