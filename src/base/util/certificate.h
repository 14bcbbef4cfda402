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
    /// The first certificate of a PEM file. Throws std::runtime_error, naming the file.
    [[nodiscard]] static Certificate read(const std::filesystem::path& file);
    /// A copy of what libcrypto has.
    [[nodiscard]] static Certificate of(const x509_st& certificate);

    [[nodiscard]] std::int64_t valid_from() const;   ///< Unix time
    [[nodiscard]] std::int64_t valid_until() const;  ///< Unix time
    /// Issued by itself: no client trusts it without being told.
    [[nodiscard]] bool is_self_signed() const;
    /// The name of its issuer if clients cannot find that one: neither the certificates behind it in the file
    /// nor those that this machine trusts include it, and it says where to fetch it, as intermediate
    /// authorities do.
    [[nodiscard]] std::optional<std::string> issuer_missing_in(const std::filesystem::path& file) const;
    /// Whether clients that ask for this name (or address) accept it.
    [[nodiscard]] bool is_for(const std::string& name) const;
    /// The very same one.
    [[nodiscard]] bool operator==(const Certificate& other) const;

private:
    explicit Certificate(std::shared_ptr<x509_st> certificate) : certificate_(std::move(certificate)) {}
    std::shared_ptr<x509_st> certificate_;
};

}  // namespace data_import::util
