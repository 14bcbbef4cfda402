// Whether a report can be signed; and how its files are known again.
#include <algorithm>
#include <span>

#include "report/report.h"
#include "util/joined.h"

namespace data_import::report {

namespace {

constexpr std::size_t most_named = 5;
constexpr std::size_t id_digits = 32;
constexpr std::size_t longest_head = 4096;  // within which a report says its id

std::string name_of(const store::ControlFigure& figure) {
    return figure.kind == figure.figure ? figure.kind : figure.kind + " " + figure.figure;
}

std::string named(const std::vector<store::ControlFigure>& figures, const char* left, const char* right) {
    const auto first = std::span(figures).first(std::min(figures.size(), most_named));
    std::string text = util::joined(first, [&](const store::ControlFigure& one) {
        return name_of(one) + " " + one.declared.value_or("0") + " " + left + ", " + one.held.value_or("0") +
               " " + right;
    });
    if (figures.size() > most_named) text += ", " + std::to_string(figures.size() - most_named) + " more";
    return text;
}

}  // namespace

std::int64_t Report::count_of(std::string_view state) const {
    const auto found = std::ranges::find(store::account_states, state);
    return progress.accounts.at(static_cast<std::size_t>(found - store::account_states.begin()));
}

std::optional<std::string> obstacle_of_totals(const Report& report) {
    if (!report.totals.is_declared())
        return "the supplier has not declared what it has; data-import-load --totals --declare does so";
    std::vector<store::ControlFigure> open;
    for (const DifferingFigure& one : report.explanations.figures) {
        if (!one.is_explained) open.push_back(one.figure);
    }
    if (open.empty()) return std::nullopt;
    return "differences are not explained (" + named(open, "declared", "held") +
           "); import what is missing, or give reasons by reconcile --accept";
}

std::optional<std::string> obstacle(const Report& report) {
    if (auto of_totals = obstacle_of_totals(report)) return of_totals;
    if (!report.scan) return "its records were not read";
    if (report.scan->differences.empty()) return std::nullopt;
    return "the records are not what the control totals say (" +
           named(report.scan->differences, "in the records", "in the totals") +
           "); somebody has changed them by hand";
}

std::optional<std::string> id_of(std::string_view file) {
    const std::string_view head = file.substr(0, longest_head);
    const std::size_t mark = head.find(id_mark);
    if (mark == std::string_view::npos) return std::nullopt;
    const std::string_view id = head.substr(mark + id_mark.size(), id_digits);
    if (id.size() != id_digits || id.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        return std::nullopt;
    return std::string(id);
}

}  // namespace data_import::report
