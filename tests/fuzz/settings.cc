// Reads the settings file, and addresses of servers and proxies as in the files of payment vendors.
#include "base/config/settings.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "data/payment_vendors/configuration.h"
#include "input.h"

using namespace data_import;

namespace {

/// A file in memory.
class File {
public:
    explicit File(std::string_view contents) : descriptor_(::memfd_create("settings", 0)) {
        tests::require(
            ::write(descriptor_, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()),
            "a file can be written");
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { ::close(descriptor_); }

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

std::string printed(std::string_view text) {
    const File file(text);
    return config::print(config::load(file.path()));
}

void check_settings(std::string_view text) {
    try {
        const std::string settings = printed(text);
        tests::require(printed(settings) == settings, "settings that are printed and read stay the same");
    } catch (const config::ConfigError& error) {
        const std::string_view reason = error.what();
        tests::require(reason.starts_with("/proc/self/fd/"), "an error names the file");
        tests::require(reason.find('\n') == std::string_view::npos, "an error is one line");
    }
}

void check_addresses(std::string_view text) {
    if (const auto url = payment_vendors::parse_base_url(text)) {
        tests::require(url->server.port != 0 && !url->server.host.empty(), "a vendor has a host and a port");
        const auto again =
            payment_vendors::parse_base_url("https://" + authority_of(url->server) + url->path);
        tests::require(again && again->server.host == url->server.host &&
                           again->server.port == url->server.port && again->path == url->path,
                       "an address that is written and read stays the same");
    }
    if (const auto proxy = payment_vendors::parse_proxy(text)) {
        const auto again = payment_vendors::parse_proxy("http://" + authority_of(*proxy));
        tests::require(again && again->host == proxy->host && again->port == proxy->port,
                       "a proxy that is written and read stays the same");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = tests::input_text(data, size);
    check_settings(input);
    check_addresses(input);
    return 0;
}
