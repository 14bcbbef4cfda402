// Checks of single values that have no parts. Private to the folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "data/schema/node.h"

namespace data_import::schema {

/// The fault of a value, without its place.
struct Fault {
    Code code;
    std::string detail;
};

[[nodiscard]] std::optional<Fault> fault_of(const TextNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const FormNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const ChoiceNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const BooleanNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const IntegerNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const DecimalNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const DateNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const DatetimeNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const ScalarNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const AnyNode& node, const json::Value& value);
[[nodiscard]] std::optional<Fault> fault_of(const AnyObjectNode& node, const json::Value& value);

/// Returns whether the message about a wrong value may quote the value. False if the value may be free text.
template <typename Scalar>
[[nodiscard]] bool is_shown(const Scalar&) {
    return true;
}
[[nodiscard]] inline bool is_shown(const TextNode& node) {
    return node.is_code;
}
[[nodiscard]] inline bool is_shown(const FormNode& node) {
    return node.is_code;
}

/// Returns the fault `invalid` with the sentence `This value must be FORM.`
[[nodiscard]] Fault wrong_form(const std::string& form);

/// Returns `1 item` or `2 items`.
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

}  // namespace data_import::schema
