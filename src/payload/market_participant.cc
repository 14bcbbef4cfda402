#include "payload/declarations.h"

namespace data_import::payload {

namespace {

using schema::object;
using schema::text;

constexpr std::int64_t max_code = 9'999'999'999'999;

}  // namespace

schema::Object market_participant() {
    const auto contact = object()
                             .need("category", text(1, 32))
                             .may("name", text(1, 255))
                             .may("email", schema::email())
                             .may("phone", schema::phone())
                             .may("valid_from", schema::datetime());
    return object()
        .need("code", schema::integer(1, max_code))
        .need("code_type", text(1, 32))
        .need("name", text(1, 255))
        .need("role", text(1, 64))
        .need("energy", text(1, 32))
        .may("contact_details", schema::array(contact).max(100));
}

}  // namespace data_import::payload
