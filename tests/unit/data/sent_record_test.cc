// database::read_sent_record: reads the bytes that PostgreSQL's record_send writes.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "data/database/binary_values.h"

namespace data_import {

namespace {

using std::string_literals::operator""s;

/// The bytes of ROW(7, NULL::text, ''::text).
const std::string record = std::string("\0\0\0\3", 4) + std::string("\0\0\0\x17\0\0\0\4\0\0\0\7", 12) +
                           std::string("\0\0\0\x19\xff\xff\xff\xff", 8) +
                           std::string("\0\0\0\x19\0\0\0\0", 8);

}  // namespace

class SentRecordTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(SentRecordTest);
    CPPUNIT_TEST(columns_are_read);
    CPPUNIT_TEST(other_bytes_are_refused);
    CPPUNIT_TEST_SUITE_END();

public:
    void columns_are_read() {
        std::vector<database::BinaryValue> columns(5);
        database::read_sent_record(record, columns);
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, columns.size());
        CPPUNIT_ASSERT_EQUAL(std::int64_t{7}, database::binary_integer(columns[0].value()));
        CPPUNIT_ASSERT(!columns[1]);
        CPPUNIT_ASSERT_EQUAL(std::string(), std::string(columns[2].value()));
    }

    void other_bytes_are_refused() {
        std::vector<database::BinaryValue> columns;
        for (const std::string& row :
             {std::string(), record + '\0', record.substr(0, record.size() - 1), "\0\0\0\1"s})
            CPPUNIT_ASSERT_THROW(database::read_sent_record(row, columns), std::logic_error);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(SentRecordTest);

}  // namespace data_import
