#include "graphql/execute.h"

#include <algorithm>

#include "graphql/coercion.h"
#include "graphql/execution.h"
#include "graphql/parser.h"
#include "graphql/response.h"
#include "graphql/validation.h"

namespace data_import::graphql {

namespace {

const Operation& find_operation(const Document& document, std::string_view name) {
    const auto& operations = document.operations;
    const auto refuse = [](const std::string& sentence) {
        throw LocatedError(sentence, code::operation_not_found, std::nullopt);
    };
    if (operations.empty()) refuse("The document has no operation.");
    if (name.empty() && operations.size() > 1)
        refuse("The document has several operations; operationName has to say which one.");
    const auto is_wanted = [&](const Operation& operation) {
        return name.empty() || operation.name.text == name;
    };
    const auto found = std::find_if(operations.begin(), operations.end(), is_wanted);
    if (found == operations.end())
        refuse("The document has no operation with the name that operationName gives.");
    return *found;
}

}  // namespace

Response execute(const Schema& schema, const Request& request, const Resolver& resolve) {
    ErrorList errors(request.query);
    try {
        const Document document = parse(request.query);
        validate(schema, document);
        const Operation& operation = find_operation(document, request.operation_name);
        const Variables variables = coerce_variables(schema, operation, request.variables);
        return run({schema, document, operation, variables}, resolve, errors);
    } catch (const LocatedError& failure) {
        errors.add(failure, failure.offset(), nullptr);
        return errors.refused();
    }
}

}  // namespace data_import::graphql
