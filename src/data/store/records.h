// The records of accounts as they were sent, read for control totals, exports and operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/util/datetime.h"
#include "data/database/binary_values.h"
#include "data/database/database.h"
#include "data/records/kinds.h"
#include "data/store/stored_record.h"

namespace data_import::store {

/// A supplier's accounts whose external account numbers are greater than `behind` and not greater than
/// `last`, by code point.
struct AccountRange {
    std::string import_supplier;
    std::string behind;
    std::string last;
};

/// The accounts of a range, or the accounts with these keys (32 hexadecimal digits each).
using SomeAccounts = std::variant<AccountRange, std::vector<std::string>>;

/// Calls `each` with the records of a kind that suppliers sent for these accounts, one by one, in no
/// particular order. A record is passed as the values of `columns` and then the account's key (16 bytes), all
/// in PostgreSQL's binary form. Dates are as sent, and fields that were not sent are NULL. The values are
/// valid only during the call of `each`, whose exceptions pass through.
void read_records(database::Database& database, const records::Kind& kind,
                  std::span<const store::RecordColumn> columns, const SomeAccounts& accounts,
                  const std::function<void(const std::vector<database::BinaryValue>&)>& each,
                  database::Deadline deadline);

/// Records of several kinds in the order of exports.
struct OrderedRecords {
    struct OfKind {
        const records::Kind* kind;
        std::span<const store::RecordColumn> columns;
    };
    AccountRange accounts;
    /// External numbers of the accounts to read within the range; empty: all accounts of the range.
    std::span<const std::string> numbers = {};
    std::vector<OfKind> kinds;
    std::optional<std::string> since = {};  ///< RFC 3339: only records stored at this time or later
};

/// A record in the order of exports. Its views are valid only during the call of `each`.
struct OrderedRecord {
    std::string_view external_account_number;
    std::size_t kind;  ///< place of the record's kind in OrderedRecords::kinds
    /// Number of the record among the account's transactions with the same transaction_id, from 1; 1 for
    /// other kinds.
    std::int64_t copy;
    /// The values of OrderedRecords::OfKind::columns of the record's kind, then the account's key.
    const std::vector<database::BinaryValue>& row;
};

/// Calls `each` with the records that suppliers sent, one by one, ordered by external account number (by code
/// point), OrderedRecord::kind, OrderedRecord::copy, records::Kind::comes_first and record_id. The values in
/// OrderedRecord::row are in PostgreSQL's binary form; the account's key has 16 bytes.
void read_records_in_order(database::Database& database, const OrderedRecords& wanted,
                           const std::function<void(const OrderedRecord&)>& each,
                           database::Deadline deadline);

/// Calls `each` with the records of a kind that belongs to no account, ordered by record_id. A record is
/// passed as JSON in the canonical form (contract, section 12.5). With `since` (RFC 3339), reads only the
/// records that were stored at this time or later.
void read_records_without_account(database::Database& database, const std::string& kind,
                                  const std::optional<std::string>& since,
                                  const std::function<void(std::string_view)>& each,
                                  database::Deadline deadline);

/// The page of an account's records to read, the newest first. It leaves out the records that were stored
/// after `until`, then the first `skipped` records, and has at most `most` records.
struct RecordPage {
    /// The page has only records that were stored at this time or earlier. The time lies between the years 1
    /// and 9999. Nothing: the page has records of any time.
    std::optional<util::Instant> until = {};
    std::size_t skipped = 0;
    std::size_t most = 0;
};
/// Calls `each` with the records of a page, one by one, the record that was stored last first. A record is
/// passed as the values of `columns`, the account's key (16 bytes), imported_at, request_id, api_key_id, and
/// a moved date as text. The moved date is the date under which the record is stored
/// (records::Kind::moved_to); NULL if the supplier sent this date. All values are in PostgreSQL's binary
/// form.
void read_last_records(database::Database& database, const records::Kind& kind,
                       std::span<const store::RecordColumn> columns, const std::string& account_key,
                       const RecordPage& page,
                       const std::function<void(const std::vector<database::BinaryValue>&)>& each,
                       database::Deadline deadline);

/// Makes the transaction read from one snapshot, and find records by indexes, whatever the statistics of the
/// tables are. begin_snapshot() describes `snapshot`.
void begin_reading_records(database::Database& database, database::Deadline deadline,
                           std::string_view snapshot = {});

/// Allows the next statements of the transaction to read whole tables without indexes where this is quicker,
/// for example for sums over all records.
void allow_reading_whole_tables(database::Database& database, database::Deadline deadline);

/// An account of a supplier with its key, in any state.
struct NumberedAccount {
    std::string external_account_number;
    std::string account_key;  ///< 32 hexadecimal digits
};
/// Returns the next accounts after the number `behind`, by code point, at most `most`. If it returns fewer,
/// there are no more accounts.
[[nodiscard]] std::vector<NumberedAccount> next_accounts(database::Database& database,
                                                         std::string_view import_supplier,
                                                         std::string_view behind, std::size_t most,
                                                         database::Deadline deadline);
/// Finds the supplier's accounts with these numbers; leaves out unknown numbers.
[[nodiscard]] std::vector<NumberedAccount> find_accounts(
    database::Database& database, std::string_view import_supplier,
    std::span<const std::string> external_account_numbers, database::Deadline deadline);

}  // namespace data_import::store
