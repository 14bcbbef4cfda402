#include "vendor/base_url.h"

#include <algorithm>

#include "util/text.h"

namespace data_import::vendor {

namespace {

constexpr std::uint16_t https_port = 443;

bool is_host_character(char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '-' || character == '.';
}

bool is_path_character(char character) {
    constexpr std::string_view others = "-._~%!$&'()*+,;=:@/";
    return is_host_character(character) || others.find(character) != std::string_view::npos;
}

/// Empty, or segments each with a slash before it.
bool is_path(std::string_view path) {
    if (!std::ranges::all_of(path, is_path_character)) return false;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        const auto decoded = util::percent_decode(segment);
        if (!decoded || decoded->empty() || *decoded == "." || *decoded == "..") return false;
        path.remove_prefix(segment.size());
    }
    return true;
}

}  // namespace

std::optional<BaseUrl> parse_base_url(std::string_view text) {
    constexpr std::string_view scheme = "https://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::string_view path = text.substr(slash);
    if (path.ends_with('/')) path.remove_suffix(1);
    auto server = net::parse_authority(text.substr(0, slash));
    if (!server || !is_path(path)) return std::nullopt;
    if (server->port == 0) server->port = https_port;
    return BaseUrl{std::move(*server), std::string(path)};
}

std::optional<net::Server> parse_proxy(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    auto server = net::parse_authority(text);
    if (!server || server->port == 0) return std::nullopt;
    return server;
}

}  // namespace data_import::vendor
