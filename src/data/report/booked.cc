#include "data/report/booked.h"

#include "base/util/joined.h"
#include "data/records/figure_text.h"
#include "data/report/markup.h"

namespace data_import::report {

namespace {

using store::Booking;
using store::FigureToTheEnd;

bool is_good(const Booking& booking) {
    return booking.is_declared() && booking.is_explained() && booking.not_taken == 0;
}

std::string sentence_of(const Booking& booking) {
    if (!booking.is_declared()) return "UNDECLARED: it has not declared what it has booked";
    const std::string verdict = booking.verdict_with_coverage();
    if (!booking.has_differences()) return verdict + ": what it has booked is what is stored";
    return verdict +
           (booking.is_explained() ? ": all differences are accepted" : ": not all differences are accepted");
}

std::string not_taken(const Booking& booking) {
    if (!booking.is_ready) return " It is not added to the end.";
    if (booking.not_taken == 0) return "";
    return " " + grouped(booking.not_taken) + (booking.not_taken == 1 ? " account waits" : " accounts wait") +
           " until it takes them.";
}

std::string acceptance_of(const FigureToTheEnd& one) {
    if (!one.booked_difference) return "";
    if (!one.acceptance) return "<b class=\"bad\">no</b>";
    return breakable(one.acceptance->reason) + "<br><small>" + escaped(one.acceptance->by) + ", " +
           time_of(one.acceptance->at) + "</small>";
}

std::string table_of(const Report& report, const Booking& booking) {
    Table table({{"kind"},
                 {"figure"},
                 {"declared", true},
                 {"stored", true},
                 {"booked", true},
                 {"difference", true},
                 {"accepted: why, by whom and when"}});
    for (const FigureToTheEnd& one : store::beside(report.totals, booking)) {
        const bool is_open = one.booked_difference && !one.acceptance;
        table.add(
            {escaped(in_words(one.kind)), figure_name(one.figure), number(one.figure, one.declared),
             records::figure_text(one.figure, one.held.value_or("0")), number(one.figure, one.booked),
             difference_cell(one.figure, one.booked.has_value(), one.booked_difference), acceptance_of(one)},
            is_open ? "open" : "");
    }
    return table.take();
}

std::string section_of(const Report& report, const Booking& booking) {
    std::string html = "<h2>Booked by " + escaped(booking.consumer) + "</h2>\n";
    if (!booking.is_declared())
        return html +
               "<p>This program of the platform takes the accounts of the supplier, and has not declared "
               "what it has booked." +
               not_taken(booking) + "</p>\n";
    html += "<p>Declared by " + escaped(booking.declared_by.value()) + ", " +
            time_of(booking.declared_at.value()) + "." + not_taken(booking) + "</p>\n" +
            table_of(report, booking) +
            "<p class=\"dim\">The difference is what is booked minus what is stored.";
    if (!booking.undeclared_kinds.empty())
        html +=
            " Nothing is declared to be booked of " +
            util::joined(booking.undeclared_kinds, [](const auto& kind) { return escaped(in_words(kind)); }) +
            ".";
    return html + "</p>\n";
}

}  // namespace

std::string booked_verdicts(const Report& report) {
    std::string html;
    for (const Booking& one : report.bookings)
        html += "<p class=\"verdict " + std::string(is_good(one) ? "good" : "bad") + "\">Booked by " +
                escaped(one.consumer) + ": " + sentence_of(one) + not_taken(one) + "</p>\n";
    return html;
}

std::string booked(const Report& report) {
    std::string html;
    for (const Booking& one : report.bookings) html += section_of(report, one);
    return html;
}

}  // namespace data_import::report
