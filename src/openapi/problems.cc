#include "openapi/problems.h"

#include <algorithm>

#include "http/idempotency_key.h"
#include "json/writer.h"
#include "schema/json_schema.h"

namespace data_import::openapi {

namespace {

using codes::Row;
using http::Endpoint;

bool declares(const Endpoint& endpoint, Code code) {
    return std::ranges::find(endpoint.problems, code) != endpoint.problems.end();
}

bool can_answer(const Endpoint& endpoint, const Row& kind) {
    switch (kind.code) {
        case Code::parse_error:
        case Code::unsupported_media_type:
            return endpoint.body.has_value();
        case Code::validation_error:
            return endpoint.body.has_value() || !endpoint.query.empty();
        case Code::not_authenticated:
        case Code::authentication_failed:
        case Code::token_expired:
            return endpoint.needs_token;
        case Code::account_not_found:
            return endpoint.supplier == http::SupplierIn::body;
        case Code::not_found:
            return endpoint.supplier == http::SupplierIn::first_segment;
        case Code::request_in_progress:
        case Code::idempotency_key_reused:
            return http::takes_idempotency_key(endpoint);
        default:
            // those of a payment vendor belong to the endpoints that declare them
            return !kind.name.starts_with("vendor_") || declares(endpoint, kind.code);
    }
}

http::Problem sample_of(const Row& kind) {
    if (kind.code != Code::validation_error) return {.code = kind.code};
    return http::validation_error({{.attr = "import_supplier",
                                    .code = Code::required,
                                    .detail = "The field import_supplier is required."}});
}

std::vector<std::string_view> headers_of(const Row& kind) {
    if (kind.code == Code::method_not_allowed) return {"Allow"};
    if (kind.header.empty()) return {};
    return {kind.header};
}

std::string text_of_response(const std::vector<const Row*>& problems) {
    json::Writer writer;
    writer.begin_object().key("description").string(codes_and_details(problems));
    writer.key("headers").raw(headers_reference(headers_of(*problems.front())));
    writer.key("content").begin_object().key("application/json").begin_object();
    writer.key("schema").begin_object().key("$ref").string("#/components/schemas/Error");
    writer.key("properties").begin_object().key("code").begin_object().key("enum").begin_array();
    for (const Row* kind : problems) writer.string(kind->name);
    writer.end_array().end_object().end_object().end_object();
    writer.key("examples").begin_object();
    for (const Row* kind : problems) {
        writer.key(kind->name).begin_object().key("value");
        writer.raw(http::render(sample_of(*kind)).body).end_object();
    }
    writer.end_object().end_object().end_object().end_object();
    return writer.take();
}

void write_codes(json::Writer& writer, std::span<const Row> rows) {
    writer.key("type").string("string").key("enum").begin_array();
    for (const Row& row : rows) writer.string(row.name);
    writer.end_array();
}

void write_text_field(json::Writer& writer, std::string_view name, std::string_view description) {
    writer.key(name).begin_object().key("type").string("string");
    writer.key("description").string(description).end_object();
}

}  // namespace

std::map<int, std::vector<const Row*>> problems_of(const Endpoint& endpoint) {
    std::map<int, std::vector<const Row*>> problems;
    for (const Row& kind : codes::of_answers()) {
        if (can_answer(endpoint, kind)) problems[kind.status].push_back(&kind);
    }
    return problems;
}

std::string codes_and_details(const std::vector<const Row*>& problems) {
    std::string description;
    for (const Row* kind : problems) {
        if (!description.empty()) description += ' ';
        description.append("`").append(kind->name).append("`: ").append(kind->detail);
    }
    return description;
}

std::string problem_response(const std::vector<const Row*>& problems, Texts& responses) {
    std::string name;
    for (const Row* kind : problems) name += schema::camel_case(kind->name);
    if (!responses.contains(name)) responses.emplace(name, text_of_response(problems));
    return name;
}

std::vector<Code> general_item_codes(const Endpoint& endpoint) {
    if (endpoint.supplier != http::SupplierIn::body) return {};
    return {Code::import_supplier_migration_not_ongoing};
}

std::string error_schema() {
    json::Writer writer;
    writer.begin_object().key("type").string("object").key("properties").begin_object();
    write_text_field(writer, "detail", "A sentence for people; its wording may change.");
    writer.key("code").begin_object();
    write_codes(writer, codes::of_answers());
    writer.end_object().key("errors").begin_object().key("type").string("array").key("maxItems").integer(100);
    writer.key("items").begin_object().key("type").string("object").key("properties").begin_object();
    write_text_field(writer, "detail", "A sentence that names the limit or the allowed values.");
    writer.key("code").begin_object();
    write_codes(writer, codes::of_items());
    writer.end_object();
    write_text_field(writer, "attr", "Path to the value: field names and zero-based indexes between dots.");
    writer.end_object().key("required").raw(R"(["detail", "code", "attr"])").end_object().end_object();
    writer.end_object().key("required").raw(R"(["detail", "code", "errors"])").end_object();
    return writer.take();
}

std::string codes_section() {
    std::string text = "\n## Codes of errors\n| code | status | meaning | what to do |\n|---|---|---|---|\n";
    for (const Row& row : codes::all()) {
        text.append("| `").append(row.name).append("` | ");
        text.append(row.is_of_item() ? "item" : std::to_string(row.status)).append(" | ");
        text.append(row.meaning).append(" | ").append(row.action).append(" |\n");
    }
    return text;
}

std::string headers_reference(const std::vector<std::string_view>& more) {
    json::Writer writer;
    writer.begin_object();
    std::vector<std::string_view> names = {"X-Request-Id"};
    names.insert(names.end(), more.begin(), more.end());
    for (const std::string_view name : names) {
        writer.key(name).begin_object();
        writer.key("$ref").string("#/components/headers/" + std::string(name)).end_object();
    }
    writer.end_object();
    return writer.take();
}

}  // namespace data_import::openapi
