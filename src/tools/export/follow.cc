#include "tools/export/follow.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "data/json/writer.h"
#include "data/store/news.h"

namespace data_import::exports {

namespace {

using store::NewRecord;
using store::TakenAccount;

constexpr std::size_t most_at_once = 100;
constexpr std::size_t bytes_at_once = std::size_t{64} << 10U;
constexpr std::chrono::hours longest_take{24};

database::Deadline late() {
    return std::chrono::steady_clock::now() + longest_take;
}

/// Collects lines, and passes them to the sink, several at a time.
class Lines {
public:
    explicit Lines(const std::function<void(std::string_view)>& sink) : sink_(sink) {}

    /// Adds a line. `account` is null for a record that belongs to no account; `record` is null if the
    /// account was reset or erased.
    void add(const TakenAccount* account, std::string_view event, const NewRecord* record) {
        json::Writer writer;
        writer.begin_object();
        write_account(writer, account);
        writer.key("event").string(event);
        write_record(writer, record);
        (text_ += writer.end_object().text()) += '\n';
        if (text_.size() >= bytes_at_once) flush();
    }
    void flush() {
        if (!text_.empty()) sink_(text_);
        text_.clear();
    }

private:
    static void write_account(json::Writer& writer, const TakenAccount* account) {
        const auto write = [&](std::string_view name, const std::optional<std::string>& text) {
            writer.key(name).string_or_null(text);
        };
        write("import_supplier", account ? std::optional(account->import_supplier) : std::nullopt);
        write("external_account_number",
              account ? std::optional(account->external_account_number) : std::nullopt);
        write("service_account_number", account ? account->service_account_number : std::nullopt);
    }
    static void write_record(json::Writer& writer, const NewRecord* record) {
        if (record == nullptr) {
            for (const std::string_view name : {"kind", "record_id", "imported_at", "record"})
                writer.key(name).null();
            return;
        }
        writer.key("kind").string(record->kind).key("record_id").string(record->record_id);
        writer.key("imported_at").string(record->imported_at).key("record").raw(record->canonical);
    }

    const std::function<void(std::string_view)>& sink_;
    std::string text_;
};

/// Writes the lines of accounts. An account that was reset or erased first gets a line that says so, then the
/// lines of its records follow.
void write_accounts(database::Database& database, const std::vector<TakenAccount>& accounts, Lines& lines) {
    std::size_t begun = 0;
    const auto begin_up_to = [&](std::size_t count) {
        for (; begun < count; ++begun) {
            const TakenAccount& account = accounts[begun];
            if (account.event != "imported") lines.add(&account, account.event, nullptr);
        }
    };
    store::read_new_records(
        database, accounts,
        [&](std::size_t place, const NewRecord& record) {
            begin_up_to(place + 1);
            lines.add(&accounts[place], "imported", &record);
        },
        late());
    begin_up_to(accounts.size());
}

}  // namespace

bool take_news(database::Database& database, const std::string& consumer,
               const std::function<void(std::string_view)>& sink, const std::function<void()>& keep) {
    bool has_news = false;
    database.transaction(
        [&] {
            Lines lines(sink);
            database.execute_script("SET LOCAL enable_seqscan = off; SET LOCAL statement_timeout = 0",
                                    late());
            const auto participants =
                store::take_market_participants(database, consumer, most_at_once, late());
            const auto accounts = store::take_accounts(database, consumer, most_at_once, late());
            has_news = !participants.empty() || !accounts.empty();
            if (!participants.empty())
                store::read_new_records(
                    database, participants,
                    [&](const NewRecord& record) { lines.add(nullptr, "imported", &record); }, late());
            if (!accounts.empty()) write_accounts(database, accounts, lines);
            lines.flush();
            if (has_news) keep();
        },
        late());
    return has_news;
}

}  // namespace data_import::exports
