// The answers of the service, for tests/openapi/check: it compares all of them with the OpenAPI document.
#pragma once

#include "http.h"

namespace data_import::tests {

/// Appends a line to the file that the variable ANSWERS of the environment names; does nothing without it.
void record_answer(const HttpRequest& request, const Answer& answer);

}  // namespace data_import::tests
