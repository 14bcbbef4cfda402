#include "removals.h"

#include <chrono>

#include "../support/database.h"

namespace data_import::soak {

Removals::Removals(const tests::Stack& stack, const Book& book, std::uint64_t seed)
    : stack_(stack), book_(book), random_(seed), thread_([this] { work(); }) {}

void Removals::stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
}

void Removals::work() {
    while (!stopping_) {
        try {
            remove_something();
        } catch (const std::exception&) {  // the database went away
            ++counts_["broken off"];
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(draw(random_, 50, 700)));
    }
}

/// Resets or erases a random removable account. Makes an erased account again at once. Also makes the account
/// if it is missing because an earlier call broke off.
void Removals::remove_something() {
    const Organisation& organisation = one_of(random_, book_.organisations);
    const std::string& supplier = one_of(random_, organisation.suppliers);
    const std::string account = removable_account(supplier, draw(random_, 1, Book::removable));
    tests::AdminSession database(stack_.value("DATABASE_URL"));
    const bool is_there = database.count(
                              "SELECT count(*) FROM platform.account WHERE import_supplier = $1 "
                              "AND external_account_number = $2 AND state = 'imported'",
                              {supplier, account}) > 0;
    const std::string removal = draw(random_, 1, 3) == 1 ? "account_erase" : "account_reset";
    if (is_there) {
        database.rows("SELECT data_import." + removal + "($1, $2)", {supplier, account});
        ++counts_[removal];
    }
    if (!is_there || removal == "account_erase") make_removable_account(database, supplier, account);
}

}  // namespace data_import::soak
