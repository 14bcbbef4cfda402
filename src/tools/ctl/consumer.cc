// The commands `consumer add | list | remove`.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/store/access_events.h"
#include "data/store/bookings.h"
#include "data/store/consumers.h"
#include "data/store/shared_json.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/interruption.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/running_imports.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::Consumer;
using store::ConsumerProgress;

constexpr std::size_t accounts_at_once = 10'000;

std::string advised(std::string_view verb, const std::string& name) {
    return std::string(program_name) + " " + util::shell_command("consumer " + std::string(verb), {name});
}

/// Describes the news that the consumer gets: `from the beginning, of ACME, OTHER`.
std::string extent_of(const Consumer& consumer) {
    return std::string("from ") + (consumer.begins == "now" ? "now on" : "the beginning") + ", of " +
           (consumer.suppliers ? util::joined(*consumer.suppliers) : "all suppliers");
}

Consumer wanted_consumer(Context& context, const Invocation& invocation) {
    Consumer consumer{.name = invocation.argument("NAME"),
                      .begins = invocation.option("--from").value_or("now"),
                      .added_by = context.operator_name()};
    std::vector<std::string> codes = invocation.options("--supplier");
    if (codes.empty()) return consumer;
    for (const std::string& code : codes) need_supplier(context, code);
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    consumer.suppliers = std::move(codes);
    return consumer;
}

/// Stores the consumer, which is not ready yet, and records in the audit history that it is being added.
/// Returns false if a consumer of this name exists.
bool begin_adding(Context& context, const Consumer& wanted) {
    bool is_new = false;
    context.database().transaction(
        [&] {
            is_new = store::add_consumer(context.database(), wanted, Context::soon());
            if (is_new)
                store::record_action(
                    context.database(),
                    {.action = "consumer_added", .details = extent_of(wanted), .consumer = wanted.name},
                    context.acting_operator(), Context::soon());
        },
        Context::soon());
    return is_new;
}

/// Throws Failure unless the adding of the wanted consumer can go on: the stored consumer has to be the same,
/// and its adding must have been interrupted.
void need_unfinished(Context& context, const Consumer& wanted) {
    const auto known = store::find_consumer(context.database(), wanted.name, Context::soon());
    const std::string name = in_one_line(wanted.name);
    if (!known) throw Failure("consumer " + name + " was removed meanwhile; repeat the command");
    if (known->is_ready)
        throw Failure("there is a consumer " + name + " already; " + std::string(program_name) +
                      " consumer list shows it");
    if (known->begins == wanted.begins && known->suppliers == wanted.suppliers) return;
    throw Failure("the adding of consumer " + name + " was begun otherwise (" + extent_of(*known) +
                  ") and interrupted: repeat that command, or begin anew after " +
                  advised("remove", wanted.name));
}

/// Ends the command between two of its stages. If the same command is given again, it goes on from there.
[[noreturn]] void stop(const Consumer& consumer, const std::string& reason) {
    throw Failure(reason + ": consumer " + in_one_line(consumer.name) +
                  " is not added to the end; repeat the command, and it goes on");
}

/// Returns the estimated fraction of all accounts whose key is not greater than this one, from 0 to 1. Keys
/// are digests, and so spread evenly.
double fraction_up_to(const std::string& account_key) {
    constexpr std::size_t digits = 8;
    constexpr double all = 4294967296.0;  // 16^8
    return static_cast<double>(std::strtoul(account_key.substr(0, digits).c_str(), nullptr, 16)) / all;
}

/// Adds all accounts that exist to the consumer's news. Returns their number.
std::int64_t fill(Context& context, const Consumer& consumer, const Interruption& interruption) {
    ProgressLine progress;
    progress.phase("delivering accounts");
    std::int64_t accounts = 0;
    for (std::string after(store::first_account_key);;) {
        const store::FilledAccounts filled =
            store::fill_consumer(context.database(), consumer.name, after, accounts_at_once, Context::soon());
        if (filled.accounts == 0) return accounts;
        // Workers only try the lock of news, which this loop holds nearly always. Without this delivery,
        // other consumers would get no news until the loop ends.
        context.database().execute(store::deliver_news(), Context::soon());
        accounts += filled.accounts;
        after = filled.last_key;
        progress.rows_done(static_cast<std::uint64_t>(accounts), fraction_up_to(after));
        if (interruption.has_come()) stop(consumer, "interrupted");
    }
}

void print_added(const Context& context, const Consumer& consumer, std::int64_t accounts) {
    if (context.json())
        return Context::print(object({{"consumer", consumer.name},
                                      {"from", consumer.begins},
                                      {"suppliers", consumer.suppliers},
                                      {"accounts", accounts}}));
    Context::print("consumer " + consumer.name + " is added: it takes what comes " +
                   (consumer.begins == "now"
                        ? "from now on"
                        : "and what is there: " + util::counted(accounts, "account") + " to begin with") +
                   "\n");
}

void add_consumer(Context& context, const Invocation& invocation) {
    const Consumer consumer = wanted_consumer(context, invocation);
    const Interruption interruption;
    if (!begin_adding(context, consumer)) {
        need_unfinished(context, consumer);
        std::cerr << program_name << ": goes on adding " << in_one_line(consumer.name) << std::endl;
    }
    await_running_imports(context, interruption, [&](const std::string& reason) { stop(consumer, reason); });
    const std::int64_t accounts = consumer.begins == "beginning" ? fill(context, consumer, interruption) : 0;
    store::make_consumer_ready(context.database(), consumer.name, Context::soon());
    print_added(context, consumer, accounts);
}

/// Removes the consumer; returns false if there is none. Throws Failure while a session takes accounts for
/// it.
bool remove_if_free(Context& context, const std::string& name) {
    constexpr const char* lock_not_available = "55P03";
    try {
        return store::remove_consumer(context.database(), name, Context::late());
    } catch (const database::Refused& refused) {
        if (refused.sqlstate() != lock_not_available) throw;
        throw Failure(in_one_line(refused.what()));
    }
}

/// Throws Failure if only this consumer still keeps the accounts of a supplier from being erased. Without it,
/// workers would erase them at once, before a consumer that is added anew could take them.
void need_no_erasure(Context& context, const std::string& name) {
    const std::vector<std::string> codes =
        store::list_waiting_erasures(context.database(), name, Context::soon());
    if (codes.empty()) return;
    const auto keeping = [](const std::string& code) {
        return std::string(program_name) + " " +
               util::shell_command("supplier set", {code}, " --erase-after ''");
    };
    throw Failure("consumer " + in_one_line(name) +
                  " has not taken all accounts, and is the last that keeps them from being erased: " +
                  util::joined(codes) + ". To keep them, type " + util::joined(codes, keeping) +
                  " and repeat the command");
}

void remove_consumer(Context& context, const Invocation& invocation) {
    const std::string& name = invocation.argument("NAME");
    database::Database& database = context.database();
    need_no_erasure(context, name);
    database.transaction(
        [&] {
            // No time limit, because there may be many rows. The transaction reads what is booked before
            // consumer_remove changes import_supplier; Citus allows this only in sequential mode.
            database.execute_script(
                "SET LOCAL statement_timeout = 0; SET LOCAL citus.multi_shard_modify_mode = 'sequential'",
                Context::soon());
            const std::string booked = store::booked_suppliers_text(database, name, Context::late());
            if (!remove_if_free(context, name))
                throw Failure("there is no consumer " + in_one_line(name) + "; " + std::string(program_name) +
                              " consumer list shows the existing ones");
            store::record_action(
                database,
                {.action = "consumer_removed",
                 .details =
                     booked.empty() ? std::nullopt : std::optional("had declared to have booked " + booked),
                 .consumer = name},
                context.acting_operator(), Context::soon());
        },
        Context::late());
    Context::print(context.json() ? object({{"consumer", name}}) : "consumer " + name + " is removed\n");
}

/// Returns a time in its largest units, at most two: `3 d 4 h`.
std::string age_text(std::int64_t seconds) {
    constexpr std::int64_t minute = 60;
    constexpr std::int64_t hour = 60 * minute;
    constexpr std::int64_t day = 24 * hour;
    const auto both = [](std::int64_t one, const char* unit, std::int64_t other, const char* smaller) {
        return std::to_string(one) + unit + (other == 0 ? "" : " " + std::to_string(other) + smaller);
    };
    if (seconds >= day) return both(seconds / day, " d", seconds % day / hour, " h");
    if (seconds >= hour) return both(seconds / hour, " h", seconds % hour / minute, " min");
    return seconds >= minute ? std::to_string(seconds / minute) + " min" : std::to_string(seconds) + " s";
}

std::string oldest_text(const ConsumerProgress& one) {
    if (!one.oldest_waiting_since) return "";
    return minute_of(*one.oldest_waiting_since) + " (" + age_text(one.oldest_waiting_seconds) + ")";
}

std::string supplier_text(const ConsumerProgress& one) {
    if (!one.import_supplier) return "";
    return one.import_supplier->empty() ? "market participants" : *one.import_supplier;
}

std::string note_of(const ConsumerProgress& one) {
    if (!one.consumer.is_ready)
        return "is being added since " + minute_of(one.consumer.added_at) + "; if nobody does, " +
               std::string(program_name) + " consumer add goes on";
    return one.import_supplier ? "" : "nothing has come for it yet";
}

const Columns<ConsumerProgress> columns = {
    {"", "CONSUMER", [](const ConsumerProgress& one) { return one.consumer.name; }},
    {"", "SUPPLIER", supplier_text},
    {"", "WAITING", &ConsumerProgress::waiting},
    {"", "OLDEST WAITS SINCE", oldest_text},
    {"", "TAKEN", &ConsumerProgress::accounts_taken},
    {"", "RECORDS TAKEN", &ConsumerProgress::records_taken},
    {"", "LAST TAKEN", [](const ConsumerProgress& one) { return minute_of(one.taken_at.value_or("")); }},
    {"", "NOTE", note_of},
};

std::string json_of(const std::vector<ConsumerProgress>& all) {
    json::Writer writer;
    writer.begin_array();
    for (const ConsumerProgress& one : all) store::write_consumer_progress(writer, one);
    return writer.end_array().take() + "\n";
}

void list_consumers(Context& context, const Invocation&) {
    const auto all = store::read_consumer_progress(
        context.database().execute(store::find_consumer_progress(), Context::soon()));
    Context::print(context.json()
                       ? json_of(all)
                       : columns.text(all, "there are no consumers, and nothing is collected for any"));
}

}  // namespace

std::vector<Command> consumer_commands() {
    const Argument name{"NAME", check_consumer_name};
    return {
        command("consumer add", {name},
                {{"--from", "now|beginning", check_consumer_beginning,
                  "now: it takes what comes from now on; beginning: also what is there. now if left out."},
                 {"--supplier", "CODE", check_supplier_code,
                  "It takes accounts of this import supplier only; may be repeated. All if left out.", false,
                  true}},
                add_consumer,
                "Adds a consumer: a program of the platform that takes what is new by "
                "platform.take_accounts. Waits until imports end that began before, since they do not tell "
                "the consumer of their records. It can be interrupted (Ctrl-C): the same command goes on "
                "then. From its first second on, imports collect what is new until the consumer takes it, or "
                "is removed. It may be refused while the accounts of one of its suppliers are being loaded.",
                "billing --from beginning --supplier ACME"),
        command("consumer list", {}, {}, list_consumers,
                "Lists the consumers. For each supplier it tells how many accounts wait to be taken, since "
                "when the oldest waits, how many accounts and records were taken, and when the last ones "
                "were. Market participants have a row of their own.",
                "--json"),
        command("consumer remove", {name}, {}, remove_consumer,
                "Removes a consumer, with everything that it has not taken and what it has declared to have "
                "booked. Nothing is collected for it any more. It is refused while the accounts of a "
                "supplier are to be erased and only this consumer has not taken them.",
                "billing")};
}

}  // namespace data_import::ctl
