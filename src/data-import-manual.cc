// Writes texts that are made from the tables of the programs. With DIRECTORY and DATE, writes the manual
// pages, dated DATE, and openapi.json into DIRECTORY. With --nginx-error-pages, writes nginx's error pages to
// standard output. This program is run when packages are built, and is never installed.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "service/api/routes.h"
#include "service/metrics/exposition.h"
#include "service/openapi/service_document.h"
#include "tools/manual/error_pages.h"
#include "tools/manual/pages.h"

namespace {

void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw std::runtime_error(file.string() + " cannot be written");
}

/// Writes the manual. The same source always gives the same pages, whatever the clock says.
void write_manual(const std::filesystem::path& directory, const std::string& date) {
    std::filesystem::create_directories(directory);
    for (const auto& page : data_import::manual::pages(data_import::metrics::described_table()))
        write_file(directory / page.file_name(), page.source(date));
    write_file(directory / "openapi.json", data_import::openapi::document(data_import::api::endpoints({})));
}

}  // namespace

int main(int argc, char** argv) {
    const bool is_for_nginx = argc == 2 && argv[1] == std::string_view("--nginx-error-pages");
    if (argc != 3 && !is_for_nginx) {
        std::cerr << "usage: data-import-manual DIRECTORY DATE|--nginx-error-pages\n";
        return 2;
    }
    try {
        if (is_for_nginx) {
            std::cout << data_import::manual::nginx_error_pages();
        } else {
            write_manual(argv[1], argv[2]);
        }
        return 0;
    } catch (const std::exception& failure) {
        std::cerr << "data-import-manual: " << failure.what() << '\n';
        return 1;
    }
}
