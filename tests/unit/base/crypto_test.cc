// util/crypto: the results of published examples, and texts that are refused.
#include "base/util/crypto.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

struct Digest {
    std::string bytes;
    std::string hexadecimal;
};

// FIPS 180-4's examples.
const std::vector<Digest> digests = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};

struct Encoding {
    std::string bytes;
    std::string text;
};

// The examples of RFC 4648, section 10, without padding, and the two characters that differ from base64.
const std::vector<Encoding> encodings = {{"", ""},
                                         {"f", "Zg"},
                                         {"fo", "Zm8"},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg"},
                                         {"fooba", "Zm9vYmE"},
                                         {"foobar", "Zm9vYmFy"},
                                         {"\xFB\xFF\xBF", "-_-_"},
                                         {std::string(3, '\0'), "AAAA"}};

const std::vector<std::string> no_base64url = {"Zg==",     "Z",    "Zm9vY", "Zh",  "Zm9",
                                               "Zm9v+",    "Zm9/", "Zm 9",  "Zg=", "Zm\n9",
                                               "\xC3\xA4", "Zm8=", "AAAAA", "=",   "Zg=a"};

}  // namespace

class CryptoTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CryptoTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_digests);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_encodings);
    CPPUNIT_TEST(takes_all_bytes_there_and_back);
    CPPUNIT_TEST(gives_different_random_bytes);
    CPPUNIT_TEST(compares);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_digests(TestSuiteBuilderContextType& context) {
        for (const Digest& row : digests) {
            tests::add_row(context, "SHA-256 " + row.bytes, [row] {
                const util::Sha256 digest = util::sha256(row.bytes);
                CPPUNIT_ASSERT_EQUAL(row.hexadecimal, util::to_hex(util::bytes_of(digest)));
            });
        }
    }

    static void add_encodings(TestSuiteBuilderContextType& context) {
        for (const Encoding& row : encodings) {
            tests::add_row(context, "base64url " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.text, util::to_base64url(row.bytes));
                CPPUNIT_ASSERT(util::from_base64url(row.text) == row.bytes);
            });
        }
        for (const std::string& text : no_base64url) {
            tests::add_row(context, "no base64url " + text,
                           [text] { CPPUNIT_ASSERT(!util::from_base64url(text)); });
        }
    }

    void takes_all_bytes_there_and_back() {
        std::string bytes;
        for (int byte = 0; byte < 256; ++byte) {
            bytes += static_cast<char>(byte);
            CPPUNIT_ASSERT(util::from_base64url(util::to_base64url(bytes)) == bytes);
        }
    }

    void gives_different_random_bytes() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, util::random_bytes(32).size());
        CPPUNIT_ASSERT(util::random_bytes(32) != util::random_bytes(32));
        CPPUNIT_ASSERT(util::random_bytes(0).empty());
    }

    void compares() {
        CPPUNIT_ASSERT(util::equal_in_constant_time("", ""));
        CPPUNIT_ASSERT(util::equal_in_constant_time("secret", "secret"));
        CPPUNIT_ASSERT(!util::equal_in_constant_time("secret", "secreT"));
        CPPUNIT_ASSERT(!util::equal_in_constant_time("secret", "secret1"));
        CPPUNIT_ASSERT(!util::equal_in_constant_time("", "a"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CryptoTest);

}  // namespace data_import
