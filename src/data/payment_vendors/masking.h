// Numbers of cards and bank accounts in vendors' texts: masked before anything is stored or logged.
#pragma once

#include <string>
#include <string_view>

namespace data_import::payment_vendors {

/// The text with everything masked by `*` that may be such a number, except the last four characters of each:
///
///   - 12 or more digits, of whatever script, that nothing but blanks, hyphens, dots, slashes, underscores
///     and invisible characters stands between. Whether they satisfy Luhn's check does not matter.
///   - an IBAN in capitals or small letters, with or without such characters in it: by its check digits, or
///     by its form alone where it stands in one piece or in groups of four.
///
/// Rather too much is masked than too little. `text` is well-formed UTF-8, and so is the result.
[[nodiscard]] std::string masked_text(std::string_view text);

/// Every letter and digit masked except the last `kept`. A text with no more than these stays as it is.
[[nodiscard]] std::string masked_wholly(std::string_view text, std::size_t kept);

/// True when the literal of a JSON number has 12 digits or more.
[[nodiscard]] bool is_long_number(std::string_view literal);

}  // namespace data_import::payment_vendors
