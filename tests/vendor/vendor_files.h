// Writes the files in vendors.d by which the service knows the simulator. The simulator plays many vendors,
// and each vendor has a file of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace data_import::vendor_simulator {

/// The ports and files that the vendor files refer to.
struct Surroundings {
    std::map<std::string, std::uint16_t> ports;
    std::filesystem::path authority;     ///< `ca_file`
    std::filesystem::path secret;        ///< `secret_file`
    std::filesystem::path wrong_secret;  ///< `secret_file` of the vendor `wrong_secret`
};

/// Writes a file `simulator-CODE.conf` into `directory` for each vendor that the simulator plays; CODE is the
/// vendor's code. If `all` is false, writes only the file of the demonstration's vendor. First removes all
/// files of `directory` whose names begin with `simulator-`. `surroundings` has the ports and files that the
/// written files name. Throws std::runtime_error if a file cannot be removed or written.
void write_vendor_files(const std::filesystem::path& directory, bool all, const Surroundings& surroundings);

}  // namespace data_import::vendor_simulator
