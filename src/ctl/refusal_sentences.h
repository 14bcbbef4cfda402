// What the codes of refused requests mean: what a supplier should be told.
#pragma once

#include <string_view>

namespace data_import::ctl {

/// A sentence for a code of an answer or of an item in its `errors`; empty for a code that is not known.
[[nodiscard]] std::string_view refusal_sentence(std::string_view code);

}  // namespace data_import::ctl
