// Imports as suppliers send them, each with the number of records that it must leave in the database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../support/http.h"
#include "book.h"
#include "data/json/value.h"

namespace data_import::soak {

using Random = std::mt19937_64;

/// The name of a kind of records that `tally.cc` counts.
using Kind = std::string_view;

/// The notes that the service pins when it moves the date of a transaction; they count as a kind of their
/// own.
inline constexpr Kind moved_dates = "moved_dates";

/// Returns the names of all kinds that the soak test counts: the kinds of records that accounts have, market
/// participants, price sheets, and `moved_dates` for the notes that the service itself adds.
[[nodiscard]] std::vector<Kind> all_kinds();

/// One request. Its records are called ID.0, ID.1 and so on; the field that identifies records of its kind
/// holds this name. No other request uses the ID.
struct Import {
    std::string id;
    Kind kind = {};
    Place place;  ///< empty for records that belong to no account
    tests::HttpRequest request;
    long records = 0;
    long details = 0;       ///< elements of arrays inside the records, summed up
    bool retryable = true;  ///< false: must not be sent again once its outcome is unknown
    bool moves_dates = false;
    bool hopeless = false;  ///< true: the vendor of the instruction never answers well
    int refusal = 0;        ///< the status with which it has to be refused; 0: it is not refused
};

/// Makes the imports of one client. The same seed gives the same imports.
class Author {
public:
    Author(const Book& book, std::size_t organisation, std::string name, std::uint64_t seed);

    [[nodiscard]] Import next();

private:
    const Book& book_;
    const std::size_t organisation_;
    const std::string name_;
    Random random_;
    long count_ = 0;
};

/// The number of elements of all arrays in a value.
[[nodiscard]] long elements_of(const json::Value& value);

/// A number from `least` to `most`, the same on every platform.
[[nodiscard]] long draw(Random& random, long least, long most);

template <typename T>
[[nodiscard]] const T& one_of(Random& random, const std::vector<T>& values) {
    return values.at(static_cast<std::size_t>(draw(random, 0, static_cast<long>(values.size()) - 1)));
}

/// A POST request without a token; each client adds its own token.
[[nodiscard]] tests::HttpRequest post(std::string_view target, std::string body);

}  // namespace data_import::soak
