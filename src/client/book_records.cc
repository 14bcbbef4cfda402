#include "client/book_records.h"

#include "payload/declarations.h"
#include "payload/imports.h"
#include "records/fingerprint.h"
#include "records/kinds.h"
#include "records/totals.h"
#include "schema/canonical.h"
#include "schema/content.h"
#include "util/big_endian.h"
#include "util/crypto.h"
#include "util/datetime.h"

namespace data_import::client {

namespace {

std::string digest_of(std::string_view text) {
    return std::string(util::bytes_of(util::sha256(text)).substr(0, records::digest_bytes));
}

std::string identity_of(const records::Kind& kind, const json::Value& record) {
    return kind.identity != nullptr ? kind.identity(record) : schema::content_text(kind.record, record);
}

/// Two's complement with its sign turned over sorts like the number; no year that is allowed gives 0.
std::uint64_t time_of(const json::Value& note) {
    const auto created_at = note.find("created_at");
    if (!created_at) return 0;
    const auto instant = util::parse_datetime(created_at->text()).value();
    return static_cast<std::uint64_t>(instant.microseconds) ^ std::uint64_t{1} << 63U;
}

std::uint64_t variant_of(const records::Kind& kind, const json::Value& record) {
    if (kind.name == "notes") return time_of(record);
    if (kind.name != "historical_statements") return 0;
    return util::big_endian(digest_of(payload::content_of_historical_statement(record)).substr(0, 8));
}

/// Takes the beginning off a text.
class Cut {
public:
    explicit Cut(std::string_view text) : text_(text) {}

    std::string_view bytes(std::size_t count) {
        const std::string_view front = text_.substr(0, count);
        text_.remove_prefix(count);
        return front;
    }
    std::string_view up_to_zero(std::size_t zeros) {
        std::size_t end = 0;
        while (zeros-- > 0) end = text_.find('\0', end) + 1;
        return bytes(end);
    }
    [[nodiscard]] std::string_view rest() const { return text_; }

private:
    std::string_view text_;
};

}  // namespace

std::string_view BookRecord::external_account_number() const {
    return account.substr(account.find('\0') + 1, account.size() - account.find('\0') - 2);
}

std::string to_text(const BookRecord& record) {
    std::string text(record.account);
    util::append_big_endian<1>(text, record.kind);
    text += record.identity;
    util::append_big_endian<8>(text, record.variant);
    util::append_big_endian<8>(text, record.place);
    util::append_big_endian<2>(text, record.part);
    util::append_big_endian<1>(text, record.is_always_new ? 1 : 0);
    ((text += record.digest) += record.figure) += '\0';
    return text += record.value;
}

BookRecord book_record_of(std::string_view text) {
    Cut cut(text);
    BookRecord record{.account = cut.up_to_zero(2)};
    record.kind = util::big_endian(cut.bytes(1));
    record.identity = cut.bytes(records::digest_bytes);
    record.variant = util::big_endian(cut.bytes(8));
    record.place = util::big_endian(cut.bytes(8));
    record.part = static_cast<std::uint16_t>(util::big_endian(cut.bytes(2)));
    record.is_always_new = util::big_endian(cut.bytes(1)) == 1;
    record.digest = cut.bytes(records::digest_bytes);
    record.figure = cut.up_to_zero(1);
    record.figure.remove_suffix(1);
    record.value = cut.rest();
    return record;
}

void BookRecords::add(const ImportRequest& request, const json::Value& body, std::uint64_t sequence) {
    const payload::Import* const import = payload::find_import(request.address());
    if (import == nullptr || records::find_kind(import->stores) == nullptr) return;
    const std::string_view number = body.at("external_account_number").text();
    std::string account(body.at("import_supplier").text());
    note_supplier(account);
    ((account += '\0') += number) += '\0';
    BookRecord record{.account = account,
                      .kind = records::place_of(import->stores),
                      .place = sequence << BookRecord::place_bits,
                      .is_always_new = !request.is_idempotent()};
    if (!import->is_list)
        return add_record(record, number, import->field.empty() ? body : body.at(import->field));
    for (const json::Value item : body.at(import->field).items()) {
        add_record(record, number, item);
        ++record.place;
    }
}

void BookRecords::add_record(BookRecord& record, std::string_view number, const json::Value& sent) {
    const records::Kind& kind = records::kinds()[record.kind];
    canonical_ = records::digest_head(kind.name, number);
    schema::append_canonical(canonical_, kind.record, sent);
    const std::string digest = digest_of(canonical_);
    const std::string identity = digest_of(identity_of(kind, sent));
    record.digest = digest;
    record.identity = identity;
    record.variant = variant_of(kind, sent);
    record.part = 0;
    record.figure = record.value = {};
    const records::Sums sums = records::figures_of(kind, sent);
    for (const auto& [figure, sum] : sums) {
        const std::string value = sum.to_text();
        record.figure = figure;
        record.value = value;
        texts_.add(to_text(record));
        ++record.part;
    }
    if (sums.empty()) texts_.add(to_text(record));
    ++count_;
}

void BookRecords::note_supplier(std::string_view supplier) {
    if (first_supplier_.empty()) first_supplier_ = supplier;
    if (supplier != first_supplier_ && second_supplier_.empty()) second_supplier_ = supplier;
}

}  // namespace data_import::client
