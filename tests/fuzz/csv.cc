// Decodes a file as text, and reads it as CSV records and as the rows of `account load`.
#include "base/util/csv.h"
#include "base/util/csv_columns.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/util/text.h"
#include "base/util/text_decoder.h"
#include "input.h"
#include "tools/ctl/account_rows.h"

using namespace data_import;

namespace {

struct Record {
    std::size_t line;
    std::string error;
    std::vector<std::string> fields;
    bool operator==(const Record&) const = default;
};

/// A source that gives at most `piece` bytes at a time.
util::CsvReader::Source source_of(std::string_view text, std::size_t piece) {
    return [text, piece](char* buffer, std::size_t size) mutable {
        const std::size_t given = text.copy(buffer, std::min(size, piece));
        text.remove_prefix(given);
        return given;
    };
}

/// Returns the text that the decoder makes from the bytes of `file`; nothing if the decoder refuses them. The
/// decoder reads and returns at most `piece` bytes at a time. If `looks_ahead` is true, calls look_ahead()
/// first, and requires that the text begins with the result of look_ahead().
std::optional<std::string> text_of(std::string_view file, std::size_t piece, bool looks_ahead) {
    util::TextDecoder decoder;
    const auto bytes = source_of(file, piece);
    const util::TextDecoder::Source source = [&](std::span<char> buffer) {
        return bytes(buffer.data(), buffer.size());
    };
    try {
        std::string ahead;
        if (looks_ahead) ahead = decoder.look_ahead(source);
        std::string text;
        std::string buffer(piece, '\0');
        while (const std::size_t count = decoder.read(source, buffer)) text.append(buffer, 0, count);
        tests::require(text.starts_with(ahead), "what is seen ahead comes");
        return text;
    } catch (const util::NoText&) {
        return std::nullopt;
    }
}

std::vector<Record> records_of(std::string_view text, std::size_t piece) {
    util::CsvReader reader(source_of(text, piece));
    util::CsvRecord record;
    std::vector<Record> records;
    while (reader.next(record)) {
        Record& read = records.emplace_back(Record{record.line(), std::string(record.error()), {}});
        if (!read.error.empty()) continue;
        for (std::size_t position = 0; position < record.size(); ++position)
            read.fields.emplace_back(record.field(position));
    }
    tests::require(reader.bytes_read() == text.size() || reader.is_lost(),
                   "a file is read to its end unless a quoted field is lost");
    return records;
}

/// Writes the records as CSV, with every field in quotation marks.
std::string written(const std::vector<Record>& records) {
    std::string text = "sep=,\r\n";
    for (const Record& record : records) {
        for (const std::string& field : record.fields) {
            text += &field == &record.fields.front() ? "\"" : ",\"";
            for (const char character : field) text.append(character == '"' ? 2 : 1, character);
            text += '"';
        }
        text += "\r\n";
    }
    return text;
}

void check_written(std::vector<Record> records) {
    std::erase_if(records, [](const Record& record) { return !record.error.empty(); });
    const std::vector<Record> again = records_of(written(records), 4096);
    tests::require(std::ranges::equal(records, again, {}, &Record::fields, &Record::fields),
                   "what was read and written stays the same");
}

void check_account(const store::LoadedAccount& account) {
    const std::string_view number = account.external_account_number;
    tests::require(util::is_utf8(number) && !util::is_blank(number) && util::count_code_points(number) <= 128,
                   "an account has a number of 1 to 128 characters");
    const bool is_imported = account.state == "imported";
    tests::require(is_imported || account.state == "staged" || account.state == "in_progress" ||
                       account.state == "failed",
                   "an account has one of four states");
    tests::require(is_imported || (account.service_account_number.empty() &&
                                   account.account_created_at.empty() && account.statement_first_day.empty()),
                   "only an imported account has more");
    tests::require(account.statement_first_day.empty() == account.statement_last_day.empty() &&
                       account.statement_first_day <= account.statement_last_day,
                   "a statement period has two days in their order");
}

void read_accounts(std::string_view text) {
    util::CsvReader reader(source_of(text, text.size()));
    util::CsvRecord record;
    try {
        if (!reader.next(record)) return;
        const ctl::AccountRows rows(record);
        store::LoadedAccount account;
        while (reader.next(record)) {
            const auto wrong = rows.read(record, account);
            tests::require(!wrong || !wrong->empty(), "a refusal is explained");
            if (!wrong) check_account(account);
        }
    } catch (const util::WrongCsvHeader&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file = tests::input_text(data, size);
    const auto text = text_of(file, 4096, true);
    tests::require(text_of(file, 1, false) == text, "it does not matter in which pieces a file comes");
    const std::string_view input = text ? std::string_view(*text) : file;
    const std::vector<Record> records = records_of(input, 4096);
    tests::require(records_of(input, 1) == records, "it does not matter in which pieces a file comes");
    check_written(records);
    read_accounts(input);
    return 0;
}
