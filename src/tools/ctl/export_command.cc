// The command `export`.
#include "tools/export/export.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "base/util/invisible.h"
#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/whole_number.h"
#include "data/database/failures.h"
#include "data/store/access_events.h"
#include "data/store/records.h"
#include "data/store/setup.h"
#include "tools/console/system_user.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/first_user_action.h"
#include "tools/ctl/follow.h"
#include "tools/ctl/interruption.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/number_lines.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/unknown_account.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using exports::Extent;
using exports::Request;

constexpr std::size_t most_sessions = 32;
constexpr std::size_t usual_sessions = 4;

std::optional<std::string> check_exported_kind(std::string_view text) {
    const std::vector<std::string> kinds = exports::all_kinds();
    if (std::ranges::find(kinds, text) != kinds.end()) return std::nullopt;
    return "is no kind of records; use " + util::alternatives(kinds);
}

std::optional<std::string> check_compression(std::string_view text) {
    if (text == "gzip" || text == "zstd") return std::nullopt;
    return "is neither gzip nor zstd";
}

std::optional<std::string> check_sessions(std::string_view text) {
    const auto number = util::whole_number<std::size_t>(text);
    if (number && *number >= 1 && *number <= most_sessions) return std::nullopt;
    return "is no number from 1 to " + std::to_string(most_sessions);
}

/// Reads the account numbers in a file, and appends them to `numbers`. Throws Failure at the first fault.
void read_numbers(const std::string& file, std::vector<std::string>& numbers) {
    NumberLines lines(file, -1);
    while (lines.next()) {
        const std::string place = "line " + std::to_string(lines.line()) + " of " + shown_name(file) + ": ";
        if (lines.is_cut()) throw Failure(place + "the line has no line end: is the file complete?");
        if (const auto wrong = check_external_account_number(lines.number()))
            throw Failure(place + "the account's number " + *wrong);
        numbers.push_back(lines.number());
    }
    if (numbers.empty()) throw Failure(shown_name(file) + " has no number of an account");
}

std::vector<std::string> numbers_of(const Invocation& invocation) {
    std::vector<std::string> numbers(invocation.arguments().begin() + 1, invocation.arguments().end());
    if (const auto file = invocation.option("--accounts")) read_numbers(*file, numbers);
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::vector<std::string> kinds_of(const Invocation& invocation) {
    const std::vector<std::string> named = invocation.options("--kind");
    std::vector<std::string> kinds = exports::all_kinds();
    std::erase_if(kinds,
                  [&](const std::string& kind) { return std::ranges::find(named, kind) == named.end(); });
    return kinds;
}

exports::Compression compression_of(const Invocation& invocation) {
    const auto name = invocation.option("--compress");
    if (!name) return exports::Compression::none;
    return *name == "gzip" ? exports::Compression::gzip : exports::Compression::zstd;
}

Request request_of(const Invocation& invocation) {
    Request request{.import_supplier = invocation.argument("CODE"),
                    .numbers = numbers_of(invocation),
                    .kinds = kinds_of(invocation),
                    .since = invocation.option("--since"),
                    .is_csv = invocation.has("--csv"),
                    .compression = compression_of(invocation),
                    .sessions = usual_sessions};
    if (const auto sessions = invocation.option("--jobs"))
        request.sessions = *util::whole_number<std::size_t>(*sessions);
    return request;
}

/// Throws Failure if the supplier's accounts were erased, or if one of the requested accounts does not exist.
/// The failure names the first missing account.
void check_accounts(Context& context, const Request& request) {
    constexpr std::size_t at_once = 1000;
    need_supplier(context, request.import_supplier);
    if (!request.has_accounts()) return;
    need_accounts(context, request.import_supplier);
    for (std::size_t first = 0; first < request.numbers.size(); first += at_once) {
        const std::span<const std::string> asked(request.numbers.data() + first,
                                                 std::min(at_once, request.numbers.size() - first));
        const auto known =
            store::find_accounts(context.database(), request.import_supplier, asked, Context::soon());
        const auto unknown = std::ranges::find_if(asked, [&](const std::string& number) {
            return std::ranges::find(known, number, &store::NumberedAccount::external_account_number) ==
                   known.end();
        });
        if (unknown == asked.end()) continue;
        throw Failure("import supplier " + request.import_supplier + " has no account " +
                      util::with_invisible_named(*unknown) + "; nothing was exported; " +
                      advice_on_unknown(context, request.import_supplier, *unknown));
    }
}

// --- Entries in the audit history

std::string details_of(const Request& request, bool has_files) {
    return "begun: " +
           (request.numbers.empty() ? std::string("all accounts")
                                    : util::counted(request.numbers.size(), "account")) +
           ", " + (request.kinds.empty() ? "all kinds" : util::joined(request.kinds)) +
           (request.since ? ", since " + *request.since : "") +
           (has_files ? ", to files" : ", to standard output");
}

void record(Context& context, const Request& request, const std::string& details) {
    store::OperatorAction action{
        .action = "records_exported", .import_supplier = request.import_supplier, .details = details};
    if (request.numbers.size() == 1) action.external_account_number = request.numbers.front();
    store::record_action(context.database(), action, context.acting_operator(), Context::soon());
}

// --- The export itself

exports::Surroundings surroundings_of(Context& context, const Request& request, ProgressLine& progress,
                                      std::size_t& tasks, exports::Watch watch) {
    return {.database = context.database(),
            .open_session =
                [&context] {
                    return context.open_database(context.settings().admin_database,
                                                 std::string(store::owner_role));
                },
            .begin =
                [&progress, &tasks](const Extent&, std::size_t all) {
                    tasks = std::max<std::size_t>(all, 1);
                    progress.phase("exporting");
                },
            .watch = std::move(watch),
            .abandon = {},
            .end =
                [&context, &request](const Extent& extent) {
                    record(context, request,
                           "done: " + util::counted(extent.records(), "record") + " of " +
                               util::counted(extent.accounts, "account"));
                }};
}

void draw(ProgressLine& progress, const exports::Progress& done, std::size_t tasks) {
    progress.rows_done(done.records, static_cast<double>(done.tasks_done) / static_cast<double>(tasks));
}

void print_summary(const Context& context, const Extent& extent, const std::string& directory) {
    if (context.json())
        return Context::print(object({{"directory", directory},
                                      {"as_of", extent.as_of},
                                      {"accounts", static_cast<std::int64_t>(extent.accounts)},
                                      {"records", extent.records()}}));
    Context::print(util::counted(extent.records(), "record") + " of " +
                   util::counted(extent.accounts, "account") + " in " + in_one_line(directory) + ", as of " +
                   extent.as_of + "\n");
}

/// Exports to standard output. Signals end the program at once, because there are no files to remove.
void export_to_output(Context& context, const Request& request) {
    check_accounts(context, request);
    record(context, request, details_of(request, false));
    ProgressLine progress;
    std::size_t tasks = 1;
    const auto surroundings =
        surroundings_of(context, request, progress, tasks,
                        [&](const exports::Progress& done) { draw(progress, done, tasks); });
    static_cast<void>(exports::write_lines(surroundings, request, STDOUT_FILENO, "standard output"));
}

/// An export to a directory, which is removed if the export fails. The directory is made and removed with the
/// rights of the user who started the program.
///
/// A child process removes the directory, because this process has the rights of PostgreSQL's administrator
/// by then.
class ExportToDirectory {
public:
    ExportToDirectory(Context& context, const std::string& path)
        : context_(context),
          user_(user_to_become(context.settings().admin_user)),
          directory_(path),
          removal_([this] { directory_.remove(); }, [] {}) {
        if (user_) directory_.give_to(user_->first, user_->second);
    }

    Extent run(const Request& request) {
        try {
            return write(request);
        } catch (const database::OutcomeUnknown& unknown) {
            clean_up();
            throw Failure(std::string(unknown.what()) + "; nothing was exported, repeat the command");
        } catch (const std::exception&) {
            clean_up();
            throw;
        }
    }

private:
    Extent write(const Request& request) {
        check_accounts(context_, request);
        record(context_, request, details_of(request, true));
        ProgressLine progress;
        std::size_t tasks = 1;
        auto surroundings =
            surroundings_of(context_, request, progress, tasks, [&](const exports::Progress& done) {
                draw(progress, done, tasks);
                if (interruption_.has_come())
                    throw Failure("interrupted: nothing was exported, and " + directory_.path() +
                                  " has no files");
            });
        surroundings.abandon = [this](const std::exception& failure) { abandon(failure); };
        return exports::write_files(surroundings, request, directory_);
    }

    void clean_up() {
        directory_.remove_files();
        removal_.run();
    }

    /// Ends the process at once, although one of its threads still waits for PostgreSQL. PostgreSQL ends the
    /// statement soon after the connection is gone.
    [[noreturn]] void abandon(const std::exception& failure) {
        clean_up();
        std::cerr << program_name << ": " << in_one_line(failure.what()) << std::endl;
        _exit(1);
    }

    Context& context_;
    const std::optional<std::pair<uid_t, gid_t>> user_;
    // `interruption_` blocks signals. This member has to stand before `removal_`, because the child process
    // of `removal_` has to inherit the blocked signals.
    Interruption interruption_;
    exports::Directory directory_;
    FirstUserAction removal_;
};

/// Refuses options that do not fit together, before anything is done.
void check_together(const Invocation& invocation) {
    const bool is_output = invocation.option("--output") == "-";
    if (!invocation.optional_argument("CODE")) invocation.refuse("CODE is missing");
    if (invocation.has("--consumer")) invocation.refuse("--consumer goes with --follow");
    if (!invocation.has("--output")) invocation.refuse("--output is missing");
    if (is_output && invocation.has("--csv"))
        invocation.refuse("--csv makes a file for each view: give --output a directory");
    if (is_output && invocation.has("--jobs"))
        invocation.refuse("standard output is written by one session: leave --jobs out");
    if (is_output && invocation.has("--json"))
        invocation.refuse("standard output gets the lines: leave --json out");
}

void export_records(Context& context, const Invocation& invocation) {
    if (invocation.has("--follow")) return follow(context, invocation);
    check_together(invocation);
    const Request request = request_of(invocation);
    const std::string output = *invocation.option("--output");
    if (output == "-") return export_to_output(context, request);
    print_summary(context, ExportToDirectory(context, output).run(request), output);
}

}  // namespace

std::vector<Command> export_commands() {
    return {command(
        "export",
        {{"CODE", check_supplier_code, true}, {"EXTERNAL", check_external_account_number, true, true}},
        {{"--accounts", "FILE", check_file, "Only the accounts of a file, one number per line."},
         {"--kind", "KIND", check_exported_kind, "Only this kind of records; may be repeated.", false, true},
         {"--since", "T", check_instant, "Only records that were stored at T or later."},
         {"--output", "DIR", check_file,
          "A directory that is empty or not there yet; or - for standard output."},
         {"--csv", "", nullptr, "A CSV file for each view of the schema platform."},
         {"--compress", "gzip|zstd", check_compression, "Compresses the files."},
         {"--jobs", "N", check_sessions,
          "The number of sessions that read; " + std::to_string(usual_sessions) + " if left out."},
         {"--follow", "", nullptr, "Writes what is new for a consumer, until it is ended."},
         {"--consumer", "NAME", check_consumer_name, "The consumer of --follow."}},
        export_records,
        "Writes what a supplier, or some of its accounts, have: files of bulk lines, which data-import-load "
        "takes as they are, and accounts.csv, which account load takes. Everything is of one moment. "
        "manifest.json is written last: it has the SHA-256 of each file, and the control totals. If the "
        "command fails or is interrupted (Ctrl-C), no file is left. The kinds market_participants and "
        "price_sheets belong to no supplier: all of them are exported, and only if they are named. With "
        "--follow and --consumer alone it writes what is new for the consumer to standard output, a line of "
        "JSON for each record, and takes it. The audit history tells who exported what.",
        "ACME 4711 --output customer-4711")};
}

}  // namespace data_import::ctl
