// An export: the records of a supplier, or of some of its accounts, as files or as lines on standard output.
#pragma once

#include <functional>
#include <memory>

#include "data/database/database.h"
#include "tools/export/directory.h"
#include "tools/export/manifest.h"
#include "tools/export/request.h"
#include "tools/export/sessions.h"

namespace data_import::exports {

/// The database that is exported, and callbacks.
struct Surroundings {
    database::Database& database;
    /// Opens further sessions of the same role.
    std::function<std::unique_ptr<database::Database>()> open_session;
    /// Called before the first line is written, when the number of accounts is known, and the tasks.
    std::function<void(const Extent& extent, std::size_t tasks)> begin;
    Watch watch;
    /// Ends the process with the exception's sentence.
    std::function<void(const std::exception&)> abandon;
    /// Called when everything except the manifest was read and written, in the transaction with the snapshot.
    std::function<void(const Extent& extent)> end;
};

/// Writes the files of an export, the manifest last. If it throws, files may be left in the directory.
[[nodiscard]] Extent write_files(const Surroundings& surroundings, const Request& request,
                                 Directory& directory);

/// Writes its lines to a descriptor.
[[nodiscard]] Extent write_lines(const Surroundings& surroundings, const Request& request, int descriptor,
                                 const std::string& name);

}  // namespace data_import::exports
