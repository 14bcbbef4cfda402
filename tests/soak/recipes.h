// The sorts of requests that suppliers send, and their frequencies.
#pragma once

#include <span>
#include <string_view>

#include "import.h"

namespace data_import::soak {

/// The owner of the account that a request names. A request for any account but an own one has to be refused.
enum class Where { own, foreign, staged, nowhere };

/// A template for requests of one sort. Words in braces are filled in; {items} stands for `item` as many
/// times as the request has items, {n} for the number of the item.
struct Recipe {
    Kind kind;
    long weight;
    std::string_view target;
    std::string_view content;
    std::string_view item = "";
    long most_items = 1;
    long details = 0;               ///< of one item
    long more_details = 0;          ///< of the request, besides those of its items
    bool items_are_records = true;  ///< else all of them are inside the one record
    Where where = Where::own;
    int refusal = 0;
    bool repeatable = true;
    bool needs_key = false;
    bool moves_dates = false;
    bool hopeless = false;
};

[[nodiscard]] std::span<const Recipe> all_recipes();

}  // namespace data_import::soak
