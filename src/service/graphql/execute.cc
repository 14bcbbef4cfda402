#include "service/graphql/execute.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/json/writer.h"
#include "service/graphql/coercion.h"
#include "service/graphql/document.h"
#include "service/graphql/introspection.h"
#include "service/graphql/response.h"
#include "service/graphql/selection.h"
#include "service/graphql/validation.h"

namespace data_import::graphql {

namespace {

/// The most selections that are visited to answer one request. Every field of the answer costs at least one
/// visit.
constexpr std::size_t max_visited = 4 * max_answered_fields;

// --- leaves ---

FieldError wrong_value() {
    return {"The value of this field is not of its type.", code::internal_error};
}

void write_leaf(json::Writer& writer, const Datum& value) {
    if (value.is<bool>()) {
        writer.boolean(value.boolean());
    } else if (value.is<std::int64_t>()) {
        writer.integer(value.integer());
    } else {
        writer.string(value.text());
    }
}

// --- results of resolving ---

/// Returns the value that a resolver gave; nullptr if the result is a part of the schema.
const Datum* value_of(const Resolved& resolved) {
    if (const auto* value = std::get_if<Datum>(&resolved)) return value;
    const auto* source = std::get_if<Source>(&resolved);
    const auto* given = source == nullptr ? nullptr : std::get_if<const Datum*>(source);
    return given == nullptr ? nullptr : *given;
}

bool is_null(const Resolved& resolved) {
    if (const Datum* value = value_of(resolved)) return value->is_null();
    const auto* source = std::get_if<Source>(&resolved);
    return source != nullptr && std::holds_alternative<std::monostate>(*source);
}

Source source_of(const Datum& item) {
    return &item;
}

Source source_of(const Source& item) {
    return item;
}

/// A field that is being answered.
struct Call {
    const FieldGroup& group;
    const Field& field;
    const Type& type;  ///< type that has the field
};

/// Writes the answer piece by piece. A value that cannot be written is reported by FieldError. It becomes
/// null if its type allows null; otherwise the value that contains it becomes null.
class Execution {
public:
    /// All arguments have to outlive the execution.
    Execution(const Schema& schema, const ExecutableDocument& document, const Variables& variables,
              const Resolver& resolve, ErrorList& errors)
        : schema_(schema),
          reader_(variables),
          resolve_(resolve),
          errors_(errors),
          collector_(document, max_visited, [this](const auto& selection) { return is_taken(selection); }) {}
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    [[nodiscard]] Response run(const Operation& operation) {
        const Type& root = *schema_.root(operation.kind);
        try {
            const auto groups = collector_.collect({&operation.set});
            if (const Selection* second = second_field(root, groups)) {
                const std::string name(second->name.text);
                errors_.add(
                    {"The field " + name + " may be asked for once in a request.", code::validation_failed},
                    second->offset, nullptr);
                return errors_.refused();
            }
            write_fields(root, {}, groups, nullptr);
        } catch (const Null&) {
            data_ = "null";
        } catch (const LocatedError& failure) {
            errors_.add(failure, failure.offset(), nullptr);
            data_ = "null";
        } catch (const TooMuchWork& limit) {
            errors_.add({limit.what(), code::internal_error}, operation.offset, nullptr);
            data_ = "null";
        }
        return errors_.executed(data_);
    }

private:
    /// Thrown after an error was recorded, to make the enclosing value null.
    class Null {};

    [[nodiscard]] bool is_taken(const Selection& selection) const {
        for (const DirectiveUse& directive : selection.directives) {
            const Directive& definition = *find_by_name(schema_.directives(), directive.name.text);
            const Datum arguments =
                reader_.read(definition.arguments, directive.arguments, directive.name.offset);
            if (arguments.find("if")->boolean() == (directive.name.text == "skip")) return false;
        }
        return true;
    }

    /// Returns the second selection of a field that may be used only once in a request; null if there is
    /// none.
    [[nodiscard]] const Selection* second_field(const Type& root,
                                                const std::vector<FieldGroup>& groups) const {
        std::unordered_set<const Field*> seen;
        for (const FieldGroup& group : groups) {
            const Selection& selection = *group.fields.front();
            const Field* field = schema_.field(root, selection.name.text);
            if (field->once_per_request && !seen.insert(field).second) return &selection;
        }
        return nullptr;
    }

    void write_fields(const Type& type, const Source& source, const std::vector<FieldGroup>& groups,
                      const PathSegment* place) {
        char separator = '{';
        for (const FieldGroup& group : groups) {
            count_field();
            data_ += std::exchange(separator, ',');
            json::append_string(data_, group.key);
            data_ += ':';
            const Call call{group, *schema_.field(type, group.fields.front()->name.text), type};
            const TypeView field_type = call.field.type.view();
            const PathSegment field_place{place, group.key};
            write_or_null(call, field_type, field_place,
                          [&] { write(call, field_type, resolve(call, source), field_place); });
        }
        if (groups.empty()) data_ += separator;
        data_ += '}';
    }

    template <typename Write>
    void write_or_null(const Call& call, TypeView type, const PathSegment& place, Write write_value) {
        const std::size_t start = data_.size();
        try {
            return write_value();
        } catch (const Null&) {
        } catch (const LocatedError& failure) {
            record(failure, failure.offset(), place);
        } catch (const FieldError& failure) {
            record(failure, call.group.fields.front()->offset, place);
        }
        if (type.is_non_null()) throw Null();
        data_.resize(start);
        data_ += "null";
    }

    void record(const FieldError& failure, std::optional<std::uint32_t> offset, const PathSegment& place) {
        if (errors_.size() >= max_errors) throw TooMuchWork("There are too many errors to continue.");
        errors_.add(failure, offset, &place);
    }

    void write(const Call& call, TypeView type, const Resolved& resolved, const PathSegment& place) {
        if (is_null(resolved)) {
            if (type.is_non_null())
                throw FieldError("This field has no value, although it must not be null.",
                                 code::internal_error);
            data_ += "null";
            return;
        }
        const TypeView nullable = type.nullable();
        const Datum* value = value_of(resolved);
        if (nullable.is_list()) {
            const auto* sources = std::get_if<std::vector<Source>>(&resolved);
            if (sources != nullptr) return write_list(call, nullable.inner(), *sources, place);
            if (value == nullptr || !value->is<Datum::List>()) throw wrong_value();
            return write_list(call, nullable.inner(), value->list(), place);
        }
        if (type.named->kind == TypeKind::object) {
            if (value != nullptr && !value->is<Datum::Members>()) throw wrong_value();
            const Source source = value == nullptr ? std::get<Source>(resolved) : Source(value);
            return write_fields(*type.named, source, collector_.collect(call.group.sets()), &place);
        }
        const auto leaf = value == nullptr ? std::nullopt : leaf_value(*value, *type.named);
        if (!leaf) throw wrong_value();
        json::Writer writer;
        write_leaf(writer, *leaf);
        data_ += writer.text();
    }

    template <typename Item>
    void write_list(const Call& call, TypeView item_type, const std::vector<Item>& items,
                    const PathSegment& place) {
        data_ += '[';
        for (std::size_t index = 0; index < items.size(); ++index) {
            if (index > 0) data_ += ',';
            const PathSegment item_place{&place, index};
            write_or_null(call, item_type, item_place,
                          [&] { write(call, item_type, source_of(items[index]), item_place); });
        }
        data_ += ']';
    }

    [[nodiscard]] Resolved resolve(const Call& call, const Source& source) {
        const std::string& name = call.field.name;
        if (name == "__typename") return Datum(call.type.name);
        const Selection& selection = *call.group.fields.front();
        const Datum arguments = reader_.read(call.field.arguments, selection.arguments, selection.offset);
        const bool is_root = std::holds_alternative<std::monostate>(source);
        if ((is_root ? name : call.type.name).starts_with("__"))
            return introspect(schema_, source, name, arguments);
        if (is_root) {
            root_value_ = resolve_({call.type.name, name, arguments});
            return Source(&std::as_const(root_value_));
        }
        const Datum* member = std::get<const Datum*>(source)->find(name);
        return member == nullptr ? Resolved(Datum()) : Resolved(Source(member));
    }

    void count_field() {
        if (++answered_ > max_answered_fields)
            throw TooMuchWork("The answer would have more than " + std::to_string(max_answered_fields) +
                              " fields.");
        if (data_.size() > max_answer_bytes)
            throw TooMuchWork("The answer would be longer than " + std::to_string(max_answer_bytes) +
                              " bytes.");
    }

    const Schema& schema_;
    const LiteralReader reader_;
    const Resolver& resolve_;
    ErrorList& errors_;
    FieldCollector collector_;
    std::string data_;
    Datum root_value_;  ///< resolver's value for the root field that is being answered
    std::size_t answered_ = 0;
};

// --- the request ---

const Operation& find_operation(const ExecutableDocument& document, std::string_view name) {
    const auto& operations = document.operations;
    const auto refuse = [](const std::string& sentence) {
        throw LocatedError(sentence, code::operation_not_found, std::nullopt);
    };
    if (name.empty() && operations.size() > 1)
        refuse("The document has several operations; operationName must say which one.");
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
        const ExecutableDocument document = parse(request.query);
        validate(schema, document);
        const Operation& operation = find_operation(document, request.operation_name);
        const Variables variables = coerce_variables(schema, operation, request.variables);
        return Execution(schema, document, variables, resolve, errors).run(operation);
    } catch (const LocatedError& failure) {
        errors.add(failure, failure.offset(), nullptr);
        return errors.refused();
    }
}

Response refuse_persisted_query() {
    ErrorList errors("");
    errors.add({"PersistedQueryNotSupported", code::persisted_query_not_supported}, std::nullopt, nullptr);
    return errors.refused();
}

}  // namespace data_import::graphql
