// The commands `account reset | hold | erase`.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/util/temporary_file.h"
#include "data/database/failures.h"
#include "data/json/writer.h"
#include "data/store/access_events.h"
#include "data/store/account_acts.h"
#include "data/store/account_details.h"
#include "data/store/account_steps.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/interruption.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/number_lines.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

/// The most bytes of refusals that are kept in memory; the rest is kept in a temporary file.
constexpr std::size_t refusals_in_memory = 1024UL * 1024;

std::string shown(const store::AccountName& name) {
    return in_one_line("account " + name.external_account_number + " of " + name.import_supplier);
}

/// Prints the outcome for one account: `text` for people, or an object whose last member is `member` with
/// `value`.
void print_outcome(const Context& context, const store::AccountName& name, const std::string& text,
                   std::string_view member, const ColumnValue& value) {
    Context::print(context.json() ? object({{"import_supplier", name.import_supplier},
                                            {"external_account_number", name.external_account_number},
                                            {member, value}})
                                  : text + "\n");
}

using store::records_text;

void reset_one(Context& context, const store::AccountName& name) {
    std::int64_t records = 0;
    context.database().transaction(
        [&] {
            records =
                store::reset_account(context.database(), name, context.operator_name(), Context::soon());
            store::record_removal(context.database(), "account_reset", name, records,
                                  context.acting_operator(), Context::soon());
        },
        Context::soon());
    print_outcome(context, name, records_text(records) + " removed from " + shown(name), "records_removed",
                  records);
}

/// The differences between `account reset` and `account erase` for the accounts of a file.
struct Removal {
    std::string_view action;   ///< name of the action in the audit history
    std::string_view done;     ///< `reset` or `erased`
    std::string_view running;  ///< `resetting` or `erasing`
    /// Words about the harm of running the whole file once more; empty if there is none.
    std::string_view of_a_rerun;
    /// Erases one account, or resets it. Returns the number of the removed records; nothing if the account
    /// was erased before.
    std::optional<std::int64_t> (*remove)(Context& context, const store::AccountName& name);
};

constexpr Removal resetting{.action = "account_reset",
                            .done = "reset",
                            .running = "resetting",
                            .of_a_rerun =
                                ": what has been imported since into an account that was reset "
                                "would be removed, too",
                            .remove = [](Context& context, const store::AccountName& name) {
                                return std::optional(store::reset_account(
                                    context.database(), name, context.operator_name(), Context::soon()));
                            }};

constexpr Removal erasing{.action = "account_erased",
                          .done = "erased",
                          .running = "erasing",
                          .of_a_rerun = "",
                          .remove = [](Context& context, const store::AccountName& name) {
                              return store::erase_account(context.database(), name, context.operator_name(),
                                                          Context::soon());
                          }};

/// Resets or erases the accounts of a file one after another, each in a transaction of its own. A refused
/// account does not stop the others. A signal stops the run between two accounts.
class RemovalOfMany {
public:
    RemovalOfMany(Context& context, const Removal& removal, const std::string& import_supplier,
                  const std::string& file)
        : context_(context), removal_(removal), import_supplier_(import_supplier), file_(file) {}

    void run() {
        NumberLines lines(file_, interruption_.descriptor());
        need_supplier(context_, import_supplier_);
        progress_.phase(std::string(removal_.running));
        while (!interruption_.has_come() && lines.next()) {
            if (interruption_.has_come()) break;  // the signal may have cut the line that was read
            take(lines);
            ++accounts_;
            last_line_ = lines.line();
            progress_.rows_done(accounts_, fraction(lines));
        }
    }

    void print() {
        if (context_.json()) return print_json();
        refusals_.read([](std::string_view piece) { Context::print(std::string(piece)); });
        Context::print(
            outcome() + " taken out" +
            (erased_before_ == 0 ? "" : "; " + std::to_string(erased_before_) + " of them before") + "\n");
    }

    /// Adds the outcome of the run to the audit history.
    void record() {
        if (accounts_ == refused_) return;
        store::record_action(
            context_.database(),
            {.action = removal_.action, .import_supplier = import_supplier_, .details = outcome()},
            context_.acting_operator(), Context::soon());
    }

    [[nodiscard]] std::uint64_t refused() const { return refused_; }
    [[nodiscard]] bool was_interrupted() const { return interruption_.has_come(); }
    /// Returns the number of the last line whose account was done or refused; 0 if there is none.
    [[nodiscard]] std::uint64_t last_line() const { return last_line_; }

private:
    void take(const NumberLines& lines) {
        if (lines.is_cut()) return refuse(lines, "the line has no line end: is the file complete?");
        if (const auto wrong = check_external_account_number(lines.number()))
            return refuse(lines, "the account's number " + *wrong);
        try {
            const auto records = removal_.remove(context_, {import_supplier_, lines.number()});
            records_ += records.value_or(0);
            if (!records) ++erased_before_;
        } catch (const database::Refused& refused) {
            if (!refused.sqlstate().starts_with("DI")) throw;
            refuse(lines, refused.what());
        }
    }

    [[nodiscard]] std::string outcome() const {
        return std::to_string(accounts_ - refused_) + " of " + std::to_string(accounts_) +
               (accounts_ == 1 ? " account " : " accounts ") + std::string(removal_.done) + ", " +
               records_text(records_);
    }

    void refuse(const NumberLines& lines, const std::string& sentence) {
        if (!context_.json()) {
            refusals_.append("line " + std::to_string(lines.line()) + ": " + in_one_line(sentence) + "\n");
        } else {
            json::Writer writer;
            writer.begin_object().key("line").integer(static_cast<std::int64_t>(lines.line()));
            writer.key("detail").string(sentence).end_object();
            refusals_.append((refused_ == 0 ? "" : ",") + writer.take());
        }
        ++refused_;
    }

    void print_json() {
        Context::print("{\"accounts\":" + std::to_string(accounts_) + ",\"" + std::string(removal_.done) +
                       "\":" + std::to_string(accounts_ - refused_) +
                       ",\"records_removed\":" + std::to_string(records_) +
                       ",\"last_line\":" + std::to_string(last_line_) + ",\"refused\":[");
        refusals_.read([](std::string_view piece) { Context::print(std::string(piece)); });
        Context::print("]}\n");
    }

    static double fraction(const NumberLines& lines) {
        const std::uint64_t size = lines.size().value_or(0);
        return size == 0 ? -1 : static_cast<double>(lines.bytes_read()) / static_cast<double>(size);
    }

    Context& context_;
    const Removal& removal_;
    std::string import_supplier_;
    std::string file_;
    Interruption interruption_;
    ProgressLine progress_;
    util::Spool refusals_{refusals_in_memory};
    std::uint64_t accounts_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t erased_before_ = 0;
    std::uint64_t last_line_ = 0;
    std::int64_t records_ = 0;
};

void remove_many(Context& context, const Removal& kind, const std::string& import_supplier,
                 const std::string& file) {
    RemovalOfMany removal(context, kind, import_supplier, file);
    try {
        removal.run();
    } catch (const std::exception&) {
        if (removal.last_line() > 0) removal.print();
        try {
            removal.record();
        } catch (const std::exception&) {
            // The first exception is thrown again below. The second one is ignored, because it probably has
            // the same cause, such as a database that is away.
        }
        throw;
    }
    removal.print();
    removal.record();
    if (removal.was_interrupted())
        throw Failure("interrupted: the accounts from line " + std::to_string(removal.last_line() + 1) +
                      " on are as they were; give a file of these alone to go on");
    if (removal.refused() == 0) return;
    throw Failure(std::to_string(removal.refused()) + (removal.refused() == 1 ? " account" : " accounts") +
                  " could not be " + std::string(kind.done) +
                  "; all others are. Give a file of these alone again" + std::string(kind.of_a_rerun));
}

/// Returns the account that EXTERNAL names. With --from, removes the accounts of the file, and returns
/// nothing.
std::optional<store::AccountName> one_or_many(Context& context, const Invocation& invocation,
                                              const Removal& removal) {
    const auto number = invocation.optional_argument("EXTERNAL");
    const auto file = invocation.option("--from");
    if (number.has_value() == file.has_value()) invocation.refuse("give either EXTERNAL or --from FILE");
    if (!file) return store::AccountName{invocation.argument("CODE"), *number};
    remove_many(context, removal, invocation.argument("CODE"), *file);
    return std::nullopt;
}

void reset_account(Context& context, const Invocation& invocation) {
    if (const auto name = one_or_many(context, invocation, resetting)) reset_one(context, *name);
}

void hold_account(Context& context, const Invocation& invocation) {
    const store::AccountName name{invocation.argument("CODE"), invocation.argument("EXTERNAL")};
    const bool is_held = !invocation.has("--off");
    bool changed = false;
    context.database().transaction(
        [&] {
            changed =
                store::set_hold(context.database(), name, is_held, context.acting_operator(), Context::soon())
                    .has_value();
        },
        Context::soon());
    print_outcome(
        context, name,
        shown(name) + (is_held ? " is on hold" : " is not on hold") + (changed ? "" : ", as it was"),
        "is_held", is_held);
}

void erase_one(Context& context, const store::AccountName& name) {
    std::optional<std::int64_t> records;
    context.database().transaction(
        [&] {
            records =
                store::erase_account(context.database(), name, context.operator_name(), Context::soon());
            if (records)
                store::record_removal(context.database(), "account_erased", name, *records,
                                      context.acting_operator(), Context::soon());
        },
        Context::soon());
    if (context.json())
        return Context::print(object({{"import_supplier", name.import_supplier},
                                      {"external_account_number", name.external_account_number},
                                      {"erased_now", records.has_value()},
                                      {"records_removed", records.value_or(0)}}));
    Context::print(shown(name) +
                   (records ? " is erased, with " + records_text(*records) : " was erased already") + "\n");
}

void erase_account(Context& context, const Invocation& invocation) {
    if (const auto name = one_or_many(context, invocation, erasing)) erase_one(context, *name);
}

}  // namespace

std::vector<Command> account_removal_commands() {
    const Argument number{"EXTERNAL", check_external_account_number, true};
    const Option from{"--from", "FILE", check_file,
                      "Instead of EXTERNAL: a file with one number per line. If it is -, it is read from "
                      "standard input."};
    return {
        command(
            "account reset", {supplier_code, number}, {from}, reset_account,
            "Removes everything that was imported into an account, so that it can be imported again: "
            "records, their part of the stored totals, and kept answers (those to requests with an "
            "Idempotency-Key), so that the same requests can be sent again. The account keeps its state, its "
            "number on the platform and its statement periods. The command is refused while the account "
            "is in progress or on hold. Each account of a file is reset in a transaction of its own. "
            "Accounts that cannot be reset are listed, and the exit status is 1. When it is interrupted "
            "(Ctrl-C), it stops after the current account and tells the line of the next one. A repeat also "
            "removes what was imported since the first reset.",
            "ACME 4711"),
        command("account hold", {supplier_code, external_account_number},
                {{"--off", "", nullptr, "Ends the hold."}}, hold_account,
                "Puts an account on hold: nobody can reset or erase it. Imports go on.", "ACME 4711"),
        command(
            "account erase", {supplier_code, number}, {from}, erase_account,
            "Removes an account forever, with everything that the database has about it, and prints how many "
            "records it had. Only a digest of "
            "its number stays, with the time and the name of the operator who erased it, so that the account "
            "is not staged or loaded again by accident. The command is refused while the account is in "
            "progress or on hold. Consumers get the event erased: the platform has to forget the account, "
            "too. "
            "Each account of a file is erased in a transaction of its own; accounts that cannot be erased "
            "are "
            "listed, and the exit status is 1. When it is interrupted (Ctrl-C), it stops after the current "
            "account and tells the line of the next one. Logs and "
            "backups still have the account until they expire. Safe to repeat: a repeat removes differences "
            "of the account that were accepted meanwhile, for example by a running reconcile.",
            "ACME 4711")};
}

}  // namespace data_import::ctl
