#include "payload/account_scoped.h"

#include "payload/about.h"

namespace data_import::payload {

schema::Object account_scoped() {
    return schema::object()
        .need("import_supplier", schema::text(1, 64), about::import_supplier)
        .need("external_account_number", schema::text(1, 128), about::external_account_number);
}

}  // namespace data_import::payload
