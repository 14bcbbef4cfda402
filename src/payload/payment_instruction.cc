#include "payload/account_scoped.h"
#include "payload/declarations.h"

namespace data_import::payload {

schema::Object payment_instruction(const std::function<bool(std::string_view)>& is_vendor) {
    return account_scoped()
        .need("vendor", schema::known_text(64, "the code of a payment vendor of this service", is_vendor),
              "Code of the payment vendor, as the operator of the platform has given it out.")
        .need("reference", schema::url_text(512), "The instruction's reference at the vendor.")
        .need("type", schema::text(1, 32), "Kind of the instruction, for example `CARD`.");
}

}  // namespace data_import::payload
