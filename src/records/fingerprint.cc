#include "records/fingerprint.h"

#include <span>

#include "util/crypto.h"

namespace data_import::records {

namespace {

std::uint64_t big_endian(std::span<const unsigned char> bytes) {
    std::uint64_t number = 0;
    for (const unsigned char byte : bytes) number = number << 8U | byte;
    return number;
}

void put_big_endian(char* bytes, std::uint64_t number) {
    for (int place = 7; place >= 0; --place, number >>= 8U) bytes[place] = static_cast<char>(number & 0xFFU);
}

}  // namespace

void Fingerprint::add(std::string_view digested) {
    const util::Sha256 digest = util::sha256(digested);
    Fingerprint record;
    record.high_ = big_endian(std::span(digest).subspan(0, 8));
    record.low_ = big_endian(std::span(digest).subspan(8, 8));
    add(record);
}

void Fingerprint::add(const Fingerprint& other) {
    low_ += other.low_;
    high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
}

std::string Fingerprint::to_text() const {
    char bytes[16];
    put_big_endian(bytes, high_);
    put_big_endian(bytes + 8, low_);
    return util::to_hex({bytes, sizeof bytes});
}

std::string digest_head(std::string_view kind, std::string_view external_account_number) {
    std::string head(kind);
    ((head += '\n') += external_account_number) += '\n';
    return head;
}

}  // namespace data_import::records
