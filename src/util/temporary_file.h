// A file without a name, in the directory for temporary files: it is gone when it is closed.
#pragma once

#include "util/file_descriptor.h"

namespace data_import::util {

/// Readable and writable, for its owner only. Throws std::system_error if none can be made.
[[nodiscard]] FileDescriptor make_temporary_file();

/// Throws std::system_error for a temporary file that takes no more, by the present errno.
[[noreturn]] void fail_to_write_temporary_file();
/// ... or cannot be read.
[[noreturn]] void fail_to_read_temporary_file();

}  // namespace data_import::util
