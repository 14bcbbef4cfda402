#include "base/util/token_bucket.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

namespace data_import::tests {

using namespace std::chrono_literals;

class TokenBucketTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TokenBucketTest);
    CPPUNIT_TEST(gives_an_amount_at_once_and_more_with_time);
    CPPUNIT_TEST(what_was_spent_too_much_is_paid_with_time);
    CPPUNIT_TEST_SUITE_END();

public:
    void gives_an_amount_at_once_and_more_with_time() {
        util::TokenBucket bucket(3, 0.5);
        const auto takes = [&](Time now) {
            int taken = 0;
            while (bucket.take_one(now)) ++taken;
            return taken;
        };
        CPPUNIT_ASSERT_EQUAL(3, takes(begin));
        CPPUNIT_ASSERT_EQUAL(0, takes(begin + 1s));
        CPPUNIT_ASSERT_EQUAL(1, takes(begin + 2s));
        CPPUNIT_ASSERT_EQUAL(2, takes(begin + 6s));
        CPPUNIT_ASSERT_EQUAL(3, takes(begin + 1h));
    }

    void what_was_spent_too_much_is_paid_with_time() {
        util::TokenBucket bucket(1, 0.25);
        CPPUNIT_ASSERT(bucket.has_room(begin));
        bucket.spend(2);
        CPPUNIT_ASSERT(!bucket.has_room(begin + 4s));
        CPPUNIT_ASSERT(bucket.has_room(begin + 5s));
        CPPUNIT_ASSERT(bucket.has_room(begin + 1h));
        bucket.spend(1);
        CPPUNIT_ASSERT(!bucket.has_room(begin + 1h));
    }

private:
    using Time = util::TokenBucket::Time;

    const Time begin{1h};
};

CPPUNIT_TEST_SUITE_REGISTRATION(TokenBucketTest);

}  // namespace data_import::tests
