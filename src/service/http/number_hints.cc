#include "service/http/number_hints.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "base/util/invisible.h"
#include "data/store/accounts.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience{500};

}  // namespace

std::string NumberHints::about(const NamedAccount& account, database::Deadline deadline) {
    std::string hint;
    if (const auto invisible = util::find_invisible(account.external_account_number))
        hint = "The number " + util::to_text(*invisible) + ".";
    const auto begin = steady_clock::now();
    if (!seconds_.has_room(begin)) return hint;
    const std::string meant = question(account, std::min(deadline, begin + patience));
    seconds_.spend(std::chrono::duration<double>(steady_clock::now() - begin).count());
    return hint + (hint.empty() || meant.empty() ? "" : " ") + meant;
}

std::string NumberHints::question(const NamedAccount& account, database::Deadline deadline) {
    try {
        const auto meant = store::find_meant_account(database_, std::string(account.external_account_number),
                                                     std::string(account.import_supplier), deadline);
        if (!meant) return "";
        return "Did you mean " + util::with_invisible_named(meant->external_account_number) + "?";
    } catch (const std::exception&) {
        return "";
    }
}

}  // namespace data_import::http
