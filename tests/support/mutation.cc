#include "mutation.h"

#include <iterator>
#include <optional>
#include <vector>

#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/schema/node.h"
#include "schema_sample.h"

namespace data_import::tests {

namespace {

using json::Document;
using json::Type;
using json::Value;
using namespace schema;

/// Names of members and indexes of items, from the outermost value on.
using Path = std::vector<std::string>;

enum class EditKind { replace, remove, add_member, add_item };

/// A change of a document at one of its values.
struct Edit {
    EditKind kind;
    std::size_t position;   ///< of the value
    std::string text = {};  ///< JSON of the value that is put in
    std::string name = {};  ///< name of a new member
};

/// Writes a document with one change.
class Editor {
public:
    explicit Editor(const Edit& edit) : edit_(edit) {}

    std::string edited(const Document& document) {
        write(document.root());
        return writer_.take();
    }

private:
    void write(const Value& value) {
        if (is(value, EditKind::replace)) return static_cast<void>(writer_.raw(edit_.text));
        if (value.is(Type::object)) return write_object(value);
        if (value.is(Type::array)) return write_array(value);
        writer_.value(value);
    }

    void write_object(const Value& value) {
        writer_.begin_object();
        for (const auto& [name, member] : value.members()) {
            if (is(member, EditKind::remove)) continue;
            writer_.key(name);
            write(member);
        }
        if (is(value, EditKind::add_member)) writer_.key(edit_.name).raw(edit_.text);
        writer_.end_object();
    }

    void write_array(const Value& value) {
        writer_.begin_array();
        for (const Value item : value.items()) write(item);
        if (is(value, EditKind::add_item)) writer_.raw(edit_.text);
        writer_.end_array();
    }

    [[nodiscard]] bool is(const Value& value, EditKind kind) const {
        return edit_.kind == kind && edit_.position == value.position();
    }

    const Edit& edit_;
    json::Writer writer_;
};

std::string edited(const Document& document, const Edit& edit) {
    return Editor(edit).edited(document);
}

std::string dotted(const Path& path) {
    std::string text;
    for (const std::string& segment : path) text.append(text.empty() ? "" : ".").append(segment);
    return text;
}

Path child(Path path, std::string_view segment) {
    path.emplace_back(segment);
    return path;
}

Value at(const Document& document, const Path& path) {
    Value value = document.root();
    for (const std::string& segment : path) {
        value = value.is(Type::object)
                    ? value.at(segment)
                    : *std::next(value.items().begin(), static_cast<std::ptrdiff_t>(std::stoul(segment)));
    }
    return value;
}

/// Makes the mutations of the value that a document has at `path`, and of all values inside it.
class Walk {
public:
    Walk(const Document& document, Path path, const MutationReceiver& receive)
        : document_(document), path_(std::move(path)), value_(at(document, path_)), receive_(receive) {}

    void walk(const Schema& schema) {
        for (const WrongValue& wrong : wrong_values(schema)) replace(wrong.text, wrong.code);
        if (const auto* nullable = std::get_if<NullableNode>(&schema.node().kind))
            return walk_inside_nullable(*nullable);
        replace("null", path_.empty() ? "invalid" : "null");
        walk_inside(schema);
    }

private:
    void walk_inside(const Schema& schema) {
        std::visit([&](const auto& node) { inside(node); }, schema.node().kind);
    }

    void walk_inside_nullable(const NullableNode& node) {
        if (!value_.is(Type::null)) return walk_inside(node.value);
        changed({EditKind::replace, value_.position(), sample_of(node.value)}, path_,
                [&](Walk& walk) { walk.walk_inside(node.value); });
    }

    void inside(const ObjectNode& node) {
        emit({EditKind::add_member, value_.position(), "1", "not_documented"}, child(path_, "not_documented"),
             node.names_are_choices ? "invalid_choice" : "unknown_field");
        for (const Field& field : node.fields) {
            const std::string name = field.name + (field.more > 0 ? "X" : "");
            const Path path = child(path_, name);
            const auto member = value_.find(name);
            if (!member) {
                changed({EditKind::add_member, value_.position(), sample_of(field.schema), name}, path,
                        [&](Walk& walk) { walk.walk(field.schema); });
                continue;
            }
            if (field.required) emit({EditKind::remove, member->position()}, path, "required");
            Walk(document_, path, receive_).walk(field.schema);
        }
    }

    void inside(const ArrayNode& node) {
        if (const auto* variant = std::get_if<VariantNode>(&node.item.node().kind))
            return walk_alternatives(*variant);
        if (value_.size() > 0) return Walk(document_, child(path_, "0"), receive_).walk(node.item);
        if (node.max > 0) add_item(node.item);
    }

    void walk_alternatives(const VariantNode& node) {
        for (const auto& [name, alternative] : node.alternatives) {
            const auto index = index_of(node.discriminator, name);
            if (index) {
                Walk(document_, child(path_, std::to_string(*index)), receive_).walk(alternative);
            } else {
                add_item(alternative);
            }
        }
    }

    /// Adds a last item, a sample of `schema`, and breaks it.
    void add_item(const Schema& schema) {
        changed({EditKind::add_item, value_.position(), sample_of(schema)},
                child(path_, std::to_string(value_.size())), [&](Walk& walk) { walk.walk(schema); });
    }

    [[nodiscard]] std::optional<std::size_t> index_of(const std::string& discriminator,
                                                      const std::string& name) const {
        std::size_t index = 0;
        for (const Value item : value_.items()) {
            if (item.at(discriminator).text() == name) return index;
            ++index;
        }
        return std::nullopt;
    }

    /// Makes the mutations inside a variant, an object of several forms, by the schema of the form that the
    /// object has. If variants are the items of an array, walk_alternatives() makes their mutations instead.
    void inside(const VariantNode& node) {
        const std::string_view name = value_.at(node.discriminator).text();
        for (const auto& [alternative, schema] : node.alternatives) {
            if (alternative == name) walk_inside(schema);
        }
    }

    void inside(const NullableNode& node) { walk_inside_nullable(node); }

    template <typename Scalar>
    void inside(const Scalar&) {}

    /// Makes the edit in a copy of the document, and calls `next` with the Walk at `path` of this copy.
    template <typename Next>
    void changed(const Edit& edit, const Path& path, Next next) {
        const Document document = json::read(edited(document_, edit));
        Walk walk(document, path, receive_);
        next(walk);
    }

    void replace(const std::string& text, const std::string& code) {
        emit({EditKind::replace, value_.position(), text}, path_, code);
    }

    void emit(const Edit& edit, const Path& path, const std::string& code) {
        receive_({edited(document_, edit), dotted(path), code});
    }

    const Document& document_;
    Path path_;
    Value value_;
    const MutationReceiver& receive_;
};

}  // namespace

void each_mutation(const Schema& schema, std::string_view example, const MutationReceiver& receive) {
    const Document document = json::read(std::string(example));
    Walk(document, {}, receive).walk(schema);
}

std::string with_field(std::string_view payload, std::string_view name, const std::string& json_text) {
    const Document document = json::read(std::string(payload));
    return edited(document, {EditKind::replace, document.root().at(name).position(), json_text});
}

}  // namespace data_import::tests
