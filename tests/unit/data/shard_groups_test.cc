// The hash by which Citus spreads accounts over nodes, and the calls that the service sends to these nodes.
#include "data/store/shard_groups.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "data/database/conninfo.h"
#include "data/store/import.h"

namespace data_import {

class ShardGroupsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ShardGroupsTest);
    CPPUNIT_TEST(accounts_have_the_hash_that_postgresql_gives_them);
    CPPUNIT_TEST(other_texts_have_none);
    CPPUNIT_TEST(calls_name_the_schema_of_the_group);
    CPPUNIT_TEST(nodes_are_reached_with_the_same_parameters);
    CPPUNIT_TEST_SUITE_END();

public:
    /// The expected hashes are results of SELECT uuid_hash('...').
    void accounts_have_the_hash_that_postgresql_gives_them() {
        const std::pair<const char*, std::int32_t> hashes[] = {
            {"00000000000000000000000000000000", 1353656403},
            {"ffffffffffffffffffffffffffffffff", -682383255},
            {"00112233445566778899aabbccddeeff", 776152245},
            {"d41d8cd98f00b204e9800998ecf8427e", -1008673409},
            {"9c3bb1a27f604c5eb2aa0123456789ab", -723608363},
        };
        for (const auto& [key, hash] : hashes)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(key, hash, store::hash_of_account(key));
    }

    void other_texts_have_none() {
        for (const char* text :
             {"", "00", "0000000000000000000000000000000g", "00000000-0000-0000-0000-000000000000"})
            CPPUNIT_ASSERT_THROW_MESSAGE(text, static_cast<void>(store::hash_of_account(text)),
                                         std::invalid_argument);
    }

    void calls_name_the_schema_of_the_group() {
        const database::Call call =
            store::lock_accounts({store::account_key("ACME", "1")}, "data_import_102008");
        CPPUNIT_ASSERT_EQUAL(std::string("lock_accounts@data_import_102008"), call.name);
        CPPUNIT_ASSERT(call.sql.find("unnest(data_import_102008.try_lock_accounts($1))") !=
                       std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string("lock_accounts"),
                             store::lock_accounts({store::account_key("ACME", "1")}).name);
    }

    void nodes_are_reached_with_the_same_parameters() {
        CPPUNIT_ASSERT_EQUAL(
            std::string("dbname=d host=worker1.example.com port=5433 user=u"),
            database::conninfo_at("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2 dbname=d user=u",
                                  "worker1.example.com", 5433));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ShardGroupsTest);

}  // namespace data_import
