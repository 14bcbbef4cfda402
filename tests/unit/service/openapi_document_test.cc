#include "service/openapi/prose.h"
#include "service/openapi/service_document.h"

#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <optional>
#include <set>

#include "data/json/reader.h"
#include "service/api/routes.h"
#include "service/http/problem.h"

namespace data_import::tests {

namespace {

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = [] {
        api::Options options;
        options.payment.vendors.emplace_back().code = "NORDPAY";  // the vendor that the examples name
        return api::endpoints(options);
    }();
    return endpoints;
}

std::set<std::string> operations_of(const json::Value& document) {
    std::set<std::string> operations;
    for (const auto& [path, item] : document.at("paths").members()) {
        for (const auto& [method, operation] : item.members())
            operations.insert(std::string(method) + ' ' + std::string(path));
    }
    return operations;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

bool is_sentence(const std::optional<json::Value>& description) {
    return description && description->text().size() > 5 && description->text().ends_with('.');
}

/// The texts of all members below `node` that have this name.
void find_texts(const json::Value& node, std::string_view wanted, std::vector<std::string>& found) {
    if (node.is(json::Type::array)) {
        for (const json::Value item : node.items()) find_texts(item, wanted, found);
    }
    if (!node.is(json::Type::object)) return;
    for (const auto& [name, member] : node.members()) {
        if (name == wanted && member.is(json::Type::string)) found.emplace_back(member.text());
        find_texts(member, wanted, found);
    }
}

std::string component_of(const std::string& reference) {
    return reference.substr(reference.rfind('/') + 1);
}

/// Adds the names of all schemas that `name` refers to, at any depth.
void follow(const json::Value& schemas, const std::string& name, std::set<std::string>& reached) {
    std::vector<std::string> references;
    find_texts(schemas.at(name), "$ref", references);
    for (const std::string& reference : references) {
        if (reached.insert(component_of(reference)).second) follow(schemas, component_of(reference), reached);
    }
}

/// Appends to `without` the path of each field below `node` whose description is missing or is no sentence. A
/// field is a member of an object `properties`. `place` is the path of `node` itself.
void find_fields_without_sentence(const json::Value& node, const std::string& place,
                                  std::vector<std::string>& without) {
    if (node.is(json::Type::array)) {
        for (const json::Value item : node.items()) find_fields_without_sentence(item, place, without);
    }
    if (!node.is(json::Type::object)) return;
    for (const auto& [name, member] : node.members()) {
        find_fields_without_sentence(member, place + '/' + std::string(name), without);
        if (name != "properties") continue;
        for (const auto& [field, schema] : member.members()) {
            if (schema.is(json::Type::object) && !is_sentence(schema.find("description")))
                without.push_back(place + '/' + std::string(field));
        }
    }
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

}  // namespace

class OpenapiDocumentTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OpenapiDocumentTest);
    CPPUNIT_TEST(has_every_endpoint);
    CPPUNIT_TEST(examples_are_valid);
    CPPUNIT_TEST(endpoints_declare_their_answers);
    CPPUNIT_TEST(answers_have_valid_examples);
    CPPUNIT_TEST(fields_have_a_sentence);
    CPPUNIT_TEST(operations_that_store_tell_when_two_records_are_the_same);
    CPPUNIT_TEST(no_schema_refers_to_itself);
    CPPUNIT_TEST(operations_tell_of_401_and_429);
    CPPUNIT_TEST(patterns_use_the_syntax_of_all_engines);
    CPPUNIT_TEST_SUITE_END();

public:
    void has_every_endpoint() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        std::set<std::string> declared;
        for (const http::Endpoint& endpoint : all_endpoints())
            declared.insert(lower(endpoint.method) + ' ' + std::string(endpoint.path));
        CPPUNIT_ASSERT(declared == operations_of(document.root()));
    }

    void examples_are_valid() {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (!endpoint.body) continue;
            const std::string path(endpoint.path);
            CPPUNIT_ASSERT_MESSAGE("no example: " + path, !openapi::example_of(endpoint).empty());
            const json::Document example = json::read(std::string(openapi::example_of(endpoint)));
            const auto found = schema::check(*endpoint.body, example.root(), schema::UnknownFields::refuse);
            CPPUNIT_ASSERT_MESSAGE(
                path + ": " + (found.empty() ? "" : found[0].attr + ": " + found[0].detail), found.empty());
        }
    }

    void endpoints_declare_their_answers() {
        for (const http::Endpoint& endpoint : all_endpoints())
            CPPUNIT_ASSERT_MESSAGE(std::string(endpoint.path), !endpoint.answers.empty());
    }

    void answers_have_valid_examples() {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            for (const http::DocumentedAnswer& answer : endpoint.answers) {
                const std::string name = std::string(endpoint.path) + ' ' + std::to_string(answer.status);
                const auto text = openapi::example_of(endpoint, std::to_string(answer.status));
                CPPUNIT_ASSERT_MESSAGE("no example of " + name, !text.empty());
                const json::Document example = json::read(std::string(text));
                const auto found = schema::check(answer.body, example.root(), schema::UnknownFields::refuse);
                CPPUNIT_ASSERT_MESSAGE(
                    name + ": " + (found.empty() ? "" : found[0].attr + ": " + found[0].detail),
                    found.empty());
            }
        }
    }

    // Looks at the fields of all objects at any depth, including objects of errors.
    void fields_have_a_sentence() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        std::vector<std::string> without;
        find_fields_without_sentence(document.root().at("components"), "", without);
        CPPUNIT_ASSERT_MESSAGE(joined(without), without.empty());
    }

    void operations_that_store_tell_when_two_records_are_the_same() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (endpoint.stores.empty()) continue;
            const json::Value operation =
                document.root().at("paths").at(endpoint.path).at(lower(endpoint.method));
            const std::string description(operation.at("description").text());
            CPPUNIT_ASSERT_MESSAGE(
                std::string(endpoint.path) + ": " + description,
                description.find(" are the same if ") < description.find(" refuses with: "));
        }
    }

    /// Several programs that read the document do not end if a schema refers to itself.
    void no_schema_refers_to_itself() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        const json::Value schemas = document.root().at("components").at("schemas");
        for (const auto& [name, schema] : schemas.members()) {
            std::set<std::string> reached;
            follow(schemas, std::string(name), reached);
            CPPUNIT_ASSERT_MESSAGE(std::string(name), !reached.contains(std::string(name)));
        }
    }

    void operations_tell_of_401_and_429() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        for (const http::Endpoint& endpoint : all_endpoints()) {
            const json::Value responses =
                document.root().at("paths").at(endpoint.path).at(lower(endpoint.method)).at("responses");
            const std::string name = std::string(endpoint.method) + ' ' + std::string(endpoint.path);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(name, endpoint.needs_token, responses.find("401").has_value());
            CPPUNIT_ASSERT_MESSAGE(name, responses.find("429").has_value());
        }
    }

    /// Some engines read a subset of ECMA-262 alone, and refuse the whole document because of one pattern.
    void patterns_use_the_syntax_of_all_engines() {
        const json::Document document = json::read(openapi::document(all_endpoints()));
        std::vector<std::string> patterns;
        find_texts(document.root(), "pattern", patterns);
        CPPUNIT_ASSERT(patterns.size() > 100);
        for (const std::string& pattern : patterns) {
            CPPUNIT_ASSERT_MESSAGE(pattern, pattern.find("(?") == std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(pattern, pattern.find("\\u") == std::string::npos);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OpenapiDocumentTest);

}  // namespace data_import::tests
