// A request for an export: its extent, and its form.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/export/line_stream.h"

namespace data_import::exports {

struct Request {
    std::string import_supplier;
    /// Numbers of accounts, sorted by code point, each once; empty: all accounts.
    std::vector<std::string> numbers = {};
    /// Names of kinds, in the order of all_kinds(); empty: all kinds of records that accounts have.
    std::vector<std::string> kinds = {};
    /// A time in RFC 3339: only records that were stored then or later are exported.
    std::optional<std::string> since = {};
    /// The export is CSV, with a file for each view; else it is bulk lines.
    bool is_csv = false;
    Compression compression = Compression::none;
    std::size_t sessions = 1;  ///< most sessions of the database that read at the same time

    [[nodiscard]] bool has_kind(std::string_view kind) const;
    /// Returns whether records of accounts are asked for.
    [[nodiscard]] bool has_accounts() const;
};

/// Returns the kinds of records::kinds(), then those that belong to no account, which are exported only if
/// named.
[[nodiscard]] std::vector<std::string> all_kinds();

}  // namespace data_import::exports
