#include "data/payload/declarations.h"

namespace data_import::payload {

namespace {

using schema::code;
using schema::object;
using schema::text;

constexpr std::int64_t max_code = 9'999'999'999'999;

}  // namespace

schema::Object market_participant() {
    const auto contact = object()
                             .need("category", code(32), "Code of the purpose of the contact.")
                             .may("name", text(1, 255), "Name of the person or desk.")
                             .may("email", schema::email(), "E-mail address.")
                             .may("phone", schema::phone(), "Phone number.")
                             .may("valid_from", schema::datetime(), "When the contact becomes valid.");
    return object()
        .need("code", schema::integer(1, max_code),
              "Code number of the market participant. It identifies the participant in all requests.")
        .need("code_type", code(32), "Issuer of the code number, for example `BDEW`.")
        .need("name", text(1, 255), "Name of the company.")
        .need("role", code(64), "Role on the market, for example `NETWORK_OPERATOR`.")
        .need("energy", code(32), "Form of energy, for example `ELECTRICITY`.")
        .may("contact_details", schema::array(contact).max(100), "Contacts of the market participant.");
}

}  // namespace data_import::payload
