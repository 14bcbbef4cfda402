// Compares the ledger's entry of an import with the database.
#pragma once

#include <string>
#include <vector>

#include "ledger.h"

namespace data_import::soak {

/// The stored records of one import at one account.
struct Stored {
    Place place;
    long records = 0;   ///< rows
    long distinct = 0;  ///< different records among them
    long details = 0;
};

/// Each finding is a line that names the import.
struct Verdict {
    long records = 0;                   ///< rows of the ledger's imports
    std::vector<std::string> missing;   ///< acknowledged, and not there at all
    std::vector<std::string> doubled;   ///< there more than once
    std::vector<std::string> half;      ///< some records or details of an import are there, others are not
    std::vector<std::string> unwanted;  ///< stored although refused, at another account, or sent by no client
    std::vector<std::string> open;      ///< never acknowledged, though all faults were healed
    std::vector<std::string> wrong_figures;  ///< progress and totals that differ from the stored records
};

/// Adds the faults of one import to the verdict.
void compare(const Entry& entry, const std::vector<Stored>& stored, Verdict& verdict);

}  // namespace data_import::soak
