#include "service/http/problem.h"

#include <algorithm>

#include "data/json/writer.h"

namespace data_import::http {

namespace {

void write_violation(json::Writer& writer, const schema::Violation& violation) {
    writer.begin_object()
        .key("detail")
        .string(violation.told())
        .key("code")
        .string(codes::name_of(violation.code));
    writer.key("attr").string(violation.attr).end_object();
}

/// Returns whether the problem itself sets this header. If it does, the value that the table of error codes
/// has for the header is not sent.
bool has_header(const Problem& problem, std::string_view name) {
    return std::ranges::find(problem.headers, name, &Headers::value_type::first) != problem.headers.end();
}

}  // namespace

Problem validation_error(std::vector<schema::Violation> violations) {
    std::string detail = violations.size() == 1
                             ? "The request has 1 error."
                             : "The request has " + std::to_string(violations.size()) + " errors.";
    if (violations.size() >= schema::max_violations) detail += " There may be more.";
    return {Code::validation_error, std::move(detail), std::move(violations), {}};
}

schema::Schema one_of(std::span<const codes::CodeRow> codes) {
    std::vector<std::string> names;
    for (const codes::CodeRow& row : codes) names.emplace_back(row.name);
    return schema::choice(std::move(names));
}

schema::Object error_schema(std::span<const codes::CodeRow> codes) {
    const auto item =
        schema::object()
            .need("detail", schema::text(1, 4096),
                  "A sentence that names the limit or the allowed values; its wording may change.")
            .need("code", one_of(codes::of_items()), "Kind of the fault; never changes its meaning.")
            .need("attr", schema::text(0, 4096),
                  "Path to the value: field names and zero-based indexes between dots; empty for the whole "
                  "payload.");
    return schema::object()
        .need("detail", schema::text(1, 4096), "A sentence for people; its wording may change.")
        .need("code", one_of(codes), "Kind of the error; never changes its meaning.")
        .need("errors", schema::array(item).max(schema::max_violations),
              "The faults of the payload or query; empty if there are none.");
}

Reply render(const Problem& problem, const std::function<void(json::Writer&)>& further) {
    const codes::CodeRow& row = codes::row_of(problem.code);
    json::Writer writer;
    writer.begin_object();
    if (further) further(writer);
    writer.key("detail").string((problem.detail.empty() ? std::string(row.detail) : problem.detail) +
                                (problem.hint.empty() ? "" : " " + problem.hint));
    writer.key("code").string(row.name).key("errors").begin_array();
    for (const schema::Violation& violation : problem.violations) write_violation(writer, violation);
    writer.end_array().end_object();
    Reply reply{.status = row.status, .body = writer.take(), .headers = problem.headers};
    if (!row.header.empty() && !has_header(problem, row.header))
        reply.headers.emplace_back(row.header, row.header_value);
    return reply;
}

}  // namespace data_import::http
