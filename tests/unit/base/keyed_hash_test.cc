// util/keyed_hash: known answers.
#include "base/util/keyed_hash.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

namespace data_import {

class KeyedHashTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(KeyedHashTest);
    CPPUNIT_TEST(is_siphash);
    CPPUNIT_TEST(depends_on_the_key);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Hashes the bytes 0, 1, 2 and so on with the key of the bytes 0 to 15, as the example of SipHash's
    /// paper and the table of its reference implementation do.
    void is_siphash() {
        const util::KeyedHash hash(0x0706050403020100U, 0x0f0e0d0c0b0a0908U);
        std::string text;
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0x726fdb47dd0e0e31U}, hash(text));
        while (text.size() < 8) text += static_cast<char>(text.size());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0x93f5f5799a932462U}, hash(text));
        while (text.size() < 15) text += static_cast<char>(text.size());
        CPPUNIT_ASSERT_EQUAL(std::uint64_t{0xa129ca6149be45e5U}, hash(text));
    }

    void depends_on_the_key() {
        CPPUNIT_ASSERT(util::KeyedHash(0, 1)("key") != util::KeyedHash(0, 2)("key"));
        CPPUNIT_ASSERT(util::KeyedHash(1, 0)("key") != util::KeyedHash(2, 0)("key"));
        CPPUNIT_ASSERT_EQUAL(util::KeyedHash::of_process()("key"), util::KeyedHash::of_process()("key"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(KeyedHashTest);

}  // namespace data_import
