// Payment instructions of accounts, and the failures of their vendors: tables
// data_import.payment_instruction, payment_vendor_failure and payment_vendor_circuit (contract,
// sections 4.8, 5.7 and 8).
//
// No transaction is open while a vendor is asked. find_payment_instruction() is called before the request to
// the vendor; the vendor's answer or failure is stored by a second call, after the request.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/store/import.h"

namespace data_import::store {

/// The key of an instruction in its account (vendor and reference), and the organisation that sent the
/// request. The organisation is needed, because a vendor's failures are counted for each organisation.
struct PaymentInstructionName {
    std::string_view organisation;
    std::string_view vendor;
    std::string_view reference;
};

/// The decision whether the vendor is asked about an instruction, and the reason for the decision.
enum class Admission {
    stored,  ///< the vendor is not asked, because the account has the instruction already
    call,    ///< the vendor is asked
    /// The vendor is asked by this one request, which tries after a pause whether the vendor works again.
    /// Other requests to which the pause applied get `wait` meanwhile.
    probe,
    /// The vendor is not asked now, because there is a pause (VendorCircuit), or because another request is
    /// asking the vendor (Admission::probe).
    wait
};

struct PaymentInstructionLook {
    ImportVerdict verdict = ImportVerdict::done;
    std::string service_account_number;  ///< the account's number on the platform; empty unless `done`
    Admission admission = Admission::wait;
    /// Time after which the client may send the request again: 0 unless `admission` is Admission::wait. With
    /// Admission::wait, it is the time for which the vendor is not asked any more, but at least 1 s.
    std::chrono::seconds retry_after{};
};

/// Finds whether the account takes the instruction and whether the vendor may be asked. `probe` is the time
/// for which one request alone may try whether the vendor works again (Admission::probe). After that time,
/// another request may try.
[[nodiscard]] database::Call find_payment_instruction(const ImportTarget& target,
                                                      const PaymentInstructionName& name,
                                                      std::chrono::seconds probe);
[[nodiscard]] PaymentInstructionLook read_payment_instruction_look(const database::Rows& rows);

/// An instruction that its vendor has confirmed. All that the vendor sent is masked already.
struct PaymentInstruction {
    PaymentInstructionName name;
    std::string_view type;    ///< type of the instruction, as sent
    std::string_view status;  ///< status of the instruction at the vendor
    std::optional<std::string> last_four;
    std::optional<std::string> masked_account;
    std::string details;  ///< a JSON object
};

struct PaymentInstructionImported {
    /// The verdict at the time of storing. It may differ from the one in PaymentInstructionLook, because the
    /// account may have changed while the vendor was asked.
    ImportVerdict verdict = ImportVerdict::done;
    /// The account's number on the platform; empty unless `done` or `repeated`.
    std::string service_account_number;
};

/// Stores the instruction unless the account has it, and forgets the vendor's failures as
/// payment_vendor_answered() does. Safe to retry.
[[nodiscard]] database::Call import_payment_instruction(const ImportTarget& target,
                                                        PaymentInstruction instruction);
[[nodiscard]] PaymentInstructionImported read_imported_payment_instruction(const database::Rows& rows);

/// Forgets the failures of the instruction `name`, and the vendor's failures for its organisation. Ends the
/// vendor's pause for this organisation, and its pause for all organisations. The call belongs after every
/// answer of the vendor, even one that was no valid instruction.
[[nodiscard]] database::Call payment_vendor_answered(const PaymentInstructionName& name);

/// The rule for pauses in the requests to a vendor. A pause belongs to one organisation, or to all. Until a
/// pause ends, requests of its organisation, or of all, are answered without asking the vendor. The pause for
/// all begins when the pause of a second organisation begins, if the vendor has answered no organisation
/// since the pause of the first one began.
struct VendorCircuit {
    /// The number of failures in a row after which a pause begins. The second to fifth failure in a row of
    /// the same instruction do not count here.
    std::size_t failures = 0;
    /// The number of time-outs after which a pause begins, even if there are fewer failures than `failures`.
    /// Every time-out is also a failure; a failure that does not count for `failures` does not count here.
    std::size_t time_outs = 0;
    /// The length of the first pause after the vendor's last answer. Each further pause is twice as long as
    /// the pause before, but not longer than `longest_pause`.
    std::chrono::seconds first_pause{};
    std::chrono::seconds longest_pause{};
};

/// The failure of a request.
struct VendorFailure {
    std::string_view request_id;  ///< makes the call safe to retry: a request counts once
    bool timed_out;               ///< the vendor did not answer in time
    bool was_probe;               ///< the request was let through as a probe
    std::string problem;          ///< the fault of the answer, with nothing of its body
};

/// Counts a request that the vendor did not answer correctly.
[[nodiscard]] database::Call payment_vendor_failed(const PaymentInstructionName& name,
                                                   const VendorFailure& failure,
                                                   const VendorCircuit& circuit);
/// Reads the answer to a call of payment_vendor_failed(): how many requests for the same
/// PaymentInstructionName have failed in a row.
[[nodiscard]] std::int64_t read_failures_in_a_row(const database::Rows& rows);

/// The state of a vendor whose last calls have failed. A vendor that answers has no such state.
struct CircuitState {
    std::string vendor;
    /// The organisation whose requests to the vendor have failed; empty: this is the vendor's own state,
    /// which holds for all organisations.
    std::string organisation;
    std::int64_t failures = 0;
    std::int64_t time_outs = 0;
    /// RFC 3339: end of the pause in the requests to the vendor (VendorCircuit); nothing: there is no pause.
    std::optional<std::string> open_until;
    std::string changed_at;                ///< RFC 3339
    std::optional<std::string> problem{};  ///< fault of the last answer
};

[[nodiscard]] database::Call find_vendor_circuits();
[[nodiscard]] std::vector<CircuitState> read_vendor_circuits(const database::Rows& rows);

}  // namespace data_import::store
