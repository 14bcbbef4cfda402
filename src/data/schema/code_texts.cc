#include "data/schema/code_texts.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "data/schema/node.h"
#include "data/schema/scalars.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

std::string inner(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + '.' + std::string(name);
}

/// Goes through a payload by its schema. Passes to `take` each string whose field holds something other than
/// free text, such as a code or an identifier.
class Walk {
public:
    explicit Walk(const TakeText& take) : take_(take) {}

    void walk(const Schema& schema, const Value& value, const std::string& path) const {
        std::visit([&](const auto& node) { visit(node, value, path); }, schema.node().kind);
    }

private:
    void visit(const ObjectNode& node, const Value& value, const std::string& path) const {
        if (!value.is(Type::object)) return;
        for (const auto& [name, member] : value.members()) {
            const std::size_t field = place_of(name, node.fields, 0);
            if (field < node.fields.size()) walk(node.fields[field].schema, member, inner(path, name));
        }
    }

    void visit(const ArrayNode& node, const Value& value, const std::string& path) const {
        if (!value.is(Type::array)) return;
        std::size_t place = 0;
        for (const Value item : value.items()) walk(node.item, item, inner(path, std::to_string(place++)));
    }

    void visit(const VariantNode& node, const Value& value, const std::string& path) const {
        const auto kind = value.is(Type::object) ? value.find(node.discriminator) : std::nullopt;
        if (!kind || !kind->is(Type::string)) return;
        const auto chosen = std::ranges::find_if(
            node.alternatives, [&](const auto& alternative) { return alternative.first == kind->text(); });
        if (chosen != node.alternatives.end()) return walk(chosen->second, value, path);
        take_(inner(path, node.discriminator), kind->text());
    }

    void visit(const NullableNode& node, const Value& value, const std::string& path) const {
        walk(node.value, value, path);
    }

    template <typename Scalar>
    void visit(const Scalar& node, const Value& value, const std::string& path) const {
        if (value.is(Type::string) && is_shown(node)) take_(path, value.text());
    }

    const TakeText& take_;
};

}  // namespace

void each_code_text(const Schema& schema, const json::Value& payload, const TakeText& take) {
    Walk(take).walk(schema, payload, "");
}

}  // namespace data_import::schema
