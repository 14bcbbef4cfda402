// Requests that are in flight at the same time.
#pragma once

#include <functional>
#include <vector>

#include "http.h"
#include "stack.h"

namespace data_import::tests {

/// Asks over a connection for each request; all connections are open before the first request is sent. The
/// answers stand in the order of the requests.
[[nodiscard]] std::vector<Answer> ask_all_at_once(const Stack& stack,
                                                  const std::vector<HttpRequest>& requests);

/// Sends make_request(NUMBER) over each of so many connections, which are all open before; a client that is
/// answered 429 asks again.
[[nodiscard]] std::vector<Answer> ask_at_once(const Stack& stack, std::size_t connections,
                                              const std::function<HttpRequest(std::size_t)>& make_request);

}  // namespace data_import::tests
