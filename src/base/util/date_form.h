// Dates in forms such as DD.MM.YYYY, with day, month and year in any order that people use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data_import::util {

/// A form in which a date is written, such as `DD.MM.YYYY`, `MM/DD/YYYY`, `D.M.YYYY` or `YYYYMMDD`. D and M
/// stand for one or two digits, DD and MM for two, YYYY for the year. The same separator stands between all
/// parts. There may be no separator if each part has a fixed number of digits.
class DateForm {
public:
    /// Reads a form, in capitals or not; nothing for any other text.
    [[nodiscard]] static std::optional<DateForm> of(std::string_view text);

    /// Returns the form in capitals.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// Rewrites the date at the beginning of a text as YYYY-MM-DD, and keeps the rest. Returns nothing if the
    /// text does not begin with a date of this form, or if a digit follows the date. The date need not exist
    /// in the calendar.
    [[nodiscard]] std::optional<std::string> to_iso(std::string_view text) const;

    [[nodiscard]] bool operator==(const DateForm&) const = default;

private:
    explicit DateForm(std::string text) : text_(std::move(text)) {}

    std::string text_;
};

/// Returns whether the text begins with YYYY-MM-DD, with a digit for each letter.
[[nodiscard]] bool begins_with_iso_date(std::string_view text);

/// Returns the usual forms of the date at the beginning of a text, such as `DD/MM/YYYY` and `MM/DD/YYYY`, the
/// most likely one first; none if the text begins with no date. YYYY-MM-DD is not among them.
[[nodiscard]] std::vector<std::string_view> likely_date_forms(std::string_view text);

}  // namespace data_import::util
