// Tests of columns_of(): it turns the items of an array in a payload into columns, which import functions (of
// notes, transactions and amounts, for example) take as parameters.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../array_elements.h"
#include "data/json/reader.h"
#include "data/payload/declarations.h"
#include "data/store/columns.h"

namespace data_import::tests {

namespace {

/// Returns a line for each column.
std::string lines_of(std::vector<database::ArrayBinary>& columns) {
    std::string lines;
    for (database::ArrayBinary& column : columns) lines += elements_of(column.take()) + '\n';
    return lines;
}

store::Columns split(const schema::Schema& item, const std::string& items) {
    const json::Document document = json::read(items);
    return store::columns_of(item, document.root());
}

}  // namespace

class ColumnsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ColumnsTest);
    CPPUNIT_TEST(declared_fields_in_their_order_are_columns);
    CPPUNIT_TEST(a_variant_has_the_columns_of_all_its_forms);
    CPPUNIT_TEST(lists_of_objects_are_rows_of_their_own);
    CPPUNIT_TEST(how_decimals_were_written_is_kept_where_it_is_unusual);
    CPPUNIT_TEST_SUITE_END();

public:
    void declared_fields_in_their_order_are_columns() {
        using namespace schema;
        const Array paths = array(object().need("document_path", text(1, 99))).columns("document_paths");
        store::Columns columns = split(
            object()
                .may("body", text(1, 99))
                .may("document_paths", paths)
                .may("created_at", datetime())
                .may("is_pinned", boolean()),
            R"([{"is_pinned":true,"body":"b"},{"document_paths":[{"document_path":"a b"},{"document_path":"c"}]}])");
        CPPUNIT_ASSERT_EQUAL(std::string("b|NULL\nNULL|{\"a b\",c}\nNULL|NULL\nt|NULL\n"),
                             lines_of(columns.columns));
        CPPUNIT_ASSERT(columns.parts.empty());
    }

    /// columns_of() also drops fields that the item's form does not declare, such as `reference` of a CREDIT.
    /// A payload may have such fields if the setting unknown_fields is `ignore`.
    void a_variant_has_the_columns_of_all_its_forms() {
        store::Columns columns = split(payload::transaction(), R"([
            {"transaction_id":"1","transaction_date":"2024-05-01","amount":"1.50","type":"CREDIT","reason":"R",
             "reference":"dropped","tax_items":[{}]},
            {"type":"PAYMENT","transaction_id":"2","transaction_date":"2024-05-02","amount":2,"reference":"r"},
            {"type":"CHARGE","transaction_id":"3","transaction_date":"2024-05-03","amount":3,"reason":"R",
             "tax_items":[]}])");
        CPPUNIT_ASSERT_EQUAL(std::string("CREDIT|PAYMENT|CHARGE\n1|2|3\n2024-05-01|2024-05-02|2024-05-03\n"
                                         "1.5|2|3\nNULL|NULL|NULL\nR|NULL|R\nNULL|NULL|NULL\nf|f|t\n"
                                         "NULL|r|NULL\nNULL|NULL|NULL\nNULL|NULL|NULL\n"),
                             lines_of(columns.columns));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, columns.parts.size());
        for (store::Columns::Part& part : columns.parts) CPPUNIT_ASSERT(part.owners.empty());
    }

    void lists_of_objects_are_rows_of_their_own() {
        const std::string any =
            R"("type":"SUPPLY_CHARGE","transaction_date":"2024-05-01","amount":1,"product_code":"P",)";
        const std::string line =
            R"({"start_date":"2024-05-01","end_date":"2024-05-02","number_of_units":"1","net_amount":"2")";
        store::Columns columns =
            split(payload::transaction(), "[{" + any + R"("transaction_id":"1","line_items":[)" + line +
                                              "}," + line + R"(,"units":["1.50","0"],"rate_band":"B"}]},{)" +
                                              any + R"("transaction_id":"2","line_items":[)" + line + "}]}]");
        CPPUNIT_ASSERT(columns.parts[0].owners.empty());
        CPPUNIT_ASSERT((std::vector<std::size_t>{1, 1, 2} == columns.parts[1].owners));
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                "0|1|0\n2024-05-01|2024-05-01|2024-05-01\n2024-05-02|2024-05-02|2024-05-02\n1|1|1\n2|2|2\n"
                "NULL|NULL|NULL\nNULL|B|NULL\nNULL|{1.50,0}|NULL\nNULL|NULL|NULL\n"),
            lines_of(columns.parts[1].columns));
    }

    void how_decimals_were_written_is_kept_where_it_is_unusual() {
        const std::string any =
            R"({"type":"CHARGE","transaction_date":"2024-05-01","amount":1,"reason":"R","transaction_id":"1",)";
        const auto tax = [](const std::string& amount, const std::string& rate) {
            return R"({"tax_type":"VAT","unit_type":"PROPORTION","value_taxed":3,"amount":)" + amount +
                   R"(,"rate":)" + rate + '}';
        };
        store::Columns columns =
            split(payload::transaction(),
                  '[' + any + R"("tax_items":[)" + tax("1", "0.19") + ',' + tax("1e1", "\"0.19\"") + "]}]");
        CPPUNIT_ASSERT_EQUAL(std::string("#|[1e1,3,\"0.19\"]"),
                             elements_of(columns.parts[0].columns.back().take()));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ColumnsTest);

}  // namespace data_import::tests
