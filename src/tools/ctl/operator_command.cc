// The commands `operator add | remove | list`.
#include "base/util/joined.h"
#include "data/store/access_events.h"
#include "data/store/operators.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::NamedOperator;

/// Returns the role with its suppliers: `operator of ACME, BETA`.
std::string rights_text(const store::OperatorRights& rights) {
    return rights.role + " of " +
           (rights.import_suppliers ? util::joined(*rights.import_suppliers) : "all import suppliers");
}

const Columns<NamedOperator> operator_columns = {
    {"name", "NAME", &NamedOperator::name},
    {"role", "ROLE", [](const NamedOperator& one) { return one.rights.role; }},
    {"suppliers", "SUPPLIERS", [](const NamedOperator& one) { return one.rights.import_suppliers; },
     [](const NamedOperator& one) {
         return one.rights.import_suppliers ? util::joined(*one.rights.import_suppliers) : "all";
     }},
    {"added_at", "ADDED", &NamedOperator::added_at, minute(&NamedOperator::added_at)},
    {"added_by", "BY", &NamedOperator::added_by},
};

void record(Context& context, std::string_view action, const std::string& details) {
    store::record_action(context.database(), {.action = action, .details = details},
                         context.acting_operator(), Context::soon());
}

void add_operator(Context& context, const Invocation& invocation) {
    NamedOperator person{.name = invocation.argument("NAME"),
                         .rights = {.role = invocation.option("--role").value()},
                         .added_by = context.operator_name()};
    for (const std::string& code : invocation.options("--supplier")) need_supplier(context, code);
    if (invocation.has("--supplier")) person.rights.import_suppliers = invocation.options("--supplier");
    const std::string rights = rights_text(person.rights);
    context.database().transaction(
        [&] {
            store::add_operator(context.database(), person, Context::soon());
            record(context, "operator_added", person.name + ": " + rights);
        },
        Context::soon());
    Context::print(context.json() ? object({{"name", person.name},
                                            {"role", person.rights.role},
                                            {"suppliers", person.rights.import_suppliers}})
                                  : in_one_line(person.name) + " is now " + rights + "\n");
}

void remove_operator(Context& context, const Invocation& invocation) {
    const std::string& name = invocation.argument("NAME");
    context.database().transaction(
        [&] {
            if (!store::remove_operator(context.database(), name, Context::soon()))
                throw Failure("there is no operator " + in_one_line(name) + "; " + std::string(program_name) +
                              " operator list shows those that there are");
            record(context, "operator_removed", name);
        },
        Context::soon());
    Context::print(context.json() ? object({{"name", name}})
                                  : in_one_line(name) + " is no operator any more\n");
}

void list_operators(Context& context, const Invocation&) {
    const auto persons = store::list_operators(context.database(), Context::soon());
    Context::print(context.json() ? operator_columns.json(persons)
                                  : operator_columns.text(persons, "there are no operators"));
}

}  // namespace

std::vector<Command> operator_commands() {
    const Argument name{"NAME", check_name};
    return {
        command("operator add", {name},
                {{"--role", "viewer|operator|signer", check_operator_role,
                  "A viewer only reads; a signer also signs reports.", true},
                 {"--supplier", "CODE", check_supplier_code,
                  "An import supplier that the person may act on; all if left out.", false, true}},
                add_operator,
                "Lets a person act on the page of operators. NAME is the name by which nginx lets the "
                "person in. For a person who is there, these rights replace the present ones. The next act "
                "of the person has them.",
                "jane --role operator --supplier ACME"),
        command("operator list", {}, {}, list_operators, "Lists the persons who may act, with their rights."),
        command("operator remove", {name}, {}, remove_operator,
                "Takes all rights from a person. Open pages of the person cannot act any more.", "jane")};
}

}  // namespace data_import::ctl
