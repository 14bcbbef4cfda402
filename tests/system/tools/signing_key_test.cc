// The ring of keys that sign tokens. data-importctl makes the first key without the database, and changes the
// ring later only if it can record the change in the database.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "../../support/command.h"
#include "../../support/world.h"
#include "data/keys/key_ring.h"

namespace data_import::tests {

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The shared stack's installation, with signing keys of its own.
class Installation {
public:
    Installation() : directory_(world().directory() / world().take_fresh()), keys_(directory_ / "keys") {
        std::filesystem::create_directories(keys_);
        std::filesystem::permissions(keys_, std::filesystem::perms(0750));
        const std::string ctl = world().stack().value("CTL");
        const std::string option = " --config ";
        const std::size_t place = ctl.find(option);
        CPPUNIT_ASSERT(place != std::string::npos);
        program_ = ctl.substr(0, place);
        settings_ =
            std::regex_replace(text_of(ctl.substr(place + option.size())), std::regex("keys_directory = .*"),
                               "keys_directory = " + keys_.string());
        write(settings_);
    }

    [[nodiscard]] CommandResult run(const std::string& arguments, const std::string& before = "") const {
        return run_command(before + program_ + " --config " +
                           shell_word((directory_ / "data-import.conf").string()) + ' ' + arguments);
    }
    void lose_database() const {
        write(std::regex_replace(settings_, std::regex("admin_database = .*"),
                                 "admin_database = host=/nowhere"));
    }
    void find_database() const { write(settings_); }

    [[nodiscard]] std::set<std::string> kids() const {
        std::set<std::string> names;
        for (const auto& file : std::filesystem::directory_iterator(keys_)) names.insert(file.path().stem());
        return names;
    }
    void add(const std::string& kid) const { keys::KeyRing::store_key(keys_, {kid, std::string(32, 'k')}); }
    [[nodiscard]] const std::filesystem::path& keys() const { return keys_; }

    static long events(const std::string& action, const std::string& kid) {
        return world().database().count(
            "SELECT count(*) FROM data_import.access_event WHERE action = $1 AND signing_key = $2",
            {action, kid});
    }

private:
    void write(const std::string& settings) const {
        std::ofstream(directory_ / "data-import.conf") << settings;
    }

    std::filesystem::path directory_;
    std::filesystem::path keys_;
    std::string program_;
    std::string settings_;
};

}  // namespace

class SigningKeyTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SigningKeyTest);
    CPPUNIT_TEST(the_first_key_needs_no_database);
    CPPUNIT_TEST(the_first_key_stays_the_only_one);
    CPPUNIT_TEST(a_rotation_that_cannot_be_recorded_is_none);
    CPPUNIT_TEST(a_rotation_removes_keys_that_no_token_needs);
    CPPUNIT_TEST(a_removal_is_recorded);
    CPPUNIT_TEST_SUITE_END();

public:
    void the_first_key_needs_no_database() {
        const Installation installation;
        installation.lose_database();
        const CommandResult made = installation.run("signing-key rotate");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(made.errors, 0, made.status);
        CPPUNIT_ASSERT(made.errors.find("the audit does not tell of it") != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, installation.kids().size());
        const auto file = installation.keys() / (*installation.kids().begin() + ".key");
        CPPUNIT_ASSERT(std::filesystem::status(file).permissions() == std::filesystem::perms(0640));
    }

    void the_first_key_stays_the_only_one() {
        const Installation installation;
        CPPUNIT_ASSERT_EQUAL(0, installation.run("signing-key rotate --first").status);
        const std::set<std::string> made = installation.kids();
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, made.size());
        const CommandResult again = installation.run("signing-key rotate --first");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(again.errors, 0, again.status);
        CPPUNIT_ASSERT_EQUAL("signing key " + *made.begin() + " is there already\n", again.output);
        CPPUNIT_ASSERT_EQUAL(std::string("null\n"),
                             installation.run("signing-key rotate --first --json").output);
        CPPUNIT_ASSERT(installation.kids() == made);
    }

    void a_rotation_that_cannot_be_recorded_is_none() {
        const Installation installation;
        const std::set<std::string> present{"20200101T000000Z-a", "20210101T000000Z-b"};
        for (const std::string& kid : present) installation.add(kid);
        installation.lose_database();
        const CommandResult refused = installation.run("signing-key rotate", "timeout 30 ");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(refused.errors, 1, refused.status);
        CPPUNIT_ASSERT(installation.kids() == present);
        installation.find_database();
        CPPUNIT_ASSERT_EQUAL(0, installation.run("signing-key rotate").status);
        CPPUNIT_ASSERT(!installation.kids().contains("20200101T000000Z-a"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, installation.kids().size());
    }

    void a_rotation_removes_keys_that_no_token_needs() {
        const Installation installation;
        for (const char* kid : {"20200101T000000Z-a", "20210101T000000Z-b"}) installation.add(kid);
        const std::string recent = keys::KeyRing::new_key().kid;
        installation.add(recent);
        const CommandResult rotated = installation.run("signing-key rotate --json");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(rotated.errors, 0, rotated.status);
        CPPUNIT_ASSERT_MESSAGE(
            rotated.output, rotated.output.find(R"("removed":["20200101T000000Z-a"])") != std::string::npos);
        const std::set<std::string> left = installation.kids();
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, left.size());
        CPPUNIT_ASSERT(left.contains("20210101T000000Z-b") && left.contains(recent));
        CPPUNIT_ASSERT(Installation::events("signing_key_removed", "20200101T000000Z-a") >= 1);
        CPPUNIT_ASSERT_EQUAL(1L, Installation::events("signing_key_made", *left.rbegin()));
        const std::string listed = installation.run("signing-key list").output;
        CPPUNIT_ASSERT_MESSAGE(listed, listed.find("20210101T000000Z-b") < listed.find("signs and verifies"));
    }

    void a_removal_is_recorded() {
        const Installation installation;
        const std::string kid = keys::KeyRing::new_key().kid;
        installation.add(kid);
        CPPUNIT_ASSERT_EQUAL(1, installation.run("signing-key remove " + kid).status);
        installation.add("20200101T000000Z-a");
        CPPUNIT_ASSERT_EQUAL(0, installation.run("signing-key remove " + kid).status);
        CPPUNIT_ASSERT(installation.kids() == std::set<std::string>{"20200101T000000Z-a"});
        CPPUNIT_ASSERT_EQUAL(1L, Installation::events("signing_key_removed", kid));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SigningKeyTest);

}  // namespace data_import::tests
