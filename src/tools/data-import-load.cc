// data-import-load: sends import requests from files to the service, many at a time. Its manual is --help.
#include <malloc.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/command_line/completion.h"
#include "base/command_line/help.h"
#include "base/util/printable.h"
#include "base/util/standard_output.h"
#include "tools/client/files_to_load.h"
#include "tools/client/input.h"
#include "tools/client/options.h"
#include "tools/client/runs.h"

namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

/// Makes the process give freed memory back to the system, so that it has only the memory that it needs for
/// what it reads and sends at the moment.
void keep_little_memory() {
    constexpr int arenas = 2;  // with more arenas, each thread would keep all memory that it once had
    // A block of this size in bytes or more gets pages of its own, which go back to the system as soon as the
    // block is freed.
    constexpr int own_pages = 1 << 19U;
    ::mallopt(M_ARENA_MAX, arenas);
    ::mallopt(M_MMAP_THRESHOLD, own_pages);
}

int load(const data_import::client::Options& given) {
    keep_little_memory();
    data_import::client::Options options = given;
    const std::string journal = data_import::client::journal_of(options);
    journal.empty() ? void(options.no_journal = true) : void(options.journal_file = journal);
    data_import::client::choose_proxy(options, [](const char* name) { return std::getenv(name); });
    const data_import::client::Files files = data_import::client::files_of(options.files);
    options.files = files.names;
    if (!files.passed_over.empty())
        std::cerr << data_import::client::program << ": "
                  << data_import::util::printable_lines(files.passed_over) << std::endl;
    if (options.check) return data_import::client::check(options, std::cout, std::cerr);
    data_import::client::check_heads(options.files, options.csv);
    if (options.totals) return data_import::client::totals(options, std::cout, std::cerr);
    if (options.verify) return data_import::client::verify(options, std::cout, std::cerr);
    return data_import::client::run(options, std::cout, std::cerr);
}

int act(const data_import::command_line::Invocation& invocation) {
    if (data_import::command_line::answer(invocation, std::cout)) return 0;
    return load(data_import::client::options_of(invocation));
}

/// Returns `status` if all output has been written; otherwise a status that says that the output was not read
/// or not written.
int finish(int status) {
    using data_import::util::Output;
    switch (data_import::util::finish_output()) {
        case Output::written:
            return status;
        case Output::unread:
            return data_import::util::status_of_unread_output;
        default:
            std::cerr << data_import::client::program << ": standard output cannot be written\n";
            return status == 0 ? failed : status;
    }
}

}  // namespace

int main(int argc, char** argv) {
    namespace command_line = data_import::command_line;
    const std::vector<std::string> words(argv + 1, argv + argc);
    const command_line::Program& program = data_import::client::program_table();
    try {
        if (command_line::complete(program, words, std::cout)) return 0;
        return finish(act(command_line::parse(program, words)));
    } catch (const command_line::UsageError& error) {
        std::cerr << program.name << ": " << data_import::util::printable_lines(error.what()) << '\n';
        return wrong_usage;
    } catch (const std::exception& error) {
        std::cerr << program.name << ": " << data_import::util::printable_lines(error.what()) << '\n';
        return failed;
    }
}
