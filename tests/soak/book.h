// The organisations of a soak run: their keys, suppliers and accounts.
#pragma once

#include <string>
#include <vector>

#include "../support/database.h"
#include "../support/stack.h"

namespace data_import::soak {

/// An account of a supplier.
struct Place {
    std::string supplier;
    std::string account;

    bool operator==(const Place&) const = default;
};

struct Organisation {
    std::string name;
    std::vector<std::string> suppliers;
    std::string api_key = {};
};

/// The organisations of a run, with constants that hold for each of their suppliers. `imported`, `staged` and
/// `removable` are the numbers of a supplier's accounts. Removable accounts are imported, too, but do not
/// count in `imported`. The class Removals resets and erases them during the run. Imported and removable
/// accounts have an open statement period, May 2024.
struct Book {
    static constexpr int imported = 40;
    static constexpr int staged = 5;
    static constexpr int removable = 3;
    static constexpr const char* participant = "1000000000001";  ///< the owner of all price sheets

    std::vector<Organisation> organisations;
};

/// The next three functions return external account numbers. `number` counts the imported, the staged or the
/// removable accounts of a supplier from 1. Staged accounts have the same numbers at all suppliers.
[[nodiscard]] std::string imported_account(const std::string& supplier, long number);
[[nodiscard]] std::string staged_account(long number);
[[nodiscard]] std::string removable_account(const std::string& supplier, long number);
[[nodiscard]] inline bool is_removable(const Place& place) {
    return place.account.starts_with(place.supplier + "-removable-");
}
/// The number that account_transfer_status answers for an imported account.
[[nodiscard]] std::string service_number(const Place& place);

/// Makes an imported account; the account may have been erased before.
void make_removable_account(tests::AdminSession& database, const std::string& supplier,
                            const std::string& account);

/// Makes keys, suppliers and accounts with data-importctl and the platform's SQL functions. The stack must be
/// up.
[[nodiscard]] Book make_book(const tests::Stack& stack);

}  // namespace data_import::soak
