#include "store/sums.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "json/reader.h"
#include "store/record_counts.h"
#include "util/decimal.h"
#include "util/decimal_sum.h"

namespace data_import::store {

namespace {

constexpr std::size_t most_digits = 38;  // what any sum holds
constexpr const char* form =
    R"(sums must be a JSON object of decimal strings, {"amount:CHARGE": "12.50"} for one)";

bool has_figure(const RecordTable& table, std::string_view figure) {
    if (std::ranges::find(table.sums, figure) != table.sums.end()) return true;
    return table.has_quantities && figure.size() > quantity_prefix.size() &&
           figure.starts_with(quantity_prefix);
}

std::string choices_of(const RecordTable& table) {
    std::string choices;
    for (const std::string_view name : table.sums) (choices += choices.empty() ? "" : ", ") += name;
    if (table.has_quantities)
        (choices += choices.empty() ? "" : ", ") += std::string(quantity_prefix) + "UNIT";
    return choices.empty() ? "none" : choices;
}

void require_figure(std::string_view kind, std::string_view figure) {
    const auto table = std::ranges::find(record_tables(), kind, &RecordTable::name);
    if (table == record_tables().end()) throw std::invalid_argument("there are no such records");
    if (!has_figure(*table, figure))
        throw std::invalid_argument("sums of " + std::string(kind) +
                                    " have figures of these names: " + choices_of(*table));
}

std::string read_decimal(const json::Value& value) {
    if (!value.is(json::Type::string)) throw std::invalid_argument(form);
    const auto decimal = util::parse_decimal_string(value.text());
    if (!decimal) throw std::invalid_argument(form);
    if (decimal->whole.size() + decimal->fraction.size() > most_digits)
        throw std::invalid_argument("sums must be decimals of at most 38 digits");
    return plain_decimal(std::string(value.text()));
}

}  // namespace

void write_sums(json::Writer& writer, const Sums& sums) {
    writer.begin_object();
    for (const auto& [figure, sum] : sums) writer.key(figure).string(sum);
    writer.end_object();
}

std::optional<std::string> json_or_null(const std::optional<Sums>& sums) {
    if (!sums) return std::nullopt;
    json::Writer writer;
    write_sums(writer, *sums);
    return writer.take();
}

Sums read_sums(std::string_view json, std::string_view kind) {
    try {
        const json::Document document = json::read(std::string(json));
        if (!document.root().is(json::Type::object)) throw std::invalid_argument(form);
        Sums sums;
        for (const auto& [figure, value] : document.root().members()) {
            require_figure(kind, figure);
            if (std::string sum = read_decimal(value); sum != "0") sums[std::string(figure)] = std::move(sum);
        }
        return sums;
    } catch (const json::SyntaxError&) {
        throw std::invalid_argument(form);
    }
}

std::optional<Sums> optional_sums(const database::Rows& rows, std::size_t row, std::size_t column,
                                  std::string_view kind) {
    if (rows.is_null(row, column)) return std::nullopt;
    return read_sums(rows.text(row, column), kind);
}

std::string plain_decimal(const std::string& decimal) {
    util::DecimalSum sum;
    sum.add(decimal);
    return sum.to_text();
}

}  // namespace data_import::store
