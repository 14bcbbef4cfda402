// The fingerprint of a set of records (contract, section 12.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace data_import::records {

/// The number of bytes of a record's digest: the first ones of its SHA-256.
inline constexpr std::size_t digest_bytes = 16;

/// The sum modulo 2^128 of the digests of records, which does not depend on their order.
class Fingerprint {
public:
    /// Adds the digest of a record: the first 16 bytes, big-endian, of the SHA-256 of `digested`.
    void add(std::string_view digested);
    /// Adds a digest of 16 bytes.
    void add_digest(std::string_view bytes);
    /// Adds the records of another set.
    void add(const Fingerprint& other);
    /// Returns 32 lower-case hexadecimal digits.
    [[nodiscard]] std::string to_text() const;

private:
    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
};

/// Returns the beginning of the text over which a record's digest is computed; the record's canonical form
/// follows it.
[[nodiscard]] std::string digest_head(std::string_view kind, std::string_view external_account_number);

}  // namespace data_import::records
