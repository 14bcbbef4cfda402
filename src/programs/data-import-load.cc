// data-import-load: sends import requests from files to the service, many at a time. Its manual is --help.
#include <malloc.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "client/bulk_run.h"
#include "client/check_run.h"
#include "client/input.h"
#include "client/options.h"
#include "client/totals_run.h"
#include "client/verify_run.h"
#include "util/standard_output.h"
#include "util/version.h"

namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

/// Memory is bounded by what is read and sent at the same time, if what has been freed goes back.
void keep_little_memory() {
    constexpr int arenas = 2;            // else each thread would keep what it has once had
    constexpr int own_pages = 1 << 19U;  // bytes from which on a block goes back alone
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
        std::cerr << data_import::client::program << ": " << files.passed_over << std::endl;
    data_import::client::check_heads(options.files);
    if (options.check) return data_import::client::check(options, std::cout, std::cerr);
    if (options.totals) return data_import::client::totals(options, std::cout, std::cerr);
    if (options.verify) return data_import::client::verify(options, std::cout, std::cerr);
    return data_import::client::run(options, std::cout, std::cerr);
}

int act(const data_import::client::Invocation& invocation) {
    using data_import::client::Action;
    switch (invocation.action) {
        case Action::help:
            std::cout << data_import::client::help_text();
            return 0;
        case Action::version:
            std::cout << data_import::client::program << ' ' << data_import::util::version << '\n';
            return 0;
        default:
            return load(invocation.options);
    }
}

/// The status that an action ends with when all that it said has arrived, else another one.
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
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        return finish(act(data_import::client::parse_arguments(arguments)));
    } catch (const data_import::client::UsageError& error) {
        std::cerr
            << data_import::client::program << ": " << error.what()
            << "; usage: data-import-load --url URL --api-key-file F [OPTION ...] FILE ... (see --help)\n";
        return wrong_usage;
    } catch (const std::exception& error) {
        std::cerr << data_import::client::program << ": " << error.what() << '\n';
        return failed;
    }
}
