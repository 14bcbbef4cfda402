#include "store/import.h"

#include <stdexcept>

namespace data_import::store {

ImportVerdict parse_import_verdict(std::string_view text) {
    if (text == "done") return ImportVerdict::done;
    if (text == "supplier_not_ongoing") return ImportVerdict::supplier_not_ongoing;
    if (text == "account_not_found") return ImportVerdict::account_not_found;
    throw std::logic_error("an import function answered an unknown verdict");
}

}  // namespace data_import::store
