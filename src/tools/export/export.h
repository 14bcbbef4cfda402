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

/// The database that is exported, and callbacks of the caller.
struct Surroundings {
    database::Database& database;
    /// Opens a further session of the same role.
    std::function<std::unique_ptr<database::Database>()> open_session;
    /// Called before the tasks begin, when the numbers of accounts and tasks are known.
    std::function<void(const Extent& extent, std::size_t tasks)> begin;
    Watch watch;
    /// Prints the sentence of the exception, and ends the process; does not return.
    std::function<void(const std::exception&)> abandon;
    /// Called when everything except the manifest has been read and written, still in the transaction of the
    /// snapshot.
    std::function<void(const Extent& extent)> end;
};

/// Writes the files of an export, the manifest last. If it throws, files may be left in the directory.
[[nodiscard]] Extent write_files(const Surroundings& surroundings, const Request& request,
                                 Directory& directory);

/// Writes the lines of an export to a descriptor. The texts of errors use `name` for the descriptor.
[[nodiscard]] Extent write_lines(const Surroundings& surroundings, const Request& request, int descriptor,
                                 const std::string& name);

}  // namespace data_import::exports
