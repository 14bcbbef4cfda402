// The records that nginx sends to a worker, for tests that play nginx.
#pragma once

#include <string>

namespace data_import::tests {

enum RecordType : char {
    begin_request = 1,
    end_request = 3,
    parameters = 4,
    standard_input = 5,
    standard_output = 6
};

/// FastCGI's framing: version 1, type, request 1, length, no padding.
inline std::string record(RecordType type, const std::string& content) {
    std::string bytes{1, type, 0, 1};
    bytes += static_cast<char>(content.size() >> 8U);
    bytes += static_cast<char>(content.size() & 0xffU);
    return bytes + std::string(2, '\0') + content;
}

/// Takes names and values shorter than 128 bytes.
inline std::string parameter(const std::string& name, const std::string& value) {
    return std::string{static_cast<char>(name.size()), static_cast<char>(value.size())} + name + value;
}

/// A request up to its body. `is_kept`: the connection is kept for the next request. `more_parameters` come
/// after the usual ones.
inline std::string head_of_request(const std::string& content_length, bool is_kept = false,
                                   const std::string& more_parameters = "") {
    const std::string responder{0, 1, static_cast<char>(is_kept ? 1 : 0), 0, 0, 0, 0, 0};
    return record(begin_request, responder) +
           record(parameters, parameter("REQUEST_METHOD", "POST") +
                                  parameter("REQUEST_URI", "/v1/data-import/notes/create/") +
                                  parameter("CONTENT_TYPE", "application/json") +
                                  parameter("CONTENT_LENGTH", content_length) + more_parameters) +
           record(parameters, "");
}

}  // namespace data_import::tests
