// What the database holds in the end, compared with the ledger.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../system/database.h"
#include "../system/stack.h"
#include "ledger.h"

namespace data_import::soak {

/// Each finding is a line that names the import.
struct Verdict {
    long records = 0;                   ///< of the ledger's imports, in the database
    std::vector<std::string> missing;   ///< acknowledged, and not there at all
    std::vector<std::string> doubled;   ///< there more than once
    std::vector<std::string> half;      ///< some records or details of a request are there, others are not
    std::vector<std::string> unwanted;  ///< there although refused, at another account, or sent by nobody
    std::vector<std::string> open;      ///< never acknowledged, though all faults were healed
    std::vector<std::string> wrong_figures;  ///< progress that is not the number of rows
};

/// Nothing must be imported meanwhile.
[[nodiscard]] Verdict compare(const tests::Stack& stack, const Book& book, const Ledger& ledger);

}  // namespace data_import::soak
