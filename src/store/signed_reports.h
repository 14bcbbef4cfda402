// Reports on migrations that somebody has signed: table data_import.signed_report (sql/0024-progress.sql).
#pragma once

#include <optional>
#include <string>

#include "database/database.h"
#include "store/operator.h"

namespace data_import::store {

struct SignedReport {
    std::string id = {};  ///< 32 hexadecimal digits
    std::string import_supplier;
    std::string as_of = {};      ///< RFC 3339
    std::string signed_by;       ///< the person's name
    std::string signed_at = {};  ///< RFC 3339; given by the database
    Operator by = {};
    std::string html_sha256;  ///< 64 hexadecimal digits, as the next
    std::string json_sha256;
};

void record_signed_report(database::Database& database, const SignedReport& report,
                          database::Deadline deadline);

/// The report of which one file has this SHA-256, in hexadecimal digits; nothing where none has it.
[[nodiscard]] std::optional<SignedReport> find_signed_file(database::Database& database,
                                                           const std::string& sha256,
                                                           database::Deadline deadline);
[[nodiscard]] std::optional<SignedReport> find_signed_report(database::Database& database,
                                                             const std::string& id,
                                                             database::Deadline deadline);

}  // namespace data_import::store
