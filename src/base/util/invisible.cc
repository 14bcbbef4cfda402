#include "base/util/invisible.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include "base/util/code_point.h"

namespace data_import::util {

namespace {

constexpr char32_t space = 0x20;

// The ranges have all characters with Unicode's properties White_Space (except U+0020), Cc (controls) and
// Default_Ignorable_Code_Point, the invisible characters of Cf (format), the blanks of Braille and of musical
// notes, and a filler of the Khitan script. They lack the visible characters of Cf, such as U+0600, which
// enclose a number.
constexpr CodePointRange ranges[] = {
    {0x0000, 0x001F},   {0x007F, 0x00A0},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160},   {0x1680, 0x1680},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x13430, 0x1343F},
    {0x16FE4, 0x16FE4}, {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

struct Name {
    char32_t point;
    std::string_view name;
};

constexpr std::array names = {
    Name{0x0009, "tab"},
    Name{0x000A, "line feed"},
    Name{0x000D, "carriage return"},
    Name{0x0020, "space"},
    Name{0x00A0, "no-break space"},
    Name{0x00AD, "soft hyphen"},
    Name{0x200B, "zero-width space"},
    Name{0x200C, "zero-width non-joiner"},
    Name{0x200D, "zero-width joiner"},
    Name{0x200E, "left-to-right mark"},
    Name{0x200F, "right-to-left mark"},
    Name{0x202F, "narrow no-break space"},
    Name{0x2060, "word joiner"},
    Name{0x3000, "ideographic space"},
    Name{0xFEFF, "byte order mark"},
};

/// The part of a text from its first visible character to its last one, as offsets of bytes.
struct VisiblePart {
    std::size_t begin;
    std::size_t end;
};

VisiblePart visible_part(std::string_view text) {
    VisiblePart part{text.size(), text.size()};
    bool is_first = true;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        const char32_t point = next_code_point(text, offset);
        if (point == space || is_invisible(point)) continue;
        if (is_first) part.begin = begin;
        is_first = false;
        part.end = offset;
    }
    return part;
}

/// Writes `U+200B`.
std::string code_of(char32_t point) {
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(point));
    return code;
}

TextPlace place_of(std::size_t offset, const VisiblePart& part) {
    if (offset < part.begin) return TextPlace::beginning;
    return offset < part.end ? TextPlace::inside : TextPlace::end;
}

/// Returns whether the text has only visible ASCII characters, and spaces between them, which is true for
/// nearly all texts.
bool is_plain(std::string_view text) {
    return !text.starts_with(' ') && !text.ends_with(' ') &&
           std::ranges::all_of(text, [](char byte) { return byte >= ' ' && byte < '\x7F'; });
}

/// Calls `take` with each character, its place, and whether it counts as invisible. Ends as soon as `take`
/// returns true.
template <typename Take>
void look_at(std::string_view text, Take take) {
    const VisiblePart part = visible_part(text);
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        const char32_t point = next_code_point(text, offset);
        const TextPlace place = place_of(begin, part);
        const bool is_found = is_invisible(point) || (point == space && place != TextPlace::inside);
        if (take(InvisibleCharacter{point, place}, text.substr(begin, offset - begin), is_found)) return;
    }
}

}  // namespace

std::span<const CodePointRange> invisible_ranges() {
    return ranges;
}

bool is_invisible(char32_t point) {
    const auto* const range = std::ranges::lower_bound(ranges, point, {}, &CodePointRange::last);
    return range != std::end(ranges) && range->first <= point;
}

std::optional<InvisibleCharacter> find_invisible(std::string_view text) {
    std::optional<InvisibleCharacter> found;
    if (is_plain(text)) return found;
    look_at(text, [&](const InvisibleCharacter& character, std::string_view, bool is_found) {
        if (is_found && (!found || found->point == space)) found = character;
        return found && found->point != space;
    });
    return found;
}

std::string to_text(const InvisibleCharacter& character) {
    constexpr std::string_view verbs[] = {"begins with", "holds", "ends with"};
    std::string text = std::string(verbs[std::size_t(character.place)]) + " " + code_of(character.point);
    const auto* const named = std::ranges::find(names, character.point, &Name::point);
    return named == names.end() ? text : text + " (" + std::string(named->name) + ")";
}

std::string with_invisible_named(std::string_view text) {
    std::string named;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t begin = offset;
        const char32_t point = next_code_point(text, offset);
        if (is_invisible(point)) {
            named += "<" + code_of(point) + ">";
        } else {
            named += text.substr(begin, offset - begin);
        }
    }
    return named;
}

std::string without_invisible(std::string_view text) {
    std::string visible;
    look_at(text, [&](const InvisibleCharacter&, std::string_view bytes, bool is_found) {
        if (!is_found) visible += bytes;
        return false;
    });
    return visible;
}

}  // namespace data_import::util
