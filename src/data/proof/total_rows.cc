#include "data/proof/total_rows.h"

#include <algorithm>
#include <stdexcept>

#include "base/util/decimal.h"
#include "base/util/decimal_comma.h"
#include "base/util/decimal_sum.h"
#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/stored_text.h"
#include "base/util/whole_number.h"
#include "data/records/kinds.h"
#include "data/store/sums.h"

namespace data_import::proof {

namespace {

enum Column : std::size_t { number, kind, records_or_reason, amount, fingerprint, sums };

constexpr std::size_t most_digits = 38;  // a DecimalSum can hold every number of this length
constexpr std::size_t fingerprint_digits = 32;

std::optional<std::string> check_kind(std::string_view name) {
    if (records::find_kind(name) != nullptr) return std::nullopt;
    return "kind must be one of: " + util::joined(records::kinds(), &records::Kind::name);
}

std::optional<std::string> check_account_and_kind(std::string_view external, std::string_view name) {
    if (const auto wrong = util::check_stored_name(external, util::limits::external_account_number))
        return "external_account_number " + *wrong;
    return check_kind(name);
}

std::optional<std::string> check_amount(std::string_view text, const records::Kind& of) {
    if (text.empty()) return std::nullopt;
    if (of.amount.empty()) return "amount has to be empty: " + std::string(of.name) + " have none";
    const auto decimal = util::parse_decimal_string(text);
    if (!decimal || decimal->whole.size() + decimal->fraction.size() > most_digits)
        return "amount must be a decimal, 12.50 for one, of at most 38 digits";
    return std::nullopt;
}

/// Reads `text`, the cell `sums` of a row of the kind `of`, into `figures.sums`. Returns what is wrong;
/// nothing if the sums are right, or if `text` is empty. If `figures` has an amount, from the cell `amount`
/// of the row, the sums that make it up (`amount:CHARGE` and `amount:CREDIT`) have to add up to it.
std::optional<std::string> take_sums(std::string_view text, const records::Kind& of,
                                     store::KindFigures& figures) {
    if (text.empty()) return std::nullopt;
    try {
        figures.sums = store::read_sums(text, of.name);
        if (!figures.amount) return std::nullopt;
        util::DecimalSum amount;
        for (const auto& [figure, sum] : *figures.sums) {
            if (figure.substr(0, figure.find(':')) == of.amount) amount.add(sum);
        }
        if (amount.to_text() == store::plain_decimal(*figures.amount)) return std::nullopt;
        return "amount is " + *figures.amount + ", but sums come to " + amount.to_text();
    } catch (const std::invalid_argument& wrong) {
        return wrong.what();
    } catch (const std::overflow_error&) {
        return "sums must come to at most 38 digits";
    }
}

std::optional<std::string> check_decimal_mark(std::string_view amount, bool has_comma) {
    if (amount.empty()) return std::nullopt;
    if (!has_comma) {
        const std::string marks = util::decimal_comma_marks(amount);
        if (marks.empty()) return std::nullopt;
        return "amount has " + marks + "; --decimal-comma reads such numbers";
    }
    const auto number = util::read_decimal_comma(amount);
    if (!number) return "amount " + util::decimal_comma_fault(amount);
    return number->currency.empty() ? std::nullopt : std::optional<std::string>("amount has a currency");
}

bool is_fingerprint(std::string_view text) {
    const auto is_digit = [](char digit) {
        return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    };
    return text.size() == fingerprint_digits && std::ranges::all_of(text, is_digit);
}

}  // namespace

TotalRows::TotalRows(const util::CsvRecord& header, bool has_decimal_comma)
    : columns_(header, {"external_account_number", "kind", "records", "amount"}, {"fingerprint", "sums"}),
      has_decimal_comma_(has_decimal_comma) {}

/// Returns the amount with a decimal point.
std::string TotalRows::read_amount(const util::CsvRecord& record, std::string_view written) {
    if (!has_decimal_comma_ || written.empty()) return std::string(written);
    const util::WrittenNumber number = util::read_decimal_comma(written).value();
    if (number.is_ambiguous && ambiguous_amounts_++ == 0)
        first_ambiguous_ = {record.line(), std::string(written), number.plain};
    return number.plain;
}

std::optional<std::string> TotalRows::append(const util::CsvRecord& record, std::string& rows) {
    if (auto wrong = columns_.check(record)) return wrong;
    store::DeclaredTotal total{.line = record.line(),
                               .external_account_number = std::string(columns_.field(record, Column::number)),
                               .kind = std::string(columns_.field(record, Column::kind))};
    if (auto wrong = check_account_and_kind(total.external_account_number, total.kind)) return wrong;
    const auto count = util::whole_number<std::int64_t>(columns_.field(record, Column::records_or_reason));
    if (!count || *count < 0) return "records must be a whole number, 0 or more";
    total.figures.records = *count;
    const std::string_view written = columns_.field(record, Column::amount);
    if (auto wrong = check_decimal_mark(written, has_decimal_comma_)) return wrong;
    const std::string sum = read_amount(record, written);
    if (auto wrong = check_amount(sum, records::kind_of(total.kind))) return wrong;
    if (!sum.empty()) total.figures.amount = sum;
    const std::string_view digits = columns_.field(record, Column::fingerprint);
    if (!digits.empty() && !is_fingerprint(digits))
        return "fingerprint must be 32 lower-case hexadecimal digits";
    if (!digits.empty()) total.figures.fingerprint = digits;
    if (auto wrong =
            take_sums(columns_.field(record, Column::sums), records::kind_of(total.kind), total.figures))
        return wrong;
    append_copy_row(rows, total);
    return std::nullopt;
}

ReasonRows::ReasonRows(const util::CsvRecord& header)
    : columns_(header, {"external_account_number", "kind", "reason"}) {}

std::optional<std::string> ReasonRows::append(const util::CsvRecord& record, std::string& rows) const {
    if (auto wrong = columns_.check(record)) return wrong;
    const store::AcceptedReason reason{.line = record.line(),
                                       .external_account_number = columns_.field(record, Column::number),
                                       .kind = columns_.field(record, Column::kind),
                                       .reason = columns_.field(record, Column::records_or_reason)};
    if (auto wrong = check_account_and_kind(reason.external_account_number, reason.kind)) return wrong;
    if (const auto wrong = util::check_text(reason.reason, util::limits::reason)) return "reason " + *wrong;
    append_copy_row(rows, reason);
    return std::nullopt;
}

}  // namespace data_import::proof
