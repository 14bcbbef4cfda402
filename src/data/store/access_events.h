// The audit history: changes of access, the use of API keys, actions of operators, and signed reports.
//
// The functions of store/api_keys.h, which change API keys, write the events of their changes themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/operator.h"

namespace data_import::store {

struct SignedReport {
    std::string id = {};  ///< 32 hexadecimal digits
    std::string import_supplier;
    std::string as_of = {};  ///< RFC 3339
    std::string signed_by;   ///< the person's name
    /// RFC 3339: time at which the report's row was added to the table data_import.signed_report.
    std::string signed_at = {};
    Operator by = {};
    std::string html_sha256;  ///< SHA-256 of the report's HTML file, 64 hexadecimal digits
    std::string json_sha256;  ///< SHA-256 of the report's JSON file, 64 hexadecimal digits
};

/// Records a signed report, with a digest of the supplier's current figures, which shows later whether they
/// have changed. Has to be called in the transaction that read the figures of the report. The supplier must
/// have declared its totals.
void record_signed_report(database::Database& database, const SignedReport& report,
                          database::Deadline deadline);

/// Returns the report whose HTML or JSON file has this SHA-256, in hexadecimal digits; nothing if there is
/// none.
[[nodiscard]] std::optional<SignedReport> find_signed_file(database::Database& database,
                                                           const std::string& sha256,
                                                           database::Deadline deadline);
[[nodiscard]] std::optional<SignedReport> find_signed_report(database::Database& database,
                                                             const std::string& id,
                                                             database::Deadline deadline);

[[nodiscard]] std::optional<SignedReport> find_last_signed_report(database::Database& database,
                                                                  const std::string& import_supplier,
                                                                  database::Deadline deadline);

struct AccessEvent {
    std::int64_t id = 0;  ///< 0 for `key_used` and `report_signed`
    std::string at;       ///< RFC 3339
    /// Name of the event: an action that the table data_import.access_event allows, such as `key_created`;
    /// `key_used` (a key was used on a day); or `report_signed`.
    std::string action;
    Operator by;  ///< the person who acted; both members are empty for `key_used`
    std::optional<std::string> api_key_id;
    std::optional<std::string> organisation;
    /// Codes of the key's suppliers before `scope_changed`; otherwise nothing.
    std::optional<std::vector<std::string>> old_scope;
    /// Codes of the key's suppliers after `key_created` or `scope_changed`; otherwise nothing.
    std::optional<std::vector<std::string>> new_scope;
    std::optional<std::string> signing_key;  ///< kid
    std::optional<std::string> used_on;      ///< day of the use, YYYY-MM-DD in UTC; only of `key_used`
    /// Supplier, signer and digests of the report; given only for `report_signed`.
    std::optional<SignedReport> report;
    /// Code of the supplier that the event is about; nothing if it is about none.
    std::optional<std::string> import_supplier;
    /// External account number, or the account key if the account was erased.
    std::optional<std::string> account;
    std::optional<std::string> kind;  ///< kind of the records; only if `action` is `records_seen`
    /// Details of an action on a supplier, account or consumer, as text for people.
    std::optional<std::string> details;
    std::optional<std::string> consumer;  ///< name of the consumer
};

/// Returns the events since `since` (nothing: all events), from the oldest to the newest (contract, section
/// 2.4). If there are more than `most`, returns only the newest of them. A key has one event `key_used` for
/// each day (UTC) on which the key was used. The time of this event is when the first use of the key on that
/// day was stored.
[[nodiscard]] std::vector<AccessEvent> list_access_events(database::Database& database,
                                                          const std::optional<std::string>& since,
                                                          const std::optional<std::size_t>& most,
                                                          database::Deadline deadline);

/// The last change of a key that signs tokens, on any host.
struct SigningKeyRecord {
    std::string kid;
    bool is_removed = false;  ///< the last change was the removal of the key
    std::string host;         ///< name of the machine on which the last change was made
};

/// Lists the keys with their last changes, from the oldest key to the newest. A key that is older than the
/// database, and so has no recorded change, is missing.
[[nodiscard]] std::vector<SigningKeyRecord> list_signing_keys(database::Database& database,
                                                              database::Deadline deadline);

/// An action on a supplier, on one of its accounts, or on a consumer.
struct OperatorAction {
    std::string_view action;  ///< an action of data_import.access_event, such as `status_set`
    std::optional<std::string> import_supplier = {};
    std::optional<std::string> external_account_number = {};
    std::optional<std::string> details = {};   ///< text for people, without personal data
    std::optional<std::string> consumer = {};  ///< name of the consumer
};
/// Records the action, as a part of the open transaction if there is one. Returns the id of the event.
std::int64_t record_action(database::Database& database, const OperatorAction& action, const Operator& by,
                           database::Deadline deadline);

/// Adds the event that somebody looked at records of an account on the page of operators. `account_key` has
/// 32 hexadecimal digits. The event has no name of the person, because the page does not know who uses it.
/// Does nothing if this host has added such an event for the account and kind in the last five minutes.
void record_seen_records(database::Database& database, const std::string& import_supplier,
                         const std::string& account_key, std::string_view kind, database::Deadline deadline);

enum class SigningKeyAction { made, removed };

/// Records a change of a key that signs tokens.
void record_signing_key(database::Database& database, SigningKeyAction action, const std::string& kid,
                        const Operator& by, database::Deadline deadline);

}  // namespace data_import::store
