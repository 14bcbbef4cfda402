// Runs all registered CppUnit tests, or those whose name contains one of the arguments. Prints `N passed,
// N failed, N skipped` as the last line. The exit status is 1 if a test failed, or if none passed. If the
// environment variable TURNS names a folder, several programs with the same folder share the suites: each
// runs the next suite that no other program has begun. With --list as the first argument, prints the names of
// the tests and runs none.
#include "runner.h"

#include <cppunit/Exception.h>
#include <cppunit/Test.h>
#include <cppunit/TestFailure.h>
#include <cppunit/TestListener.h>
#include <cppunit/TestResult.h>
#include <cppunit/extensions/TestFactoryRegistry.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace data_import::tests {

namespace {

constexpr const char* skipped_mark = "skipped";

// CppUnit reports an exception of setUp() as a failure whose details contain the exception's message.
bool is_skipped(const CppUnit::Message& message) {
    return message.shortDescription() == skipped_mark ||
           (message.shortDescription() == "setUp() failed" &&
            message.details().find(std::string("- ") + skipped_mark + '\n') != std::string::npos);
}

class Tally : public CppUnit::TestListener {
public:
    void startTest(CppUnit::Test*) override {
        began_ = std::chrono::steady_clock::now();
        state_ = State::passed;
    }

    void addFailure(const CppUnit::TestFailure& failure) override {
        const CppUnit::Exception& cause = *failure.thrownException();
        const bool skipping = is_skipped(cause.message());
        state_ = skipping ? State::skipped : State::failed;
        std::cout << (skipping ? "skipped: " : "FAILED: ") << failure.failedTestName() << '\n';
        if (!skipping) {
            std::cout << "    " << cause.sourceLine().fileName() << ':' << cause.sourceLine().lineNumber()
                      << ' ' << cause.message().shortDescription() << '\n';
        }
        std::cout << "    " << cause.message().details() << std::endl;
    }

    void endTest(CppUnit::Test* test) override {
        passed += state_ == State::passed ? 1 : 0;
        failed += state_ == State::failed ? 1 : 0;
        skipped += state_ == State::skipped ? 1 : 0;
        const auto took = std::chrono::steady_clock::now() - began_;
        if (took > std::chrono::seconds(1)) {
            std::cout << test->getName() << ": "
                      << std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms"
                      << std::endl;
        }
    }

    int passed = 0;
    int failed = 0;
    int skipped = 0;

private:
    enum class State { passed, failed, skipped };
    State state_ = State::passed;
    std::chrono::steady_clock::time_point began_;
};

bool is_wanted(const CppUnit::Test& test, const std::vector<std::string>& filters) {
    return filters.empty() || std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
               return test.getName().find(filter) != std::string::npos;
           });
}

/// Adds to `wanted` each test below `test` whose own name, or the name of a suite that contains the test,
/// passes the filters. If `is_whole` is true, the name of a suite around `test` has passed already: all tests
/// are added.
void add_wanted(CppUnit::Test& test, bool is_whole, const std::vector<std::string>& filters,
                std::vector<CppUnit::Test*>& wanted) {
    is_whole = is_whole || is_wanted(test, filters);
    const int children = test.getChildTestCount();
    if (children == 0 && is_whole) wanted.push_back(&test);
    for (int child = 0; child < children; ++child)
        add_wanted(*test.getChildTestAt(child), is_whole, filters, wanted);
}

using Suites = std::vector<std::vector<CppUnit::Test*>>;

/// Returns whether this program runs the suite with the number `place`: without TURNS always, else if no
/// other program with the same folder has begun it. Throws std::system_error if the folder cannot be written.
bool has_turn(std::size_t place) {
    const char* folder = std::getenv("TURNS");
    if (folder == nullptr) return true;
    const int file = open((std::string(folder) + '/' + std::to_string(place)).c_str(),
                          O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST) throw std::system_error(errno, std::generic_category(), folder);
    return file >= 0 && close(file) == 0;
}

int list(const Suites& suites) {
    for (const auto& tests : suites) {
        for (const CppUnit::Test* test : tests) std::cout << test->getName() << '\n';
    }
    return 0;
}

int run(const Suites& suites) {
    CppUnit::TestResult result;
    Tally tally;
    result.addListener(&tally);
    for (std::size_t place = 0; place < suites.size(); ++place) {
        if (!has_turn(place)) continue;
        for (CppUnit::Test* test : suites[place]) test->run(&result);
    }
    std::cout << tally.passed << " passed, " << tally.failed << " failed, " << tally.skipped << " skipped"
              << std::endl;
    return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}

}  // namespace

void skip(const std::string& reason) {
    throw CppUnit::Exception(CppUnit::Message(skipped_mark, reason));
}

}  // namespace data_import::tests

int main(int argc, char** argv) {
    using namespace data_import::tests;
    std::vector<std::string> filters(argv + 1, argv + argc);
    const bool is_list = !filters.empty() && filters.front() == "--list";
    if (is_list) filters.erase(filters.begin());
    const std::unique_ptr<CppUnit::Test> all(CppUnit::TestFactoryRegistry::getRegistry().makeTest());
    Suites suites(static_cast<std::size_t>(all->getChildTestCount()));
    for (std::size_t place = 0; place < suites.size(); ++place)
        add_wanted(*all->getChildTestAt(static_cast<int>(place)), false, filters, suites[place]);
    return is_list ? list(suites) : run(suites);
}

/// Tells the leak sanitizer to ignore a leak of Poco 1.11, which frees a closed session only if it is still
/// connected: each session that the server has ended leaks some 37 kB.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:Poco::Data::PostgreSQL::SessionHandle::connect\n";
}
/// Keeps the sanitizer from printing after the last line of this program.
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() {
    return "print_suppressions=0";
}
