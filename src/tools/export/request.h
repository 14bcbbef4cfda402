// The extent and the form of an export that is asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/export/line_stream.h"

namespace data_import::exports {

struct Request {
    std::string import_supplier;
    std::vector<std::string> numbers = {};  ///< of accounts, by code point, each once; empty: all accounts
    std::vector<std::string> kinds = {};    ///< in the order of all_kinds(); empty: all kinds of accounts
    std::optional<std::string> since = {};  ///< RFC 3339: only records stored at this time or later
    bool is_csv = false;                    ///< a file for each view instead of bulk lines
    Compression compression = Compression::none;
    std::size_t sessions = 1;

    [[nodiscard]] bool has_kind(std::string_view kind) const;
    /// Whether records of accounts are asked for.
    [[nodiscard]] bool has_accounts() const;
};

/// Returns the kinds of records::kinds(), then those that belong to no account, which are exported only if
/// named.
[[nodiscard]] std::vector<std::string> all_kinds();

}  // namespace data_import::exports
