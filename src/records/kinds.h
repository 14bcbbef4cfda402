// The kinds of records that control totals tell of (extensions, section 4).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "schema/schema.h"

namespace data_import::records {

/// A sum over the records of a kind. Fields of items are named with their array: `amounts.quantity`.
struct Figure {
    std::string_view name;      ///< with `by` behind it: `amount:CHARGE`
    std::string_view by = {};   ///< the field that sums are kept apart by
    std::string_view field;     ///< what is summed up
    bool counts_items = false;  ///< ... or, instead, of which array the items are counted
};

struct Kind {
    std::string_view name;  ///< `notes`
    schema::Schema record;  ///< what one looks like
    std::span<const Figure> figures;
    /// The figure whose sums make up the amount of a line of totals, whatever they are kept apart by; empty
    /// where the kind has none.
    std::string_view amount;
};

/// All of them, always in the same order.
[[nodiscard]] std::span<const Kind> kinds();

/// Where among them the one of this name stands, which has to be there (std::out_of_range otherwise).
[[nodiscard]] std::size_t place_of(std::string_view name);
[[nodiscard]] const Kind& kind_of(std::string_view name);

}  // namespace data_import::records
