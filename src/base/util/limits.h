// Limits of the interface that several parts know: the service and its documentation, data-importctl,
// data-import-load, nginx and sql/. Tests compare these limits with the files of nginx and of sql/.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace data_import::util::limits {

/// Most bytes of a body at the addresses of imports, of control totals and of operators' acts, unless the
/// configuration sets another limit.
inline constexpr std::size_t body = std::size_t{10} << 20U;
/// Most bytes of a body at addresses that take no imports, control totals or acts, such as the address of
/// requests for tokens.
inline constexpr std::size_t short_body = std::size_t{128} << 10U;

/// The greatest number of lines of a bulk request, not counting empty lines, and the greatest number of bytes
/// of the unpacked request.
inline constexpr std::size_t bulk_lines = 10'000;
inline constexpr std::size_t bulk_body = std::size_t{64} << 20U;

/// Bytes of stored transactions that an answer may always contain. An answer to a longer request may contain
/// more: twice the size of the request's body, and `moved_transaction` for each of its transactions. That
/// suffices for all transactions that one request may have stored.
inline constexpr std::size_t stored_transactions = std::size_t{256} << 10U;
/// The most bytes that a stored transaction has in addition to what was sent: the description and the date
/// that the service adds if it moves the transaction into the open period.
inline constexpr std::size_t moved_transaction = 256;

/// A body of this many bytes or more belongs to the longest bodies. The service takes an organisation's
/// longest bodies one after the other.
inline constexpr std::size_t longest_bodies = 4'000'000;
/// How many bodies of unknown length, or of a million bytes and more, an organisation may have in flight.
inline constexpr std::size_t huge_bodies = 8;

/// Requests that an organisation may have in flight, even if other organisations wait. A further request may
/// be refused (contract, section 7).
inline constexpr std::uint64_t never_refused = 16;
/// Most bytes of the bodies that one worker keeps while their requests wait for locked accounts. Parsed,
/// these bodies take several times as much memory.
inline constexpr std::size_t waiting_bodies = std::size_t{16} << 20U;
/// The time for which all lines of a bulk request together may wait for locked accounts.
inline constexpr std::chrono::seconds bulk_wait{2};

/// Least bytes a second, on average, at which a client has to read an answer that does not fit into the
/// socket's buffer. A slower client would keep a worker from other clients as long as it likes.
inline constexpr std::size_t least_rate = 256 * 1024;

/// Most bytes of a CSV record: of all its fields together.
inline constexpr std::size_t csv_record = std::size_t{1} << 20U;

// Most characters:
inline constexpr std::size_t supplier_code = 64;
inline constexpr std::size_t external_account_number = 128;
inline constexpr std::size_t service_account_number = 64;
inline constexpr std::size_t label = 255;    ///< a name that people gave to a supplier or an organisation
inline constexpr std::size_t reason = 4096;  ///< the reason why an account could not be created

}  // namespace data_import::util::limits
