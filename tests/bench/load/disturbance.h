// Measures how much an attack slows down the victim, an organisation that sends requests meanwhile.
#pragma once

#include <string>

#include "attacks.h"

namespace data_import::bench {

/// Plays the attack against the stack that the environment names (tests/bench/attacks) and measures the
/// victim before, during and after it. Returns one line of NAME=VALUE.
[[nodiscard]] std::string measure_disturbance(const Attack& attack);

}  // namespace data_import::bench
