// The text by which repeats of a record are recognised (contract, section 5).
#pragma once

#include <string>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Returns a text that is the same for all valid values with the same content, and different for all others.
/// The text is for comparing or digesting, not for reading or keeping. No text is a prefix of another text of
/// the same schema. A field that was not sent has no part in the text, so a field that a later version adds
/// does not change the text of a value without it. In a field that takes any scalar, the JSON numbers `1`,
/// `1.0` and `1e0` are the same number, and differ from every string.
///
/// Repeats are recognised by stored digests of these texts. So a value that version 1.0 of the service could
/// have stored has the same text as in version 1.0 (Object::as_of_1_0). The text of any other value contains
/// the names of its fields and the types of their values.
[[nodiscard]] std::string content_text(const Schema& schema, const json::Value& value);

}  // namespace data_import::schema
