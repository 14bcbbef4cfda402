#include "client/api_key_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <stdexcept>

#include "util/failure.h"
#include "util/secret_file.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_key_bytes = 1024;

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::runtime_error(sentence);
}

/// At most one byte more than a key may have.
std::string read_start(const std::string& file) {
    try {
        const util::SecretFile input(file);
        if (input.allows(S_IRWXO | S_IWGRP)) refuse("the API key file is open to others: chmod 0600 it");
        return input.read_up_to(max_key_bytes + 1);
    } catch (const std::system_error& failure) {
        util::fail("cannot read the API key file, whose name --api-key-file takes, not the key itself",
                   failure.code().value());
    }
}

}  // namespace

std::string read_api_key(const std::string& file) {
    std::string text = read_start(file);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) refuse("the API key file is empty");
    text = text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
    const bool is_word = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!is_word || text.size() > max_key_bytes)
        refuse("the API key file has to hold one API key and nothing else");
    return text;
}

}  // namespace data_import::client
