#include "client/api_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "util/file_descriptor.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_key_bytes = 1024;

[[noreturn]] void fail(const std::string& sentence) {
    throw std::runtime_error(sentence);
}

void check_mode(int descriptor, const std::string& file) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0)
        fail("cannot read the API key file " + file + ": " + std::strerror(errno));
    if ((status.st_mode & (S_IRWXO | S_IWGRP)) != 0)
        fail("the API key file " + file + " is open to others: chmod 0600 it");
}

/// At most one byte more than a key may have.
std::string read_start(int descriptor, const std::string& file) {
    std::string text;
    std::string piece(max_key_bytes + 1, '\0');
    while (text.size() <= max_key_bytes) {
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot read the API key file " + file + ": " + std::strerror(errno));
        if (count == 0) break;
        text.append(piece, 0, static_cast<std::size_t>(count));
    }
    return text;
}

}  // namespace

std::string read_api_key(const std::string& file) {
    const util::FileDescriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.get() < 0) fail("cannot read the API key file " + file + ": " + std::strerror(errno));
    check_mode(input.get(), file);
    std::string text = read_start(input.get(), file);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) fail("the API key file " + file + " is empty");
    text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    const bool is_word = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word || text.size() > max_key_bytes)
        fail("the API key file " + file + " has to hold one API key and nothing else");
    return text;
}

}  // namespace data_import::client
