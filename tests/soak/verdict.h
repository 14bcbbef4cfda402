// Compares an import's entry in the ledger with the records in the database. The clients of a soak run note
// in this entry what they know about the import.
#pragma once

#include <string>
#include <vector>

#include "ledger.h"

namespace data_import::soak {

/// The stored records of one import at one account.
struct Stored {
    Place place;
    long records = 0;   ///< number of rows
    long distinct = 0;  ///< number of different records in the rows; fewer than rows if one is stored twice
    long details = 0;
};

/// Each finding is a line that names the import.
struct Verdict {
    long records = 0;                   ///< number of rows that are stored of the imports in the ledger
    std::vector<std::string> missing;   ///< acknowledged, but not stored at all
    std::vector<std::string> doubled;   ///< stored more than once
    std::vector<std::string> half;      ///< stored with only some of the import's records or details
    std::vector<std::string> unwanted;  ///< stored although refused, at a wrong account, or sent by no client
    std::vector<std::string> open;      ///< never acknowledged, although all faults were healed
    std::vector<std::string> wrong_figures;  ///< progress and totals that differ from the stored records
};

/// Adds to the verdict what is wrong with the stored records of one import.
void compare(const Entry& entry, const std::vector<Stored>& stored, Verdict& verdict);

}  // namespace data_import::soak
