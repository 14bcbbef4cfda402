// Writes texts from the tables that the programs work by: the manual pages and bash's completion into a
// directory, or nginx's error pages to standard output. Run when packages are built, never installed.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "manual/error_pages.h"
#include "manual/pages.h"

namespace {

void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw std::runtime_error(file.string() + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: data-import-manual DIRECTORY|--nginx-error-pages\n";
        return 2;
    }
    try {
        if (argv[1] == std::string("--nginx-error-pages")) {
            std::cout << data_import::manual::nginx_error_pages();
            return 0;
        }
        const std::filesystem::path directory(argv[1]);
        std::filesystem::create_directories(directory);
        for (const auto& page : data_import::manual::pages())
            write_file(directory / page.file_name(), page.source());
        write_file(directory / "data-importctl.bash", data_import::manual::ctl_completion());
        write_file(directory / "data-import-load.bash", data_import::manual::load_completion());
        return 0;
    } catch (const std::exception& failure) {
        std::cerr << "data-import-manual: " << failure.what() << '\n';
        return 1;
    }
}
