// The command `supplier erase`.
#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/util/datetime.h"
#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "data/json/writer.h"
#include "data/records/kinds.h"
#include "data/store/access_events.h"
#include "data/store/control_totals.h"
#include "data/store/erasure.h"
#include "tools/console/text_table.h"
#include "tools/ctl/command.h"
#include "tools/ctl/interruption.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/running_imports.h"
#include "tools/ctl/supplier_erasure.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_named = 5;

std::string advised(const std::string& command, const std::vector<std::string>& words,
                    std::string_view options = "") {
    return std::string(program_name) + " " + util::shell_command(command, words, std::string(options));
}

void need_complete(const store::Supplier& supplier) {
    if (supplier.status == "Complete") return;
    throw Failure("import supplier " + supplier.code + " is " + supplier.status +
                  ": only a Complete one can be erased, because the others may take imports again; " +
                  advised("supplier set", {supplier.code}, " --status Complete") + " ends its migration");
}

/// Lists consumers with what they have not taken: `billing (3 accounts with news), crm (it is still being
/// added)`.
std::string untaken_text(const std::vector<store::UntakenNews>& untaken) {
    return util::joined(untaken, [](const store::UntakenNews& one) {
        return in_one_line(one.consumer) +
               (one.accounts > 0 ? " (" + util::counted(one.accounts, "account") + " with news)"
                                 : " (it is still being added)");
    });
}

/// Waits for imports that began before the supplier became Complete. They may still store something, which
/// consumers have to take, and which the kept figures have to count.
void await_late_imports(Context& context, const store::Supplier& supplier, const Interruption& interruption) {
    using namespace std::chrono_literals;
    constexpr std::chrono::microseconds longest_import = 1h;
    const auto since = util::parse_datetime(supplier.status_since);
    if (since && util::now().microseconds - since->microseconds > longest_import.count()) return;
    await_running_imports(context, interruption, [&](const std::string& reason) {
        throw Failure(reason + ": nothing of import supplier " + supplier.code + " is erased");
    });
}

/// Returns the consumers that have not taken all news and will never get the rest, as untaken_text() writes
/// them; empty if there are none. Throws Failure if there are such consumers and --force is not given.
std::string need_taken(Context& context, const std::string& code, bool is_forced) {
    const auto untaken = store::list_untaken_news(context.database(), code, Context::soon());
    if (untaken.empty()) return "";
    const std::string text = untaken_text(untaken);
    if (!is_forced)
        throw Failure("import supplier " + code +
                      " cannot be erased, because consumers have not taken all of it: " + text + "; " +
                      std::string(program_name) +
                      " consumer list tells when they have, or repeat the command with --force: then they "
                      "never get it");
    std::cerr << program_name << ": by force: these never get what they have not taken: " << text
              << std::endl;
    return text;
}

/// Returns the number of accounts that the supplier had when its erasure began.
std::int64_t accounts_at_first(Context& context, const std::string& code) {
    const auto totals = store::read_control_totals(
        context.database().execute(store::find_control_totals(code), Context::soon()));
    for (const store::ControlFigure& one : totals.figures) {
        if (one.kind == "accounts") return std::stoll(one.held.value_or("0"));
    }
    return 0;
}

/// Erases a supplier slice by slice. A signal stops it between two slices.
class SupplierEraser {
public:
    SupplierEraser(Context& context, const Interruption& interruption, const store::Supplier& supplier,
                   bool is_forced)
        : context_(context), interruption_(interruption), supplier_(supplier), is_forced_(is_forced) {}

    void run() {
        if (!store::find_erasure(context_.database(), supplier_.code, Context::soon())) look_for_news();
        store::begin_erasure(context_.database(), supplier_.code, is_forced_, context_.operator_name(),
                             Context::soon());
        has_begun_ = true;
        const std::int64_t all = accounts_at_first(context_, supplier_.code);
        const std::int64_t before = erasure().accounts;
        progress_.phase("erasing");
        while (!is_done_ && !interruption_.has_come()) {
            const auto slice =
                store::erase_some_accounts(context_.database(), supplier_.code, Context::soon());
            accounts_ += slice.accounts;
            records_ += slice.records;
            is_done_ = slice.is_done;
            progress_.rows_done(static_cast<std::uint64_t>(accounts_),
                                static_cast<double>(before + accounts_) /
                                    static_cast<double>(std::max(all, std::int64_t{1})));
        }
        left_ = store::find_accounts_left(context_.database(), supplier_.code, most_named, Context::soon());
    }

    void print() const {
        if (!context_.json()) return Context::print(outcome() + "\n");
        json::Writer writer;
        writer.begin_object().key("import_supplier").string(supplier_.code);
        writer.key("accounts_erased").integer(accounts_).key("records_removed").integer(records_);
        writer.key("is_done").boolean(is_done_).key("accounts_left").integer(left_.all);
        writer.key("accounts_on_hold").integer(left_.on_hold);
        Context::print(writer.end_object().take() + "\n");
    }

    /// Adds the outcome of the run to the audit history.
    void record() {
        if (!has_begun_) return;
        const store::SupplierErasure all = erasure();
        std::string details =
            util::counted(accounts_, "account") + " erased, " + util::counted(records_, "record");
        if (all.accounts != accounts_) details += ", in all " + util::counted(all.accounts, "account");
        if (!untaken_.empty()) details += "; by force: not taken by " + untaken_;
        if (!is_done_) details += "; interrupted";
        store::record_action(
            context_.database(),
            {.action = "supplier_erased", .import_supplier = supplier_.code, .details = details},
            context_.acting_operator(), Context::soon());
    }

    [[nodiscard]] bool has_begun() const { return has_begun_; }

    /// Throws Failure if accounts are left.
    void need_end() const {
        const std::string goes_on = advised("supplier erase", {supplier_.code});
        if (!is_done_)
            throw Failure("interrupted: the accounts that are left are as they were; " + goes_on +
                          " goes on");
        if (left_.on_hold > 0)
            throw Failure(
                util::counted(left_.on_hold, "account") + " of " + supplier_.code +
                (left_.on_hold == 1 ? " is" : " are") + " on hold and " +
                (left_.on_hold == 1 ? "stays" : "stay") + ": " + util::joined(left_.first_on_hold) +
                (left_.on_hold > static_cast<std::int64_t>(left_.first_on_hold.size()) ? ", ..." : "") +
                "; when the hold has ended (" +
                advised("account hold", {supplier_.code, left_.first_on_hold.front()}, " --off") + "), " +
                goes_on + " goes on");
        if (left_.all > 0)
            throw Failure(util::counted(left_.all, "account") + " of " + supplier_.code + " left; " +
                          goes_on + " goes on");
    }

private:
    /// Checks that consumers have taken everything, because they get nothing more once the erasure has begun.
    void look_for_news() {
        await_late_imports(context_, supplier_, interruption_);
        untaken_ = need_taken(context_, supplier_.code, is_forced_);
    }

    [[nodiscard]] store::SupplierErasure erasure() const {
        return store::find_erasure(context_.database(), supplier_.code, Context::soon())
            .value_or(store::SupplierErasure{});
    }

    [[nodiscard]] std::string outcome() const {
        return util::counted(accounts_, "account") + " of " + supplier_.code + " erased, with " +
               util::counted(records_, "record");
    }

    Context& context_;
    const Interruption& interruption_;
    store::Supplier supplier_;
    bool is_forced_;
    ProgressLine progress_;
    std::string untaken_;
    bool has_begun_ = false;
    bool is_done_ = false;
    std::int64_t accounts_ = 0;
    std::int64_t records_ = 0;
    store::AccountsLeft left_;
};

void erase_supplier(Context& context, const Invocation& invocation) {
    // Blocks signals. Has to stand before the first use of the database, because threads of the database
    // connection would otherwise take the signals.
    const Interruption interruption;
    const store::Supplier supplier = need_supplier(context, invocation.argument("CODE"));
    need_complete(supplier);
    SupplierEraser eraser(context, interruption, supplier, invocation.has("--force"));
    try {
        eraser.run();
    } catch (const std::exception&) {
        if (eraser.has_begun()) eraser.print();
        try {
            eraser.record();
        } catch (const std::exception&) {
            // The first exception is rethrown below. This second one probably has the same cause, such as an
            // unreachable database.
        }
        if (eraser.has_begun())
            std::cerr << program_name << ": " << advised("supplier erase", {supplier.code})
                      << " goes on with the accounts that are left" << std::endl;
        throw;
    }
    eraser.print();
    eraser.record();
    eraser.need_end();
}

}  // namespace

std::vector<Command> supplier_erasure_commands() {
    return {command(
        "supplier erase", {supplier_code},
        {{"--force", "", nullptr,
          "Although consumers have not taken everything. They never get what they have not taken."}},
        erase_supplier,
        "Removes all accounts of an import supplier forever, at the end of its migration, with everything "
        "that the database has about them. The supplier has to be Complete, and its consumers have to have "
        "taken everything. In the first hour after that status was set, waits for imports that run. Nobody "
        "is told: for a consumer, the event erased means that it has to forget an "
        "account, and here the platform has what it needs. Signed reports, declared totals, the figures that "
        "were held, the import log and the audit history stay. The supplier stays Complete for good. "
        "Accounts on hold stay and are named; then the exit status is 1. Others import meanwhile: the "
        "accounts go in short transactions. When it is interrupted (Ctrl-C), the same command goes on. Safe "
        "to repeat. Logs and backups still have the accounts until they expire.",
        "ACME")};
}

}  // namespace data_import::ctl
