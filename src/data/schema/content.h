// The text by which repeats of a record are recognised (contract, section 5).
#pragma once

#include <string>

#include "data/json/value.h"
#include "data/schema/schema.h"

namespace data_import::schema {

/// Returns one text for all valid values with the same content. Values with another content have another
/// text. The text is for comparing or digesting, not for reading or keeping. A field that was not sent has no
/// part in the text, so a field that a later version adds does not change the text of a value without it.
///
/// Digests of the texts that content_text() returns are stored, and repeats are recognised by these digests.
/// So a value that version 1.0 of the service could have stored has the same text as in version 1.0
/// (Object::as_of_1_0). The text of any other value contains the names of its fields and the types of their
/// values. In a field that takes any scalar, the JSON numbers `1`, `1.0` and `1e0` are the same number, and
/// differ from every string. No text is a prefix of another text of the same schema.
[[nodiscard]] std::string content_text(const Schema& schema, const json::Value& value);

}  // namespace data_import::schema
