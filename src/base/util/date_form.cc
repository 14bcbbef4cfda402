#include "base/util/date_form.h"

#include <algorithm>
#include <cstddef>

#include "base/util/datetime.h"
#include "base/util/text.h"

namespace data_import::util {

namespace {

constexpr std::string_view letters = "YMD";
constexpr std::size_t iso_length = 10;

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/// Removes the first run from `rest`, and returns it. A run is one letter, once or repeated, or the
/// characters before the next letter.
std::string_view take_run(std::string_view& rest) {
    const bool is_letter = letters.find(rest.front()) != std::string_view::npos;
    const auto end = std::ranges::find_if(rest, [&](char byte) {
        return is_letter ? byte != rest.front() : letters.find(byte) != std::string_view::npos;
    });
    const auto size = static_cast<std::size_t>(end - rest.begin());
    const std::string_view run = rest.substr(0, size);
    rest.remove_prefix(size);
    return run;
}

/// Returns the runs of a form: `DD`, `.`, `MM`, `.`, `YYYY`.
std::vector<std::string_view> runs_of(std::string_view form) {
    std::vector<std::string_view> runs;
    while (!form.empty()) runs.push_back(take_run(form));
    return runs;
}

bool is_separator(std::string_view run) {
    return !run.empty() && run.size() <= 2 && run.find_first_not_of("./- ") == std::string_view::npos;
}

bool is_part(std::string_view run) {
    return run == "YYYY" || run == "M" || run == "MM" || run == "D" || run == "DD";
}

bool is_order_of_people(std::string_view order) {
    return order == "DMY" || order == "MDY" || order == "YMD";
}

/// Takes the digits that a part of a form stands for (`DD`: two) from the start of `rest`, and returns them;
/// empty if there are too few.
std::string_view take_digits(std::string_view& rest, std::string_view part) {
    const auto end = std::ranges::find_if_not(rest, is_digit);
    const std::size_t most = part.size() == 1 ? 2 : part.size();
    const std::size_t size = std::min(static_cast<std::size_t>(end - rest.begin()), most);
    const std::string_view digits = rest.substr(0, size);
    rest.remove_prefix(size);
    return size >= part.size() ? digits : std::string_view();
}

std::string two_digits(std::string_view digits) {
    return (digits.size() == 1 ? "0" : "") + std::string(digits);
}

}  // namespace

std::optional<DateForm> DateForm::of(std::string_view text) {
    DateForm form(raised(text));
    const std::vector<std::string_view> runs = runs_of(form.text_);
    const bool has_separators = runs.size() == 5;
    if (!has_separators && runs.size() != 3) return std::nullopt;
    std::string order;
    for (std::size_t run = 0; run < runs.size(); run += has_separators ? 2 : 1) {
        if (!is_part(runs[run]) || (!has_separators && runs[run].size() == 1)) return std::nullopt;
        order += runs[run].front();
    }
    if (has_separators && (!is_separator(runs[1]) || runs[1] != runs[3])) return std::nullopt;
    return is_order_of_people(order) ? std::optional(std::move(form)) : std::nullopt;
}

std::optional<std::string> DateForm::to_iso(std::string_view text) const {
    std::string year;
    std::string month;
    std::string day;
    std::string_view form = text_;
    while (!form.empty()) {
        const std::string_view run = take_run(form);
        if (!is_part(run)) {
            if (!text.starts_with(run)) return std::nullopt;
            text.remove_prefix(run.size());
            continue;
        }
        const std::string_view digits = take_digits(text, run);
        if (digits.empty()) return std::nullopt;
        (run.front() == 'Y' ? year : run.front() == 'M' ? month : day) = two_digits(digits);
    }
    if (!text.empty() && is_digit(text.front())) return std::nullopt;
    std::string iso = std::move(year);
    iso.append(1, '-').append(month).append(1, '-').append(day);
    return iso.append(text);
}

bool begins_with_iso_date(std::string_view text) {
    static const auto iso = DateForm::of("YYYY-MM-DD");
    return iso->to_iso(text).has_value();
}

std::vector<std::string_view> likely_date_forms(std::string_view text) {
    constexpr std::string_view usual[] = {
        "DD.MM.YYYY", "D.M.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "D/M/YYYY",   "M/D/YYYY", "DD-MM-YYYY",
        "D-M-YYYY",   "YYYYMMDD", "YYYY/MM/DD", "YYYY/M/D",   "YYYY.MM.DD", "YYYY-M-D"};
    std::vector<std::string_view> forms;
    if (begins_with_iso_date(text)) return forms;
    for (const std::string_view form : usual) {
        const auto iso = DateForm::of(form)->to_iso(text);
        if (!iso || !parse_date(std::string_view(*iso).substr(0, iso_length))) continue;
        // D.M.YYYY is left out if DD.MM.YYYY fits, which is more precise.
        const bool is_known = std::ranges::any_of(forms, [&](std::string_view known) {
            return known.size() > form.size() && known.front() == form.front();
        });
        if (!is_known) forms.push_back(form);
    }
    return forms;
}

}  // namespace data_import::util
