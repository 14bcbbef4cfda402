// Limits of the interface that several parts know: the service and its documentation, data-importctl,
// data-import-load, nginx and sql/, whose files tests compare with these.
#pragma once

#include <cstddef>

namespace data_import::util::limits {

/// Bytes of a body at the addresses of imports and of control totals, unless the operator sets others.
inline constexpr std::size_t body = std::size_t{10} << 20U;
/// The same at all other addresses.
inline constexpr std::size_t short_body = std::size_t{128} << 10U;

/// A bulk request: its lines that are not empty, and its bytes when it is unpacked.
inline constexpr std::size_t bulk_lines = 10'000;
inline constexpr std::size_t bulk_body = std::size_t{64} << 20U;

/// Bytes that an answer may spend on stored transactions, at least; the limit is twice the body if that is
/// more, which suffices for all that one request may have stored.
inline constexpr std::size_t stored_transactions = std::size_t{256} << 10U;

// characters
inline constexpr std::size_t supplier_code = 64;
inline constexpr std::size_t external_account_number = 128;
inline constexpr std::size_t service_account_number = 64;
inline constexpr std::size_t label = 255;    ///< name that people gave to a supplier or an organisation
inline constexpr std::size_t reason = 4096;  ///< why an account could not be created

}  // namespace data_import::util::limits
