#include "data/proof/last_records.h"

#include <charconv>
#include <map>

#include "base/util/crypto.h"
#include "base/util/datetime.h"
#include "data/store/records.h"
#include "data/store/stored_record.h"

namespace data_import::proof {

namespace {

/// Returns whether the year is 1 to 9999. PostgreSQL and util::to_text can write these.
bool is_instant_of_records(std::int64_t microseconds) {
    constexpr std::int64_t first = -62'135'596'800'000'000;
    constexpr std::int64_t behind_last = 253'402'300'800'000'000;
    return microseconds >= first && microseconds < behind_last;
}

/// Reads `MICROSECONDS-SKIPPED`: a time, and how many records of that time have been passed.
std::optional<store::RecordPage> parse(std::string_view cursor) {
    std::int64_t microseconds = 0;
    std::uint32_t records = 0;
    const char* const end = cursor.data() + cursor.size();
    const auto time = std::from_chars(cursor.data(), end, microseconds);
    if (time.ec != std::errc() || time.ptr == end || *time.ptr != '-') return std::nullopt;
    const auto skipped = std::from_chars(time.ptr + 1, end, records);
    if (skipped.ec != std::errc() || skipped.ptr != end) return std::nullopt;
    if (!is_instant_of_records(microseconds)) return std::nullopt;
    return store::RecordPage{.until = util::Instant{microseconds}, .skipped = records};
}

const store::StoredRecord& form_of(const records::Kind& kind) {
    static std::map<std::string_view, store::StoredRecord> forms;
    return forms.try_emplace(kind.name, kind.record).first->second;
}

}  // namespace

bool is_record_cursor(std::string_view text) {
    return parse(text).has_value();
}

SeenRecords read_last_records(database::Database& database, const records::Kind& kind,
                              const std::string& account_key, std::string_view cursor, std::size_t most,
                              database::Deadline deadline) {
    const store::StoredRecord& form = form_of(kind);
    store::RecordPage page = parse(cursor).value_or(store::RecordPage{});
    page.most = most + 1;
    SeenRecords seen;
    std::optional<util::Instant> last = page.until;
    std::size_t of_last = page.skipped;
    bool are_more = false;
    store::read_last_records(
        database, kind, form.columns(), account_key, page,
        [&](const std::vector<database::BinaryValue>& row) {
            if (seen.records.size() == most) {
                are_more = true;
                return;
            }
            const auto* behind = row.data() + form.columns().size() + 1;
            const util::Instant at = database::binary_instant(behind[0].value());
            of_last = last && last->microseconds == at.microseconds ? of_last + 1 : 1;
            last = at;
            SeenRecord& record = seen.records.emplace_back();
            record.imported_at = util::to_text(at);
            record.request_id = util::to_hex(behind[1].value());
            record.api_key_id = std::to_string(database::binary_integer(behind[2].value()));
            record.moved_to = behind[3];
            form.append_canonical(record.json, row);
        },
        deadline);
    if (are_more) seen.cursor = std::to_string(last->microseconds) + '-' + std::to_string(of_last);
    return seen;
}

}  // namespace data_import::proof
