#include "ctl/known_supplier.h"

#include "ctl/usage.h"

namespace data_import::ctl {

void fail_unknown_supplier(const std::string& code) {
    throw Failure("there is no import supplier " + code + "; " + std::string(program_name) +
                  " supplier list shows those that there are");
}

store::Supplier need_supplier(Context& context, const std::string& code) {
    auto supplier = store::find_supplier(context.database(), code, Context::soon());
    if (!supplier) fail_unknown_supplier(code);
    return *std::move(supplier);
}

}  // namespace data_import::ctl
