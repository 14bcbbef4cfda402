// The order of the checks (contract, section 2.1), at every endpoint: the answer to a request with several
// faults names the one that is checked first. Each fault is tested alone, with the next one, and with all
// later ones.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <vector>

#include "../../support/answer_check.h"
#include "../../support/http.h"
#include "../../support/json_match.h"
#include "../../support/mutation.h"
#include "../../support/world.h"
#include "../../table.h"
#include "service/api/routes.h"
#include "service/http/idempotency_key.h"
#include "service/openapi/prose.h"

namespace data_import::tests {

namespace {

struct Draft {
    std::string method;
    std::string path;
    std::string query = {};
    std::string content_type = "application/json";
    std::string content_encoding = {};
    std::string authorization = {};
    std::string key = {};  ///< Idempotency-Key; empty: none
    std::string body = {};
    bool is_broken = false;  ///< the body is no JSON
};

struct Fault {
    std::string name;
    std::function<void(Draft&)> apply;
    int status;
    std::string code;
    std::string attr = {};       ///< `attr` of the only item of `errors`; empty: items are not checked
    std::string item_code = {};  ///< `code` of the only item of `errors`; not checked if `attr` is empty
};

/// The account that a request names, and the beginning of the text that says why the request is refused.
struct Target {
    std::string supplier;
    std::string account;
    std::string told;
    int status = 404;
    std::string token = "{{token}}";
};

const std::string hidden = "No such account";
const std::string absent = "The import supplier has no account of this number";
const std::string paused =
    "The import supplier is paused: repeat the request when the operator continues the migration.";
const std::string complete =
    "The import supplier is complete: its migration is over. If something is missing, ask the operator.";

/// Suppliers and accounts into which nothing can be imported, each with the beginning of the refusal's text.
/// The text tells the state of a supplier or an account only if the scope of the token has the supplier.
const std::vector<Target> closed_targets = {
    {"ACME", "{{staged}}", "The account is staged"},
    {"ACME", "{{in_progress}}", "The platform is creating the account"},
    {"ACME", "{{failed}}", "The platform could not create the account: failed-account-import-processes"},
    {"ACME", "{{fresh}}", absent},
    {"ACME", "{{other_account}}", absent},
    {"{{fresh}}", "{{account}}", hidden},
    {"NOBODY", "{{other_account}}", hidden},
    {"OTHER", "{{other_account}}", hidden},
    {"OTHER", "{{fresh}}", hidden},
    {"PAUSED", "{{paused_account}}", hidden, 404, "{{other_token}}"},
    {"PAUSED", "{{paused_account}}", paused, 400},
    {"PAUSED", "{{fresh}}", paused, 400},
    {"COMPLETE", "{{complete_account}}", complete, 400},
};

/// A header `Authorization`, and the code of its refusal; empty: the token is taken.
struct Header {
    std::string text;
    std::string code;
};

const std::vector<Header> headers = {
    {"", "not_authenticated"},
    {"Token", "not_authenticated"},
    {"Token abc", "authentication_failed"},
    {"Token {{wrong_signature_token}}", "authentication_failed"},
    {"Token {{expired_token}}", "token_expired"},
    {"Token {{revoked_token}}", "authentication_failed"},
    {"Token {{token}}", ""},
    {"Bearer {{token}}", ""},
    {"{{token}}", ""},
    {"token {{token}}", ""},
    {"BEARER {{token}}", ""},
    {"tOkEn {{token}}", ""},
};

/// A way to send a request. The order of the checks is the same for all ways.
struct Manner {
    std::string name;
    std::function<void(Draft&)> apply;
    bool is_chunked = false;
};

std::string token(const std::string& name) {
    return "Token " + *world().shared(name);
}

void add_parameter(Draft& draft, const std::string& parameter) {
    draft.query += (draft.query.empty() ? "?" : "&") + parameter;
}

const Fault wrong_type{"the media type", [](Draft& draft) { draft.content_type = "text/plain"; }, 415,
                       "unsupported_media_type"};
const Fault wrong_coding{"the coding", [](Draft& draft) { draft.content_encoding = "br"; }, 415,
                         "unsupported_media_type"};
const Fault wrong_method{"the method", [](Draft& draft) { draft.method = "DELETE"; }, 405,
                         "method_not_allowed"};
const Fault wrong_token{"the token", [](Draft& draft) { draft.authorization = "Token a.b.c"; }, 401,
                        "authentication_failed"};
const Fault broken_query{"the encoding of the query", [](Draft& draft) { add_parameter(draft, "%zz"); }, 400,
                         "bad_request"};
const Fault key_on_dry_run{"an Idempotency-Key on a dry run",
                           [](Draft& draft) {
                               if (draft.query.find("dry_run") == std::string::npos)
                                   add_parameter(draft, "dry_run=true");
                               draft.key = "k";
                           },
                           400, "bad_request"};
const Fault key_on_bulk{"an Idempotency-Key on a bulk request", [](Draft& draft) { draft.key = "k"; }, 400,
                        "bad_request"};
const Fault broken_json{"the JSON", [](Draft& draft) { draft.is_broken = true; }, 400, "parse_error"};
const Fault unknown_field{
    "a field", [](Draft& draft) { draft.body.insert(draft.body.find('{') + 1, R"("surplus": 1, )"); },
    400,       "validation_error",
    "surplus", "unknown_field"};
const Fault unknown_parameter{"a parameter", [](Draft& draft) { add_parameter(draft, "surplus=1"); },
                              400,           "validation_error",
                              "surplus",     "unknown_field"};
const Fault unknown_vendor{
    "the vendor", [](Draft& draft) { draft.body = with_field(draft.body, "vendor", "\"NOBODY\""); },
    400,          "validation_error",
    "vendor",     "invalid_choice"};
/// A good token is replaced by one for the supplier OTHER; a wrong token stays.
Fault out_of_scope(const std::string& code) {
    return {"the supplier's scope",
            [](Draft& draft) {
                if (draft.authorization == token("token")) draft.authorization = token("other_token");
            },
            404, code};
}
const Fault not_ongoing{
    "the supplier's state",
    [](Draft& draft) { draft.body = with_field(draft.body, "import_supplier", "\"PAUSED\""); },
    400,
    "validation_error",
    "import_supplier",
    "import_supplier_migration_not_ongoing"};
const Fault unknown_account{
    "the account",
    [](Draft& draft) { draft.body = with_field(draft.body, "external_account_number", "\"nobody\""); }, 404,
    "account_not_found"};
/// The function that adds this fault to a draft is empty, because the draft's account has no open statement
/// period anyway.
const Fault no_period{
    "the statement period",    [](Draft&) {}, 400, "validation_error", "transactions.0.transaction_date",
    "no_open_statement_period"};
const Fault no_participant{"the market participant",
                           [](Draft& draft) {
                               const std::string mark = "\"market_participant_code\": ";
                               const std::size_t place = draft.body.find(mark) + mark.size();
                               const std::size_t end = draft.body.find_first_not_of("0123456789", place);
                               draft.body.replace(place, end - place, "9999999999999");
                           },
                           400,
                           "validation_error",
                           "price_sheets.0.market_participant_code",
                           "does_not_exist"};

/// The faults that apply to the endpoint, in the order of the checks.
std::vector<Fault> faults_of(const http::Endpoint& endpoint) {
    std::vector<Fault> faults;
    if (!endpoint.body) {
        faults.push_back(wrong_method);
        if (endpoint.needs_token) faults.push_back(wrong_token);
        faults.push_back(broken_query);
        faults.push_back(unknown_parameter);
        if (endpoint.supplier == http::SupplierIn::first_segment) faults.push_back(out_of_scope("not_found"));
        return faults;
    }
    faults = {wrong_method, wrong_type, wrong_token};
    if (!endpoint.needs_token) faults.pop_back();
    faults.push_back(broken_query);
    if (endpoint.takes_lines) {
        faults.push_back(key_on_bulk);
        faults.push_back(unknown_parameter);
        return faults;
    }
    if (endpoint.needs_token && endpoint.method == "POST") faults.push_back(key_on_dry_run);
    faults.push_back(broken_json);
    faults.push_back(endpoint.path.ends_with("/payment-instruction/create/") ? unknown_vendor
                                                                             : unknown_field);
    if (endpoint.supplier == http::SupplierIn::first_segment) faults.push_back(out_of_scope("not_found"));
    if (endpoint.supplier == http::SupplierIn::body) {
        faults.push_back(out_of_scope("account_not_found"));
        faults.push_back(not_ongoing);
        faults.push_back(unknown_account);
    }
    if (endpoint.path.ends_with("/transactions/create/")) faults.push_back(no_period);
    if (endpoint.path.ends_with("/market-participant-fees/import/")) faults.push_back(no_participant);
    return faults;
}

std::vector<Manner> manners_of(const http::Endpoint& endpoint) {
    std::vector<Manner> manners = {{"", [](Draft&) {}}};
    if (!endpoint.body) return manners;
    manners.push_back({", long", [](Draft& draft) { draft.body.insert(0, 110'000, ' '); }});
    manners.push_back({", in chunks", [](Draft&) {}, true});
    if (!endpoint.needs_token || endpoint.method != "POST" || endpoint.takes_lines) return manners;
    manners.push_back({", under a key", [](Draft& draft) { draft.key = world().take_fresh(); }});
    manners.push_back({", dry", [](Draft& draft) {
                           if (draft.query.find("dry_run") == std::string::npos)
                               add_parameter(draft, "dry_run=true");
                       }});
    return manners;
}

Draft valid_draft(const http::Endpoint& endpoint) {
    Draft draft{.method = std::string(endpoint.method), .path = std::string(endpoint.path)};
    for (const auto& [name, value] :
         {std::pair("{import_supplier}", "ACME"), std::pair("{external_account_number}", "nobody")}) {
        const std::size_t place = draft.path.find(name);
        if (place != std::string::npos) draft.path.replace(place, std::string(name).size(), value);
    }
    if (endpoint.needs_token) draft.authorization = token("token");
    draft.body = endpoint.body ? std::string(openapi::example_of(endpoint)) : "";
    if (endpoint.takes_lines) {
        draft.content_type = "application/x-ndjson";
        draft.body = "\n";
    }
    if (endpoint.supplier == http::SupplierIn::body) {
        draft.body = with_field(draft.body, "import_supplier", "\"ACME\"");
        draft.body =
            with_field(draft.body, "external_account_number", '"' + world().take_account("imported") + '"');
    }
    return draft;
}

Answer send(const Draft& draft, bool is_chunked) {
    HttpRequest request{draft.method,
                        draft.path + draft.query,
                        {{"Host", "localhost"}, {"Connection", "close"}},
                        draft.is_broken ? draft.body + '}' : draft.body};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) request.headers.emplace_back(name, value);
    };
    if (!draft.body.empty()) add("Content-Type", draft.content_type);
    add("Content-Encoding", draft.content_encoding);
    add("Authorization", draft.authorization);
    add("Idempotency-Key", draft.key);
    if (is_chunked) {
        request.headers.emplace_back("Transfer-Encoding", "chunked");
        std::ostringstream length;
        length << std::hex << request.body.size();
        request.body = length.str() + "\r\n" + request.body + "\r\n0\r\n\r\n";
    }
    HttpConnection connection(world().stack().port(), world().stack().value("CA_FILE"));
    return connection.ask(request);
}

void check(const http::Endpoint& endpoint, const Manner& manner, const std::vector<Fault>& faults) {
    Draft draft = valid_draft(endpoint);
    std::string name = std::string(endpoint.method) + ' ' + std::string(endpoint.path) + manner.name + ':';
    for (const Fault& fault : faults) {
        fault.apply(draft);
        name += ' ' + fault.name + ',';
    }
    manner.apply(draft);
    const Answer answer = send(draft, manner.is_chunked);
    const std::string told = name + '\n' + shown(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, faults.front().status, answer.status);
    check_any_answer(answer);
    const ErrorBody body = parse_error_body(answer.body);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, faults.front().code, body.code);
    if (faults.front().attr.empty()) return;
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, std::size_t{1}, body.errors.size());
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, faults.front().attr, body.errors.front().attr);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, faults.front().item_code, body.errors.front().code);
}

/// Returns whether the manner and the faults can be tested together. They cannot if the manner adds an
/// Idempotency-Key or a dry run, and `key_on_dry_run` is one of the faults.
bool go_together(const Manner& manner, const std::vector<Fault>& faults) {
    const bool is_about_keys =
        std::ranges::any_of(faults, [](const Fault& fault) { return fault.name == key_on_dry_run.name; });
    return !is_about_keys || (manner.name != ", under a key" && manner.name != ", dry");
}

void check_all(const http::Endpoint& endpoint) {
    const std::vector<Fault> faults = faults_of(endpoint);
    for (const Manner& manner : manners_of(endpoint)) {
        for (auto first = faults.begin(); first != faults.end(); ++first) {
            for (const auto end : {first + 1, std::min(first + 2, faults.end()), faults.end()}) {
                const std::vector<Fault> some(first, end);
                if (go_together(manner, some)) check(endpoint, manner, some);
            }
        }
    }
}

Answer ask_for(const http::Endpoint& endpoint, const Target& target) {
    Variables variables(world());
    const auto quoted = [&](const std::string& text) { return '"' + variables.expand(text) + '"'; };
    Draft draft = valid_draft(endpoint);
    draft.authorization = variables.expand("Token " + target.token);
    draft.body = with_field(draft.body, "import_supplier", quoted(target.supplier));
    draft.body = with_field(draft.body, "external_account_number", quoted(target.account));
    return send(draft, false);
}

/// Refusals that hide whether an account exists are the same, byte by byte.
void check_closed(const http::Endpoint& endpoint) {
    const long before = world().stored_rows();
    std::set<std::string> hidden_bodies;
    for (const Target& target : closed_targets) {
        const Answer answer = ask_for(endpoint, target);
        const std::string told = target.supplier + ' ' + target.account + '\n' + shown(answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, target.status, answer.status);
        check_any_answer(answer);
        const ErrorBody body = parse_error_body(answer.body);
        const bool is_state = target.status == 400;
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, is_state ? not_ongoing.code : unknown_account.code, body.code);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, std::size_t{is_state ? 1U : 0U}, body.errors.size());
        if (is_state) CPPUNIT_ASSERT_EQUAL_MESSAGE(told, not_ongoing.attr, body.errors[0].attr);
        if (is_state) CPPUNIT_ASSERT_EQUAL_MESSAGE(told, not_ongoing.item_code, body.errors[0].code);
        const std::string& detail = is_state ? body.errors[0].detail : body.detail;
        CPPUNIT_ASSERT_MESSAGE(told, detail.starts_with(target.told));
        if (target.told == hidden) hidden_bodies.insert(answer.body);
    }
    CPPUNIT_ASSERT_EQUAL(std::size_t{1}, hidden_bodies.size());
    CPPUNIT_ASSERT_EQUAL_MESSAGE("refused requests were stored", before, world().stored_rows());
}

/// Sends each header `Authorization` of the list `headers` in a request with a broken query. If the service
/// takes the token of the header, the answer must be the error of the query, else the error of the token.
void check_headers(const http::Endpoint& endpoint) {
    const Manner plain = manners_of(endpoint).front();
    for (const Header& header : headers) {
        Variables variables(world());
        const std::string text = variables.expand(header.text);
        const bool is_taken = header.code.empty();
        const Fault sent{header.text, [&](Draft& draft) { draft.authorization = text; },
                         is_taken ? broken_query.status : 401, is_taken ? broken_query.code : header.code};
        check(endpoint, plain, {sent, broken_query});
    }
}

const std::vector<http::Endpoint>& all_endpoints() {
    static const std::vector<http::Endpoint> endpoints = api::endpoints({});
    return endpoints;
}

}  // namespace

class CheckOrderTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CheckOrderTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_endpoints);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_headers);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_closed_accounts);
    CPPUNIT_TEST(a_coding_comes_before_the_token);
    CPPUNIT_TEST(a_key_is_looked_at_before_the_body);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_endpoints(TestSuiteBuilderContextType& context) {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            add_row(context, std::string(endpoint.method) + ' ' + std::string(endpoint.path),
                    [&endpoint] { check_all(endpoint); });
        }
    }

    static void add_headers(TestSuiteBuilderContextType& context) {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (!endpoint.needs_token) continue;
            add_row(context, "tokens for " + std::string(endpoint.method) + ' ' + std::string(endpoint.path),
                    [&endpoint] { check_headers(endpoint); });
        }
    }

    static void add_closed_accounts(TestSuiteBuilderContextType& context) {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (endpoint.supplier != http::SupplierIn::body) continue;
            add_row(context, "accounts for " + std::string(endpoint.path),
                    [&endpoint] { check_closed(endpoint); });
        }
    }

    void a_coding_comes_before_the_token() {
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (!endpoint.body || !endpoint.needs_token) continue;
            for (const Manner& manner : manners_of(endpoint))
                check(endpoint, manner, {wrong_coding, wrong_token});
        }
    }

    /// Shows that the Idempotency-Key is checked after the token and before the body.
    void a_key_is_looked_at_before_the_body() {
        const Fault broken_key{"the form of the key",
                               [](Draft& draft) { draft.key = "\""; },
                               400,
                               "validation_error",
                               "Idempotency-Key",
                               "invalid"};
        for (const http::Endpoint& endpoint : all_endpoints()) {
            if (!http::takes_idempotency_key(endpoint)) continue;
            const Manner plain = manners_of(endpoint).front();
            check(endpoint, plain, {wrong_token, broken_key});
            check(endpoint, plain, {broken_key, broken_json});
            check(endpoint, plain, {broken_key, unknown_field});
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CheckOrderTest);

}  // namespace data_import::tests
