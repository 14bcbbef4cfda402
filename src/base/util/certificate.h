// Facts of an X.509 certificate, over libcrypto.
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

    [[nodiscard]] std::int64_t valid_from() const;   ///< Unix time
    [[nodiscard]] std::int64_t valid_until() const;  ///< Unix time
    /// Returns whether it is issued by itself. No client trusts it without being told.
    [[nodiscard]] bool is_self_signed() const;
    /// Returns the name of its issuer if clients cannot find that one: it is neither among the certificates
    /// after it in the file nor among those that this machine trusts, and the certificate says where to fetch
    /// it, as intermediate authorities do.
    [[nodiscard]] std::optional<std::string> issuer_missing_in(const std::filesystem::path& file) const;
    /// Returns whether clients that ask for this name (or address) accept it.
    [[nodiscard]] bool is_for(const std::string& name) const;
    /// Returns true for the very same certificate.
    [[nodiscard]] bool operator==(const Certificate& other) const;

private:
    explicit Certificate(std::shared_ptr<x509_st> certificate) : certificate_(std::move(certificate)) {}
    std::shared_ptr<x509_st> certificate_;
};

}  // namespace data_import::util
