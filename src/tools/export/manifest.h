// The table of contents of an export: manifest.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/records/totals.h"
#include "tools/export/directory.h"
#include "tools/export/request.h"

namespace data_import::exports {

inline constexpr std::string_view manifest_name = "manifest.json";

/// The content of an export, in numbers.
struct Extent {
    std::string as_of;         ///< moment of the snapshot, in RFC 3339
    std::size_t accounts = 0;  ///< number of accounts, in any state
    std::vector<records::KindTotals> kinds = std::vector<records::KindTotals>(
        records::kinds().size());  ///< totals in the order of records::kinds()
    /// For each kind whose records belong to no account, the number of its records.
    std::map<std::string, std::int64_t> without_account = {};

    [[nodiscard]] std::int64_t records() const;
};

/// Returns the manifest as JSON. `files` have to be sorted by name.
[[nodiscard]] std::string manifest_of(const Request& request, const Extent& extent,
                                      const std::vector<WrittenFile>& files);

}  // namespace data_import::exports
