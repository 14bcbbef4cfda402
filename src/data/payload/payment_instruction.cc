#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"

namespace data_import::payload {

schema::Object payment_instruction(const std::function<bool(std::string_view)>& is_vendor, std::string what) {
    return account_scoped()
        .need("vendor", schema::known_text(64, std::move(what), is_vendor),
              "Code of the payment vendor; `GET /v1/data-import/token/` lists those of this service.")
        .need("reference", schema::url_text(512), "The instruction's reference at the vendor.")
        .need("type", schema::code(32), "Kind of the instruction, for example `CARD`.");
}

}  // namespace data_import::payload
