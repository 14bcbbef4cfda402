// Erasures of whole suppliers at the end of their migration (sql/schema/30-supplier-erasure.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// The progress of the erasure of a supplier.
struct SupplierErasure {
    std::string began_at;  ///< RFC 3339
    std::string begun_by;  ///< the operator, or `data-importd` if it was due by the supplier's setting
    std::optional<std::string> ended_at;  ///< RFC 3339; nothing: the erasure has not ended
    std::int64_t accounts = 0;            ///< accounts erased so far
    std::int64_t records = 0;             ///< records erased so far
};

/// Reads an erasure from five columns of a row, from `first_column` on, in the order of the members. Returns
/// nothing if the first of these columns is null.
[[nodiscard]] std::optional<SupplierErasure> read_erasure(const database::Row& row, std::size_t first_column);
[[nodiscard]] std::optional<SupplierErasure> find_erasure(database::Database& database,
                                                          const std::string& code,
                                                          database::Deadline deadline);

/// The number of a supplier's accounts that a consumer has not taken.
struct UntakenNews {
    std::string consumer;
    bool is_ready = true;  ///< the consumer has been added completely
    std::int64_t accounts = 0;
};
/// Lists the consumers that have not taken all news of the supplier, or are not added completely; in the
/// order of their names.
[[nodiscard]] std::vector<UntakenNews> list_untaken_news(database::Database& database,
                                                         const std::string& code,
                                                         database::Deadline deadline);

// An erasure calls `begin_erasure`, then `erase_some_accounts` until it is done. Any session may repeat
// either call.

/// Begins the erasure of the supplier `code`. `author` is the operator who begins it. If the erasure has
/// begun already, it starts again at the first account, because accounts that were on hold may have been
/// released. Throws database::Refused if the supplier does not exist, is not `Complete`, or stays locked by
/// another session. If the erasure has not begun yet and `although_news` is false, also throws
/// database::Refused if list_untaken_news() lists a consumer.
void begin_erasure(database::Database& database, const std::string& code, bool although_news,
                   const std::string& author, database::Deadline deadline);

struct ErasureSlice {
    std::int64_t accounts = 0;
    std::int64_t records = 0;
    bool is_done = false;  ///< nothing is left to erase, except accounts on hold
};
/// Does the next step of the erasure of the supplier `code`, in one short transaction. The first steps delete
/// the supplier's events. Each of the next steps erases 50 accounts in the order of their external numbers,
/// except accounts on hold. The last step removes the rest, such as refusals of unknown accounts. Throws
/// database::Refused if the erasure has not begun.
[[nodiscard]] ErasureSlice erase_some_accounts(database::Database& database, const std::string& code,
                                               database::Deadline deadline);

/// Takes one step of an erasure that is due (Supplier::erase_at): begins it, or works on it as
/// erase_some_accounts() does. Workers of all hosts make this call. The call's value is true if it took a
/// step: then the call has to be made again, because there may be more work.
[[nodiscard]] database::Call erase_due_suppliers();

/// The accounts of a supplier that are not erased.
struct AccountsLeft {
    std::int64_t all = 0;
    std::int64_t on_hold = 0;
    std::vector<std::string> first_on_hold = {};  ///< external numbers of the first accounts on hold
};
[[nodiscard]] AccountsLeft find_accounts_left(database::Database& database, const std::string& code,
                                              std::size_t most_named, database::Deadline deadline);

/// An erasure that should have ended, so that an operator has to look at it.
struct OverdueErasure {
    std::string import_supplier;
    std::optional<std::string> due_since;    ///< RFC 3339; nothing: it was not due, but an operator began it
    std::optional<SupplierErasure> erasure;  ///< progress of the erasure; nothing: it has not begun
};
/// Lists the erasures that have not ended although they were due, or began, more than a day ago; in the order
/// of the suppliers' codes.
[[nodiscard]] std::vector<OverdueErasure> list_overdue_erasures(database::Database& database,
                                                                database::Deadline deadline);

}  // namespace data_import::store
