// Imports as suppliers send them, each with the records that it has to leave in the database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "../support/http.h"
#include "book.h"

namespace data_import::soak {

using Random = std::mt19937_64;

/// Kinds of records that are counted by `tally.cc`.
enum class Kind : std::size_t {
    notes,
    transactions,
    moved_dates,  ///< the pinned note on transactions whose date was moved
    historical_statements,
    delivery_notes,
    energy_amounts,
    market_participant_invoices,
    payment_instructions,
    market_participants,
    price_sheets,
};

inline constexpr std::array<std::string_view, 10> kind_names{"notes",
                                                             "transactions",
                                                             "moved_dates",
                                                             "historical_statements",
                                                             "delivery_notes",
                                                             "energy_amounts",
                                                             "market_participant_invoices",
                                                             "payment_instructions",
                                                             "market_participants",
                                                             "price_sheets"};

/// One request. The records that it stores are called ID.0, ID.1 and so on, each in the field that
/// identifies its kind; no other request uses the ID.
struct Import {
    std::string id;
    Kind kind = Kind::notes;
    Place place;  ///< empty for records that belong to no account
    tests::HttpRequest request;
    long records = 0;
    long details = 0;        ///< rows and array elements inside all records together
    bool repeatable = true;  ///< false: must not be sent again once its outcome is unknown
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

/// A number from `least` to `most`, the same on every platform.
[[nodiscard]] long draw(Random& random, long least, long most);

/// The request without a token; a client adds its own.
[[nodiscard]] tests::HttpRequest post(std::string_view target, std::string body);

}  // namespace data_import::soak
