// Headers that most files include: the Makefile has them parsed once for all files. Each file names those
// that it uses nevertheless, and compiles without this one.
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
