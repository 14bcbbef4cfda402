// Files that a vendor's configuration names.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace data_import::vendor {

/// `what()` names the file and the rule, and nothing of the content.
class CredentialsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The bearer token in a file, which is one word of printable ASCII characters with or without a line end,
/// at most 4096 bytes. The file must not be accessible to others than its owner and group. Throws
/// CredentialsError.
[[nodiscard]] std::string read_secret(const std::filesystem::path& file);

/// Throws CredentialsError unless the file holds at least one certificate in PEM format.
void check_certificates(const std::filesystem::path& file);

}  // namespace data_import::vendor
