// Writes the files in vendors.d by which the service knows the simulator. Each behaviour is a vendor.
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

/// Writes `simulator-NAME.conf` for the vendor of the demonstration, or for all behaviours if `all` is true.
/// First removes existing files with such names. Throws std::runtime_error if it fails.
void write_vendor_files(const std::filesystem::path& directory, bool all, const Surroundings& surroundings);

}  // namespace data_import::vendor_simulator
