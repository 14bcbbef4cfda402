#include "data/schema/declared.h"

#include "data/schema/node.h"

namespace data_import::schema {

bool is_index(std::string_view segment) {
    return !segment.empty() && segment.find_first_not_of("0123456789") == std::string_view::npos;
}

namespace {

std::string_view first_segment(std::string_view attr) {
    return attr.substr(0, attr.find('.'));
}

std::string_view behind_first_segment(std::string_view attr) {
    const std::size_t point = attr.find('.');
    return point == std::string_view::npos ? std::string_view() : attr.substr(point + 1);
}

std::string part(const Schema& schema, std::string_view attr);

/// Returns `SEGMENT.REST`, or the segment alone if nothing of the rest is declared.
std::string joined(std::string_view segment, const std::string& rest) {
    return std::string(segment) + (rest.empty() ? "" : "." + rest);
}

std::string part_of(const ObjectNode& node, std::string_view attr) {
    for (const Field& field : node.fields) {
        if (field.is_called(first_segment(attr)))
            return joined(field.name, part(field.schema, behind_first_segment(attr)));
    }
    return "";
}

std::string part_of(const ArrayNode& node, std::string_view attr) {
    if (!is_index(first_segment(attr))) return "";
    return joined("N", part(node.item, behind_first_segment(attr)));
}

std::string part_of(const VariantNode& node, std::string_view attr) {
    if (first_segment(attr) == node.discriminator) return node.discriminator;
    std::string longest;
    for (const auto& [name, alternative] : node.alternatives) {
        std::string candidate = part(alternative, attr);
        if (candidate.size() > longest.size()) longest = std::move(candidate);
    }
    return longest;
}

std::string part_of(const NullableNode& node, std::string_view attr) {
    return part(node.value, attr);
}

template <typename Scalar>
std::string part_of(const Scalar&, std::string_view) {
    return "";
}

std::string part(const Schema& schema, std::string_view attr) {
    if (attr.empty()) return "";
    return std::visit([&](const auto& node) { return part_of(node, attr); }, schema.node().kind);
}

}  // namespace

std::string declared_part(const Schema& schema, std::string_view attr) {
    return part(schema, attr);
}

std::vector<std::string> listed_values(const Schema& schema, std::string_view field) {
    std::vector<std::string> values;
    if (const auto* variant = std::get_if<VariantNode>(&schema.node().kind)) {
        if (field != variant->discriminator) return values;
        for (const auto& [name, alternative] : variant->alternatives) values.push_back(name);
        return values;
    }
    for (const Field& declared : object_in(schema)->fields) {
        const auto* choice = std::get_if<ChoiceNode>(&without_null(declared.schema).node().kind);
        if (declared.name == field && choice != nullptr) values = choice->allowed;
    }
    return values;
}

}  // namespace data_import::schema
