#include "tools/client/csv_cells.h"

#include <algorithm>
#include <utility>

#include "base/util/date_form.h"
#include "base/util/datetime.h"
#include "base/util/decimal.h"
#include "base/util/decimal_comma.h"
#include "base/util/invisible.h"
#include "base/util/joined.h"
#include "base/util/text.h"
#include "data/schema/shown.h"

namespace data_import::client {

namespace {

using schema::ColumnKind;

bool is_number(ColumnKind kind) {
    return kind == ColumnKind::integer || kind == ColumnKind::decimal;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Returns whether the field is an amount in the main unit of a currency, such as euros. Integers and fields
/// of cents are not: they count a smaller unit.
bool is_in_main_unit(std::string_view field, ColumnKind kind) {
    const std::string_view name = field.substr(field.rfind('.') + 1);
    const bool is_money = contains(name, "amount") || contains(name, "price") || contains(name, "value");
    return kind == ColumnKind::decimal && is_money && !contains(name, "cents");
}

/// Returns the advice that ends a fault's sentence: `: correct it or, if all numbers of the file are like
/// this, use --decimal-comma`.
std::string remedy(std::string_view what, const std::string& option) {
    return ": correct it or, if all " + std::string(what) + " of the file are like this, use " + option;
}

}  // namespace

CsvCells::CsvCells(CsvReading reading, std::vector<std::string> names, std::vector<ColumnKind> kinds)
    : reading_(std::move(reading)), names_(std::move(names)), kinds_(std::move(kinds)), sent_(names_.size()) {
    for (std::size_t column = 0; column < kinds_.size(); ++column) {
        if (kinds_[column] != ColumnKind::other) columns_.push_back(column);
    }
}

void CsvCells::read(const schema::Table::Cells& cells) {
    fault_.clear();
    warnings_.clear();
    for (const std::size_t column : columns_) {
        sent_[column].clear();
        if (const std::string_view text = cells(column); !text.empty()) read_cell(column, text);
    }
}

void CsvCells::read_cell(std::size_t column, std::string_view text) {
    is_number(kinds_[column]) ? read_number(column, text) : read_date(column, text);
}

void CsvCells::read_number(std::size_t column, std::string_view text) {
    if (reading_.decimal_comma) return read_decimal_comma(column, text);
    if (const std::string marks = util::decimal_comma_marks(text); !marks.empty())
        add_fault(column, text, "has " + marks + remedy("numbers", "--decimal-comma"));
}

void CsvCells::read_decimal_comma(std::size_t column, std::string_view text) {
    auto number = util::read_decimal_comma(text);
    if (!number) return add_fault(column, text, util::decimal_comma_fault(text));
    if (!number->currency.empty()) take_currency(column, text, number->currency);
    if (number->is_ambiguous)
        warnings_.push_back({names_[column], std::string(text) + " was read as " + number->plain +
                                                 ", with its point between thousands: correct it if that is "
                                                 "a decimal point"});
    sent_[column] = std::move(number->plain);
}

/// Checks a number's currency. Adds a fault if the field takes no currency, or if earlier amounts of the file
/// are in another one: amounts are sent without their currency, so the difference would be lost.
void CsvCells::take_currency(std::size_t column, std::string_view text, const std::string& currency) {
    if (!is_in_main_unit(reading_.field_of(names_[column]), kinds_[column]))
        return add_fault(column, text,
                         "has a currency, but this field holds no amount in a currency's main unit");
    if (currency_.empty()) currency_ = currency;
    if (currency != currency_)
        add_fault(column, text,
                  "is in " + currency + ", but earlier amounts of the file are in " + currency_ +
                      ": amounts are sent without their currency");
}

void CsvCells::read_date(std::size_t column, std::string_view text) {
    if (util::begins_with_iso_date(text)) return;
    if (reading_.dates) return read_date_of_form(column, text);
    if (const auto forms = util::likely_date_forms(text); !forms.empty())
        add_fault(column, text,
                  "is not written as YYYY-MM-DD" + remedy("dates", "--dates " + util::alternatives(forms)));
}

void CsvCells::read_date_of_form(std::size_t column, std::string_view text) {
    constexpr std::size_t length_of_day = 10;
    auto iso = reading_.dates->to_iso(text);
    if (!iso)
        return add_fault(column, text,
                         "is no date like " + reading_.dates->text() + ", which --dates expects");
    if (!util::parse_date(std::string_view(*iso).substr(0, length_of_day)))
        return add_fault(column, text, "is no day of the calendar from 1900 to 2999");
    if (kinds_[column] == ColumnKind::datetime && iso->size() > length_of_day && (*iso)[length_of_day] == ' ')
        (*iso)[length_of_day] = 'T';
    sent_[column] = std::move(*iso);
}

void CsvCells::add_fault(std::size_t column, std::string_view text, const std::string& cause) {
    if (!fault_.empty()) return;
    fault_ = names_[column] + ": " +
             util::with_invisible_named(util::first_code_points(text, schema::most_shown)) + " " + cause;
}

}  // namespace data_import::client
