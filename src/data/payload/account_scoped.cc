#include "data/payload/account_scoped.h"

#include "base/util/limits.h"
#include "data/payload/about.h"

namespace data_import::payload {

schema::Schema supplier_code() {
    return schema::code(util::limits::supplier_code);
}

schema::Schema external_account_number() {
    return schema::code(util::limits::external_account_number);
}

schema::Schema service_account_number() {
    return schema::code(util::limits::service_account_number);
}

schema::Object account_scoped() {
    return schema::object()
        .need("import_supplier", supplier_code(), about::import_supplier)
        .need("external_account_number", external_account_number(), about::external_account_number);
}

}  // namespace data_import::payload
