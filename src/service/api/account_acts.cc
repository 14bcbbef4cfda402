// Acts on accounts: retry, hold, release, reset.
#include <algorithm>
#include <set>

#include "base/util/limits.h"
#include "base/util/readable.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/store/access_events.h"
#include "data/store/account_acts.h"
#include "service/api/act.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_selected = 500;
constexpr std::size_t most_reset = 100;
/// The most failed accounts that one act stages. The act stages them in slices, and the last slice may go
/// beyond this limit. Other steps of accounts wait until the act has ended.
constexpr std::uint64_t most_staged = 10'000;

schema::Object of_supplier() {
    return schema::object().need("import_supplier", payload::supplier_code(),
                                 payload::about::import_supplier);
}

schema::Object of_account() {
    return of_supplier().need("external_account_number", payload::external_account_number(),
                              payload::about::external_account_number);
}

schema::Array numbers(std::size_t most) {
    return schema::array(payload::external_account_number()).min(1).max(most);
}

/// Returns the account numbers sorted, each once. All acts lock accounts in this order, so that they cannot
/// deadlock.
std::vector<std::string> sorted_accounts(const ActContext& context) {
    const std::vector<std::string> sent = context.texts("accounts");
    const std::set<std::string> sorted(sent.begin(), sent.end());
    return {sorted.begin(), sorted.end()};
}

std::string lines_of(const std::vector<std::string>& texts) {
    std::string lines;
    for (const std::string& text : texts) (lines += text) += '\n';
    return lines;
}

struct Staged {
    std::uint64_t accounts = 0;
    std::uint64_t remaining = 0;
};

Staged stage_selected(const ActContext& context, const std::string& code,
                      const std::vector<std::string>& accounts) {
    Staged staged;
    for (const std::string& number : accounts) {
        if (store::stage_account(context.database, {code, number}, false, context.by.system_user,
                                 context.deadline))
            ++staged.accounts;
    }
    return staged;
}

Staged stage_failed(const ActContext& context, const store::RetryFilter& filter) {
    Staged staged;
    store::RetriedSlice slice;
    const std::uint64_t failed = store::count_failed_accounts(context.database, filter, context.deadline);
    if (failed == 0) return staged;
    if (context.is_dry) {  // only counts: staging takes a lock that other steps of accounts wait for
        store::need_ongoing_supplier(context.database, filter.import_supplier, context.deadline);
        staged.accounts = std::min(failed, most_staged);
        staged.remaining = failed - staged.accounts;
        return staged;
    }
    do {
        slice = store::retry_slice(context.database, filter, slice.last_number.value_or(""),
                                   context.by.system_user, context.deadline);
        staged.accounts += slice.accounts;
    } while (slice.last_number && staged.accounts < most_staged);
    staged.remaining = store::count_failed_accounts(context.database, filter, context.deadline);
    return staged;
}

/// Refuses the act if one of the accounts has not failed. Without this check, staging an unknown number would
/// create an account.
void need_failed(const ActContext& context, const std::string& code,
                 const std::vector<std::string>& accounts) {
    const std::vector<std::string> others =
        store::accounts_not_failed(context.database, code, accounts, context.deadline);
    if (others.empty()) return;
    refuse_act("Account " + others.front() + " of " + code + " has not failed" +
               (others.size() == 1 ? "" : ", nor have " + std::to_string(others.size() - 1) + " more") +
               ", so it cannot be staged again.");
}

Outcome retry(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const std::vector<std::string> accounts = sorted_accounts(context);
    const store::RetryFilter filter{supplier.code, context.optional_text("reason")};
    if (!accounts.empty() && filter.reason_like)
        throw http::validation_error({{.attr = "reason",
                                       .code = Code::invalid,
                                       .detail = "Either accounts or reason may be sent, not both."}});
    if (!accounts.empty()) need_failed(context, supplier.code, accounts);
    const Staged staged =
        accounts.empty() ? stage_failed(context, filter) : stage_selected(context, supplier.code, accounts);
    if (staged.accounts == 0)
        refuse_act("No account of " + supplier.code + " has failed" +
                   (filter.reason_like ? " for such a reason." : "."));
    const auto only = accounts.size() == 1 ? std::optional(accounts.front()) : std::nullopt;
    const std::string count = util::counted(staged.accounts, "account");
    const std::string rest = staged.remaining == 0
                                 ? ""
                                 : "; " + util::grouped(staged.remaining) + " more wait for another such act";
    return {.will = "stages " + count + " again; suppliers see them as pending" + rest,
            .done = count + " of " + supplier.code + " staged again" + rest,
            // accounts that have failed since the dry run are meant, too: staging them does no harm
            .basis = supplier.code + '\n' + supplier.status + '\n' + filter.reason_like.value_or("") + '\n' +
                     lines_of(accounts),
            .audit_id = store::record_staged(context.database, supplier.code, staged.accounts, only,
                                             context.by, context.deadline),
            .write = [staged](json::Writer& writer, Told) {
                writer.key("staged").integer(static_cast<std::int64_t>(staged.accounts));
                writer.key("remaining").integer(static_cast<std::int64_t>(staged.remaining));
            }};
}

Outcome set_hold(const ActContext& context, bool is_held) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const store::AccountName name{supplier.code, context.text("external_account_number")};
    const auto audit_id = store::set_hold(context.database, name, is_held, context.by, context.deadline);
    const std::string account = "account " + name.external_account_number + " of " + supplier.code;
    if (!audit_id)
        refuse_act("Account " + account.substr(8) + (is_held ? " is on hold already." : " is not on hold."));
    return {.will = is_held ? "puts " + account + " on hold: nobody can reset or erase it, and imports go on"
                            : "ends the hold of " + account + ": it can be reset and erased again",
            .done = is_held ? "the account is on hold" : "the account is not on hold any more",
            .basis = lines_of({supplier.code, name.external_account_number, is_held ? "held" : "released"}),
            .audit_id = audit_id,
            .write = [is_held](json::Writer& writer, Told) {
                writer.key("is_held").boolean(is_held).key("changed").boolean(true);
            }};
}

Outcome hold(const ActContext& context) {
    return set_hold(context, true);
}

Outcome release(const ActContext& context) {
    return set_hold(context, false);
}

void need_confirmed(const ActContext& context, std::size_t accounts) {
    if (context.text("confirm") == std::to_string(accounts)) return;
    throw http::validation_error({{.attr = "confirm",
                                   .code = Code::invalid,
                                   .detail = "This field must be the number of accounts that are reset, " +
                                             std::to_string(accounts) + "."}});
}

std::int64_t record_reset(const ActContext& context, const std::string& code,
                          const std::vector<std::string>& accounts, std::int64_t records) {
    if (accounts.size() == 1)
        return store::record_removal(context.database, "account_reset", {code, accounts.front()}, records,
                                     context.by, context.deadline);
    return store::record_action(
        context.database,
        {.action = "account_reset",
         .import_supplier = code,
         .details = std::to_string(accounts.size()) + " accounts reset, " + store::records_text(records)},
        context.by, context.deadline);
}

Outcome reset(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const std::vector<std::string> accounts = sorted_accounts(context);
    need_confirmed(context, accounts.size());
    std::string basis = supplier.code + '\n';
    std::int64_t records = 0;
    for (const std::string& number : accounts) {
        const store::AccountName account{supplier.code, number};
        const std::int64_t removed =
            store::reset_account(context.database, account, context.by.system_user, context.deadline);
        const std::int64_t actions = store::count_actions(context.database, account, context.deadline);
        records += removed;
        // the actions tell whether somebody has reset the account since the dry run
        basis += number + ' ' + std::to_string(removed) + ' ' + std::to_string(actions) + '\n';
    }
    const std::string text = util::counted(accounts.size(), "account") + " of " + supplier.code;
    const std::string removed = util::counted(records, "record");
    return {.will = "resets " + text + ": " + removed +
                    " removed for good, and the supplier has to send them again",
            .done = text + " reset, " + removed + " removed",
            .basis = basis,
            .audit_id = record_reset(context, supplier.code, accounts, records),
            .write = [count = accounts.size(), records](json::Writer& writer, Told) {
                writer.key("accounts").integer(static_cast<std::int64_t>(count));
                writer.key("records").integer(records);
            }};
}

}  // namespace

std::vector<Act> account_acts() {
    return {
        {.name = "retry",
         .path = "local:/operator/acts/retry/",
         .summary = "Stage failed accounts of a supplier again: some, those of a reason, or all.",
         .body =
             of_supplier()
                 .may("accounts", numbers(most_selected), "Their numbers.")
                 .may("reason", schema::text(1, util::limits::reason), "A text that their reasons contain."),
         .carry_out = retry},
        {.name = "hold",
         .path = "local:/operator/acts/hold/",
         .summary = "Put an account on hold.",
         .body = of_account(),
         .carry_out = hold},
        {.name = "release",
         .path = "local:/operator/acts/release/",
         .summary = "End the hold of an account.",
         .body = of_account(),
         .carry_out = release},
        {.name = "reset",
         .path = "local:/operator/acts/reset/",
         .summary = "Remove everything that was imported into accounts.",
         .body = of_supplier()
                     .need("accounts", numbers(most_reset), "Their numbers.")
                     .need("confirm", schema::integer(1), "How many they are, as the person has typed it."),
         .carry_out = reset},
    };
}

}  // namespace data_import::api
