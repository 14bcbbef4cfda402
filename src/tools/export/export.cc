#include "tools/export/export.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/util/csv.h"
#include "data/proof/account_totals.h"
#include "data/store/distribution.h"
#include "data/store/exported_accounts.h"
#include "data/store/records.h"
#include "data/store/snapshot.h"
#include "tools/export/csv_export.h"
#include "tools/export/record_export.h"

namespace data_import::exports {

namespace {

database::Deadline late() {
    return std::chrono::steady_clock::now() + proof::longest_snapshot;
}

std::string account_line(const store::ExportedAccount& account) {
    std::string line;
    for (const std::optional<std::string_view> field :
         {std::optional(account.external_account_number), std::optional(account.state),
          account.service_account_number, std::optional<std::string_view>(account.account_created_at),
          account.statement_first_day, account.statement_last_day})
        line += (line.empty() ? "" : ",") + util::csv_field(field.value_or(""));
    return line += '\n';
}

/// One export. All of its sessions read the same snapshot.
class Export {
public:
    Export(const Surroundings& surroundings, const Request& request)
        : surroundings_(surroundings), request_(request) {}

    /// Calls `prepare`, which adds the tasks, and then runs the tasks. Runs them in the caller's session only
    /// if `is_one_session` is true or the tables are distributed; otherwise in sessions that it opens.
    void run(const std::function<void()>& prepare, bool is_one_session) {
        database::Database& database = surroundings_.database;
        database.transaction(
            [&] {
                store::begin_reading_records(database, late());
                database.execute_script("SET LOCAL statement_timeout = 0", late());
                extent_.as_of = store::transaction_time(database, late());
                prepare();
                extent_.accounts = ranges_.accounts();
                surroundings_.begin(extent_, tasks_.size());
                carry_out(is_one_session || store::is_distributed(database, late()));
                surroundings_.end(extent_);
            },
            late());
    }

    /// Adds to `ranges_` the accounts whose records are wanted. Passes a line for each of these accounts to
    /// `each`, in the form that `data-importctl account load` reads.
    void list_accounts(const std::function<void(std::string_view)>& each) {
        if (!request_.has_accounts()) return;
        store::list_exported_accounts(
            surroundings_.database, request_.import_supplier, request_.numbers,
            [&](const store::ExportedAccount& account) {
                if (ranges_.accounts() % accounts_of_part == 0) surroundings_.watch(progress_);
                ranges_.add(account.external_account_number);
                each(account_line(account));
            },
            late());
    }

    void add(Task task) { tasks_.push_back(std::move(task)); }

    /// Adds the totals of records that a task has read.
    void add_totals(const std::vector<records::KindTotals>& totals) {
        const std::lock_guard lock(mutex_);
        for (std::size_t kind = 0; kind < totals.size(); ++kind)
            records::add(extent_.kinds[kind], totals[kind]);
    }
    void add_file(WrittenFile file) {
        const std::lock_guard lock(mutex_);
        files_.push_back(std::move(file));
    }

    void read_part(database::Database& database, std::size_t part, const BulkLines::Sink& sink) {
        std::vector<records::KindTotals> totals(records::kinds().size());
        export_records(database, request_, ranges_, part, progress_, totals, sink);
        add_totals(totals);
    }

    void read_without_account(database::Database& database, const std::string& kind,
                              const BulkLines::Sink& sink) {
        const std::int64_t records =
            export_records_without_account(database, kind, request_, progress_, sink);
        const std::lock_guard lock(mutex_);
        extent_.without_account[kind] = records;
    }

    [[nodiscard]] const Request& request() const { return request_; }
    [[nodiscard]] const AccountRanges& ranges() const { return ranges_; }
    [[nodiscard]] Progress& progress() { return progress_; }
    [[nodiscard]] const Extent& extent() const { return extent_; }
    [[nodiscard]] std::vector<WrittenFile> files_by_name() {
        std::ranges::sort(files_, {}, &WrittenFile::name);
        return files_;
    }

private:
    void carry_out(bool is_one_session) {
        std::vector<std::unique_ptr<database::Database>> opened;
        std::vector<database::Database*> sessions;
        if (is_one_session) sessions.push_back(&surroundings_.database);
        while (!is_one_session && sessions.size() < std::min(request_.sessions, tasks_.size())) {
            opened.push_back(surroundings_.open_session());
            sessions.push_back(opened.back().get());
        }
        const std::string snapshot =
            is_one_session ? "" : store::export_snapshot(surroundings_.database, late());
        exports::carry_out(tasks_, sessions, snapshot, progress_, surroundings_.watch, surroundings_.abandon);
    }

    const Surroundings& surroundings_;
    const Request& request_;
    AccountRanges ranges_;
    Extent extent_;
    std::vector<Task> tasks_;
    Progress progress_;
    std::mutex mutex_;
    std::vector<WrittenFile> files_;
};

/// A file that is created with its first line, so that no file is empty.
class PartFile {
public:
    PartFile(Directory& directory, std::string name, Compression compression)
        : directory_(directory), name_(std::move(name)), compression_(compression) {}

    void add(std::string_view lines) {
        if (!file_) file_.emplace(directory_, name_ + std::string(ending_of(compression_)), compression_);
        file_->stream().add(lines);
    }
    void publish(Export& all) {
        if (file_) all.add_file(file_->publish());
    }

private:
    Directory& directory_;
    std::string name_;
    Compression compression_;
    std::optional<NewFile> file_;
};

/// Returns `0001.ndjson` for the first part. Names sort as the parts do.
std::string name_of_part(std::size_t part, std::size_t parts) {
    const std::size_t width = std::max<std::size_t>(4, std::to_string(parts).size());
    const std::string number = std::to_string(part + 1);
    return std::string(width - number.size(), '0') + number + ".ndjson";
}

void write_part(Export& all, Directory& directory, database::Database& database, std::size_t part) {
    PartFile file(directory, name_of_part(part, all.ranges().parts()), all.request().compression);
    all.read_part(database, part, [&](std::string_view line) { file.add(line); });
    file.publish(all);
}

/// Returns the kinds that were asked for and belong to no account.
std::vector<std::string> kinds_without_account(const Request& request) {
    std::vector<std::string> kinds;
    for (const std::string& kind : request.kinds) {
        if (records::find_kind(kind) == nullptr) kinds.push_back(kind);
    }
    return kinds;
}

void add_line_tasks(Export& all, Directory& directory) {
    for (std::size_t part = 0; part < all.ranges().parts(); ++part)
        all.add([&all, &directory, part](database::Database& database) {
            write_part(all, directory, database, part);
        });
    for (const std::string& kind : kinds_without_account(all.request()))
        all.add([&all, &directory, kind](database::Database& database) {
            PartFile file(directory, kind + ".ndjson", all.request().compression);
            all.read_without_account(database, kind, [&](std::string_view line) { file.add(line); });
            file.publish(all);
        });
}

void list_accounts(Export& all, Directory& directory) {
    NewFile accounts(directory, "accounts.csv");
    accounts.stream().add(
        "external_account_number,state,service_account_number,account_created_at,statement_from,statement_"
        "to\n");
    all.list_accounts([&](std::string_view line) { accounts.stream().add(line); });
    all.add_file(accounts.publish());
}

void prepare_lines(Export& all, Directory& directory) {
    if (all.request().has_accounts()) list_accounts(all, directory);
    add_line_tasks(all, directory);
}

/// Adds a task for each view. Further tasks read the records only to add up the totals of the manifest.
void prepare_views(Export& all, Directory& directory, database::Database& database) {
    all.list_accounts([](std::string_view) {});
    for (const store::ExportedView& view : views_of(database, all.request(), late()))
        all.add([&all, &directory, view](database::Database& session) {
            PartFile file(directory, view.name + ".csv", all.request().compression);
            export_view(session, view, all.request(), all.ranges(), all.progress(),
                        [&](std::string_view line) { file.add(line); });
            file.publish(all);
        });
    for (std::size_t part = 0; part < all.ranges().parts(); ++part)
        all.add([&all, part](database::Database& session) {
            all.read_part(session, part, [](std::string_view) {});
        });
    for (const std::string& kind : kinds_without_account(all.request()))
        all.add([&all, kind](database::Database& session) {
            all.read_without_account(session, kind, [](std::string_view) {});
        });
}

}  // namespace

Extent write_files(const Surroundings& surroundings, const Request& request, Directory& directory) {
    Export all(surroundings, request);
    all.run(
        [&] {
            request.is_csv ? prepare_views(all, directory, surroundings.database)
                           : prepare_lines(all, directory);
        },
        false);
    NewFile manifest(directory, std::string(manifest_name));
    manifest.stream().add(manifest_of(request, all.extent(), all.files_by_name()));
    static_cast<void>(manifest.publish());
    return all.extent();
}

Extent write_lines(const Surroundings& surroundings, const Request& request, int descriptor,
                   const std::string& name) {
    Export all(surroundings, request);
    LineStream stream(descriptor, request.compression, name);
    const auto sink = [&](std::string_view line) { stream.add(line); };
    all.run(
        [&] {
            all.list_accounts([](std::string_view) {});
            for (std::size_t part = 0; part < all.ranges().parts(); ++part)
                all.add([&, part](database::Database& database) { all.read_part(database, part, sink); });
            for (const std::string& kind : kinds_without_account(request))
                all.add([&, kind](database::Database& database) {
                    all.read_without_account(database, kind, sink);
                });
            all.add([&](database::Database&) { stream.flush(); });
        },
        true);
    return all.extent();
}

}  // namespace data_import::exports
