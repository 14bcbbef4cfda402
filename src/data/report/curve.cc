#include "data/report/curve.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "base/util/joined.h"
#include "data/report/markup.h"
#include "data/store/time_series.h"

namespace data_import::report {

namespace {

// A series of at most this many intervals of time becomes a sentence, because so few steps make no curve.
constexpr std::size_t most_times_as_text = 2;
constexpr std::size_t most_times = 240;
constexpr double width = 720;
constexpr double height = 190;
constexpr double left = 62;  // left edge of the curves, after the scale
constexpr double right = 712;
constexpr double top = 8;
constexpr double bottom = 164;

/// Colour and dashes of a curve, as on the page of migrations. Dashes tell curves apart on paper without
/// colours.
struct Pen {
    const char* colour;
    const char* dashes;
};
constexpr std::array<Pen, 7> pens = {{{"#0072b2", ""},
                                      {"#d55e00", "7 3"},
                                      {"#009e73", "2 2"},
                                      {"#a8487f", "9 3 2 3"},
                                      {"#8a6100", "4 2"},
                                      {"#3d7fb0", "1 3"},
                                      {"#5b4fc4", "12 3"}}};

struct Curve {
    std::string_view name;
    std::vector<std::int64_t> counts;
    std::int64_t total = 0;
};

std::int64_t times_of_one(std::size_t times) {
    return static_cast<std::int64_t>((times + most_times - 1) / most_times);
}

Curve merged(std::string_view name, const std::vector<std::int64_t>& counts, std::size_t of_one) {
    Curve curve{.name = name, .counts = std::vector<std::int64_t>((counts.size() + of_one - 1) / of_one)};
    for (std::size_t place = 0; place < counts.size(); ++place) curve.counts[place / of_one] += counts[place];
    curve.total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    return curve;
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50, ... that is not below `count`.
std::int64_t round_up(std::int64_t count) {
    for (std::int64_t power = 1;; power *= 10) {
        for (const std::int64_t digit : {1, 2, 5}) {
            if (power * digit >= count) return power * digit;
        }
    }
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& more) {
    return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
           number(y2) + "\" " + more + "/>";
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" + text +
           "</text>";
}

std::string stroke(const Pen& pen) {
    return std::string("stroke=\"") + pen.colour +
           "\" stroke-width=\"1.6\" fill=\"none\" stroke-dasharray=\"" + pen.dashes + "\"";
}

/// Returns the labels of the time axis: month, day and time of day, or only dates if the axis is longer than
/// four days.
std::string time_labels(std::int64_t began_at, std::int64_t seconds) {
    constexpr int labels = 6;
    constexpr std::int64_t long_time = 4 * 24 * 3600;
    std::string text;
    for (int place = 0; place < labels; ++place) {
        const double fraction = static_cast<double>(place) / (labels - 1);
        const std::string at =
            store::time_text(began_at + static_cast<std::int64_t>(fraction * static_cast<double>(seconds)));
        const std::string shown =
            seconds > long_time ? at.substr(0, 10) : at.substr(5, 5) + " " + at.substr(11, 5);
        const char* anchor = place == 0 ? "start" : place == labels - 1 ? "end" : "middle";
        text += label(left + fraction * (right - left), bottom + 16, anchor, shown);
    }
    return text;
}

std::string scale(std::int64_t highest) {
    std::string text;
    const std::int64_t intervals = highest % 4 == 0 ? 4 : highest % 5 == 0 ? 5 : highest < 4 ? highest : 2;
    for (std::int64_t interval = 0; interval <= intervals; ++interval) {
        const double y =
            bottom - (bottom - top) * static_cast<double>(interval) / static_cast<double>(intervals);
        text += line(left, y, right, y, "stroke=\"#d5dae1\" stroke-width=\"0.7\"");
        text += label(left - 6, y + 3.5, "end", grouped(highest * interval / intervals));
    }
    return text;
}

/// Returns the curve as steps: each count is a level line as wide as its interval.
std::string path(const Curve& curve, std::int64_t highest, const Pen& pen) {
    std::string points;
    const double pitch = (right - left) / static_cast<double>(curve.counts.size());
    for (std::size_t place = 0; place < curve.counts.size(); ++place) {
        const double y =
            bottom - (bottom - top) * static_cast<double>(curve.counts[place]) / static_cast<double>(highest);
        for (const std::size_t edge : {place, place + 1})
            points += number(left + pitch * static_cast<double>(edge)) + "," + number(y) + " ";
    }
    return "<polyline points=\"" + points + "\" " + stroke(pen) + "/>\n";
}

std::string legend(const std::vector<Curve>& curves) {
    std::string text = "<ul class=\"legend\">";
    for (std::size_t place = 0; place < curves.size(); ++place) {
        text += "<li><svg width=\"28\" height=\"8\" aria-hidden=\"true\">" +
                line(0, 4, 28, 4, stroke(pens[place % pens.size()])) + "</svg> " +
                escaped(in_words(curves[place].name)) + " <b>" + grouped(curves[place].total) + "</b></li>";
    }
    return text + "</ul>\n";
}

std::string length_text(std::int64_t seconds) {
    constexpr std::int64_t hour = 3600;
    return seconds == hour ? "hour" : std::to_string(seconds / hour) + " hours";
}

std::string numbers_text(const std::vector<Curve>& curves) {
    return util::joined(curves, [](const Curve& curve) {
        return escaped(in_words(curve.name)) + " <b>" + grouped(curve.total) + "</b>";
    });
}

}  // namespace

std::string draw_curve(const store::TimeSeries& series, const std::vector<std::string_view>& names,
                       std::string_view unit) {
    std::vector<Curve> curves;
    std::int64_t highest = 1;
    std::int64_t of_one = 1;
    std::size_t times = 0;
    for (const std::string_view name : names) {
        const auto found = series.counts.find(name);
        if (found == series.counts.end()) continue;
        times = found->second.size();
        of_one = times_of_one(times);
        curves.push_back(merged(name, found->second, static_cast<std::size_t>(of_one)));
        highest = std::max(highest, std::ranges::max(curves.back().counts));
    }
    if (curves.empty()) return "";
    if (times <= most_times_as_text)
        return "<p>" + escaped(unit) + " within " + (times == 1 ? "one " : "") +
               length_text(static_cast<std::int64_t>(times) * series.seconds) + ", from " +
               escaped(store::time_text(series.began_at).substr(0, 10)) + " " +
               escaped(store::time_text(series.began_at).substr(11, 5)) + " UTC on: " + numbers_text(curves) +
               ".</p>\n";
    highest = round_up(highest);
    const std::int64_t shown =
        static_cast<std::int64_t>(curves.front().counts.size()) * of_one * series.seconds;
    std::string text = "<figure><figcaption>" + escaped(unit) + " in each " +
                       length_text(of_one * series.seconds) +
                       "; times in UTC</figcaption>\n<svg viewBox=\"0 0 " + number(width) + " " +
                       number(height) + "\" role=\"img\" aria-label=\"" + escaped(unit) + " over time\">\n";
    text += scale(highest) + time_labels(series.began_at, shown) + "\n";
    for (std::size_t place = 0; place < curves.size(); ++place)
        text += path(curves[place], highest, pens[place % pens.size()]);
    return text + "</svg>\n" + legend(curves) + "</figure>\n";
}

}  // namespace data_import::report
