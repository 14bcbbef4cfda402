#include "vendor_requests.h"

#include "data/json/writer.h"
#include "json_match.h"

namespace data_import::tests {

HttpRequest instruction_request(const std::string& token, const Instruction& instruction) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(instruction.supplier);
    writer.key("external_account_number").string(instruction.account);
    writer.key("vendor").string(instruction.vendor).key("reference").string(instruction.reference);
    writer.key("type").string(instruction.type).end_object();
    return {
        "POST",
        "/v1/data-import/payment-instruction/create/",
        {{"Host", "localhost"}, {"Authorization", "Token " + token}, {"Content-Type", "application/json"}},
        writer.take()};
}

std::string outcome_of(const Answer& answer) {
    return answer.status == 201 ? "201" : parse_error_body(answer.body).code;
}

}  // namespace data_import::tests
