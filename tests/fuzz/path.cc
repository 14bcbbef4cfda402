// Finds the endpoint of a path. The input is a method, a blank and a raw path.
#include <string>

#include "base/util/text.h"
#include "input.h"
#include "service/http/problem.h"
#include "service/http/router.h"

using namespace data_import;

namespace {

http::Endpoint endpoint(std::string_view method, std::string_view path) {
    return {.method = method, .path = path, .summary = "", .body = {}};
}

const std::vector<http::Endpoint>& endpoints() {
    static const std::vector<http::Endpoint> list = {
        endpoint("GET", "/healthz"),
        endpoint("POST", "/v1/data-import/notes/create/"),
        endpoint("GET", "/v1/data-import/progress/{import_supplier}/"),
        endpoint("GET", "/v1/data-import/control-totals/{import_supplier}/"),
        endpoint("PUT", "/v1/data-import/control-totals/{import_supplier}/"),
        endpoint("GET",
                 "/v1/data-import/account-transfer-status/{import_supplier}/{external_account_number}/")};
    return list;
}

/// Returns the path of `endpoint`, with one of `segments` in the place of each parameter, such as
/// `{import_supplier}`. Takes the segments in order, and percent-encodes each.
std::string path_with(const http::Endpoint& endpoint, const std::vector<std::string>& segments) {
    std::string path;
    auto segment = segments.begin();
    std::string_view rest = endpoint.path;
    while (!rest.empty()) {
        const std::size_t open = std::min(rest.find('{'), rest.size());
        path += rest.substr(0, open);
        rest.remove_prefix(open);
        if (rest.empty()) break;
        path += util::percent_encode(*segment++);
        rest.remove_prefix(rest.find('}') + 1);
    }
    tests::require(segment == segments.end(), "an endpoint has as many values as its path names");
    return path;
}

void check_route(const std::vector<http::Endpoint>& all, std::string_view method, const http::Route& route) {
    const std::string_view asked = method == "HEAD" ? "GET" : method;
    tests::require(route.endpoint->method == asked,
                   "the endpoint is of the method, HEAD is answered like GET");
    for (const std::string& segment : route.segments) {
        tests::require(!segment.empty(), "a value is not empty");
        tests::require(util::is_utf8(segment) && segment.find('\0') == std::string::npos, "a value is text");
    }
    const http::Route again = http::find_route(all, method, path_with(*route.endpoint, route.segments));
    tests::require(again.endpoint == route.endpoint && again.segments == route.segments,
                   "values that are encoded and decoded stay the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<http::Endpoint>& all = endpoints();
    const std::string_view input = tests::input_text(data, size);
    const std::size_t blank = std::min(input.find(' '), input.size());
    const std::string_view method = input.substr(0, blank);
    try {
        check_route(all, method,
                    http::find_route(all, method, input.substr(std::min(blank + 1, input.size()))));
    } catch (const http::Problem& problem) {
        const bool is_known = problem.code == Code::not_found || problem.code == Code::bad_request ||
                              problem.code == Code::method_not_allowed;
        tests::require(is_known, "a path is refused for one of three reasons");
    }
    return 0;
}
