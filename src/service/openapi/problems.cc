#include "service/openapi/problems.h"

#include <algorithm>

#include "data/json/writer.h"
#include "data/schema/json_schema.h"

namespace data_import::openapi {

namespace {

using codes::CodeRow;
using http::Endpoint;

bool declares(const Endpoint& endpoint, Code code) {
    return std::ranges::find(endpoint.problems, code) != endpoint.problems.end();
}

bool is_of_vendor(const CodeRow& kind) {
    return kind.name.starts_with("vendor_");
}

/// Returns true for problems that are the same at every endpoint. Returns false for status 400 and 404 and
/// for problems of payment vendors, because endpoints describe these in more detail.
bool is_general(const CodeRow& kind) {
    return kind.status != 400 && kind.status != 404 && !is_of_vendor(kind);
}

/// Returns true for the problem that only browsers of operators get, from nginx or from the endpoint of an
/// act.
bool is_of_operators(const CodeRow& kind) {
    return kind.code == Code::cross_site_request;
}

/// Returns true for 401 and 429. Each operation of the document lists these statuses itself, because clients
/// act on them, and programs that read the document look for them in the operation.
bool is_told_at_operations(const CodeRow& kind) {
    return kind.status == 401 || kind.status == 429;
}

bool can_answer(const Endpoint& endpoint, const CodeRow& kind) {
    if (is_told_at_operations(kind)) return kind.status != 401 || endpoint.needs_token;
    switch (kind.code) {
        case Code::parse_error:
            return endpoint.body.has_value();
        case Code::account_not_found:
            return endpoint.supplier == http::SupplierIn::body;
        case Code::not_found:
            return endpoint.supplier == http::SupplierIn::first_segment || declares(endpoint, kind.code);
        default:
            // problems of a payment vendor belong to the endpoints that declare them
            return is_of_vendor(kind) ? declares(endpoint, kind.code) : !is_general(kind);
    }
}

http::Problem sample_of(const CodeRow& kind) {
    if (kind.code != Code::validation_error) return {.code = kind.code};
    return http::validation_error({{.attr = "import_supplier",
                                    .code = Code::required,
                                    .detail = "The field import_supplier is required."}});
}

std::vector<std::string_view> headers_of(const std::vector<const CodeRow*>& problems) {
    std::vector<std::string_view> headers;
    const auto add = [&headers](std::string_view header) {
        if (!header.empty() && std::ranges::find(headers, header) == headers.end()) headers.push_back(header);
    };
    for (const CodeRow* kind : problems) {
        add(kind->header);
        if (kind->code == Code::method_not_allowed) add("Allow");
        if (kind->code == Code::unsupported_media_type) {
            add("Accept");
            add("Accept-Encoding");
        }
    }
    return headers;
}

std::string text_of_response(std::string_view description, const std::vector<const CodeRow*>& problems) {
    json::Writer writer;
    writer.begin_object().key("description").string(description);
    writer.key("headers").raw(headers_reference(headers_of(problems)));
    writer.key("content").begin_object().key("application/json").begin_object();
    writer.key("schema").begin_object().key("$ref").string("#/components/schemas/Error");
    writer.key("properties").begin_object().key("code").begin_object();
    writer.key("description")
        .string("Kind of the error; never changes its meaning.")
        .key("enum")
        .begin_array();
    for (const CodeRow* kind : problems) writer.string(kind->name);
    writer.end_array().end_object().end_object().end_object();
    writer.key("examples").begin_object();
    for (const CodeRow* kind : problems) {
        writer.key(kind->name).begin_object().key("value");
        writer.raw(http::render(sample_of(*kind)).body).end_object();
    }
    writer.end_object().end_object().end_object().end_object();
    return writer.take();
}

}  // namespace

std::vector<const CodeRow*> general_problems() {
    std::vector<const CodeRow*> problems;
    for (const CodeRow& kind : codes::of_answers()) {
        if (is_general(kind) && !is_told_at_operations(kind) && !is_of_operators(kind))
            problems.push_back(&kind);
    }
    return problems;
}

std::map<int, std::vector<const CodeRow*>> problems_of(const Endpoint& endpoint) {
    std::map<int, std::vector<const CodeRow*>> problems;
    for (const CodeRow& kind : codes::of_answers()) {
        if (can_answer(endpoint, kind)) problems[kind.status].push_back(&kind);
    }
    // validation_error is the most frequent problem, so it stands first
    for (auto& [status, kinds] : problems)
        std::stable_partition(kinds.begin(), kinds.end(),
                              [](const CodeRow* kind) { return kind->code == Code::validation_error; });
    return problems;
}

std::string codes_and_details(const std::vector<const CodeRow*>& problems) {
    std::string description;
    for (const CodeRow* kind : problems) {
        if (!description.empty()) description += ' ';
        description.append("`").append(kind->name).append("`: ").append(kind->detail);
    }
    return description;
}

std::string problem_response(const std::vector<const CodeRow*>& problems, Texts& responses) {
    std::string name;
    for (const CodeRow* kind : problems) name += schema::camel_case(kind->name);
    if (!responses.contains(name))
        responses.emplace(name, text_of_response(codes_and_details(problems), problems));
    return name;
}

std::string general_response() {
    return text_of_response(
        "A refusal that every endpoint can give: 405, 408, 409, 413, 414, 415, 422, 431, 500, 502, 503 or "
        "504. See \"Refusals at every address\" in the description of this document.",
        general_problems());
}

std::vector<Code> general_item_codes(const Endpoint& endpoint) {
    if (endpoint.supplier != http::SupplierIn::body) return {};
    return {Code::import_supplier_migration_not_ongoing};
}

CodeRows code_rows() {
    CodeRows rows;
    for (const CodeRow& row : codes::all()) {
        std::string& table = row.is_of_item()  ? rows.of_items
                             : is_general(row) ? rows.general
                                               : rows.specific;
        table.append(table.empty() ? "| " : "\n| ");
        table.append(row.is_of_item() ? "" : std::to_string(row.status) + " | ");
        table.append("`").append(row.name).append("` | ");
        table.append(row.meaning).append(" | ").append(row.action).append(" |");
    }
    return rows;
}

std::string headers_reference(std::vector<std::string_view> more) {
    json::Writer writer;
    writer.begin_object();
    more.insert(more.begin(), "X-Request-Id");
    for (const std::string_view name : more) {
        writer.key(name).begin_object();
        writer.key("$ref").string("#/components/headers/" + std::string(name)).end_object();
    }
    writer.end_object();
    return writer.take();
}

}  // namespace data_import::openapi
