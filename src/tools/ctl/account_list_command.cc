// The command `account list`.
#include <vector>

#include "base/util/joined.h"
#include "base/util/printable.h"
#include "data/json/writer.h"
#include "data/records/kinds.h"
#include "data/store/account_list.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t rows_of_table = 1000;

enum class Form { table, json, csv };

std::string records_of(const store::AccountSummary& account) {
    std::vector<std::string> kinds;
    for (std::size_t kind = 0; kind < account.records.size(); ++kind) {
        if (account.records[kind] == "0") continue;
        kinds.push_back(std::string(account.records[kind]) + ' ' + in_words(records::kinds()[kind].name));
    }
    return util::joined(kinds);
}

std::string json_of(const store::AccountSummary& account) {
    json::Writer writer;
    writer.begin_object().key("external_account_number").string(account.external_account_number);
    writer.key("state").string(account.state);
    writer.key("reason").string_or_null(account.reason);
    writer.key("since").string(account.since).key("attempts").raw(account.attempts);
    writer.key("records").begin_object();
    for (std::size_t kind = 0; kind < account.records.size(); ++kind)
        writer.key(records::kinds()[kind].name).raw(account.records[kind]);
    return writer.end_object().end_object().take();
}

std::string csv_header() {
    std::string header = "external_account_number,state,reason,since,attempts";
    for (const records::Kind& kind : records::kinds()) (header += ',') += kind.name;
    return header + "\n";
}

std::string csv_of(const store::AccountSummary& account) {
    std::string line = util::spreadsheet_field(account.external_account_number);
    for (const std::string_view text :
         {account.state, account.reason.value_or(""), std::string_view(account.since), account.attempts})
        (line += ',') += util::spreadsheet_field(text);
    for (const std::string_view count : account.records) (line += ',') += count;
    return line + "\n";
}

/// Prints accounts as they are read, so that its memory does not grow with their number. The table for people
/// is therefore printed in parts of `rows_of_table` accounts, and each part has column widths of its own.
class AccountPrinter {
public:
    explicit AccountPrinter(Form form) : form_(form) {
        if (form_ == Form::csv) Context::print_part(csv_header());
    }

    void add(const store::AccountSummary& account) {
        ++rows_;
        if (form_ == Form::csv) return Context::print_part(csv_of(account));
        if (form_ == Form::json) return Context::print_part((rows_ == 1 ? "[" : ",\n") + json_of(account));
        table_.add({std::string(account.external_account_number), in_words(account.state),
                    minute_of(account.since), std::string(account.attempts), records_of(account),
                    std::string(account.reason.value_or(""))});
        if (rows_ % rows_of_table == 0) flush();
    }

    void finish() {
        if (form_ == Form::csv) return;
        if (form_ == Form::json) return Context::print_part(rows_ == 0 ? "[]\n" : "]\n");
        if (rows_ == 0) return Context::print_part("there are no such accounts\n");
        if (rows_ % rows_of_table != 0) flush();
    }

private:
    static Table empty_table() {
        return Table({"ACCOUNT", "STATE", "SINCE", "ATTEMPTS", "RECORDS", "REASON"});
    }

    void flush() {
        Context::print_part((rows_ > rows_of_table ? "\n" : "") + table_.text(""));
        table_ = empty_table();
    }

    Form form_;
    Table table_ = empty_table();
    std::size_t rows_ = 0;
};

/// Refuses options that cannot select an account together, or that ask for two forms of output.
void check_together(const Context& context, const Invocation& invocation,
                    const store::AccountFilter& filter) {
    if (context.json() && invocation.has("--csv")) invocation.refuse("--csv and --json exclude each other");
    if (filter.running_hours && filter.without)
        invocation.refuse("--stuck is about accounts in progress, and --without about imported ones");
    if (filter.running_hours && filter.state.value_or("in_progress") != "in_progress")
        invocation.refuse("--stuck is about accounts in progress: --state must be in_progress or left out");
    if (filter.without && filter.state.value_or("imported") != "imported")
        invocation.refuse("--without is about imported accounts: --state must be imported or left out");
}

void list_accounts(Context& context, const Invocation& invocation) {
    const store::AccountFilter filter{.import_supplier = invocation.argument("CODE"),
                                      .state = invocation.option("--state"),
                                      .since = invocation.option("--since"),
                                      .running_hours = invocation.option("--stuck"),
                                      .without = invocation.option("--without")};
    check_together(context, invocation, filter);
    need_supplier(context, filter.import_supplier);
    AccountPrinter printer(context.json() ? Form::json : invocation.has("--csv") ? Form::csv : Form::table);
    store::list_accounts(
        context.database(), filter, [&](const store::AccountSummary& account) { printer.add(account); },
        Context::late());
    printer.finish();
}

}  // namespace

std::vector<Command> account_list_commands() {
    return {command(
        "account list", {supplier_code},
        {{"--state", "staged|in_progress|failed|imported", check_account_state,
          "Only accounts in this state."},
         {"--since", "T", check_instant, "Only accounts whose present state began after T."},
         {"--stuck", "HOURS", check_hours, "Only accounts that have been in progress for more than HOURS."},
         {"--without", "KIND", check_record_kind,
          "Only imported accounts that have no records of this kind."},
         {"--csv", "", nullptr, "CSV (RFC 4180) with a header; a column for each kind of records."}},
        list_accounts,
        "Lists accounts by their number, with their state and its time, the reason of a failure, the number "
        "of attempts, and the numbers of records, which are counted while the list is printed. KIND is " +
            record_kinds() + ".",
        "ACME --stuck 24")};
}

}  // namespace data_import::ctl
