// The manual pages of the programs, of the configuration and of the file formats, written from the tables by
// which the programs work: a page has all that its table has, and nothing else.
#pragma once

#include <vector>

#include "manual/page.h"

namespace data_import::manual {

/// data-importctl(1), data-import-load(1), data-importd(8), data-import.conf(5), data-import-csv(5),
/// data-import-ndjson(5).
[[nodiscard]] std::vector<Page> pages();

}  // namespace data_import::manual
