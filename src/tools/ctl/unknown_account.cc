#include "tools/ctl/unknown_account.h"

#include "base/util/invisible.h"
#include "base/util/shell_command.h"
#include "data/store/account_details.h"
#include "data/store/accounts.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"

namespace data_import::ctl {

std::optional<std::string> question_of_meant(Context& context, const std::string& number,
                                             const std::optional<std::string>& import_supplier) {
    const auto meant =
        store::find_meant_account(context.database(), number, import_supplier, Context::soon());
    if (!meant) return std::nullopt;
    return "did you mean " + util::with_invisible_named(meant->external_account_number) +
           (import_supplier ? "" : " of " + meant->import_supplier) + "?";
}

std::string advice_on_unknown(Context& context, const std::string& import_supplier,
                              const std::string& number) {
    const auto question = question_of_meant(context, number, import_supplier);
    if (const auto invisible = util::find_invisible(number))
        return (question ? *question + " The number " : "the number ") + util::to_text(*invisible) +
               ", so it cannot be staged";
    return (question ? *question + " " : "") + std::string(program_name) + " " +
           util::shell_command("account stage", {import_supplier, number}) + " makes it known";
}

std::string describe_erasures(Context& context, const std::string& number,
                              const std::optional<std::string>& import_supplier) {
    std::string text;
    for (const auto& [supplier, mark] :
         store::find_erasures(context.database(), number, import_supplier, Context::soon()))
        text +=
            in_one_line("account " + number + " of " + supplier + " was erased at " + minute_of(mark.at) +
                        " by " + mark.author +
                        "; imports into it are answered account_not_found, and these refusals are not kept") +
            "\n";
    return text;
}

}  // namespace data_import::ctl
