#include "http/number_hints.h"

#include <algorithm>
#include <exception>

#include "store/accounts.h"
#include "util/invisible.h"

namespace data_import::http {

namespace {

constexpr std::chrono::milliseconds patience{500};

}  // namespace

std::string NumberHints::about(const NamedAccount& account, database::Deadline deadline, Time now) {
    std::string hint;
    if (const auto invisible = util::find_invisible(account.external_account_number))
        hint = "The number " + util::to_text(*invisible) + ".";
    if (!take_look_up(now)) return hint;
    const std::string meant = question(account, std::min(deadline, now + patience));
    return hint + (hint.empty() || meant.empty() ? "" : " ") + meant;
}

bool NumberHints::take_look_up(Time now) {
    const std::chrono::duration<double> passed = now - filled_at_;
    room_ = std::min(room_ + passed.count() * most_in_second, most_at_once);
    filled_at_ = now;
    if (room_ < 1) return false;
    room_ -= 1;
    return true;
}

std::string NumberHints::question(const NamedAccount& account, database::Deadline deadline) {
    try {
        const auto meant = store::find_meant_account(database_, std::string(account.external_account_number),
                                                     std::string(account.import_supplier), deadline);
        if (!meant) return "";
        return "Did you mean " + util::with_invisible_named(meant->external_account_number) + "?";
    } catch (const std::exception&) {
        room_ = 0;  // a database in trouble is not asked again at once
        return "";
    }
}

}  // namespace data_import::http
