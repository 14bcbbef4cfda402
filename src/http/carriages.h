// Which imports share a call.
#pragma once

#include <span>
#include <vector>

#include "http/visit.h"

namespace data_import::http {

/// Imports that one call carries out: of one kind, and for different accounts or of different contents.
using Carriage = std::vector<Visit*>;

/// The calls that carry these out, in their order. Those for one account keep theirs, whatever their kinds.
[[nodiscard]] std::vector<Carriage> carriages_of(std::span<Visit* const> visits);

/// Of visits that travel in one carriage.
[[nodiscard]] database::Call call_of(const Carriage& carriage);

/// The key of the account that a visit is for; a view into its import.
[[nodiscard]] std::string_view account_of(const Visit& visit);

}  // namespace data_import::http
