#include "vendor_files.h"

#include <array>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace data_import::vendor_simulator {

namespace {

constexpr std::string_view prefix = "simulator-";
constexpr std::string_view demonstration = "NORDPAY";

/// A vendor of the service. The name of its file contains its code.
struct Vendor {
    std::string_view code;
    std::string_view place;            ///< LISTENER/BASE_PATH, such as `good/chunked`
    std::string_view time = "1";       ///< total_timeout in seconds
    std::string_view proxy_host = "";  ///< if not empty, `place` is the proxy, which is asked for this host
    std::string_view retries = "1";
};

/// The vendors that the simulator plays. `time` is short if requests to the vendor end only by the time-out,
/// so that a test does not wait long. Otherwise `time` is longer, so that the requests end in the same way on
/// a busy machine.
constexpr auto vendors = std::to_array<Vendor>({
    {demonstration, "good/good", "4"},
    {"good", "good/good", "4"},
    {"chunked", "good/chunked", "4"},
    {"until_close", "good/until_close", "4"},
    {"forgets", "good/forgets", "4"},
    {"chatty", "good/chatty", "4"},
    {"numbers", "good/numbers", "4"},
    {"inactive", "good/inactive", "4"},
    {"redirect", "good/redirect", "4"},
    {"interim", "good/interim", "4"},
    {"status_204", "good/204", "4"},
    {"status_304", "good/304", "4"},
    {"status_307", "good/307", "4"},
    {"status_401", "good/401", "4"},
    {"status_404", "good/404", "4"},
    {"status_500", "good/500", "3"},
    {"status_503", "good/503", "3", "", "2"},
    {"retry_soon", "good/retry_after/1", "4"},
    {"retry_late", "good/retry_after/3600", "2"},
    {"flaky", "good/flaky/1", "4"},
    {"flaky_resets", "good/flaky_resets/1", "4"},
    {"too_flaky", "good/flaky/3", "4"},
    {"slow", "good/slow/1", "4"},
    {"too_slow", "good/slow/5"},
    {"hangs", "good/hangs"},
    {"hangs_in_body", "good/hangs_in_body"},
    {"drips_head", "good/drips_head"},
    {"drips_body", "good/drips_body"},
    {"drips_chunks", "good/drips_chunks"},
    {"closes", "good/closes", "3"},
    {"resets", "good/resets", "3"},
    {"resets_after_head", "good/resets_after_head", "3"},
    {"resets_in_body", "good/resets_in_body", "3"},
    {"cut_body", "good/cut_body", "3"},
    {"cut_chunks", "good/cut_chunks", "3"},
    {"cut_connection", "good/cut_connection", "3"},
    {"bad_chunks", "good/bad_chunks", "3"},
    {"huge_body", "good/huge_body", "3"},
    {"huge_length", "good/huge_length", "3"},
    {"huge_head", "good/huge_head", "3"},
    {"html", "good/html", "3"},
    {"no_http", "good/no_http", "3"},
    {"expired", "expired/good", "3"},
    {"not_yet_valid", "not_yet_valid/good", "3"},
    {"wrong_name", "wrong_name/good", "3"},
    {"unknown_authority", "unknown_authority/good", "3"},
    {"self_signed", "self_signed/good", "3"},
    {"old_tls", "old_tls/good", "3"},
    {"plain_http", "plain_http/good", "3"},
    {"connection_closes", "closes/good", "3"},
    {"connection_resets", "resets/good", "3"},
    {"connection_hangs", "hangs/good"},
    {"connection_refused", "refused/good", "3"},
    {"connect_hangs", "connect_hangs/good"},
    {"handshake_stalls", "handshake_stalls/good"},
    {"handshake_drips", "handshake_drips/good"},
    {"wrong_secret", "good/good", "3"},
    {"behind_proxy", "proxy/good", "4", "vendor.test"},
    {"proxy_refuses", "proxy/good", "3", "unknown.test"},
    {"proxy_hangs", "proxy/good", "1", "silent.test"},
    {"recovering", "good/switched/recovering", "3", "", "0"},
    {"breaking", "good/switched/breaking", "3", "", "0"},
});

/// A port that the kernel never assigns, and that no server uses today.
constexpr std::uint16_t refused_port = 1;

std::uint16_t port_of(const std::string& listener, const Surroundings& surroundings) {
    return listener == "refused" ? refused_port : surroundings.ports.at(listener);
}

std::string base_url(const Vendor& vendor, const Surroundings& surroundings) {
    const std::size_t slash = vendor.place.find('/');
    const std::string path(vendor.place.substr(slash));
    if (!vendor.proxy_host.empty()) return "https://" + std::string(vendor.proxy_host) + path;
    const std::string listener(vendor.place.substr(0, slash));
    return "https://localhost:" + std::to_string(port_of(listener, surroundings)) + path;
}

std::string contents(const Vendor& vendor, const Surroundings& surroundings) {
    const bool wrong = vendor.code == "wrong_secret";
    std::string text = "# written by the vendor simulator\ncode = " + std::string(vendor.code) + '\n';
    text += "base_url = " + base_url(vendor, surroundings) + '\n';
    text += "secret_file = " + (wrong ? surroundings.wrong_secret : surroundings.secret).string() + '\n';
    text += "ca_file = " + surroundings.authority.string() + '\n';
    text += "connect_timeout = 1\ntotal_timeout = " + std::string(vendor.time) + '\n';
    text += "retries = " + std::string(vendor.retries) + '\n';
    if (!vendor.proxy_host.empty())
        text += "proxy = http://127.0.0.1:" + std::to_string(surroundings.ports.at("proxy")) + '\n';
    return text;
}

void remove_old(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> old;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().filename().string().starts_with(prefix)) old.push_back(entry.path());
    }
    for (const std::filesystem::path& file : old) std::filesystem::remove(file);
}

}  // namespace

void write_vendor_files(const std::filesystem::path& directory, bool all, const Surroundings& surroundings) {
    std::filesystem::create_directories(directory);
    remove_old(directory);
    for (const Vendor& vendor : vendors) {
        if (!all && vendor.code != demonstration) continue;
        const auto path = directory / (std::string(prefix) + std::string(vendor.code) + ".conf");
        std::ofstream file(path);
        file << contents(vendor, surroundings);
        file.close();
        if (!file) throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace data_import::vendor_simulator
