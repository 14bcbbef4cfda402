// The import log counts refused requests by day and kind, and keeps the last refused requests of each
// account. It is in the tables data_import.refused_request, account_refusal, account_refusal_count and
// bulk_refusal. It holds nothing that was sent, except the numbers of accounts that are not known. The
// sentences of answers are kept without the values that were sent.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"
#include "data/database/database.h"
#include "data/store/accounts.h"

namespace data_import::store {

/// The `code` of the entry for all further refusals, if there are too many kinds to count each of them.
inline constexpr std::string_view other_refusals = "other";

/// The `item_code` of transactions that were sent again with other content. The service does not refuse such
/// a transaction, and does not change the stored one.
inline constexpr std::string_view transaction_differs = "transaction_differs";

/// The common properties of refusals of one kind.
struct RefusalKind {
    std::string import_supplier;  ///< code; empty: no supplier is known
    /// The declared path of the endpoint, with `{NAME}` for each variable segment; empty: the URL of the
    /// request belongs to no endpoint.
    std::string endpoint;
    /// HTTP status of the answers; 0 in the entry for all further refusals (other_refusals), whose answers
    /// have different statuses.
    int status = 0;
    /// The `code` of the answers, such as `validation_error`. If there are too many kinds to count each
    /// of them, one entry with the code `other` (other_refusals) counts all further refusals. The code is
    /// empty if `item_code` is `transaction_differs`, because a request with such a transaction is not
    /// refused.
    std::string code;
    /// The `code` of an item in the `errors` of the answers, or `transaction_differs`; empty: the answers
    /// have no items. An answer with several items counts once for each different item_code and attr.
    std::string item_code = {};
    /// The `attr` of the item that has `item_code`: the place in the payload that was refused, with N for
    /// each index, such as `notes.N.body`. Empty if there is no item, or if the item names no declared place.
    std::string attr = {};
    auto operator<=>(const RefusalKind&) const = default;
};

struct RefusalCount {
    std::int64_t count = 0;
    std::string sample_request_id = {};  ///< id of the last refused request, 32 hexadecimal digits
    util::Instant last_at = {};
    /// The reason in the answer to the last refused request: the `detail` of the first item in `errors` that
    /// has this item_code and attr. If the answer has no items, the `detail` of the answer. Empty: not kept.
    std::string detail = {};
};

/// One reason of a refusal: an item of the answer's `errors`.
struct RefusedPlace {
    std::string code;  ///< `code` of the item in the answer's `errors`
    /// The refused place in the request, with the indexes of list items: `notes.3.body`. For an undocumented
    /// field, the place of the object that has the field. Empty: the whole payload, or no declared place.
    std::string attr;
    /// The sentence in the `detail` of the item in the answer's `errors`; empty: the sentence was not kept.
    std::string detail = {};
};

/// A refused request for an account, or a refused line of a bulk request.
struct Refusal {
    std::string request_id;  ///< 32 hexadecimal digits
    std::size_t line = 0;    ///< line of the bulk request, from 1; 0: no bulk request
    std::string api_key_id;
    std::string endpoint;  ///< declared path of the endpoint, with `{NAME}` for each variable segment
    int status = 0;
    std::string code;                       ///< code of the answer
    std::size_t error_count = 0;            ///< number of items in the answer's `errors`
    std::vector<RefusedPlace> places = {};  ///< the first items of the answer's `errors`; others are not kept
    /// The `detail` of the answer; empty if the answer has `errors`, or if the `detail` was not kept.
    std::string detail = {};
};

/// A refusal to be kept for its account.
struct AccountRefusal {
    std::string account_key;  ///< 32 hexadecimal digits
    std::string import_supplier;
    std::string shown_number;  ///< the external account number, stored only if the account is not known;
                               ///< empty: it is too long, or has control characters
    util::Instant at = {};
    Refusal refusal;
};

/// The number of refused lines of a bulk request.
struct RefusedLines {
    std::string api_key_id;
    std::int64_t lines = 0;
};

/// Counts of refusals.
struct RefusalCounts {
    std::map<RefusalKind, RefusalCount> kinds;
    /// The number of refused requests that named an account, by the supplier's code.
    std::map<std::string, std::int64_t> of_accounts;
    std::map<std::string, RefusedLines> lines;  ///< refused lines of bulk requests, by the id of the request

    [[nodiscard]] bool empty() const { return kinds.empty() && of_accounts.empty() && lines.empty(); }
};

/// Adds refusals to the import log. `counts` are added to the stored counts. Each refusal of `last` is kept
/// for its account, unless the account was erased. At least one of the parameters must not be empty.
///
/// Because a retry could add `counts` a second time, the call must not be retried after an unknown outcome.
[[nodiscard]] database::Call add_refusals(const RefusalCounts& counts,
                                          const std::vector<AccountRefusal>& last);
/// Returns whether a call of add_refusals() has kept the refusals of `last`; `rows` is the database's answer.
/// False: another session was storing refusals or erasing an account, so only the counts were stored. The
/// caller then has to pass `last` to add_refusals() again later, without these counts.
[[nodiscard]] bool read_are_last_kept(const database::Rows& rows);

/// A filter for `list_refusals`.
struct RefusalFilter {
    std::optional<std::string> import_supplier;
    std::optional<std::string> since;        ///< RFC 3339
    std::optional<std::string> except = {};  ///< leaves out answers with this `code`
    std::size_t most = 0;                    ///< the most kinds of refusals that `list_refusals` returns
};

struct LoggedRefusal {
    RefusalKind kind;
    std::int64_t count = 0;  ///< number of refusals on the days that list_refusals() counts
    std::string sample_request_id;
    std::string last_at;      ///< RFC 3339
    std::string detail = {};  ///< sentence of the last answer; empty: it was not kept
};

/// Lists the kinds of refusals that occurred at `since` or later, the latest first. Their counts are of whole
/// days (UTC), from the day of `since` on.
[[nodiscard]] std::vector<LoggedRefusal> list_refusals(database::Database& database,
                                                       const RefusalFilter& filter,
                                                       database::Deadline deadline);

/// Examples of accounts that had refusals of one kind.
struct RefusalExamples {
    RefusalKind kind;
    /// External numbers of accounts in the last refused request of `kind`. Only a bulk request has several
    /// accounts.
    std::vector<std::string> external_account_numbers;
};

/// Lists examples for each kind of refusals in `refusals`: at most `most` external numbers of accounts that
/// the last refused request of the kind named. Leaves out a kind if no account number is stored for that
/// request.
[[nodiscard]] std::vector<RefusalExamples> list_examples(database::Database& database,
                                                         const std::vector<LoggedRefusal>& refusals,
                                                         std::size_t most, database::Deadline deadline);

/// The most refusals that are kept for an account.
inline constexpr std::size_t max_account_refusals = 20;

/// A refusal that is kept for an account.
struct KeptRefusal {
    /// The account's number is empty only if the account does not exist here, and its number is too long or
    /// has control characters (AccountRefusal::shown_number).
    AccountName account;
    bool is_known = true;  ///< the account is known here
    std::string at;        ///< RFC 3339
    Refusal refusal;
};

/// Selects refusals for `list_last_refusals`. `external_account_number` or `request_id` must be given.
struct LastRefusalFilter {
    std::optional<std::string> external_account_number = {};
    std::optional<std::string> request_id = {};
    std::optional<std::string> import_supplier = {};
    std::optional<std::string> since = {};  ///< RFC 3339
    std::size_t most = 0;
};

/// Lists kept refusals, the latest first.
[[nodiscard]] std::vector<KeptRefusal> list_last_refusals(database::Database& database,
                                                          const LastRefusalFilter& filter,
                                                          database::Deadline deadline);

/// A supplier's refused requests that named an account: how many there were, and how many of them are kept
/// individually.
struct KeptPart {
    std::string import_supplier;
    std::string since;  ///< first day that is counted, in UTC
    std::int64_t refusals = 0;
    std::int64_t kept = 0;
};

/// Lists the suppliers with refusals that are not kept individually, in the order of their codes. Counts
/// refusals of whole days (UTC), from the day of `since` on.
[[nodiscard]] std::vector<KeptPart> list_partly_kept(database::Database& database,
                                                     const std::optional<std::string>& import_supplier,
                                                     const std::optional<std::string>& since,
                                                     database::Deadline deadline);

/// Returns how many lines of a bulk request were refused. Returns nothing if none was, if the request is no
/// bulk request, or if the number has been deleted.
[[nodiscard]] std::optional<std::int64_t> count_refused_lines(database::Database& database,
                                                              const std::string& request_id,
                                                              database::Deadline deadline);

/// An account that does not exist here, and for which refusals are kept. If the number of the account is
/// empty, the entry is for all such accounts of the supplier whose numbers are too long or have control
/// characters (AccountRefusal::shown_number).
struct UnknownAccount {
    AccountName account;
    std::int64_t refusals = 0;  ///< number of kept refusals for the account
    std::string last_at;        ///< RFC 3339
    std::string last_request_id;
};

/// Lists the accounts of one supplier, or of all suppliers, that are still not known and for which refusals
/// are kept; the account with the latest refusal comes first. Leaves out refusals before `since` (RFC 3339).
[[nodiscard]] std::vector<UnknownAccount> list_unknown_accounts(
    database::Database& database, const std::optional<std::string>& import_supplier,
    const std::optional<std::string>& since, database::Deadline deadline);

/// The number of a supplier's refusals with one code in the last hour. The code is that of an item in the
/// answer's `errors`, or that of the answer if it had no items.
struct RecentRefusals {
    std::string import_supplier;  ///< code; empty: no supplier is known
    std::string code;
    std::int64_t count = 0;
};

/// Finds the most frequent refusals of the last 60 to 61 minutes: at most `most` pairs of supplier and code,
/// the most frequent first.
[[nodiscard]] database::Call find_recent_refusals(std::size_t most);
[[nodiscard]] std::vector<RecentRefusals> read_recent_refusals(const database::Rows& rows);

/// Lists the kinds of refusals whose last refused request is the one with this id.
[[nodiscard]] std::vector<LoggedRefusal> list_refusals_of_sample(database::Database& database,
                                                                 const std::string& request_id,
                                                                 database::Deadline deadline);

}  // namespace data_import::store
