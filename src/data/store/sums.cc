#include "data/store/sums.h"

#include <stdexcept>
#include <utility>

#include "base/util/decimal.h"
#include "base/util/decimal_sum.h"
#include "data/json/reader.h"
#include "data/records/kinds.h"

namespace data_import::store {

namespace {

constexpr std::size_t most_digits = 38;  // the most digits of a sum; every column of sums can hold them
constexpr const char* form =
    R"(sums must be a JSON object of decimal strings, {"amount:CHARGE": "12.50"} for one)";

bool is_called(std::string_view figure, std::string_view sum) {
    return figure == sum ? !records::is_open(sum) : records::is_open(sum) && figure.starts_with(sum);
}

void require_figure(std::string_view kind, std::string_view figure) {
    const records::Kind* const known = records::find_kind(kind);
    if (known == nullptr) throw std::invalid_argument("there are no such records");
    std::string choices;
    for (const std::string& sum : records::sums_of(*known)) {
        if (is_called(figure, sum)) return;
        ((choices += choices.empty() ? "" : ", ") += sum) += records::is_open(sum) ? "UNIT" : "";
    }
    throw std::invalid_argument("sums of " + std::string(kind) +
                                " have figures of these names: " + (choices.empty() ? "none" : choices));
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

std::optional<Sums> optional_sums(const database::Row& row, std::size_t column, std::string_view kind) {
    if (row.is_null(column)) return std::nullopt;
    return read_sums(row.text(column), kind);
}

std::string plain_decimal(const std::string& decimal) {
    util::DecimalSum sum;
    sum.add(decimal);
    return sum.to_text();
}

}  // namespace data_import::store
