#include "tools/ctl/values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/stored_text.h"
#include "base/util/text.h"
#include "base/util/time_faults.h"
#include "base/util/whole_number.h"
#include "data/records/kinds.h"
#include "data/store/operators.h"
#include "data/store/progress.h"
#include "data/store/suppliers.h"

namespace data_import::ctl {

using util::check_line;
using util::check_path_name;
using util::check_stored_name;
using util::check_text;
using util::has_dot_segment;

namespace {

std::optional<std::string> check_choice(std::string_view text, std::span<const std::string_view> choices) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::nullopt;
    return "has to be " + util::alternatives(choices);
}

std::vector<std::string_view> kind_names() {
    std::vector<std::string_view> names;
    for (const records::Kind& kind : records::kinds()) names.push_back(kind.name);
    return names;
}

constexpr std::size_t longest_document_root = 1024;
constexpr std::size_t longest_consumer_name = 64;

}  // namespace

std::optional<std::string> check_supplier_code(std::string_view text) {
    return check_stored_name(text, util::limits::supplier_code);
}

std::optional<std::string> check_external_account_number(std::string_view text) {
    return check_stored_name(text, util::limits::external_account_number);
}

std::optional<std::string> check_sent_account_number(std::string_view text) {
    return check_path_name(text, util::limits::external_account_number);
}

std::optional<std::string> check_service_account_number(std::string_view text) {
    return check_stored_name(text, util::limits::service_account_number);
}

std::optional<std::string> check_name(std::string_view text) {
    return check_line(text, util::limits::label);
}

std::optional<std::string> check_consumer_name(std::string_view text) {
    return check_stored_name(text, longest_consumer_name);
}

std::optional<std::string> check_consumer_beginning(std::string_view text) {
    static constexpr std::array<std::string_view, 2> beginnings{"now", "beginning"};
    return check_choice(text, beginnings);
}

std::optional<std::string> check_document_root(std::string_view text) {
    if (text.empty()) return std::nullopt;
    if (const auto wrong = check_line(text, longest_document_root)) return wrong;
    if (text.find('\\') != std::string_view::npos) return "holds a backslash; segments are separated by /";
    if (has_dot_segment(text)) return "holds a segment . or ..";
    return std::nullopt;
}

std::optional<std::string> check_supplier_status(std::string_view text) {
    return check_choice(text, store::supplier_statuses);
}

std::optional<std::string> check_operator_role(std::string_view text) {
    return check_choice(text, store::operator_roles);
}

std::optional<std::string> check_account_state(std::string_view text) {
    return check_choice(text, store::account_states);
}

std::string record_kinds() {
    return util::alternatives(kind_names());
}

std::optional<std::string> check_record_kind(std::string_view text) {
    return check_choice(text, kind_names());
}

std::optional<std::string> check_hours(std::string_view text) {
    constexpr int most = 10 * 365 * 24;
    const auto number = util::whole_number<int>(text);
    if (number && *number >= 1 && *number <= most) return std::nullopt;
    return "has to be a whole number from 1 to " + std::to_string(most);
}

std::optional<std::string> check_reason(std::string_view text) {
    return check_text(text, util::limits::reason);
}

std::optional<std::string> check_key_id(std::string_view text) {
    if (util::whole_number<std::int64_t>(text) > 0 && text.front() != '0') return std::nullopt;
    return "has to be the number of a key, as \"key list\" shows it";
}

std::optional<std::string> check_request_id(std::string_view text) {
    constexpr std::size_t digits = 32;
    const bool is_id =
        text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_id) return std::nullopt;
    return "has to be 32 hexadecimal digits, as in the header X-Request-Id of an answer";
}

std::optional<std::string> check_instant(std::string_view text) {
    if (util::parse_datetime(text)) return std::nullopt;
    return "has to be a time like 2024-05-31T08:30:00Z or 2024-05-31T10:30:00+02:00: " +
           util::datetime_faults(text);
}

std::optional<std::string> check_date(std::string_view text) {
    if (util::parse_date(text)) return std::nullopt;
    return "has to be a date like 2024-05-31: " + util::date_faults(text);
}

std::optional<std::string> check_planned_end(std::string_view text) {
    return text.empty() ? std::nullopt : check_date(text);
}

std::optional<std::string> check_attention(std::string_view text) {
    constexpr std::int64_t most = 1'000'000'000;
    const auto number = util::whole_number<std::int64_t>(text);
    if (number && *number >= 1 && *number <= most) return std::nullopt;
    return "has to be a whole number from 1 to " + std::to_string(most);
}

std::optional<std::string> check_erase_after(std::string_view text) {
    constexpr int most = 36'500;
    const auto number = util::whole_number<int>(text);
    if (text.empty() || (number && *number >= 0 && *number <= most)) return std::nullopt;
    return "has to be a whole number of days from 0 to " + std::to_string(most) + ", or empty";
}

std::optional<std::string> check_period(std::string_view text) {
    const std::string form = "has to be two dates like 2024-05-01:2024-05-31";
    if (text.find(':') == std::string_view::npos) return form;
    const auto [first_day, last_day] = parse_period(text);
    for (const std::string& day : {first_day, last_day}) {
        if (!util::parse_date(day)) return form + ": " + util::date_faults(day);
    }
    // the dates can be compared as texts, because all have the same form
    if (last_day < first_day) return "ends before it begins";
    return std::nullopt;
}

std::optional<std::string> check_file(std::string_view text) {
    if (text.empty()) return "is empty";
    if (util::has_control_character(text)) return "has a control character in it";
    return std::nullopt;
}

Period parse_period(std::string_view text) {
    const std::size_t colon = text.find(':');
    return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

}  // namespace data_import::ctl
