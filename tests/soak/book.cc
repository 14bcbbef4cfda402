#include "book.h"

#include <stdexcept>

#include "../support/command.h"
#include "../support/database.h"
#include "../support/world.h"

namespace data_import::soak {

namespace {

void make_accounts(tests::AdminSession& database, const std::string& supplier) {
    tests::import_accounts(database, supplier, supplier + '-', Book::imported);
    database.rows(
        "SELECT data_import.statement_open(import_supplier, external_account_number, '2024-05-01', "
        "'2024-05-31') "
        "FROM data_import.account WHERE import_supplier = $1 AND state = 'imported'",
        {supplier});
    database.rows(
        "SELECT data_import.account_stage($1, 'staged-' || n) FROM generate_series(1, $2::integer) AS n",
        {supplier, std::to_string(Book::staged)});
    for (int number = 1; number <= Book::removable; ++number)
        make_removable_account(database, supplier, removable_account(supplier, number));
}

void make_organisation(const tests::Stack& stack, tests::AdminSession& database, Organisation& organisation) {
    std::string arguments = "key create --organisation " + tests::shell_word(organisation.name);
    for (const std::string& supplier : organisation.suppliers) {
        tests::run_ctl(stack, "supplier create " + supplier + " --name " + supplier);
        make_accounts(database, supplier);
        arguments += " --supplier " + supplier;
    }
    organisation.api_key = tests::run_ctl(stack, arguments);
}

/// Stores the market participant without the service, so that no client has to wait until another one sends
/// it.
void make_participant(tests::AdminSession& database) {
    database.rows(
        "INSERT INTO data_import.market_participant "
        "(code, code_type, name, role, energy, has_contact_details, organisation, request_id, api_key_id) "
        "VALUES ($1, 'BDEW', 'Grid', 'NETWORK_OPERATOR', 'ELECTRICITY', false, 'nobody', "
        "gen_random_uuid(), 1)",
        {Book::participant});
}

std::string five_digits(long number) {
    const std::string digits = std::to_string(number);
    return std::string(5 - digits.size(), '0') + digits;
}

}  // namespace

std::string imported_account(const std::string& supplier, long number) {
    return supplier + '-' + five_digits(number);
}

std::string staged_account(long number) {
    return "staged-" + std::to_string(number);
}

std::string removable_account(const std::string& supplier, long number) {
    return supplier + "-removable-" + std::to_string(number);
}

void make_removable_account(tests::AdminSession& database, const std::string& supplier,
                            const std::string& account) {
    database.rows("SELECT data_import.account_stage($1, $2, true)", {supplier, account});
    database.rows("SELECT data_import.account_complete($1, $2, NULL, NULL, '2024-05-01', '2024-05-31')",
                  {supplier, account});
}

std::string service_number(const Place& place) {
    return "S-" + place.account;
}

Book make_book(const tests::Stack& stack) {
    Book book{{{"Northern Energy", {"NORTH"}},
               {"Southern Energy", {"SOUTH", "WEST"}},
               {"Eastern Energy", {"EAST"}}}};
    tests::AdminSession database(stack.value("DATABASE_URL"));
    for (Organisation& organisation : book.organisations) make_organisation(stack, database, organisation);
    make_participant(database);
    return book;
}

}  // namespace data_import::soak
