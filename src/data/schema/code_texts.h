// The texts of a payload that are codes, numbers or identifiers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Takes the dotted path of a text in the payload, and the text.
using TakeText = std::function<void(const std::string& path, std::string_view text)>;

/// Calls `take` with each string of the payload whose place is declared as a code, a number, a time or
/// another value that is no free text. The string may be invalid.
void each_code_text(const Schema& schema, const json::Value& payload, const TakeText& take);

}  // namespace data_import::schema
