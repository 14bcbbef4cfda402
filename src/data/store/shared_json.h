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

/// An object: accounts by state.
void write_accounts(json::Writer& writer, const AccountCounts& accounts);

/// Members of an object that is open: `as_of`, `accounts`, `records`, `differing_transactions`, `rates`,
/// `last_import_at` and `estimated_end_at`, in this order.
void write_progress(json::Writer& writer, const MigrationProgress& progress);

/// Members in the same way: `began_at`, `seconds` and `counts`. The first two give the start of time `N`.
void write_series(json::Writer& writer, const TimeSeries& series);

/// Members in the same way: `external_account_number`, `kind`, `declared` and `held`, both with `sums` where
/// these are declared.
void write_difference(json::Writer& writer, const Difference& difference);
/// Members in the same way: `by`, `at` and `reason`.
void write_acceptance(json::Writer& writer, const Acceptance& acceptance);

/// An object, or null.
void write_erasure(json::Writer& writer, const std::optional<SupplierErasure>& erasure);
/// An object, or null.
void write_acknowledgement(json::Writer& writer, const std::optional<Acknowledgement>& acknowledgement);

/// Members of an object that is open: `import_supplier`, `external_account_number` (null where nobody knows
/// it) and `is_known`.
void write_account_of(json::Writer& writer, const KeptRefusal& refusal);

/// An object, or null.
void write_not_kept(json::Writer& writer, const std::optional<KeptPart>& part);

/// An object: the consumer, and how far it is with one supplier. `import_supplier` is empty for market
/// participants, and null where there were no news yet.
void write_consumer_progress(json::Writer& writer, const ConsumerProgress& progress);

/// Members of an object that is open: `consumer`, `ready`, `not_taken`, `declared_at`, `declared_by`,
/// `verdict`, `explained`, `undeclared_kinds` and `figures`, which are those of `beside`.
void write_booking(json::Writer& writer, const Booking& booking, const std::vector<FigureToTheEnd>& figures);

/// The member `detail`: null if no sentence of the answer was kept.
void write_detail(json::Writer& writer, const Refusal& refusal);
/// An array.
void write_places(json::Writer& writer, const std::vector<RefusedPlace>& places);

}  // namespace data_import::store
