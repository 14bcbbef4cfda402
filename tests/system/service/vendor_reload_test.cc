// Vendors that are put into vendors.d while the service runs.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/vendor_requests.h"

namespace data_import::tests {

namespace {

const Stack& stack() {
    return *playground().stack();
}

/// A file in vendors.d that exists as long as this object.
class VendorFile {
public:
    VendorFile(const std::string& name, const std::string& text)
        : path_(std::filesystem::path(stack().value("VENDORS_DIR")) / (name + ".conf")) {
        std::ofstream(path_) << text;
    }
    ~VendorFile() {
        std::error_code ignored;  // an error does not matter, because the stack is removed anyway
        std::filesystem::remove(path_, ignored);
    }
    VendorFile(const VendorFile&) = delete;
    VendorFile& operator=(const VendorFile&) = delete;

private:
    std::filesystem::path path_;
};

/// Returns the text of the file of vendor NORDPAY, with `code` in place of the vendor's code.
std::string good_vendor(const std::string& code) {
    std::ifstream file(std::filesystem::path(stack().value("VENDORS_DIR")) / "simulator-NORDPAY.conf");
    std::string text;
    for (std::string line; std::getline(file, line);)
        text += (line.starts_with("code = ") ? "code = " + code : line) + '\n';
    return text;
}

}  // namespace

class VendorReloadTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(VendorReloadTest);
    CPPUNIT_TEST(a_new_vendor_is_known_after_a_signal);
    CPPUNIT_TEST(a_broken_file_leaves_the_old_vendors_in_force);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override { playground().prepare(); }

    void a_new_vendor_is_known_after_a_signal() {
        const VendorFile file("late", good_vendor("LATE"));
        const Answer before = post("LATE");
        const ErrorBody refusal = parse_error_body(before.body);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(before), std::string("validation_error"), refusal.code);
        CPPUNIT_ASSERT_EQUAL(std::string("vendor"), refusal.errors.at(0).attr);
        CPPUNIT_ASSERT_EQUAL(std::string("invalid_choice"), refusal.errors.at(0).code);
        reload();
        check_known("LATE", true);
        check_known("NORDPAY", true);
    }

    void a_broken_file_leaves_the_old_vendors_in_force() {
        const auto place = playground().stack().log_size();
        const VendorFile good("late", good_vendor("LATE"));
        const VendorFile broken("zz-broken", good_vendor("BROKEN") + "colour = red\n");
        reload();
        CPPUNIT_ASSERT_MESSAGE("the log does not name the file",
                               wait_until(
                                   [&] {
                                       const std::string log = playground().stack().log_from(place);
                                       return log.find("zz-broken.conf") != std::string::npos;
                                   },
                                   10s));
        CPPUNIT_ASSERT_EQUAL(std::string("201"), outcome_of(post("NORDPAY")));
        CPPUNIT_ASSERT_EQUAL(std::string("validation_error"), outcome_of(post("LATE")));
        CPPUNIT_ASSERT_EQUAL(std::string("validation_error"), outcome_of(post("BROKEN")));
    }

    void tearDown() override { reload(); }

private:
    void reload() const { kill(playground().master(), SIGHUP); }

    /// Waits for the expected answer, because workers are replaced one after another.
    void check_known(const std::string& vendor, bool expected) {
        CPPUNIT_ASSERT_MESSAGE(vendor,
                               wait_until([&] { return (post(vendor).status == 201) == expected; }, 10s));
    }

    [[nodiscard]] Answer post(const std::string& vendor) {
        return ask(stack(), instruction_request(playground().token(),
                                                {.account = playground().account(),
                                                 .vendor = vendor,
                                                 .reference = "reload-" + std::to_string(++references_)}));
    }

    int references_ = 0;
};

CPPUNIT_TEST_SUITE_REGISTRATION(VendorReloadTest);

}  // namespace data_import::tests
