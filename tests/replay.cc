// Runs a fuzzer's target on files, without the fuzzer: `replay FILE|FOLDER...`. The files are the stored
// inputs in tests/fuzz/corpus. The first file for which the target finds a fault ends the program. Without a
// fault, the program prints `N passed, 0 failed, 0 skipped` as the last line.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string input((std::istreambuf_iterator<char>(stream)), {});
    std::cout << file.native() << std::endl;  // after a crash the last line names the input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

int replay_all(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return replay(path), 1;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) count += replay_all(entry.path());
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    int count = 0;
    for (int place = 1; place < argc; ++place) count += replay_all(argv[place]);
    std::cout << count << " passed, 0 failed, 0 skipped" << std::endl;
    return count > 0 ? 0 : 1;
}
