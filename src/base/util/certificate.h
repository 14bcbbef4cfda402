// Reads facts from an X.509 certificate with libcrypto.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

struct x509_st;

namespace data_import::util {

class Certificate {
public:
    /// Reads the first certificate of a PEM file. Throws std::runtime_error, naming the file.
    [[nodiscard]] static Certificate read(const std::filesystem::path& file);
    /// Copies a certificate of libcrypto.
    [[nodiscard]] static Certificate of(const x509_st& certificate);

    [[nodiscard]] std::int64_t valid_from() const;   ///< first second of its validity, in Unix time
    [[nodiscard]] std::int64_t valid_until() const;  ///< last second of its validity, in Unix time
    /// Returns whether the certificate names itself as its issuer. No client trusts such a certificate
    /// without being told to.
    [[nodiscard]] bool is_self_signed() const;
    /// Returns the issuer's name if the issuer's certificate has to be in `file`, but is missing there;
    /// otherwise nothing. The certificate has to be there if the issuer is an intermediate authority that
    /// this machine does not trust.
    ///
    /// An intermediate authority is known by an address in the certificates that it issues, from which its
    /// own certificate can be fetched. Most clients do not fetch it.
    [[nodiscard]] std::optional<std::string> issuer_missing_in(const std::filesystem::path& file) const;
    /// Returns whether the certificate was issued for `name`, which is a host name or an IP address.
    [[nodiscard]] bool is_for(const std::string& name) const;
    /// Returns whether both certificates are equal byte for byte.
    [[nodiscard]] bool operator==(const Certificate& other) const;

private:
    explicit Certificate(std::shared_ptr<x509_st> certificate) : certificate_(std::move(certificate)) {}
    std::shared_ptr<x509_st> certificate_;
};

}  // namespace data_import::util
