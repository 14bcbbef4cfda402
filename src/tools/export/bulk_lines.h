// Writes records as bulk lines (contract, section 11), which data-import-load can load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "data/payload/imports.h"

namespace data_import::exports {

/// Writes records as lines of bulk requests. A line has as many records of one account and kind as there is
/// room for. Equal records give equal lines.
///
/// If an account has several copies of a transaction, all but the first stand in lines with
/// check_previously_added=false. The service would otherwise take these copies for repeats of the first.
class BulkLines {
public:
    using Sink = std::function<void(std::string_view line)>;  ///< called with each line and its line end

    BulkLines(std::string_view import_supplier, Sink sink);

    /// Adds a record, written as JSON as in its payload. `external_account_number` is empty for a kind
    /// without accounts. `copy` is 1; for a further copy of a transaction it is 2, 3 and so on.
    void add(const payload::DeclaredImport& import, std::string_view external_account_number,
             std::int64_t copy, std::string_view record);
    /// Ends the present line, if there is one, and calls the constructor's `sink` with the line.
    void end();

private:
    [[nodiscard]] bool has_room(const payload::DeclaredImport& import,
                                std::string_view external_account_number, std::int64_t copy,
                                std::size_t bytes) const;
    void begin(const payload::DeclaredImport& import, std::string_view external_account_number,
               std::int64_t copy);

    std::string supplier_member_;
    Sink sink_;
    std::string line_;
    const payload::DeclaredImport* import_ = nullptr;  ///< import of the present line; null without one
    std::string number_;
    std::int64_t copy_ = 1;
    std::size_t items_ = 0;
};

}  // namespace data_import::exports
