// The meanings of fields that stand in several objects, for the documentation. A field of only one object has
// its sentence in the declaration of that object.
#pragma once

#include <string_view>

namespace data_import::payload::about {

inline constexpr std::string_view import_supplier =
    "Code of the import supplier, which the operator of the platform assigns.";
inline constexpr std::string_view external_account_number =
    "The account's number in the import supplier's own system.";
inline constexpr std::string_view service_account_number =
    "The account's number on the platform, assigned when the account was created.";
inline constexpr std::string_view document_path =
    "Path of the document, relative to the root that the operator has set for the supplier.";
inline constexpr std::string_view malo_number = "Number of the market location (MaLo).";
inline constexpr std::string_view period_start_at = "Beginning of the period.";
inline constexpr std::string_view period_end_at = "End of the period, not before its beginning.";
inline constexpr std::string_view product_identifier =
    "What was measured, in the scheme of `product_identifier_type`.";
inline constexpr std::string_view product_identifier_type =
    "Scheme of `product_identifier`, for example `SRW`.";
inline constexpr std::string_view quantity = "In `quantity_unit`: the quantity.";
inline constexpr std::string_view quantity_unit = "Unit of `quantity`, for example `KWH`.";
inline constexpr std::string_view line_item_identifier = "Identifier of the line in the message.";
inline constexpr std::string_view preceding_reference = "Reference of the preceding message.";
inline constexpr std::string_view cancelled = "Whether the message has been cancelled.";
inline constexpr std::string_view edifact_reference_number = "Reference number of the EDIFACT message.";
inline constexpr std::string_view service_conducted_at =
    "When the service was performed; null if there was none.";
inline constexpr std::string_view tax_rate = "In per cent: the rate of the tax (19.0000).";
inline constexpr std::string_view tax_rate_type = "Code of the kind of rate, for example `S`.";
inline constexpr std::string_view status_of_supplier =
    "State of the import supplier's migration, which the operator sets.";

}  // namespace data_import::payload::about
