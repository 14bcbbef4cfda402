#include "vendor/credentials.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "util/failure.h"
#include "util/secret_file.h"

namespace data_import::vendor {

namespace {

constexpr std::size_t max_secret_bytes = 4096;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw CredentialsError(file.string() + " " + reason);
}

[[noreturn]] void fail_to_read(const std::filesystem::path& file, int error) {
    util::fail<CredentialsError>(file.string() + " cannot be read", error);
}

/// At most one byte more than a secret may have.
std::string read_start(const std::filesystem::path& file) {
    try {
        const util::SecretFile input(file, O_NONBLOCK);
        if (!input.is_regular()) refuse(file, "is not a regular file");
        if (input.allows(S_IRWXO)) refuse(file, "is accessible to others: chmod o= mends it");
        return input.read_up_to(max_secret_bytes + 1);
    } catch (const std::system_error& failure) {
        fail_to_read(file, failure.code().value());
    }
}

}  // namespace

std::string read_secret(const std::filesystem::path& file) {
    std::string secret = read_start(file);
    if (secret.size() > max_secret_bytes) refuse(file, "is longer than a secret may be, 4096 bytes");
    if (secret.ends_with('\n')) secret.pop_back();
    if (secret.ends_with('\r')) secret.pop_back();
    if (secret.empty()) refuse(file, "is empty");
    const bool is_word = std::ranges::all_of(secret, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word) refuse(file, "has to hold one word of printable ASCII characters and nothing else");
    return secret;
}

void check_certificates(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"), std::fclose);
    if (!stream) fail_to_read(file, errno);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(
        PEM_read_X509(stream.get(), nullptr, nullptr, nullptr), X509_free);
    ERR_clear_error();
    if (!certificate) refuse(file, "holds no certificate in PEM format");
}

}  // namespace data_import::vendor
