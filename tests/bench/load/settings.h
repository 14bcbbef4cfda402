// What a script tells a load generator, in the environment.
#pragma once

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "client.h"

namespace data_import::bench {

[[nodiscard]] inline std::string setting(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') throw std::runtime_error(name + " is not set");
    return value;
}

[[nodiscard]] inline long number(const std::string& name) {
    return std::stol(setting(name));
}

[[nodiscard]] inline Clock::duration seconds(const std::string& name) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::stod(setting(name))));
}

[[nodiscard]] inline Clock::duration milliseconds(const std::string& name) {
    return std::chrono::milliseconds(number(name));
}

}  // namespace data_import::bench
