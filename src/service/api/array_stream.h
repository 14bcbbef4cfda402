// Answers with a JSON array of any length.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "service/http/request.h"

namespace data_import::api {

/// Writes an array of objects in chunks. The answer begins with the first chunk, so that a failure before it
/// is still answered as an error. A member of an object is a string, null, a number or any JSON text.
class ArrayStream {
public:
    explicit ArrayStream(http::Responder& responder) : responder_(responder) {}

    void begin_object();
    void member(std::string_view name, const std::optional<std::string_view>& value);
    void number(std::string_view name, std::string_view digits);
    void json(std::string_view name, std::string_view text);
    void end_object();
    void finish();

private:
    void key(std::string_view name);
    void flush();

    http::Responder& responder_;
    std::string buffer_;
    std::size_t objects_ = 0;
    bool has_members_ = false;  ///< the open object has members already
};

}  // namespace data_import::api
