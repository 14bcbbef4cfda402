// The command `recount`.
#include "base/util/joined.h"
#include "base/util/shell_command.h"
#include "data/json/writer.h"
#include "data/store/access_events.h"
#include "data/store/control_totals.h"
#include "data/store/distribution.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::WrongTotal;

const Columns<WrongTotal> columns = {
    {"kind", "KIND", &WrongTotal::kind},
    {"figure", "FIGURE", &WrongTotal::figure},
    {"totals", "IN THE TOTALS", &WrongTotal::told},
    {"records", "IN THE RECORDS", &WrongTotal::counted},
};

std::string json_of(const std::vector<WrongTotal>& wrong, bool is_corrected) {
    json::Writer writer;
    writer.begin_object().key("corrected").boolean(is_corrected).key("differences");
    columns.write_array(writer, wrong);
    return writer.end_object().take() + "\n";
}

/// Returns the wrong figures, before and after the correction, for the audit history. Figures by unit are
/// only counted.
///
/// Units are not named, because they are texts that suppliers sent. An erasure has to remove such texts, but
/// does not change the audit history.
std::string corrections(const std::vector<WrongTotal>& wrong) {
    std::vector<std::string> named;
    std::size_t quantities = 0;
    for (const WrongTotal& one : wrong) {
        if (one.figure.starts_with("quantity:"))
            ++quantities;
        else
            named.push_back(one.kind + " " + one.figure + " " + one.told + " -> " + one.counted);
    }
    if (quantities > 0)
        named.push_back(std::to_string(quantities) + (quantities == 1 ? " quantity" : " quantities"));
    return util::joined(named);
}

std::vector<WrongTotal> correct(Context& context, const std::string& code) {
    database::Database& database = context.database();
    std::vector<WrongTotal> wrong = store::correct_totals(database, code, Context::late());
    if (!wrong.empty())
        store::record_action(
            database, {.action = "totals_corrected", .import_supplier = code, .details = corrections(wrong)},
            context.acting_operator(), Context::late());
    return wrong;
}

/// Throws Failure if the supplier may get imports and the database is distributed. In a distributed database,
/// records and totals are not read at one moment, so new records would be taken for an error.
void need_quiet_supplier(Context& context, const store::Supplier& supplier) {
    if (supplier.status != "Ongoing" || !store::is_distributed(context.database(), Context::soon())) return;
    throw Failure("this database is distributed, so stored totals cannot be corrected while imports go on: " +
                  std::string(program_name) + " " +
                  util::shell_command("supplier set", {supplier.code}, " --status Paused") + " stops them");
}

void recount_supplier(Context& context, const Invocation& invocation) {
    const std::string& code = invocation.argument("CODE");
    const bool corrects = invocation.has("--yes");
    database::Database& database = context.database();
    const store::Supplier supplier = need_supplier(context, code);
    if (corrects) need_quiet_supplier(context, supplier);
    std::vector<WrongTotal> wrong;
    {
        ProgressLine progress;
        progress.phase("counting the records");
        database.transaction(
            [&] {
                database.execute_script("SET LOCAL statement_timeout = 0", Context::late());
                wrong = corrects ? correct(context, code) : store::recount(database, code, Context::late());
            },
            Context::late());
    }
    const bool corrected = corrects && !wrong.empty();
    store::keep_comparison(database, code, corrected ? 0 : wrong.size(), Context::soon());
    if (context.json())
        Context::print(json_of(wrong, corrected));
    else if (wrong.empty())
        Context::print("the stored totals of " + code + " are what its records say\n");
    else
        Context::print(columns.text(wrong, "") +
                       (corrected ? "the stored totals of " + code + " are now what its records say\n" : ""));
    if (!wrong.empty() && !corrected)
        throw Failure("the stored totals of " + code + " are not what its records say; " +
                      std::string(program_name) + " " + util::shell_command("recount", {code}, " --yes") +
                      " corrects them");
}

}  // namespace

std::vector<Command> recount_commands() {
    return {command(
        "recount", {supplier_code},
        {{"--yes", "", nullptr, "Corrects the stored totals; without it they are only compared."}},
        recount_supplier,
        "Counts the records and accounts of a supplier, and prints in which figures the stored totals "
        "differ from them. The exit status is 1 if any do and --yes does not correct them. They differ only "
        "if somebody has removed or changed records by SQL. Imports, resets and erasures change the stored "
        "totals together with the records. --yes makes the stored totals those of the records, and the "
        "audit history tells who did so, and the figures before and after. Imports can go on meanwhile; only "
        "on a distributed database (Citus) "
        "--yes needs a supplier that is Paused or Complete. Every record is read, which takes long for many.",
        "ACME")};
}

}  // namespace data_import::ctl
