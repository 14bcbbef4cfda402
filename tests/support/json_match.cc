#include "json_match.h"

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>
#include <Poco/JSON/Stringifier.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "base/util/datetime.h"

namespace data_import::tests {

namespace {

using Poco::Dynamic::Var;
using ObjectPointer = Poco::JSON::Object::Ptr;
using ArrayPointer = Poco::JSON::Array::Ptr;

std::string shown(const Var& value) {
    std::ostringstream stream;
    Poco::JSON::Stringifier::stringify(value, stream);
    return stream.str().substr(0, 200);
}

bool is_datetime(const std::string& text) {
    static const std::regex form(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z)");
    return std::regex_match(text, form) && util::parse_datetime(text).has_value();
}

bool is_about_now(const std::string& text) {
    constexpr std::int64_t a_minute = 60'000'000;
    if (!is_datetime(text)) return false;
    return std::abs(util::parse_datetime(text)->microseconds - util::now().microseconds) < a_minute;
}

bool is_given_out_number(const std::string& text) {
    static const std::regex form("A-[0-9A-F]{8}");
    return std::regex_match(text, form);
}

bool string_agrees(const std::string& expected, const std::string& actual) {
    if (expected == "<string>") return !actual.empty();
    if (expected == "<datetime>") return is_datetime(actual);
    if (expected == "<now>") return is_about_now(actual);
    if (expected == "<number>") return is_given_out_number(actual);
    return expected == actual;
}

std::string object_difference(const ObjectPointer& expected, const ObjectPointer& actual,
                              const std::string& place) {
    for (const auto& [name, value] : *expected) {
        if (!actual->has(name)) return place + '.' + name + " is missing";
        const std::string found = difference(value, actual->get(name), place + '.' + name);
        if (!found.empty()) return found;
    }
    for (const auto& member : *actual) {
        if (!expected->has(member.first)) return place + '.' + member.first + " is not expected";
    }
    return "";
}

std::string array_difference(const ArrayPointer& expected, const ArrayPointer& actual,
                             const std::string& place) {
    if (expected->size() != actual->size()) {
        return place + " has " + std::to_string(actual->size()) + " items instead of " +
               std::to_string(expected->size());
    }
    for (unsigned index = 0; index < expected->size(); ++index) {
        const std::string found =
            difference(expected->get(index), actual->get(index), place + '.' + std::to_string(index));
        if (!found.empty()) return found;
    }
    return "";
}

bool scalar_agrees(const Var& expected, const Var& actual) {
    if (expected.isEmpty() || actual.isEmpty()) return expected.isEmpty() && actual.isEmpty();
    if (expected.isString() != actual.isString() || expected.isBoolean() != actual.isBoolean()) return false;
    if (expected.isString())
        return string_agrees(expected.convert<std::string>(), actual.convert<std::string>());
    return expected == actual;
}

ErrorItem error_item(const Var& item) {
    const ObjectPointer object = item.extract<ObjectPointer>();
    if (object->size() != 3)
        throw std::runtime_error("an item of errors has other keys than detail, code, attr");
    ErrorItem read{object->getValue<std::string>("attr"), object->getValue<std::string>("code"),
                   object->getValue<std::string>("detail")};
    if (read.detail.empty()) throw std::runtime_error("an item of errors has no detail");
    return read;
}

/// The number of keys that an answer has in addition to the common ones because a transaction failed
/// (contract, section 5.4).
std::size_t failing_transaction_keys(const ObjectPointer& object) {
    if (!object->has("status")) return 0;
    if (object->getValue<std::string>("status") != "TRANSACTION_IMPORT_ERROR")
        throw std::runtime_error("another status than TRANSACTION_IMPORT_ERROR");
    if (object->getValue<std::string>("error_detail").empty() || !object->has("transaction_data"))
        throw std::runtime_error("no error_detail or transaction_data beside status");
    return 3;
}

ErrorBody error_body(const ObjectPointer& object) {
    if (object->size() != 3 + failing_transaction_keys(object))
        throw std::runtime_error("other keys than detail, code, errors");
    ErrorBody body{object->getValue<std::string>("code"), object->getValue<std::string>("detail"), {}};
    if (body.detail.empty()) throw std::runtime_error("an empty detail");
    for (const Var& item : *object->getArray("errors")) body.errors.push_back(error_item(item));
    return body;
}

}  // namespace

Var parse_json(const std::string& text) {
    try {
        return Poco::JSON::Parser().parse(text);
    } catch (const Poco::Exception&) {
        throw std::runtime_error("no JSON: " + text.substr(0, 300));
    }
}

std::string difference(const Var& expected, const Var& actual, const std::string& place) {
    if (expected.isString() && expected.convert<std::string>() == "<any>") return "";
    if (expected.type() == typeid(ObjectPointer) && actual.type() == typeid(ObjectPointer)) {
        return object_difference(expected.extract<ObjectPointer>(), actual.extract<ObjectPointer>(), place);
    }
    if (expected.type() == typeid(ArrayPointer) && actual.type() == typeid(ArrayPointer)) {
        return array_difference(expected.extract<ArrayPointer>(), actual.extract<ArrayPointer>(), place);
    }
    const bool both_scalar = expected.type() != typeid(ObjectPointer) &&
                             expected.type() != typeid(ArrayPointer) &&
                             actual.type() != typeid(ObjectPointer) && actual.type() != typeid(ArrayPointer);
    if (both_scalar && scalar_agrees(expected, actual)) return "";
    return (place.empty() ? "the body" : place) + " is " + shown(actual) + " instead of " + shown(expected);
}

ErrorBody parse_error_body(const std::string& text) {
    try {
        return error_body(parse_json(text).extract<ObjectPointer>());
    } catch (const Poco::Exception& reason) {
        throw std::runtime_error("not of the common shape (" + reason.displayText() +
                                 "): " + text.substr(0, 300));
    } catch (const std::runtime_error& reason) {
        throw std::runtime_error("not of the common shape (" + std::string(reason.what()) +
                                 "): " + text.substr(0, 300));
    }
}

}  // namespace data_import::tests
