// The data of the shared stack for cases: suppliers, tokens, accounts in every state; and the variables that
// name them.
//
//   {{token}}           for ACME, PAUSED, COMPLETE, EMPTY, {{listing}}, {{failing}} and {{eventful}}
//   {{other_token}}     for the supplier OTHER alone
//   {{api_key}}         the API key of {{token}}; {{revoked_api_key}} is that of {{revoked_token}}
//   {{revoked_token}} {{expired_token}} {{wrong_signature_token}} {{unsigned_token}}
//   {{account}}         an imported account of ACME that no other case uses
//   {{account2}} {{account3}}   two more accounts like {{account}}
//   {{service_number}}  the number that {{account}} has on the platform
//   {{staged}} {{in_progress}} {{failed}}   accounts of ACME in that state, which no other case uses
//   {{paused_account}} {{complete_account}} {{other_account}}   an account of PAUSED, of COMPLETE, of OTHER
//   {{odd_account}}     an imported account of ACME whose number is `ä/ +%<stamp>`
//   {{listing}}         a supplier with seven accounts, in every state, for the listings
//   {{failing}} {{eventful}}   suppliers without accounts, for the cases of failed accounts and of events
//   {{fresh}} {{fresh2}}   a new text, good as a supplier code or an account number
//   {{code}} {{code2}}  a new number, good as a market participant's code
//   {{now}} {{now-3600}} {{now+60}}   the current time in UTC, moved by seconds
//   {{kinds}}           the names of all kinds of records, with commas
//   {{vendors}}         a JSON array of the codes of all payment vendors
//   {{records:notes=2}} a JSON object with the number of records of every kind; 0 for kinds without a number
//   {{repeat:TEXT:N}}   TEXT N times
//   {{members:N}}       N members of an object ("m0":0,"m1":0)
//   {{hex:C3 BC}}       bytes
//   {{directory}}       the directory for a case's files
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "database.h"
#include "stack.h"

namespace data_import::tests {

/// Suppliers, keys, tokens and accounts for cases. Cases can run again on the same stack with a new World.
class World {
public:
    explicit World(const Stack& stack);
    [[nodiscard]] const Stack& stack() const { return stack_; }
    [[nodiscard]] AdminSession& database() { return database_; }
    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
    [[nodiscard]] long stored_notes();
    /// The number of rows in all tables that requests can fill.
    [[nodiscard]] long stored_rows();
    /// Returns a transaction id for digest(): all transactions with a lower id have ended.
    [[nodiscard]] std::string moment();
    /// Returns a line for each table: the table's name, the number of all rows, and a digest of the rows
    /// stored after `since`, a result of moment(). The lines of import_total and import_supplier have
    /// a digest of all rows, and no number. Tables that workers fill on their own, such as the counts of
    /// refusals, have no line.
    [[nodiscard]] std::string digest(const std::string& since);

    /// Returns the value of a variable that all test cases share; null if no such variable has this name.
    [[nodiscard]] const std::string* shared(const std::string& name) const;
    /// An account of ACME in this state, new with each call.
    std::string take_account(const std::string& state);
    /// A text, new with each call.
    std::string take_fresh();
    /// A market participant's code, new with each call.
    std::string take_code();

    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

private:
    void make_suppliers();
    void make_accounts();
    void make_listing();
    void make_tokens();
    void set_supplier(const std::string& code, const std::string& status);
    struct Key {
        std::string id;
        std::string text;
    };
    Key make_key(const std::string& organisation, const std::string& scope);

    const Stack& stack_;
    AdminSession database_;
    std::string count_of_rows_;
    std::string select_digest_;
    std::string stamp_;
    std::filesystem::path directory_;
    std::map<std::string, std::string> shared_;
    std::map<std::string, int> taken_;
};

/// Returns the world of the shared stack, made once per run of the test program.
[[nodiscard]] World& world();

/// Runs data-importctl of a stack and returns its standard output; throws std::runtime_error if it fails.
std::string run_ctl(const Stack& stack, const std::string& arguments);

/// Makes a key for these suppliers (codes with blanks between them), and returns a token for it.
[[nodiscard]] std::string token_for(const Stack& stack, const std::string& organisation,
                                    const std::string& suppliers);

/// Makes `count` imported accounts PREFIX00001... of a supplier, by the functions that the platform's
/// software uses.
void import_accounts(AdminSession& database, const std::string& supplier, const std::string& prefix,
                     int count);

/// The variables of one case.
class Variables {
public:
    explicit Variables(World& world) : world_(world) {}
    /// Replaces every `{{...}}`; throws std::runtime_error for an unknown one.
    [[nodiscard]] std::string expand(std::string_view text);

private:
    std::string value(const std::string& name);
    std::string own_value(const std::string& name);

    World& world_;
    std::map<std::string, std::string> own_;
};

}  // namespace data_import::tests
