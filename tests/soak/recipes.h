// The sorts of requests that suppliers send, and their frequencies.
#pragma once

#include <span>
#include <string_view>

#include "import.h"

namespace data_import::soak {

/// The owner of the account that a request names. A request for any account but an own one has to be refused.
enum class Where { own, foreign, staged, nowhere };

/// A template for requests of one sort, to the import of a kind. Words in braces are filled in; {items}
/// stands for `item` as many times as the request has items, {n} for the number of the item.
struct Recipe {
    Kind kind;
    long weight;
    std::string_view query = "";
    std::string_view content;
    std::string_view item = "";
    long most_items = 1;
    Where where = Where::own;
    int refusal = 0;
    bool retryable = true;
    bool needs_key = false;
    bool moves_dates = false;
    bool hopeless = false;
};

/// At least one for each kind of records: a kind without any gets the least that its declaration asks for.
[[nodiscard]] std::span<const Recipe> all_recipes();

}  // namespace data_import::soak
