#include "graphql/execute.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graphql/coercion.h"
#include "graphql/execution.h"
#include "graphql/parser.h"
#include "graphql/response.h"
#include "graphql/source_text.h"
#include "graphql/validation.h"
#include "util/text.h"

namespace data_import::graphql {

namespace {

/// The request cannot be executed.
class RequestError {
public:
    explicit RequestError(std::vector<Error> errors) : errors_(std::move(errors)) {}

    RequestError(const std::string& message, std::string_view code, std::vector<Location> locations = {})
        : errors_({{message, std::move(locations), {}, std::string(code)}}) {}

    [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }

private:
    std::vector<Error> errors_;
};

Document parse_or_refuse(std::string_view text) {
    const std::size_t correct = util::utf8_prefix(text);
    try {
        if (correct < text.size()) throw SyntaxError("The document is not UTF-8.", correct);
        return parse(text);
    } catch (const SyntaxError& failure) {
        throw RequestError(failure.what(), code::parse_failed, {Locator(text).at(failure.offset())});
    }
}

const Operation& find_operation(const Document& document, std::string_view name) {
    const auto& operations = document.operations;
    if (operations.empty()) throw RequestError("The document has no operation.", code::operation_not_found);
    if (name.empty() && operations.size() > 1)
        throw RequestError("The document has several operations; operationName has to say which one.",
                           code::operation_not_found);
    if (name.empty()) return operations.front();
    const auto has_name = [&](const Operation& operation) { return operation.name.text == name; };
    const auto found = std::find_if(operations.begin(), operations.end(), has_name);
    if (found == operations.end())
        throw RequestError("The document has no operation with the name that operationName gives.",
                           code::operation_not_found);
    return *found;
}

/// Reads the values of an operation's variables.
class VariableReader {
public:
    VariableReader(const TypeSystem& types, const Request& request)
        : types_(types), request_(request), locator_(request.query) {}

    /// Throws RequestError with everything that is wrong.
    [[nodiscard]] Variables read(const Operation& operation) {
        if (!operation.variables.empty()) find_values();
        for (const VariableDefinition& definition : operation.variables) read(definition);
        if (!errors_.empty()) throw RequestError(std::move(errors_));
        return std::move(variables_);
    }

private:
    /// A request may have thousands of values, and its operation hundreds of variables.
    void find_values() {
        if (!request_.variables) return;
        for (const auto& [name, value] : request_.variables->members()) values_.emplace(name, value);
    }

    void read(const VariableDefinition& definition) {
        const std::string name(definition.name.text);
        const TypeView type = types_.view(definition.type);
        const auto complain = [&](const std::string& sentence) { refuse(sentence, definition.offset); };
        const auto given = values_.find(name);
        if (given != values_.end()) {
            variables_.push_back({name, coerce_json(given->second, type, '$' + name, complain)});
        } else if (definition.has_default) {
            variables_.push_back({name, coerce_constant(definition.default_value, type).value_or(Value())});
        } else if (type.is_non_null()) {
            complain("The variable $" + name + " is missing; it is a required " + type.text() + '.');
        }
    }

    void refuse(const std::string& sentence, std::uint32_t offset) {
        if (errors_.size() < max_errors)
            errors_.push_back({sentence, {locator_.at(offset)}, {}, std::string(code::bad_user_input)});
    }

    const TypeSystem& types_;
    const Request& request_;
    Locator locator_;
    std::map<std::string_view, json::Value> values_;
    Variables variables_;
    std::vector<Error> errors_;
};

}  // namespace

Response execute(const Schema& schema, const Request& request, const Resolver& resolve) {
    const TypeSystem& types = schema.types();
    try {
        const Document document = parse_or_refuse(request.query);
        std::vector<Error> violations = validate(types, document, request.query);
        if (!violations.empty()) throw RequestError(std::move(violations));
        const Operation& operation = find_operation(document, request.operation_name);
        if (types.root(operation.kind) == nullptr)
            throw RequestError("This service has no operations of this kind.", code::operation_not_found,
                               {Locator(request.query).at(operation.offset)});
        const Variables variables = VariableReader(types, request).read(operation);
        return Execution(types, document, request.query, variables, resolve).run(operation);
    } catch (const RequestError& refusal) {
        return refused(refusal.errors());
    }
}

}  // namespace data_import::graphql
