#include "vendor/credentials.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "util/file_descriptor.h"

namespace data_import::vendor {

namespace {

constexpr std::size_t max_secret_bytes = 4096;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& reason) {
    throw CredentialsError(file.string() + " " + reason);
}

[[noreturn]] void fail_to_read(const std::filesystem::path& file) {
    fail(file, "cannot be read: " + std::generic_category().message(errno));
}

void check_mode(const std::filesystem::path& file, int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) fail_to_read(file);
    if (!S_ISREG(status.st_mode)) fail(file, "is not a regular file");
    if ((status.st_mode & S_IRWXO) != 0) fail(file, "is accessible to others: chmod o= mends it");
}

std::string read_up_to(const std::filesystem::path& file, int descriptor, std::size_t most) {
    std::string text(most, '\0');
    std::size_t length = 0;
    while (length < most) {
        const ssize_t count = ::read(descriptor, text.data() + length, most - length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_to_read(file);
        if (count == 0) break;
        length += static_cast<std::size_t>(count);
    }
    text.resize(length);
    return text;
}

}  // namespace

std::string read_secret(const std::filesystem::path& file) {
    // a FIFO must not hold the reader
    const util::FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.get() < 0) fail_to_read(file);
    check_mode(file, descriptor.get());
    std::string secret = read_up_to(file, descriptor.get(), max_secret_bytes + 1);
    if (secret.size() > max_secret_bytes) fail(file, "is longer than a secret may be, 4096 bytes");
    if (secret.ends_with('\n')) secret.pop_back();
    if (secret.ends_with('\r')) secret.pop_back();
    if (secret.empty()) fail(file, "is empty");
    const bool is_word = std::ranges::all_of(secret, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word) fail(file, "has to hold one word of printable ASCII characters and nothing else");
    return secret;
}

void check_certificates(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"), std::fclose);
    if (!stream) fail_to_read(file);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(
        PEM_read_X509(stream.get(), nullptr, nullptr, nullptr), X509_free);
    ERR_clear_error();
    if (!certificate) fail(file, "holds no certificate in PEM format");
}

}  // namespace data_import::vendor
