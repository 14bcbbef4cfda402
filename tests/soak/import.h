// Imports as suppliers send them, each with the records that it has to leave in the database.
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

/// A kind of records that are counted by `tally.cc`, by its name.
using Kind = std::string_view;

/// The pinned notes on transactions whose date was moved.
inline constexpr Kind moved_dates = "moved_dates";

/// The kinds that accounts have, moved dates, and the kinds that belong to no account.
[[nodiscard]] std::vector<Kind> all_kinds();

/// One request. The records that it stores are called ID.0, ID.1 and so on, each in the field that
/// identifies its kind; no other request uses the ID.
struct Import {
    std::string id;
    Kind kind = {};
    Place place;  ///< empty for records that belong to no account
    tests::HttpRequest request;
    long records = 0;
    long details = 0;       ///< elements of arrays inside all records together
    bool retryable = true;  ///< false: must not be sent again once its outcome is unknown
    bool moves_dates = false;
    bool hopeless = false;  ///< its vendor never answers well
    int refusal = 0;        ///< the status with which it has to be refused; 0: it is not refused
};

/// Makes the imports of one client, the same ones for the same seed.
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

/// How many elements all arrays of a value have together.
[[nodiscard]] long elements_of(const json::Value& value);

/// A number from `least` to `most`, the same on every platform.
[[nodiscard]] long draw(Random& random, long least, long most);

template <typename T>
[[nodiscard]] const T& one_of(Random& random, const std::vector<T>& values) {
    return values.at(static_cast<std::size_t>(draw(random, 0, static_cast<long>(values.size()) - 1)));
}

/// The request without a token; a client adds its own.
[[nodiscard]] tests::HttpRequest post(std::string_view target, std::string body);

}  // namespace data_import::soak
