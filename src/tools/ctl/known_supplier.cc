#include "tools/ctl/known_supplier.h"

#include "base/util/joined.h"
#include "base/util/nearest_word.h"
#include "base/util/shell_command.h"
#include "data/store/erasure.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"

namespace data_import::ctl {

std::string unknown_suppliers(Context& context, const std::vector<std::string>& codes) {
    std::vector<std::string> known;
    for (const store::Supplier& supplier : store::list_suppliers(context.database(), Context::soon()))
        known.push_back(supplier.code);
    std::string text = "there is no import supplier " + util::joined(codes);
    if (const auto meant = util::nearest_word(codes.front(), known)) text += "; did you mean " + *meant + "?";
    return text + "; " + std::string(program_name) + " supplier list shows the existing ones";
}

void fail_unknown_supplier(Context& context, const std::string& code) {
    throw Failure(unknown_suppliers(context, {code}));
}

store::Supplier need_supplier(Context& context, const std::string& code) {
    auto supplier = store::find_supplier(context.database(), code, Context::soon());
    if (!supplier) fail_unknown_supplier(context, code);
    return *std::move(supplier);
}

void need_accounts(Context& context, const std::string& code) {
    const auto erasure = store::find_erasure(context.database(), code, Context::soon());
    if (!erasure) return;
    throw Failure("the accounts of import supplier " + code + " were erased from " +
                  minute_of(erasure->began_at) + " on; " + std::string(program_name) + " " +
                  util::shell_command("supplier show", {code}) +
                  " has the figures and names the last signed report");
}

}  // namespace data_import::ctl
