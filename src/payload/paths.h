// Addresses that service and client both know: those of imports, and what data-import-load asks beside them.
#pragma once

#include <string>
#include <string_view>

#include "util/text.h"

namespace data_import::payload::paths {

inline constexpr std::string_view notes = "/v1/data-import/notes/create/";
inline constexpr std::string_view transactions = "/v1/data-import/transactions/create/";
inline constexpr std::string_view historical_statements = "/v1/data-import/historical-statements/create/";
inline constexpr std::string_view delivery_note = "/v1/data-import/delivery-note/create/";
inline constexpr std::string_view energy_amount = "/v1/data-import/energy-amount/create/";
inline constexpr std::string_view market_participant_invoice =
    "/v1/data-import/market-participant-invoice/create/";
inline constexpr std::string_view payment_instruction = "/v1/data-import/payment-instruction/create/";
inline constexpr std::string_view market_participant = "/v1/data-import/market-participant/import/";
inline constexpr std::string_view price_sheets = "/v1/data-import/market-participant-fees/import/";

inline constexpr std::string_view bulk = "/v1/data-import/bulk/";
inline constexpr std::string_view graphql = "/v1/graphql/";
inline constexpr std::string_view control_totals = "/v1/data-import/control-totals/{import_supplier}/";
inline constexpr std::string_view account_control_totals =
    "/v1/data-import/account-control-totals/{import_supplier}/";
inline constexpr std::string_view events = "/v1/data-import/events/{import_supplier}/";

/// One of the last, of this supplier.
[[nodiscard]] inline std::string of_supplier(std::string_view path, std::string_view import_supplier) {
    return std::string(path.substr(0, path.find('{'))) + util::percent_encode(import_supplier) + '/';
}

}  // namespace data_import::payload::paths
