// Payment instructions of accounts, and the failures of their vendors: tables
// data_import.payment_instruction, payment_vendor_failure and payment_vendor_circuit (contract, sections 4.8,
// 5.7 and 8).
//
// No transaction is open while a vendor is asked: look first, and tell the database the outcome afterwards.
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

/// The key of an instruction in its account, and the organisation of the request: a vendor's failures count
/// by organisation.
struct PaymentInstructionName {
    std::string_view organisation;
    std::string_view vendor;
    std::string_view reference;
};

/// Tells whether the vendor may be asked.
enum class Admission {
    stored,  ///< no need: the account has the instruction
    call,    ///< yes
    probe,   ///< yes: this one request tries whether the vendor works again
    wait     ///< no: its circuit is open
};

struct PaymentInstructionLook {
    ImportVerdict verdict = ImportVerdict::done;
    std::string service_account_number;  ///< empty unless `done`
    Admission admission = Admission::wait;
    std::chrono::seconds retry_after{};  ///< at least 1 with `wait`
};

/// `probe` is the time that a probe may take; after it another one is let through.
[[nodiscard]] database::Call find_payment_instruction(const ImportTarget& target,
                                                      const PaymentInstructionName& name,
                                                      std::chrono::seconds probe);
[[nodiscard]] PaymentInstructionLook read_payment_instruction_look(const database::Rows& rows);

/// An instruction that its vendor has confirmed. All that the vendor sent is masked already.
struct PaymentInstruction {
    PaymentInstructionName name;
    std::string_view type;    ///< as sent
    std::string_view status;  ///< at the vendor
    std::optional<std::string> last_four;
    std::optional<std::string> masked_account;
    std::string details;  ///< a JSON object
};

struct PaymentInstructionImported {
    ImportVerdict verdict = ImportVerdict::done;  ///< the account may have changed while the vendor was asked
    std::string service_account_number;           ///< empty unless `done`
};

/// Stores the instruction unless the account has it, and forgets the vendor's failures as below. Safe to
/// retry.
[[nodiscard]] database::Call import_payment_instruction(const ImportTarget& target,
                                                        PaymentInstruction instruction);
[[nodiscard]] PaymentInstructionImported read_imported_payment_instruction(const database::Rows& rows);

/// Notes that the vendor has answered, although not with a good instruction. Its failures for the
/// organisation are forgotten, and those for others no longer count for its own circuit, which holds for all.
[[nodiscard]] database::Call payment_vendor_answered(const PaymentInstructionName& name);

/// The rule for the pauses of a vendor. During an organisation's pause, its requests for the vendor are
/// answered without a call. If a second organisation's pause begins, and the vendor has answered nobody
/// since, the pause holds for all organisations.
struct VendorCircuit {
    std::size_t failures = 0;            ///< failed requests in a row after which a pause begins
    std::size_t time_outs = 0;           ///< ... or failed requests that ran out of time
    std::chrono::seconds first_pause{};  ///< each further pause is twice as long as the one before
    std::chrono::seconds longest_pause{};
};

/// The failure of a request.
struct VendorFailure {
    std::string_view request_id;  ///< counts once, so that the call is safe to retry
    bool timed_out;
    bool was_probe;
    std::string problem;  ///< the fault of the answer, with nothing of its body
};

/// Counts a request that the vendor did not answer correctly.
[[nodiscard]] database::Call payment_vendor_failed(const PaymentInstructionName& name,
                                                   const VendorFailure& failure,
                                                   const VendorCircuit& circuit);
/// Returns the number of such requests in a row, of the organisation for the same vendor and reference.
[[nodiscard]] std::int64_t read_failures_in_a_row(const database::Rows& rows);

/// The state of a vendor whose last calls have failed. A vendor that answers has none.
struct CircuitState {
    std::string vendor;
    std::string organisation;  ///< empty: the vendor's own state, which holds for all
    std::int64_t failures = 0;
    std::int64_t time_outs = 0;
    std::optional<std::string> open_until;  ///< RFC 3339; nothing while it is closed
    std::string changed_at;                 ///< RFC 3339
    std::optional<std::string> problem{};   ///< of the last failure
};

[[nodiscard]] database::Call find_vendor_circuits();
[[nodiscard]] std::vector<CircuitState> read_vendor_circuits(const database::Rows& rows);

}  // namespace data_import::store
