// The faults of a text that is no date or instant of the interface (contract, sections 2.4 and 3.1).
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// Returns the reasons why parse_date() refuses `text`, as far as they can be found. The reasons are parts of
/// a sentence, joined by "; ". Never quotes the text.
[[nodiscard]] std::string date_faults(std::string_view text);

/// Returns the reasons why read_datetime() does not take `text`, in the form of date_faults().
[[nodiscard]] std::string datetime_faults(std::string_view text);

}  // namespace data_import::util
