// Answers GraphQL requests with a schema of tests/graphql/schemas.h, so that the answers can be compared with
// those of the reference implementation:
//
//     graphql-answer sample|service < REQUESTS
//
// `sample` chooses the schema of sample.graphql, `service` chooses the schema of service.graphql. Each line
// of REQUESTS is a JSON object with `query` and optionally `variables` and `operationName`. Each line of the
// output is `executed` or `refused`, a blank, and the answer's body.
#include <iostream>
#include <optional>
#include <string>

#include "data/json/reader.h"
#include "schemas.h"
#include "service/graphql/execute.h"

namespace {

using namespace data_import;

std::optional<json::Value> object_or_nothing(const json::Value& request, std::string_view key) {
    const auto found = request.find(key);
    return found && found->is(json::Type::object) ? found : std::nullopt;
}

std::string answer(const graphql::Schema& schema, const std::string& line) {
    const json::Document document = json::read(line);
    const json::Value request = document.root();
    const auto operation = request.find("operationName");
    const graphql::Response response =
        graphql::execute(schema,
                         {request.at("query").text(), object_or_nothing(request, "variables"),
                          operation ? operation->text() : std::string_view()},
                         tests::resolve_sample);
    return (response.executed ? "executed " : "refused ") + response.body;
}

}  // namespace

int main(int argc, char** argv) {
    const bool is_sample = argc == 2 && std::string_view(argv[1]) == "sample";
    const graphql::Schema& schema = is_sample ? tests::sample_schema() : tests::service_schema();
    for (std::string line; std::getline(std::cin, line);) std::cout << answer(schema, line) << '\n';
}
