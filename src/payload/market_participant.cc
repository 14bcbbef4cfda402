#include "payload/declarations.h"

namespace data_import::payload {

namespace {

using schema::object;
using schema::text;

constexpr std::int64_t max_code = 9'999'999'999'999;

}  // namespace

schema::Object market_participant() {
    const auto contact = object()
                             .need("category", text(1, 32), "Code of what the contact is for.")
                             .may("name", text(1, 255), "Name of the person or desk.")
                             .may("email", schema::email(), "E-mail address.")
                             .may("phone", schema::phone(), "Phone number.")
                             .may("valid_from", schema::datetime(), "Since when the contact is valid.");
    return object()
        .need("code", schema::integer(1, max_code),
              "Code number of the market participant, which names it everywhere.")
        .need("code_type", text(1, 32), "Who gives out such code numbers, for example `BDEW`.")
        .need("name", text(1, 255), "Name of the company.")
        .need("role", text(1, 64), "What it does on the market, for example `NETWORK_OPERATOR`.")
        .need("energy", text(1, 32), "What it deals with, for example `ELECTRICITY`.")
        .may("contact_details", schema::array(contact).max(100), "Whom to turn to.");
}

}  // namespace data_import::payload
