#include "data/store/payment_instructions.h"

#include <stdexcept>
#include <utility>

namespace data_import::store {

namespace {

Admission parse_admission(std::string_view text) {
    if (text == "stored") return Admission::stored;
    if (text == "call") return Admission::call;
    if (text == "probe") return Admission::probe;
    if (text == "wait") return Admission::wait;
    throw std::logic_error("payment_instruction_look answered an unknown admission");
}

std::string seconds_text(std::chrono::seconds time) {
    return std::to_string(time.count());
}

std::string boolean_text(bool truth) {
    return truth ? "true" : "false";
}

}  // namespace

database::Call find_payment_instruction(const ImportTarget& target, const PaymentInstructionName& name,
                                        std::chrono::seconds probe) {
    return {
        .name = "find_payment_instruction",
        .sql =
            "SELECT verdict, service_account_number, admission, retry_after "
            "FROM data_import.find_payment_instruction(data_import.account_key($1, $2), $1, $3, $4, $5, $6)",
        .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                       std::string(name.organisation), std::string(name.vendor), std::string(name.reference),
                       seconds_text(probe)}};
}

PaymentInstructionLook read_payment_instruction_look(const database::Rows& rows) {
    PaymentInstructionLook look{.verdict = parse_import_verdict(rows.text(0, 0)),
                                .service_account_number = {}};
    if (look.verdict != ImportVerdict::done) return look;
    look.service_account_number = std::string(rows.text(0, 1));
    look.admission = parse_admission(rows.text(0, 2));
    look.retry_after = std::chrono::seconds(rows.integer(0, 3));
    return look;
}

database::Call import_payment_instruction(const ImportTarget& target, PaymentInstruction instruction) {
    return {.name = "store_payment_instruction",
            .sql =
                "SELECT verdict, service_account_number FROM data_import.store_payment_instruction("
                "data_import.account_key($1, $2), $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id),
                           std::string(instruction.name.organisation), std::string(instruction.name.vendor),
                           std::string(instruction.name.reference), std::string(instruction.type),
                           std::string(instruction.status), std::move(instruction.last_four),
                           std::move(instruction.masked_account), std::move(instruction.details)}};
}

PaymentInstructionImported read_imported_payment_instruction(const database::Rows& rows) {
    PaymentInstructionImported imported{.verdict = parse_import_verdict(rows.text(0, 0)),
                                        .service_account_number = {}};
    if (imported.verdict == ImportVerdict::done || imported.verdict == ImportVerdict::repeated)
        imported.service_account_number = std::string(rows.text(0, 1));
    return imported;
}

database::Call payment_vendor_answered(const PaymentInstructionName& name) {
    return {.name = "payment_vendor_answered",
            .sql = "SELECT data_import.payment_vendor_answered($1, $2, $3)",
            .parameters = {std::string(name.organisation), std::string(name.vendor),
                           std::string(name.reference)}};
}

database::Call payment_vendor_failed(const PaymentInstructionName& name, const VendorFailure& failure,
                                     const VendorCircuit& circuit) {
    return {
        .name = "note_vendor_failure",
        .sql = "SELECT data_import.note_vendor_failure($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        .parameters = {std::string(name.organisation), std::string(name.vendor), std::string(name.reference),
                       std::string(failure.request_id), boolean_text(failure.timed_out),
                       boolean_text(failure.was_probe), std::to_string(circuit.failures),
                       std::to_string(circuit.time_outs), seconds_text(circuit.first_pause),
                       seconds_text(circuit.longest_pause), failure.problem}};
}

std::int64_t read_failures_in_a_row(const database::Rows& rows) {
    return rows.integer(0, 0);
}

database::Call find_vendor_circuits() {
    return {.name = "find_vendor_circuits",
            .sql =
                "SELECT vendor, organisation, failures, time_outs, open_until, changed_at, problem "
                "FROM data_import.payment_vendor_circuit ORDER BY vendor, organisation LIMIT 1000"};
}

std::vector<CircuitState> read_vendor_circuits(const database::Rows& rows) {
    return rows.each([](const database::Row& row) {
        return CircuitState{.vendor = row.text(0),
                            .organisation = row.text(1),
                            .failures = row.integer(2),
                            .time_outs = row.integer(3),
                            .open_until = row.optional_time(4),
                            .changed_at = row.time(5),
                            .problem = row.optional_text(6)};
    });
}

}  // namespace data_import::store
