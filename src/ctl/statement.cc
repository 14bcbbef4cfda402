// statement open | close
#include "ctl/commands.h"
#include "ctl/values.h"
#include "json/writer.h"
#include "store/account_steps.h"

namespace data_import::ctl {

namespace {

store::AccountName name_of(const Invocation& invocation) {
    return {invocation.argument("CODE"), invocation.argument("EXTERNAL")};
}

/// `period` is the one that is open now, `FROM:TO`.
void print_outcome(const Context& context, const store::AccountName& name,
                   const std::optional<std::string>& period, bool changed) {
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("import_supplier").string(name.import_supplier);
        writer.key("external_account_number").string(name.external_account_number);
        writer.key("statement_period").string_or_null(period);
        return Context::print(writer.end_object().take() + "\n");
    }
    Context::print("account " + name.external_account_number + " of " + name.import_supplier + " has " +
                   (period ? "the open statement period " + *period : "no open statement period") +
                   (changed ? "\n" : ", as it was\n"));
}

void open_statement(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const std::string& text = invocation.argument("FROM:TO");
    const Period period = parse_period(text).value();
    const bool changed =
        store::open_statement(context.database(), name, period.first_day, period.last_day, Context::soon());
    print_outcome(context, name, text, changed);
}

void close_statement(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const bool changed = store::close_statement(context.database(), name, Context::soon());
    print_outcome(context, name, std::nullopt, changed);
}

}  // namespace

std::vector<Command> statement_commands() {
    return {{{"statement",
              "open",
              {supplier_code, external_account_number, {"FROM:TO", check_period}},
              {},
              "Opens a statement period, first and last day, of an imported account; the one that is open is "
              "closed.",
              "statement open ACME 4711 2024-05-01:2024-05-31"},
             open_statement},
            {{"statement",
              "close",
              {supplier_code, external_account_number},
              {},
              "Closes the open statement period: the account takes no transactions until another is opened.",
              "statement close ACME 4711"},
             close_statement}};
}

}  // namespace data_import::ctl
