#include "tools/ctl/booked.h"

#include <algorithm>

#include "base/util/joined.h"
#include "base/util/readable.h"
#include "base/util/text.h"
#include "data/records/figure_text.h"
#include "tools/console/text_table.h"

namespace data_import::ctl {

namespace {

using store::Booking;
using store::FigureToTheEnd;

constexpr std::size_t most_shown = 40;

std::string value_text(const FigureToTheEnd& one, const std::optional<std::string>& value) {
    return value ? records::figure_text(one.figure, *value) : "";
}

/// Returns the difference with its sign; `equal` if there is none; empty if the figure is not compared.
std::string difference_text(const FigureToTheEnd& one, bool is_compared,
                            const std::optional<std::string>& difference) {
    if (!difference) return is_compared ? "equal" : "";
    return (difference->starts_with('-') ? "" : "+") + records::figure_text(one.figure, *difference);
}

std::vector<FigureToTheEnd> shown_figures(std::vector<FigureToTheEnd> all) {
    if (all.size() > most_shown)
        std::erase_if(all, [](const FigureToTheEnd& one) {
            return !one.declared_difference && !one.booked_difference;
        });
    return all;
}

}  // namespace

std::string booking_text(const Booking& booking) {
    std::string text = util::lowered(booking.verdict_with_coverage());
    if (!booking.is_declared()) text = "not declared";
    if (booking.has_differences())
        text = "different: " + store::booked_differences_text(booking, 1) +
               (booking.is_explained() ? "; accepted" : "");
    if (!booking.is_ready) text += "; the consumer is not added to the end";
    if (booking.not_taken > 0) text += "; " + util::counted(booking.not_taken, "account") + " not taken";
    return text;
}

std::string three_columns_text(const store::ControlTotals& totals, const Booking& booking) {
    std::vector<FigureToTheEnd> all = store::beside(totals, booking);
    const std::size_t count = all.size();
    all = shown_figures(std::move(all));
    console::Table table({"KIND", "FIGURE", "DECLARED", "STORED", "DIFFERENCE", "BOOKED", "DIFFERENCE"});
    for (const FigureToTheEnd& one : all) {
        const std::string held = records::figure_text(one.figure, one.held.value_or("0"));
        table.add({one.kind, one.figure, value_text(one, one.declared), held,
                   difference_text(one, one.declared.has_value(), one.declared_difference),
                   value_text(one, one.booked),
                   difference_text(one, one.booked.has_value(), one.booked_difference)});
    }
    std::string text = table.text("no figures differ");
    if (all.size() < count && !all.empty())
        text += std::to_string(count - all.size()) + " more figures do not differ\n";
    return text;
}

}  // namespace data_import::ctl
