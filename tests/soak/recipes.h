// The sorts of requests that suppliers send, and their frequencies.
#pragma once

#include <span>
#include <string_view>

#include "import.h"

namespace data_import::soak {

/// The account that a request names. `own`: an imported account of the client's own organisation; `foreign`:
/// an account of another organisation; `staged`: a staged account; `nowhere`: the request names no account.
/// The service must refuse requests for `foreign` and `staged` accounts.
enum class Where { own, foreign, staged, nowhere };

/// A template for requests of one sort that import a kind of records. Words in braces are filled in: {items}
/// is replaced by `item` as many times as the request has items, {n} by the number of the item.
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

/// All recipes, at least one for each kind of records. A kind without a recipe in recipes.cc gets one that
/// sends only the fields that its declaration requires.
[[nodiscard]] std::span<const Recipe> all_recipes();

}  // namespace data_import::soak
