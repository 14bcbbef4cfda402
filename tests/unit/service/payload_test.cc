// The list of imports has the same members as the list of endpoints that take imports.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <string>

#include "data/payload/imports.h"
#include "data/records/kinds.h"
#include "data/schema/json_schema.h"
#include "service/api/routes.h"

namespace data_import {

namespace {

std::string described(const schema::Schema& schema) {
    json::Writer writer;
    schema::Components components;
    schema::write_openapi(writer, schema, schema::Side::request, "x", components);
    std::string text = writer.take();
    for (const auto& [name, component] : components) text += name + component;
    return text;
}

}  // namespace

class PayloadTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(PayloadTest);
    CPPUNIT_TEST(every_endpoint_of_an_import_is_listed_with_its_payload);
    CPPUNIT_TEST(every_kind_of_records_has_an_import);
    CPPUNIT_TEST(knows_no_other_paths);
    CPPUNIT_TEST_SUITE_END();

public:
    void every_endpoint_of_an_import_is_listed_with_its_payload() {
        std::size_t found = 0;
        for (const http::Endpoint& endpoint : api::endpoints({})) {
            if (endpoint.method != "POST" || endpoint.takes_lines ||
                !endpoint.path.starts_with("/v1/data-import/"))
                continue;
            const payload::DeclaredImport* const import = payload::find_import(endpoint.path);
            CPPUNIT_ASSERT_MESSAGE(std::string(endpoint.path), import != nullptr);
            CPPUNIT_ASSERT_EQUAL(described(*endpoint.body), described(import->body));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(endpoint.path), endpoint.ask == nullptr,
                                         import->in_bulk);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(endpoint.path), endpoint.stores, import->stores);
            ++found;
        }
        CPPUNIT_ASSERT_EQUAL(payload::imports().size(), found);
    }

    void every_kind_of_records_has_an_import() {
        for (const records::Kind& kind : records::kinds()) {
            const auto imports =
                std::ranges::count(payload::imports(), kind.name, &payload::DeclaredImport::stores);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(kind.name), std::ptrdiff_t{1}, imports);
        }
    }

    void knows_no_other_paths() {
        CPPUNIT_ASSERT(payload::find_import("/v1/data-import/notes/create") == nullptr);
        CPPUNIT_ASSERT(payload::find_import("/v1/data-import/bulk/") == nullptr);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(PayloadTest);

}  // namespace data_import
