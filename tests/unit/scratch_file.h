// A file that exists while a test runs.
#pragma once

#include <cppunit/TestAssert.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace data_import::tests {

/// A file with the text, in the directory for temporary files. The destructor removes it.
class ScratchFile {
public:
    explicit ScratchFile(const std::string& text) {
        std::string pattern = (std::filesystem::temp_directory_path() / "data-import-test-XXXXXX").string();
        const int file = mkstemp(pattern.data());
        CPPUNIT_ASSERT(file >= 0);
        close(file);
        path_ = pattern;
        std::ofstream(path_) << text;
    }
    ~ScratchFile() { std::filesystem::remove(path_); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace data_import::tests
