// Finds what keeps a report from being signed, and says what to do about it. Reads a report's id from the
// report's file.
#include <algorithm>

#include "base/util/joined.h"
#include "base/util/printable.h"
#include "base/util/readable.h"
#include "base/util/shell_command.h"
#include "data/proof/supplier_figures.h"
#include "data/records/figure_text.h"
#include "data/report/report.h"

namespace data_import::report {

namespace {

constexpr std::size_t id_digits = 32;
constexpr std::size_t longest_head = 4096;  // the first bytes of a report's file, which hold its id

template <typename Figure>
std::string name_of(const Figure& figure) {
    return figure.kind == figure.figure ? figure.kind : figure.kind + " " + figure.figure;
}

std::string unexplained(const DifferingFigure& one) {
    const store::ControlFigure& figure = one.figure;
    const auto shown = [&](const std::string& decimal) {
        return records::figure_text(figure.figure, decimal);
    };
    std::string text = name_of(figure) + " " + shown(figure.declared.value_or("0")) + " declared, " +
                       shown(figure.held.value_or("0")) + " stored";
    if (one.accepted && *one.accepted != "0") text += ", accepted differences " + shown(*one.accepted);
    return text;
}

std::string booked(const store::BookedFigure& figure) {
    const auto shown = [&](const std::string& decimal) {
        return records::figure_text(figure.figure, decimal);
    };
    return name_of(figure) + " " + shown(figure.held.value_or("0")) + " stored, " + shown(figure.booked) +
           " booked";
}

/// Returns the reason why a booking keeps the report from being signed; nothing if there is no such reason.
///
/// A consumer's declaration of booked records counts only if the consumer has taken all accounts, because
/// otherwise the declaration is about other records than those that are stored.
std::optional<std::string> obstacle_of_booking(const store::Booking& booking,
                                               const std::string& import_supplier) {
    const std::string consumer = util::printable(booking.consumer);
    if (!booking.is_declared()) return std::nullopt;
    if (!booking.is_ready)
        return "consumer " + consumer +
               " is not added to the end, so that what it has declared to have booked is not the end; "
               "repeat " +
               "data-importctl " + util::shell_command("consumer add", {booking.consumer}) +
               " as it was begun, and declare again what it has booked";
    if (booking.not_taken > 0)
        return "consumer " + consumer + " has not taken " + util::counted(booking.not_taken, "account") +
               ", so that what it has declared to have booked is not the end; run its program, and declare "
               "again what it has booked";
    if (booking.is_explained()) return std::nullopt;
    std::vector<store::BookedFigure> open = booking.figures;
    std::erase_if(open, [](const store::BookedFigure& one) { return !one.difference || one.acceptance; });
    return "what " + consumer + " has booked differs from what is stored (" + util::joined(open, booked) +
           "); " + remedy(booking, import_supplier);
}

std::optional<std::string> obstacle_of_bookings(const Report& report) {
    for (const store::Booking& one : report.bookings) {
        if (auto obstacle = obstacle_of_booking(one, report.supplier.code)) return obstacle;
    }
    return std::nullopt;
}

/// Returns words that ask for a file with the column `sums`; an empty text if such a file would not help.
/// `open` has the figures that are not explained. The file helps if the kind of such a figure has accepted
/// differences, but their sum is unknown for the figure (DifferingFigure::accepted is nothing).
std::string advice_on(const Report& report, const std::vector<DifferingFigure>& open) {
    const auto is_untold = [&](const DifferingFigure& one) {
        const auto is_kind = [&](const store::AcceptedDifference& accepted) {
            return accepted.difference.kind == one.figure.kind;
        };
        return !one.accepted && std::ranges::any_of(report.explanations.accepted, is_kind);
    };
    if (std::ranges::none_of(open, is_untold)) return "";
    return " of a file with the column sums, as data-import-load --totals --per-account writes it";
}

}  // namespace

std::int64_t Report::count_of(std::string_view state) const {
    return progress.accounts[store::place_of_state(state)];
}

std::optional<std::string> obstacle_of_totals(const Report& report) {
    if (!report.totals.is_declared())
        return "the supplier has not declared its totals; data-import-load --totals --declare does that";
    std::vector<DifferingFigure> open;
    for (const DifferingFigure& one : report.explanations.figures) {
        if (!one.is_explained) open.push_back(one);
    }
    if (open.empty()) return obstacle_of_bookings(report);
    std::vector<store::ControlFigure> figures;
    for (const DifferingFigure& one : open) figures.push_back(one.figure);
    return "differences are not explained (" + util::joined(open, unexplained) + "); " +
           remedy(figures, report.supplier.code) +
           ", or give reasons with data-importctl reconcile --accept" + advice_on(report, open);
}

std::string remedy(bool is_missing, bool is_surplus, const std::string& import_supplier) {
    if (is_missing && !is_surplus) return "import what is missing";
    return std::string(is_missing ? "import what is missing, " : "") + "take out what is " +
           (is_surplus ? "too much" : "wrong") + " and import the account again (data-importctl " +
           util::shell_command("account reset", {import_supplier, "EXTERNAL"}) + ")";
}

std::string remedy(const std::vector<store::ControlFigure>& figures, const std::string& import_supplier) {
    bool is_missing = false;
    bool is_surplus = false;
    for (const store::ControlFigure& one : figures) {
        if (!one.difference || (one.figure != store::records_figure && one.kind != store::accounts_figure))
            continue;
        (one.difference->starts_with('-') ? is_missing : is_surplus) = true;
    }
    return remedy(is_missing, is_surplus, import_supplier);
}

std::string remedy(const store::Booking& booking, const std::string& import_supplier) {
    const auto command = [&](std::string_view verb, std::string_view options) {
        return "data-importctl " + util::shell_command("consumer " + std::string(verb),
                                                       {booking.consumer, import_supplier}, options);
    };
    return "have the platform book what is missing and declare it (" + command("declare", " FILE") +
           "), or give a reason with " + command("accept", " --reason TEXT");
}

std::optional<std::string> obstacle(const Report& report) {
    if (auto of_totals = obstacle_of_totals(report)) return of_totals;
    if (!report.scan) return "its records were not read";
    if (report.scan->differences.empty()) return std::nullopt;
    return "the records do not add up to the stored totals (" +
           util::joined(report.scan->differences, proof::describe_wrong_total) +
           "); somebody has changed them by hand: data-importctl " +
           util::shell_command("recount", {report.supplier.code}, " --yes") +
           " makes the stored totals those of the records";
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
