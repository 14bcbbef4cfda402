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

/// Opens `connections` connections, and then sends make_request(NUMBER) over each of them. A request that is
/// answered 429 is sent again.
[[nodiscard]] std::vector<Answer> ask_at_once(const Stack& stack, std::size_t connections,
                                              const std::function<HttpRequest(std::size_t)>& make_request);

}  // namespace data_import::tests
