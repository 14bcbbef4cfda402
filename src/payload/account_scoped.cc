#include "payload/account_scoped.h"

namespace data_import::payload {

schema::Object account_scoped() {
    return schema::object()
        .need("import_supplier", schema::text(1, 64))
        .need("external_account_number", schema::text(1, 128));
}

}  // namespace data_import::payload
