// The largest valid payloads with the shortest values: the limits on the number of JSON values must accept
// them.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../../schema_summary.h"
#include "data/payload/declarations.h"
#include "service/api/endpoints.h"

namespace data_import::tests {

namespace {

constexpr std::size_t most_bytes = std::size_t{10} << 20U;

std::string list_of(const std::string& item, std::size_t count) {
    return "[" + item + repeated("," + item, count - 1) + "]";
}

void check_good(const schema::Schema& schema, const std::string& payload) {
    CPPUNIT_ASSERT(payload.size() > most_bytes * 9 / 10 && payload.size() <= most_bytes);
    CPPUNIT_ASSERT_EQUAL(std::string(), summary(schema, payload));
}

}  // namespace

class LargePayloadTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LargePayloadTest);
    CPPUNIT_TEST(takes_price_sheets);
    CPPUNIT_TEST(takes_transactions);
    CPPUNIT_TEST_SUITE_END();

public:
    void takes_price_sheets() {
        const std::string price = R"({"article_id":"a","price_cents":1,"interval_zone":{}})";
        const std::string sheet =
            R"({"market_participant_code":1,"price_sheet_type":"a","document_number":"1",)"
            R"("active_from":"2024-01-01T00:00:00Z","external_id":"1","article_prices":)" +
            list_of(price, 10'000) + "}";
        check_good(*api::market_participant_fees_import().body,
                   R"({"price_sheets":)" + list_of(sheet, 19) + "}");
    }

    void takes_transactions() {
        const std::string line =
            R"({"start_date":"2024-01-01","end_date":"2024-01-01","number_of_units":1,"net_amount":1,"units":[1,2]})";
        std::string items;
        for (int number = 0; number < 102; ++number) {
            (items += items.empty() ? "" : ",") +=
                R"({"transaction_id":")" + std::to_string(number) +
                R"(","transaction_date":"2024-01-01","amount":1,)"
                R"("type":"SUPPLY_CHARGE","product_code":"a","line_items":)" +
                list_of(line, 1000) + "}";
        }
        check_good(payload::transactions(),
                   R"({"import_supplier":"a","external_account_number":"1","transactions":[)" + items + "]}");
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LargePayloadTest);

}  // namespace data_import::tests
