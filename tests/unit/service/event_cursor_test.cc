// Cursors of events: every cursor that the service gives out can be read again, and no other text can.
#include "service/api/event_cursor.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "base/util/crypto.h"

namespace data_import::tests {

namespace {

using store::EventPlace;

}  // namespace

class EventCursorTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(EventCursorTest);
    CPPUNIT_TEST(a_cursor_is_read_back);
    CPPUNIT_TEST(a_cursor_is_good_for_one_supplier);
    CPPUNIT_TEST(a_changed_character_makes_it_none);
    CPPUNIT_TEST(other_texts_are_none);
    CPPUNIT_TEST_SUITE_END();

public:
    void a_cursor_is_read_back() {
        for (const EventPlace place :
             {EventPlace{0, 0}, EventPlace{1, 1}, EventPlace{9'000'000'000'000'000'000, 1000}}) {
            for (const char* supplier : {"ACME", "ä/ +%"}) {
                const std::string cursor = api::to_cursor(supplier, place);
                CPPUNIT_ASSERT(cursor.size() <= 64);
                CPPUNIT_ASSERT(api::parse_cursor(supplier, cursor) == place);
            }
        }
    }

    void a_cursor_is_good_for_one_supplier() {
        const std::string cursor = api::to_cursor("ACME", {7, 3});
        CPPUNIT_ASSERT(!api::parse_cursor("ACM", cursor));
        CPPUNIT_ASSERT(!api::parse_cursor("OTHER", cursor));
    }

    void a_changed_character_makes_it_none() {
        const std::string cursor = api::to_cursor("ACME", {123, 45});
        for (std::size_t index = 0; index < cursor.size(); ++index) {
            for (const char other : {'A', 'B', 'z', '0', '-', '_', '=', ' '}) {
                if (cursor[index] == other) continue;
                std::string changed = cursor;
                changed[index] = other;
                CPPUNIT_ASSERT_MESSAGE(changed, !api::parse_cursor("ACME", changed));
            }
        }
        for (std::size_t size = 0; size < cursor.size(); ++size)
            CPPUNIT_ASSERT(!api::parse_cursor("ACME", cursor.substr(0, size)));
        CPPUNIT_ASSERT(!api::parse_cursor("ACME", cursor + "A"));
        CPPUNIT_ASSERT(!api::parse_cursor("ACME", cursor + "="));
    }

    void other_texts_are_none() {
        CPPUNIT_ASSERT(!api::parse_cursor("ACME", api::to_cursor("ACME", {0, 9'223'372'036'854'775'807})));
        for (const char* text : {"", "0", "1-1", "next", "%", "AAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAA"})
            CPPUNIT_ASSERT_MESSAGE(text, !api::parse_cursor("ACME", text));
        for (const char* place :
             {"", "-", "1", "1-", "-1-1", "1--1", "01-1", "1-01", "1-1-", "99999999999999999999-1"}) {
            const auto digest = util::sha256(std::string("ACME\x1f") + place);
            const std::string made_up =
                util::to_base64url(std::string(util::bytes_of(digest).substr(0, 8)) + place);
            CPPUNIT_ASSERT_MESSAGE(place, !api::parse_cursor("ACME", made_up));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(EventCursorTest);

}  // namespace data_import::tests
