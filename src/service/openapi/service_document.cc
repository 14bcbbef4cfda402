#include "service/openapi/service_document.h"

#include <algorithm>

#include "base/texts/texts.h"
#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/readable.h"
#include "base/util/text.h"
#include "base/util/version.h"
#include "data/json/syntax.h"
#include "data/json/writer.h"
#include "data/schema/json_schema.h"
#include "service/http/dry_run.h"
#include "service/http/idempotency_key.h"
#include "service/http/router.h"
#include "service/openapi/problems.h"
#include "service/openapi/prose.h"

namespace data_import::openapi {

namespace {

using http::Endpoint;

std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        if (slash > 0) segments.push_back(path.substr(0, slash));
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return segments;
}

/// Returns `notes_create` for `/v1/data-import/notes/create/`.
std::string operation_id(std::string_view path) {
    std::string id;
    for (const std::string_view segment : segments_of(path)) {
        if (http::is_value(segment) || segment == "v1" || segment == "data-import") continue;
        id.append(id.empty() ? "" : "_").append(segment);
    }
    std::ranges::replace_if(
        id, [](char character) { return character == '-' || character == '.'; }, '_');
    return id;
}

/// Returns a sentence with the codes that an item in `errors` can have for a rule of the endpoint, and not
/// for the check of a single field. Returns an empty text if the endpoint has no such codes.
std::string further_codes(const Endpoint& endpoint) {
    std::vector<Code> codes = general_item_codes(endpoint);
    codes.insert(codes.end(), endpoint.rule_codes.begin(), endpoint.rule_codes.end());
    if (codes.empty()) return "";
    return "Besides the checks of single fields, this endpoint refuses with: " +
           util::joined(codes, [](Code code) { return '`' + std::string(codes::name_of(code)) + '`'; }) + '.';
}

/// Returns the description of an operation. It says when two records are the same, and names the codes of the
/// operation's rules. If the operation has neither, returns its summary.
std::string description_of(const Endpoint& endpoint) {
    std::string description(endpoint.identity);
    const std::string codes = further_codes(endpoint);
    if (!description.empty() && !codes.empty()) description += ' ';
    description += codes;
    return description.empty() ? std::string(endpoint.summary) : description;
}

/// Returns the description of the whole document: everything that a client has to know before it looks at a
/// single endpoint.
std::string description() {
    namespace limits = util::limits;
    const CodeRows codes = code_rows();
    return texts::filled(texts::openapi,
                         {{"GENERAL_CODES", codes.general},
                          {"SPECIFIC_CODES", codes.specific},
                          {"ITEM_CODES", codes.of_items},
                          {"BODY", util::size_text(limits::body)},
                          {"SHORT_BODY", util::size_text(limits::short_body)},
                          {"BULK_LINES", util::grouped(limits::bulk_lines)},
                          {"BULK_BODY", util::size_text(limits::bulk_body)},
                          {"STORED_TRANSACTIONS", util::size_text(limits::stored_transactions)},
                          {"LONGEST_BODIES", util::grouped(limits::longest_bodies)},
                          {"NEVER_REFUSED", util::grouped(limits::never_refused)},
                          {"WAITING_BODIES", util::size_text(limits::waiting_bodies)},
                          {"BULK_WAIT", util::grouped(limits::bulk_wait.count())},
                          {"LEAST_RATE", util::size_text(limits::least_rate)},
                          {"VIOLATIONS", util::grouped(schema::max_violations)},
                          {"JSON_LEVELS", util::grouped(json::max_nesting)},
                          {"JSON_MEMBERS", util::grouped(json::max_members)},
                          {"JSON_NODES", util::grouped(json::max_nodes(0))}});
}

class DocumentWriter {
public:
    explicit DocumentWriter(const std::vector<Endpoint>& endpoints) : endpoints_(endpoints) {}

    std::string write() {
        writer_.begin_object().key("openapi").string("3.1.0");
        write_info();
        writer_.key("servers").raw(R"([{"url": "/", "description": "This server"}])");
        write_tags();
        write_paths();
        write_components();
        writer_.end_object();
        return writer_.take();
    }

private:
    void write_info() {
        writer_.key("info").begin_object().key("title").string("Account data import");
        writer_.key("version").string(util::version);
        writer_.key("description").string(description());
        writer_.key("contact").raw(R"({"name": "The operator of the platform, who gives out the API keys"})");
        writer_.key("license").raw(R"({"name": "Apache-2.0", "identifier": "Apache-2.0"})").end_object();
    }

    void write_tags() {
        std::vector<std::string_view> written;
        writer_.key("tags").begin_array();
        for (const Endpoint& endpoint : endpoints_) {
            const Tag& tag = tag_of(endpoint);
            if (std::ranges::find(written, tag.name) != written.end()) continue;
            written.push_back(tag.name);
            writer_.begin_object().key("name").string(tag.name);
            writer_.key("description").string(tag.description).end_object();
        }
        writer_.end_array();
    }

    /// Writes the paths. Endpoints of one path stand together, at the place of the first.
    void write_paths() {
        std::vector<std::string_view> written;
        writer_.key("paths").begin_object();
        for (const Endpoint& first : endpoints_) {
            if (std::ranges::find(written, first.path) != written.end()) continue;
            written.push_back(first.path);
            writer_.key(first.path).begin_object();
            for (const Endpoint& endpoint : endpoints_) {
                if (endpoint.path == first.path) write_operation(endpoint, &endpoint == &first);
            }
            writer_.end_object();
        }
        writer_.end_object();
    }

    void write_operation(const Endpoint& endpoint, bool first_of_path) {
        const std::string method = util::lowered(endpoint.method);
        const std::string id = (first_of_path ? "" : method + '_') + operation_id(endpoint.path);
        writer_.key(method).begin_object().key("operationId").string(id);
        writer_.key("tags").begin_array().string(tag_of(endpoint).name).end_array();
        writer_.key("summary").string(endpoint.summary);
        writer_.key("description").string(description_of(endpoint));
        writer_.key("security").raw(endpoint.needs_token ? security_requirement() : "[]");
        write_parameters(endpoint);
        if (endpoint.body) write_request_body(endpoint, schema::camel_case(id) + "Request");
        write_responses(endpoint, schema::camel_case(id) + "Answer");
        writer_.end_object();
    }

    void write_parameters(const Endpoint& endpoint) {
        writer_.key("parameters").begin_array();
        for (const std::string_view segment : segments_of(endpoint.path)) {
            if (http::is_value(segment)) write_path_parameter(segment.substr(1, segment.size() - 2));
        }
        for (const http::QueryParameter& parameter : endpoint.query) {
            begin_parameter("query", parameter.name, parameter.description);
            write_type(parameter);
            writer_.end_object();
        }
        if (http::takes_idempotency_key(endpoint)) write_idempotency_key();
        writer_.end_array();
    }

    void write_type(const http::QueryParameter& parameter) {
        writer_.key("schema").begin_object();
        if (parameter.range) {
            writer_.key("type").string("integer").key("minimum").integer(parameter.range->min);
            writer_.key("maximum").integer(parameter.range->max);
            writer_.key("default").integer(parameter.range->default_value);
        } else if (parameter.is_text) {
            writer_.key("type").string("string");
        } else if (parameter.choices.empty()) {
            writer_.key("type").string("boolean").key("default").boolean(parameter.default_value);
        } else {
            writer_.key("type").string("string").key("enum").begin_array();
            for (const std::string_view choice : parameter.choices) writer_.string(choice);
            writer_.end_array().key("default").string(parameter.choices.front());
        }
        writer_.end_object();
    }

    void write_idempotency_key() {
        begin_parameter("header", "Idempotency-Key", idempotency_key_description());
        writer_.key("schema").begin_object().key("type").string("string");
        writer_.key("minLength").integer(1).end_object().end_object();
    }

    void write_path_parameter(std::string_view name) {
        const PathParameter& parameter = path_parameter(name);
        begin_parameter("path", name, parameter.description);
        writer_.key("required").boolean(true).key("schema").begin_object().key("type").string("string");
        writer_.key("minLength").integer(1).key("maxLength");
        writer_.integer(static_cast<std::int64_t>(parameter.max_length)).end_object().end_object();
    }

    void begin_parameter(std::string_view place, std::string_view name, std::string_view description) {
        writer_.begin_object().key("name").string(name).key("in").string(place);
        writer_.key("description").string(description);
    }

    void write_request_body(const Endpoint& endpoint, const std::string& name) {
        add_schema(name, *endpoint.body, schema::Side::request);
        writer_.key("requestBody").begin_object().key("required").boolean(true);
        writer_.key("content").begin_object();
        writer_.key(endpoint.takes_lines ? "application/x-ndjson" : "application/json").begin_object();
        writer_.key("schema").raw(schema_reference(name));
        write_example(example_of(endpoint));
        writer_.end_object().end_object().end_object();
    }

    void write_responses(const Endpoint& endpoint, const std::string& name) {
        auto problems = problems_of(endpoint);
        writer_.key("responses").begin_object();
        for (const http::DocumentedAnswer& answer : endpoint.answers) {
            const std::string own_name =
                endpoint.answers.size() == 1 ? name : name + std::to_string(answer.status);
            add_schema(own_name, answer.body, schema::Side::answer);
            writer_.key(std::to_string(answer.status));
            write_answer(endpoint, answer, own_name, problems[answer.status]);
            problems.erase(answer.status);
        }
        if (needs_answer_of_dry_run(endpoint)) write_dry_run(endpoint, name);
        if (endpoint.has_etag) write_not_modified();
        for (const auto& [status, kinds] : problems) {
            writer_.key(std::to_string(status)).begin_object().key("$ref");
            writer_.string("#/components/responses/" + problem_response(kinds, responses_)).end_object();
        }
        writer_.key("default").raw(R"({"$ref": "#/components/responses/Refusal"})");
        writer_.end_object();
    }

    static std::vector<std::string_view> headers_of(const Endpoint& endpoint, int status) {
        std::vector<std::string_view> headers;
        if (http::takes_idempotency_key(endpoint)) headers.emplace_back("Idempotency-Replayed");
        if (http::takes_dry_run(endpoint) && status == 200) headers.emplace_back("Dry-Run");
        if (endpoint.has_etag && status == 200) headers.emplace_back("ETag");
        return headers;
    }

    /// Returns whether a dry run needs a documented answer 200 of its own: false if the endpoint documents a
    /// 200 already.
    static bool needs_answer_of_dry_run(const Endpoint& endpoint) {
        return http::takes_dry_run(endpoint) &&
               std::ranges::find(endpoint.answers, 200, &http::DocumentedAnswer::status) ==
                   endpoint.answers.end();
    }

    /// Writes the answer 200 of a dry run. Its body has the form of a success.
    void write_dry_run(const Endpoint& endpoint, const std::string& name) {
        const http::DocumentedAnswer& success = endpoint.answers.front();
        const std::string own_name =
            endpoint.answers.size() == 1 ? name : name + std::to_string(success.status);
        writer_.key("200").begin_object().key("description");
        writer_.string(
            "The answer to a dry run: the body that the request would have got. Nothing is stored.");
        writer_.key("headers").raw(headers_reference({"Dry-Run"})).key("content").begin_object();
        writer_.key("application/json").begin_object().key("schema").raw(schema_reference(own_name));
        write_example(example_of(endpoint, std::to_string(success.status)));
        writer_.end_object().end_object().end_object();
    }

    void write_not_modified() {
        writer_.key("304").begin_object().key("description");
        writer_.string("The document is still the version of `If-None-Match`.");
        writer_.key("headers").raw(headers_reference({"ETag"})).end_object();
    }

    /// Writes the description of `answer`, one of the endpoint's answers. `name` is the component that has
    /// the schema of the answer's body. `problems` are the errors that the endpoint answers with the same
    /// status. If there are any, the body has either the schema `name` or the schema `Error` of all errors.
    void write_answer(const Endpoint& endpoint, const http::DocumentedAnswer& answer, const std::string& name,
                      const std::vector<const codes::CodeRow*>& problems) {
        std::string description(answer.description);
        if (!problems.empty()) description += ' ' + codes_and_details(problems);
        writer_.begin_object().key("description").string(description);
        writer_.key("headers").raw(headers_reference(headers_of(endpoint, answer.status)));
        writer_.key("content").begin_object();
        for (const std::string_view type : answer.media_types) {
            writer_.key(type).begin_object().key("schema");
            if (problems.empty()) {
                writer_.raw(schema_reference(name));
            } else {
                writer_.begin_object().key("anyOf").begin_array().raw(schema_reference(name));
                writer_.raw(schema_reference("Error")).end_array().end_object();
            }
            write_example(example_of(endpoint, std::to_string(answer.status)));
            writer_.end_object();
        }
        writer_.end_object().end_object();
    }

    void write_example(std::string_view example) {
        if (!example.empty()) writer_.key("example").raw(example);
    }

    void write_components() {
        add_schema("Error", http::error_schema(codes::of_answers()), schema::Side::answer);
        writer_.key("components").begin_object();
        write_section("schemas", schemas_);
        responses_.emplace("Refusal", general_response());
        write_section("responses", responses_);
        writer_.key("headers").raw(texts::openapi_headers);
        writer_.key("securitySchemes").raw(security_schemes()).end_object();
    }

    void write_section(std::string_view name, const Texts& texts) {
        writer_.key(name).begin_object();
        for (const auto& [key, text] : texts) writer_.key(key).raw(text);
        writer_.end_object();
    }

    void add_schema(const std::string& name, const schema::Schema& schema, schema::Side side) {
        json::Writer component;
        schema::write_openapi(component, schema, side, name, schemas_);
        schemas_.insert_or_assign(name, component.take());
    }

    static std::string schema_reference(const std::string& name) {
        return R"({"$ref": "#/components/schemas/)" + name + "\"}";
    }

    const std::vector<Endpoint>& endpoints_;
    json::Writer writer_;
    schema::Components schemas_;
    Texts responses_;
};

}  // namespace

std::string document(const std::vector<Endpoint>& endpoints) {
    return DocumentWriter(endpoints).write();
}

}  // namespace data_import::openapi
