// JSON that is the same in the interface, in reports and in data-importctl.
#pragma once

#include <vector>

#include "data/json/writer.h"
#include "data/store/bookings.h"
#include "data/store/consumers.h"
#include "data/store/import_log.h"
#include "data/store/progress.h"
#include "data/store/reconciliation.h"
#include "data/store/time_series.h"

namespace data_import::store {

/// Writes an object: the number of accounts in each state.
void write_accounts(json::Writer& writer, const AccountCounts& accounts);

/// Writes members of an open object: `as_of`, `accounts`, `records`, `differing_transactions`, `rates`,
/// `last_import_at`, `estimated_end_at` and `stands_still_since`, in this order.
void write_progress(json::Writer& writer, const MigrationProgress& progress);

/// Writes members of an open object: `began_at`, `seconds` and `counts`. Each count is for an interval of
/// `seconds`; the first interval begins at `began_at`.
void write_series(json::Writer& writer, const TimeSeries& series);

/// Writes members of an open object: `external_account_number`, `kind`, `declared` and `held`, both with
/// `sums` if the supplier has declared sums.
void write_difference(json::Writer& writer, const Difference& difference);
/// Writes members of an open object: `by`, `at` and `reason`.
void write_acceptance(json::Writer& writer, const Acceptance& acceptance);

/// Writes an erasure as an object; null if there is none.
void write_erasure(json::Writer& writer, const std::optional<SupplierErasure>& erasure);
/// Writes an acknowledgement as an object; null if there is none.
void write_acknowledgement(json::Writer& writer, const std::optional<Acknowledgement>& acknowledgement);

/// Writes members of an open object: `import_supplier`, `external_account_number` (null if it cannot be
/// shown) and `is_known`.
void write_account_of(json::Writer& writer, const KeptRefusal& refusal);

/// Writes an object with the members of `part`: `import_supplier`, `since`, `refusals` and `kept`. Writes
/// null if `part` is nothing, which means that all refusals are kept.
void write_not_kept(json::Writer& writer, const std::optional<KeptPart>& part);

/// Writes an object: the consumer, and its progress with one supplier. The member `import_supplier` is the
/// supplier's code. It is empty for the progress with market participants, which belong to no supplier, and
/// null if the consumer has had no news yet.
void write_consumer_progress(json::Writer& writer, const ConsumerProgress& progress);

/// Writes members of an open object: `consumer`, `ready`, `not_taken`, `declared_at`, `declared_by`,
/// `verdict`, `explained`, `undeclared_kinds` and `figures`. The parameter `figures` is the result of
/// beside() in bookings.h.
void write_booking(json::Writer& writer, const Booking& booking, const std::vector<FigureToTheEnd>& figures);

/// Writes the member `detail`: null if no sentence of the answer was kept.
void write_detail(json::Writer& writer, const Refusal& refusal);
/// Writes the reasons of a refusal as an array of objects.
void write_places(json::Writer& writer, const std::vector<RefusedPlace>& places);

}  // namespace data_import::store
