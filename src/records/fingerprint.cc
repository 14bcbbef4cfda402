#include "records/fingerprint.h"

#include "util/crypto.h"

namespace data_import::records {

namespace {

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

void put_big_endian(char* bytes, std::uint64_t number) {
    for (int place = 7; place >= 0; --place, number >>= 8U) bytes[place] = static_cast<char>(number & 0xFFU);
}

}  // namespace

void Fingerprint::add(std::string_view digested) {
    add_digest(util::bytes_of(util::sha256(digested)).substr(0, digest_bytes));
}

void Fingerprint::add_digest(std::string_view bytes) {
    Fingerprint record;
    record.high_ = big_endian(bytes.substr(0, digest_bytes / 2));
    record.low_ = big_endian(bytes.substr(digest_bytes / 2));
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
