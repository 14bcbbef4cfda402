#include "service/api/event_cursor.h"

#include <charconv>

#include "base/util/crypto.h"

namespace data_import::api {

namespace {

constexpr std::size_t mark_bytes = 8;

/// Returns the checksum of supplier and place that a cursor contains. The checksum makes a cursor valid for
/// one supplier only, and shows whether a text is a cursor. It need not be secret, because a cursor that a
/// client makes up shows no more events than one from an answer.
std::string mark_of(std::string_view import_supplier, std::string_view place) {
    std::string text(import_supplier);
    (text += '\x1f') += place;
    const util::Sha256 digest = util::sha256(text);
    return std::string(util::bytes_of(digest).substr(0, mark_bytes));
}

std::string text_of(const store::EventPlace& place) {
    return std::to_string(place.place) + '-' + std::to_string(place.position);
}

}  // namespace

std::string to_cursor(std::string_view import_supplier, const store::EventPlace& place) {
    const std::string text = text_of(place);
    return util::to_base64url(mark_of(import_supplier, text) + text);
}

std::optional<store::EventPlace> parse_cursor(std::string_view import_supplier, std::string_view cursor) {
    const std::optional<std::string> bytes = util::from_base64url(cursor);
    if (!bytes || bytes->size() <= mark_bytes) return std::nullopt;
    const std::string text = bytes->substr(mark_bytes);
    if (bytes->substr(0, mark_bytes) != mark_of(import_supplier, text)) return std::nullopt;
    store::EventPlace place;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, place.place);
    if (first.ec != std::errc() || first.ptr == end) return std::nullopt;
    std::from_chars(first.ptr + 1, end, place.position);
    constexpr std::int64_t most_positions = 1'000'000'000;  // no event has as many accounts
    if (place.place < 0 || place.position < 0 || place.position > most_positions || text != text_of(place))
        return std::nullopt;
    return place;
}

}  // namespace data_import::api
