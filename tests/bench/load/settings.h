// The settings that a script gives a load generator in the environment.
#pragma once

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

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
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::stod(setting(name))));
}

[[nodiscard]] inline Clock::duration milliseconds(const std::string& name) {
    return std::chrono::milliseconds(number(name));
}

[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream input(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(input, line);) lines.push_back(line);
    if (lines.empty()) throw std::runtime_error(file + " is empty");
    return lines;
}

}  // namespace data_import::bench
