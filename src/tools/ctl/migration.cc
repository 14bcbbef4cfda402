#include "tools/ctl/migration.h"

#include "data/store/shared_json.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/refusals.h"

namespace data_import::ctl {

namespace {

constexpr std::int64_t bar_width = 40;

using Properties = std::vector<std::pair<std::string, std::string>>;

std::string bar_text(const store::MigrationProgress& progress) {
    const std::int64_t all = progress.all_accounts();
    if (all == 0) return "no accounts are known yet\n";
    const std::int64_t imported = progress.accounts.back();
    return progress_bar(imported, all) + "  " + std::to_string(imported) + " of " + std::to_string(all) +
           " accounts imported\n";
}

std::string counts_text(const Migration& migration) {
    const store::MigrationProgress& progress = migration.progress;
    Properties counts;
    for (std::size_t state = 0; state < store::account_states.size(); ++state) {
        counts.emplace_back("accounts " + in_words(store::account_states[state]),
                            std::to_string(progress.accounts[state]));
    }
    for (const auto& [kind, count] : progress.records) {
        const std::int64_t own = store::records_by_service(progress, migration.totals, kind);
        counts.emplace_back(
            in_words(kind),
            std::to_string(count) + (own == 0 ? "" : ", " + std::to_string(own) + " of them by the service"));
    }
    counts.emplace_back("differing transactions", std::to_string(progress.differing_transactions));
    return property_list(counts);
}

std::string rates_text(const store::MigrationProgress& progress) {
    Table rates({"IN THE LAST", "MINUTE", "HOUR", "DAY"});
    rates.add({"accounts imported", std::to_string(progress.last_minute.accounts),
               std::to_string(progress.last_hour.accounts),
               std::to_string(progress.last_day.value().accounts)});
    rates.add({"records stored", std::to_string(progress.last_minute.records),
               std::to_string(progress.last_hour.records),
               std::to_string(progress.last_day.value().records)});
    return rates.text("");
}

/// Returns the estimated end and the number of failed accounts that the estimate leaves out, or the reason
/// why there is no estimate. Empty if nothing is to be said.
std::string end_text(const store::MigrationProgress& progress) {
    if (progress.stands_still_since)
        return "none: stands still since " + minute_of(*progress.stands_still_since);
    const std::int64_t pending = progress.accounts[store::place_of_state("staged")] +
                                 progress.accounts[store::place_of_state("in_progress")];
    if (!progress.estimated_end_at && progress.last_account_at && progress.status == "Ongoing" && pending > 0)
        return "none: no account was imported since " + minute_of(*progress.last_account_at);
    if (!progress.estimated_end_at) return "";
    const std::int64_t failed = progress.accounts[store::place_of_state("failed")];
    return minute_of(*progress.estimated_end_at) +
           (failed == 0 ? "" : ", without " + std::to_string(failed) + " failed");
}

std::string planned_end_text(const Migration& migration) {
    const auto& estimated = migration.progress.estimated_end_at;
    if (!migration.planned_end) return "";
    if (migration.is_late) return *migration.planned_end + ", late";
    const bool is_too_late =
        estimated && estimated->substr(0, migration.planned_end->size()) > *migration.planned_end;
    return *migration.planned_end + (is_too_late ? ", expected late" : "");
}

std::string times_text(const Migration& migration) {
    const store::MigrationProgress& progress = migration.progress;
    Properties times = {
        {"last import", progress.last_import_at ? minute_of(*progress.last_import_at) : ""},
        {"planned end", planned_end_text(migration)},
        {"estimated end", end_text(progress)},
    };
    if (!migration.last_error) {
        times.emplace_back("last error", "");
        return property_list(times);
    }
    const store::RefusalKind& kind = migration.last_error->kind;
    times.emplace_back("last error", minute_of(migration.last_error->last_at) + ", " + kind.endpoint);
    times.emplace_back("", std::to_string(kind.status) + " " + telling_code(kind) +
                               (kind.attr.empty() ? "" : " " + kind.attr));
    times.emplace_back("", sentence_of(*migration.last_error));
    times.emplace_back("", "request " + migration.last_error->sample_request_id);
    return property_list(times);
}

std::string percentage(std::int64_t done, std::int64_t all) {
    const std::int64_t thousandths = done * 1000 / all;
    return std::to_string(thousandths / 10) + "." + std::to_string(thousandths % 10) + " %";
}

}  // namespace

std::string percentage_text(const store::MigrationProgress& progress) {
    const std::int64_t all = progress.all_accounts();
    return all == 0 ? "" : percentage(progress.accounts.back(), all);
}

std::string progress_bar(std::int64_t done, std::int64_t all) {
    if (all <= 0) return "";
    const auto filled = static_cast<std::size_t>(done * bar_width / all);
    return "[" + std::string(filled, '#') + std::string(static_cast<std::size_t>(bar_width) - filled, '-') +
           "]  " + percentage(done, all);
}

void write_migration(json::Writer& writer, const Migration& migration) {
    store::write_progress(writer, migration.progress);
    writer.key("last_error");
    migration.last_error ? write_refusal(writer, *migration.last_error) : static_cast<void>(writer.null());
}

std::string migration_text(const Migration& migration) {
    return bar_text(migration.progress) + "\n" + counts_text(migration) + "\n" +
           rates_text(migration.progress) + "\n" + times_text(migration);
}

}  // namespace data_import::ctl
