// One CppUnit test per case of tests/cases/**/*.case, named FILE: CASE, and a second one for its imports in
// bulk requests.
#include <cppunit/TestCase.h>
#include <cppunit/TestSuite.h>
#include <cppunit/extensions/TestFactory.h>
#include <cppunit/extensions/TestFactoryRegistry.h>

#include <Poco/Exception.h>

#include <algorithm>
#include <stdexcept>

#include "../support/case_run.h"

namespace data_import::tests {

namespace {

class CaseTest : public CppUnit::TestCase {
public:
    CaseTest(const std::string& file, Case one, Way way)
        : TestCase(file + ": " + one.name + (way == Way::bulk ? ", in bulk requests" : "")),
          case_(std::move(one)),
          way_(way) {}

    void runTest() override {
        try {
            run_case(case_, world(), way_);
        } catch (const Poco::Exception& reason) {
            CPPUNIT_FAIL(reason.displayText());
        } catch (const std::exception& reason) {
            CPPUNIT_FAIL(reason.what());
        }
    }

private:
    Case case_;
    Way way_;
};

std::vector<std::filesystem::path> case_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cases_directory())) {
        if (entry.path().extension() == ".case") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class CaseSuite : public CppUnit::TestFactory {
public:
    CppUnit::Test* makeTest() override {
        auto suite = std::make_unique<CppUnit::TestSuite>("cases");
        for (const std::filesystem::path& file : case_files()) {
            const std::string name = std::filesystem::relative(file, cases_directory()).string();
            for (Case& one : read_cases(file)) {
                if (has_bulk_lines(one)) suite->addTest(new CaseTest(name, one, Way::bulk));
                suite->addTest(new CaseTest(name, std::move(one), Way::alone));
            }
        }
        return suite.release();
    }
};

CaseSuite suite;
const bool registered = [] {
    CppUnit::TestFactoryRegistry::getRegistry().registerFactory(&suite);
    return true;
}();

}  // namespace

}  // namespace data_import::tests
