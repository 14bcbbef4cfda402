// The manual pages of the programs, of the configuration and of the file formats, written from the tables by
// which the programs work: a page has all that its table has, and nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/manual/page.h"

namespace data_import::manual {

/// Terms with their meanings, for a list in a page.
using Terms = std::vector<std::pair<std::string, std::string>>;

/// Returns data-importctl(1), data-import-load(1), data-importd(8), data-import.conf(5), data-import-csv(5)
/// and data-import-ndjson(5). data-importd(8) lists the `metrics`.
[[nodiscard]] std::vector<Page> pages(const Terms& metrics);

}  // namespace data_import::manual
