// data-importctl: operates an installation; see `data-importctl --help`.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "ctl/run.h"

int main(int argc, char** argv) {
    try {
        return data_import::ctl::run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& failure) {
        std::cerr << "data-importctl: " << failure.what() << std::endl;
        return 1;
    }
}
