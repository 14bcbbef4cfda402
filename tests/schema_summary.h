// Shared by tests of schemas: writes violations on one line.
#pragma once

#include <cppunit/TestAssert.h>

#include <string>

#include "data/json/reader.h"
#include "data/schema/schema.h"

namespace data_import::tests {

/// Returns the violations as `attr:code attr:code`, in their order. Also asserts that each detail is a
/// sentence.
inline std::string summary(const schema::Schema& schema, const std::string& text,
                           schema::UnknownFields unknown = schema::UnknownFields::refuse) {
    const json::Document document = json::read(text);
    std::string line;
    for (const schema::Violation& violation : schema::check(schema, document.root(), unknown)) {
        CPPUNIT_ASSERT(!violation.detail.empty() && violation.detail.ends_with('.'));
        line.append(line.empty() ? "" : " ")
            .append(violation.attr)
            .append(":")
            .append(codes::name_of(violation.code));
    }
    return line;
}

inline std::string repeated(const std::string& text, std::size_t times) {
    std::string result;
    for (std::size_t time = 0; time < times; ++time) result += text;
    return result;
}

}  // namespace data_import::tests
