// The fingerprint of a set of records (extensions, section 4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace data_import::records {

/// The sum modulo 2^128 of the digests of records: it does not depend on their order.
class Fingerprint {
public:
    /// Adds the digest of a record: the first 16 bytes, big-endian, of SHA-256 over this text.
    void add(std::string_view digested);
    /// Adds the records of another set.
    void add(const Fingerprint& other);
    /// 32 lower-case hexadecimal digits.
    [[nodiscard]] std::string to_text() const;

private:
    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
};

/// What the text to digest begins with; the record's canonical form follows.
[[nodiscard]] std::string digest_head(std::string_view kind, std::string_view external_account_number);

}  // namespace data_import::records
