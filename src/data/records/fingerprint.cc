#include "data/records/fingerprint.h"

#include "base/util/big_endian.h"
#include "base/util/crypto.h"

namespace data_import::records {

void Fingerprint::add(std::string_view digested) {
    add_digest(util::bytes_of(util::sha256(digested)).substr(0, digest_bytes));
}

void Fingerprint::add_digest(std::string_view bytes) {
    Fingerprint record;
    record.high_ = util::big_endian(bytes.substr(0, digest_bytes / 2));
    record.low_ = util::big_endian(bytes.substr(digest_bytes / 2));
    add(record);
}

void Fingerprint::add(const Fingerprint& other) {
    low_ += other.low_;
    high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
}

std::string Fingerprint::to_text() const {
    std::string bytes;
    util::append_big_endian<8>(bytes, high_);
    util::append_big_endian<8>(bytes, low_);
    return util::to_hex(bytes);
}

std::string digest_head(std::string_view kind, std::string_view external_account_number) {
    std::string head(kind);
    ((head += '\n') += external_account_number) += '\n';
    return head;
}

}  // namespace data_import::records
