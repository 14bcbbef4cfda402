#include "tools/manual/error_pages.h"

#include <string>
#include <string_view>

#include "base/codes/codes.h"

namespace data_import::manual {

namespace {

/// An error that nginx answers itself. The answer is made from `code`, by its row in the table of the
/// service's codes (codes::row_of). `detail`, `header` and `body` replace parts of this answer, where nginx
/// knows more. An empty text replaces or adds nothing. Texts may hold variables of nginx.
struct ErrorPage {
    std::string_view name;
    Code code;
    std::string_view detail = {};  ///< sentence of the answer, in place of codes::CodeRow::detail
    /// Name and value of a header field, such as `Retry-After 5`. If `header` is empty, the answer has the
    /// header field of the row codes::row_of(code), if the row has one.
    std::string_view header = {};
    std::string_view comment = {};  ///< comment in a line above the page
    std::string_view first = {};  ///< lines of nginx's configuration at the beginning of the page's location
    std::string_view body = {};   ///< body in place of the one that is made from the code
};

constexpr std::string_view unless_unseen =
    "        if ($di_unseen) {\n"
    "            rewrite ^ /data-import-error/unreached last;\n"
    "        }\n";

constexpr std::string_view unless_type_is_wrong =
    "        if ($di_right_type = \"\") {\n"
    "            rewrite ^ /data-import-error/coding last;\n"
    "        }\n";

constexpr std::string_view unless_unread =
    "        if ($di_method ~ ^(?:TRACE|CONNECT)$) {\n"
    "            rewrite ^ /data-import-unread last;\n"
    "        }\n";

constexpr ErrorPage pages[] = {
    {.name = "400", .code = Code::bad_request},
    {.name = "497", .code = Code::bad_request, .detail = "This port speaks TLS: use https."},
    {.name = "401", .code = Code::not_authenticated},
    {.name = "denied",
     .code = Code::authentication_failed,
     .comment = "The body is the worker's answer about the token.",
     .body = "$di_denial"},
    {.name = "cross-site", .code = Code::cross_site_request},
    {.name = "404", .code = Code::not_found},
    {.name = "405",
     .code = Code::method_not_allowed,
     .header = "Allow $di_allow",
     .comment = "nginx refuses TRACE and CONNECT before it looks for the address.",
     .first = unless_unread},
    {.name = "method", .code = Code::method_not_allowed, .header = "Allow $di_allow"},
    {.name = "408", .code = Code::request_timeout},
    {.name = "413",
     .code = Code::payload_too_large,
     .detail = "The body is larger than $di_longest_body bytes."},
    {.name = "414", .code = Code::uri_too_long},
    {.name = "415",
     .code = Code::unsupported_media_type,
     .detail = "The Content-Type must be $di_right_type.",
     .header = "Accept $di_right_type",
     .first = unless_type_is_wrong},
    {.name = "coding",
     .code = Code::unsupported_media_type,
     .detail = "This Content-Encoding is not accepted here: use $di_right_coding.",
     .header = "Accept-Encoding \"$di_right_coding\""},
    {.name = "429", .code = Code::throttled},
    {.name = "beyond-share", .code = Code::throttled, .detail = codes::beyond_share},
    {.name = "431", .code = Code::header_too_large},
    {.name = "500",
     .code = Code::error,
     .detail = "The request could not be handled. Request id: $request_id."},
    {.name = "502",
     .code = Code::bad_gateway,
     .detail = "The service ended before it answered: it is unknown whether the request took effect. Repeat "
               "it. Request id: $request_id.",
     .comment = "If no worker could be reached, nothing has happened, and the answer is 503.",
     .first = unless_unseen},
    {.name = "503",
     .code = Code::service_unavailable,
     .detail = "The service is not available. Repeat the request later. Request id: $request_id.",
     .header = "Retry-After 5"},
    {.name = "unreached",
     .code = Code::service_unavailable,
     .detail = "No worker of the service could be reached; nothing was stored. Repeat the request later. "
               "Request id: $request_id."},
    {.name = "vendor",
     .code = Code::vendor_intermittent,
     .detail = "The payment vendor did not answer in time: repeat the request as it is. Request id: "
               "$request_id.",
     .header = "Retry-After 10",
     .comment = "No worker took the payment instruction in time: all of them wait for the vendor."},
    {.name = "504",
     .code = Code::gateway_timeout,
     .detail =
         "The service did not answer in time: it is unknown whether the request took effect. Repeat it. "
         "Request id: $request_id."},
};

constexpr std::string_view head =
    R"(# Answers the errors that nginx finds itself, as JSON in the shape of all errors of the service. `make error-pages` writes
# this file from the service's table of codes. Errors without a code of their own, such as an unknown transfer coding, are
# answered as bad requests. Each page is a path and no named location, because nginx sends a broken request, which has no
# path of its own, only to a path.
include snippets/data-import/error-pages.conf;

# nginx may find that the body has broken chunks while it sends the page of another error. Then it sends the page for that.
recursive_error_pages on;

# There is no page for 408: nginx 1.22 closes the connection of a request that comes too slowly, and only logs the 408.

# client_max_body_size is 0, because a second check of the body's size would replace the page by nginx's own.
location /data-import-error/ {
    internal;
    client_max_body_size 0;
    include snippets/data-import/headers.conf;
)";

std::string quoted(std::string_view value) {
    return value.find(' ') == std::string_view::npos ? std::string(value) : '"' + std::string(value) + '"';
}

std::string header_of(const ErrorPage& page, const codes::CodeRow& row) {
    if (!page.header.empty()) return std::string(page.header);
    return row.header.empty() ? "" : std::string(row.header) + ' ' + quoted(row.header_value);
}

std::string body_of(const ErrorPage& page, const codes::CodeRow& row) {
    if (!page.body.empty()) return std::string(page.body);
    std::string body = R"('{"detail": ")";
    body.append(page.detail.empty() ? row.detail : page.detail).append(R"(", "code": ")").append(row.name);
    return body.append(R"(", "errors": []}')");
}

std::string text_of(const ErrorPage& page) {
    const codes::CodeRow& row = codes::row_of(page.code);
    std::string text = "\n";
    if (!page.comment.empty()) text.append("    # ").append(page.comment).append("\n");
    text.append("    location = /data-import-error/").append(page.name).append(" {\n").append(page.first);
    const std::string header = header_of(page, row);
    // an add_header in a location drops all inherited headers, so the location includes these again
    if (!header.empty()) {
        text.append("        include snippets/data-import/headers.conf;\n");
        text.append("        add_header ").append(header).append(" always;\n");
    }
    text.append("        return ").append(std::to_string(row.status)).append(" ").append(body_of(page, row));
    return text.append(";\n    }\n");
}

}  // namespace

std::string nginx_error_pages() {
    std::string text(head);
    for (const ErrorPage& page : pages) text += text_of(page);
    return text + "}\n";
}

}  // namespace data_import::manual
