// The keys and certificates of the simulator, made anew at each start: good ones, and one for each possible
// fault of a certificate.
#pragma once

#include <filesystem>
#include <string>

namespace data_import::vendor_simulator {

/// Files of a certificate with its private key, in PEM form.
struct Identity {
    std::filesystem::path certificate;
    std::filesystem::path key;
};

/// Makes all certificates in one directory. Clients must trust `authority()`.
class Certificates {
public:
    /// Writes all files; only the owner can read the keys. Throws std::runtime_error if it fails.
    explicit Certificates(std::filesystem::path directory);

    /// The file with the certificate of the authority that signs identity("good"). A vendor's `ca_file` has
    /// to name this file.
    [[nodiscard]] std::filesystem::path authority() const { return directory_ / "ca.pem"; }

    /// `name` is `good` (its hosts are localhost, 127.0.0.1 and vendor.test) or one of the faults `expired`,
    /// `not_yet_valid`, `wrong_name`, `unknown_authority` and `self_signed`.
    [[nodiscard]] Identity identity(const std::string& name) const;

private:
    std::filesystem::path directory_;
};

}  // namespace data_import::vendor_simulator
