// account load
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "ctl/account_rows.h"
#include "ctl/handlers.h"
#include "ctl/input_file.h"
#include "ctl/progress_line.h"
#include "ctl/row_errors.h"
#include "ctl/usage.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/account_load.h"
#include "util/csv.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_errors = 100;
constexpr std::size_t copy_chunk_bytes = 256 * 1024;
constexpr std::uint64_t many_accounts =
    10'000;  // from here on the planner's figures are worth a look at the table

/// Reads a file row by row, passes right rows on, and remembers what is wrong with the others.
class AccountFile {
public:
    AccountFile(InputFile& file, ProgressLine& progress)
        : file_(file),
          progress_(progress),
          reader_([this](char* buffer, std::size_t size) { return file_.read(buffer, size); }),
          rows_(read_header()) {}

    /// The next right rows as COPY reads them; false at the end.
    bool next_chunk(std::string& chunk) {
        chunk.clear();
        while (chunk.size() < copy_chunk_bytes && reader_.next(record_)) {
            if (!record_.is_empty()) take_record(chunk);
        }
        progress_.rows_done(row_count_, share());
        return !chunk.empty();
    }

    [[nodiscard]] std::uint64_t row_count() const { return row_count_; }
    [[nodiscard]] const store::LoadErrors& errors() const { return errors_; }

private:
    AccountRows read_header() {
        if (!reader_.next(record_)) throw Failure("the file is empty; it has to begin with a header");
        return AccountRows(record_);
    }

    void take_record(std::string& chunk) {
        ++row_count_;
        store::LoadedAccount account;
        if (const auto wrong = rows_.read(record_, account)) {
            if (++errors_.count <= most_errors) errors_.first.push_back({record_.line(), *wrong});
            return;
        }
        append_copy_row(chunk, account);
    }

    [[nodiscard]] double share() const {
        if (file_.size().value_or(0) == 0) return -1;
        return static_cast<double>(reader_.bytes_read()) / static_cast<double>(*file_.size());
    }

    InputFile& file_;
    ProgressLine& progress_;
    util::CsvReader reader_;
    util::CsvRecord record_;
    AccountRows rows_;
    std::uint64_t row_count_ = 0;
    store::LoadErrors errors_;
};

store::LoadErrors merged(const store::LoadErrors& left, const store::LoadErrors& right) {
    store::LoadErrors both{.first = {}, .count = left.count + right.count};
    std::merge(
        left.first.begin(), left.first.end(), right.first.begin(), right.first.end(),
        std::back_inserter(both.first),
        [](const store::LoadError& one, const store::LoadError& other) { return one.line < other.line; });
    if (both.first.size() > most_errors) both.first.resize(most_errors);
    return both;
}

/// Rows that cannot be stored: the program says which, and nothing is stored.
class RowsRefused : public Failure {
public:
    RowsRefused(const std::string& file, store::LoadErrors errors)
        : Failure("nothing was stored: " + std::to_string(errors.count) +
                  (errors.count == 1 ? " error in " : " errors in ") + file +
                  "; correct these lines and load the file again"),
          errors_(std::move(errors)) {}
    [[nodiscard]] const store::LoadErrors& errors() const { return errors_; }

private:
    store::LoadErrors errors_;
};

/// The work of the one transaction.
store::LoadCounts load(database::Database& database, AccountFile& rows, const Invocation& invocation,
                       const std::string& author, ProgressLine& progress, database::Deadline deadline) {
    database.execute_script("SET LOCAL statement_timeout = 0", deadline);
    store::AccountLoad load(database, invocation.argument("CODE"), author, deadline);
    progress.phase("reading");
    load.copy([&](std::string& chunk) { return rows.next_chunk(chunk); });
    progress.phase("checking " + std::to_string(rows.row_count()) + " rows");
    load.check_repeats();
    progress.phase("moving accounts");
    const store::LoadCounts counts =
        load.move([&](std::uint64_t lines, double share) { progress.rows_done(lines, share); });
    store::LoadErrors errors = merged(rows.errors(), load.errors(most_errors));
    if (errors.count > 0) throw RowsRefused(invocation.argument("FILE.csv"), std::move(errors));
    return counts;
}

void print_counts(const Context& context, std::uint64_t rows, const store::LoadCounts& counts,
                  double seconds) {
    if (context.json()) {
        json::Writer writer;
        writer.begin_object();
        for (const auto& [name, count] :
             {std::pair("rows", rows), std::pair("created", counts.created), std::pair("moved", counts.moved),
              std::pair("unchanged", counts.unchanged),
              std::pair("statement_periods_opened", counts.statement_periods_opened)}) {
            writer.key(name).integer(static_cast<std::int64_t>(count));
        }
        return Context::print(writer.end_object().take() + "\n");
    }
    char time[32];
    std::snprintf(time, sizeof time, "%.1f s", seconds);
    Context::print(std::to_string(rows) + " rows in " + time + ": " + std::to_string(counts.created) +
                   " accounts created, " + std::to_string(counts.moved) + " moved, " +
                   std::to_string(counts.unchanged) + " unchanged, " +
                   std::to_string(counts.statement_periods_opened) + " statement periods opened\n");
}

}  // namespace

void load_accounts(Context& context, const Invocation& invocation) {
    InputFile file(invocation.argument("FILE.csv"));  // before the database: it may be readable for root only
    const database::Deadline deadline = Context::late();
    database::Database& database = context.database();
    ProgressLine progress;
    AccountFile rows(file, progress);
    store::LoadCounts counts;
    try {
        database.transaction(
            [&] {
                counts = load(database, rows, invocation, context.operator_name(), progress, deadline);
                progress.phase("committing");
            },
            deadline);
    } catch (const RowsRefused& refused) {
        print_row_errors(context, refused.errors());
        throw;
    }
    print_counts(context, rows.row_count(), counts, progress.seconds());
    if (counts.created + counts.moved >= many_accounts) {
        progress.phase("analysing");
        store::analyze_accounts(database, deadline);
    }
}

}  // namespace data_import::ctl
