// Headers that most files include. The Makefile has them parsed once for all files. Each file still includes
// the headers that it uses, so that it also compiles without this file.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
