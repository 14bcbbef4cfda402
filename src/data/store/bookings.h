// Booked figures: figures of a supplier's records that the platform has in its own tables, as its consumers
// declare them. They are compared with the stored figures (sql/schema/27-booked-totals.sql).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/database.h"
#include "data/database/rows.h"
#include "data/store/control_totals.h"
#include "data/store/operator.h"
#include "data/store/reconciliation.h"

namespace data_import::store {

/// A figure that a consumer has declared as booked. Values are decimals as in ControlFigure.
struct BookedFigure {
    std::string kind;
    std::string figure;
    /// The stored value of the figure; nothing if no stored record has the figure, which then counts as 0.
    std::optional<std::string> held;
    std::string booked;
    std::optional<std::string> difference;  ///< booked minus held, if they differ
    std::optional<Acceptance> acceptance;   ///< given if an operator has accepted exactly this difference
};

/// A consumer that takes the supplier's accounts, and its last declaration of what it has booked.
struct Booking {
    std::string consumer;
    bool is_ready = false;                        ///< the consumer has been added completely
    std::int64_t not_taken = 0;                   ///< accounts with news that the consumer has not taken
    std::optional<std::string> declared_at = {};  ///< RFC 3339; nothing: no declaration yet
    std::optional<std::string> declared_by = {};  ///< system user, or role of the database
    /// Kinds that have stored records, but no figure that the consumer has declared.
    std::vector<std::string> undeclared_kinds = {};
    /// Figures that the consumer has declared as booked, in the order of ControlTotals::figures.
    std::vector<BookedFigure> figures = {};

    [[nodiscard]] bool is_declared() const { return declared_at.has_value(); }
    [[nodiscard]] bool has_differences() const;
    /// Returns whether all differences are accepted; true if there are none.
    [[nodiscard]] bool is_explained() const;
    /// Returns `UNDECLARED`, `EQUAL` or `DIFFERENT`: see verdict_word().
    [[nodiscard]] std::string_view verdict() const;
    /// Returns the verdict with its coverage, such as `EQUAL (2 of 4 kinds declared)`: see with_coverage().
    [[nodiscard]] std::string verdict_with_coverage() const;
};

/// Finds what each consumer that takes the supplier's accounts has declared as booked, in the order of the
/// consumers' names; no rows if there is no such consumer.
[[nodiscard]] database::Call find_bookings(std::string_view import_supplier);
[[nodiscard]] std::vector<Booking> read_bookings(const database::Rows& rows);

/// A figure with its three values: declared by the supplier, held here, and booked by the platform.
struct FigureToTheEnd {
    std::string kind;
    std::string figure;
    std::optional<std::string> declared = {};
    std::optional<std::string> held = {};
    std::optional<std::string> booked = {};
    std::optional<std::string> declared_difference = {};  ///< held minus declared, if they differ
    std::optional<std::string> booked_difference = {};    ///< booked minus held, if they differ
    std::optional<Acceptance> acceptance = {};            ///< acceptance of `booked_difference`
};
/// Returns the figures that `totals` or `booking` have, in the order of control totals: one entry for each
/// figure, with the values of both. `totals` and `booking` have to be read at the same moment.
[[nodiscard]] std::vector<FigureToTheEnd> beside(const ControlTotals& totals, const Booking& booking);

/// Declares what a consumer has booked of a supplier. `totals` is JSON in the form of the contract's section
/// 12.3. Throws database::Refused with a sentence and SQLSTATE DI001, DI011, DI013 or DI014.
void declare_booked(database::Database& database, const std::string& consumer,
                    const std::string& import_supplier, const std::string& totals, const std::string& author,
                    database::Deadline deadline);

/// Returns the first `most` figures that differ, and the number of further ones:
/// `notes records 5 stored, 4 booked, 2 more`.
[[nodiscard]] std::string booked_differences_text(const Booking& booking, std::size_t most);

/// Accepts all differences of the booking, and replaces earlier acceptances of the same figures. Writes an
/// entry in the audit history, and returns its id. Has to be called in a transaction.
std::int64_t accept_booked(database::Database& database, const std::string& import_supplier,
                           const Booking& booking, const std::string& reason, const Operator& by,
                           database::Deadline deadline);

/// Returns the verdict on the figures that the consumer has declared as booked, for each supplier:
/// `ACME: EQUAL, NOVA: DIFFERENT`. Returns an empty text if the consumer has declared nothing.
[[nodiscard]] std::string booked_suppliers_text(database::Database& database, const std::string& consumer,
                                                database::Deadline deadline);

/// Stops the delivery of news until the end of the transaction. Otherwise, if accounts are on several
/// servers, find_bookings() could miss accounts that a delivery moves while they are counted.
void hold_deliveries(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store
