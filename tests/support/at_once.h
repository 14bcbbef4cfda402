// Requests that are in flight at the same time.
#pragma once

#include <functional>
#include <vector>

#include "http.h"
#include "stack.h"

namespace data_import::tests {

/// Sends each request over a connection of its own; all connections are open before the first request is
/// sent. Returns the answers in the order of the requests.
[[nodiscard]] std::vector<Answer> ask_all_at_once(const Stack& stack,
                                                  const std::vector<HttpRequest>& requests);

/// Opens as many connections as `connections` says. Then sends over each connection the request that
/// make_request returns for the connection's number, which counts from 0. A request that is answered 429 is
/// sent again, up to four times. Returns the answers in the order of the numbers.
[[nodiscard]] std::vector<Answer> ask_at_once(const Stack& stack, std::size_t connections,
                                              const std::function<HttpRequest(std::size_t)>& make_request);

}  // namespace data_import::tests
