#include "schema/postgres_decimals.h"

#include <algorithm>

#include "json/writer.h"
#include "util/decimal.h"

namespace data_import::schema {

namespace {

/// Whether PostgreSQL shows a decimal as it was written.
bool is_shown_as(std::string_view written) {
    const auto decimal = util::plain_decimal(written);
    if (!decimal || written.size() > util::max_decimal_digits) return false;
    const std::size_t whole = std::max<std::size_t>(decimal->whole.size(), 1);
    const std::size_t fraction = decimal->fraction.empty() ? 0 : decimal->fraction.size() + 1;
    return written.size() == (decimal->negative ? 1 : 0) + whole + fraction &&
           !(decimal->negative && util::is_zero_number(written));
}

}  // namespace

std::string_view taken_decimal(std::string_view sent, std::string& room) {
    constexpr std::size_t usual_length = 100;
    if (sent.size() <= usual_length && sent.find_first_of("eE") == std::string_view::npos) return sent;
    auto decimal = util::parse_decimal(sent);
    if (!decimal) return sent;
    decimal->fraction.resize(util::without_zeros_at_end(decimal->fraction).size());
    return room = decimal->to_text();
}

std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals) {
    const auto all_are = [&](json::Type type) {
        return std::ranges::all_of(decimals, [type](const std::optional<json::Value>& decimal) {
            return !decimal || (decimal->is(type) && is_shown_as(decimal->text()));
        });
    };
    if (all_are(json::Type::string)) return std::nullopt;
    if (all_are(json::Type::number)) return "#";
    json::Writer writer;
    writer.begin_array();
    for (const auto& decimal : decimals) decimal ? writer.value(*decimal) : writer.null();
    return writer.end_array().take();
}

}  // namespace data_import::schema
