// nginx/: the lists of paths are those of the endpoints, and the sizes of bodies are those of util/limits.h.
// Run from the top of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/setting_table.h"
#include "base/util/limits.h"
#include "base/util/readable.h"
#include "data/json/syntax.h"
#include "data/payload/imports.h"
#include "service/api/routes.h"
#include "service/graphql/execute.h"
#include "service/openapi/service_document.h"

namespace data_import::tests {

namespace {

struct Directive {
    std::vector<std::string> words;
    std::vector<Directive> block = {};
};

using Directives = std::vector<Directive>;

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    CPPUNIT_ASSERT_MESSAGE(file.string(), !text.str().empty());
    return text.str();
}

/// Splits a configuration into its tokens. A token is a word, whose quotes are removed, or one of the signs
/// `;`, `{` and `}`. Leaves comments out.
std::vector<std::string> tokens_of(const std::string& text) {
    static const std::regex token(R"re(#[^\n]*|"((?:\\.|[^"\\])*)"|'([^']*)'|([;{}])|([^\s;{}]+))re");
    std::vector<std::string> tokens;
    for (std::sregex_iterator match(text.begin(), text.end(), token), end; match != end; ++match) {
        if (!match->str().starts_with('#'))
            tokens.push_back((*match)[1].str() + (*match)[2].str() + (*match)[3].str() + (*match)[4].str());
    }
    return tokens;
}

Directives read_file(const std::string& name);

/// Reads directives up to the end of the block. Replaces an `include` of a snippet by the snippet's
/// directives.
Directives read_block(const std::vector<std::string>& tokens, std::size_t& at) {
    constexpr std::string_view snippets = "snippets/data-import/";
    Directives directives;
    std::vector<std::string> words;
    for (; at < tokens.size() && tokens[at] != "}"; ++at) {
        if (tokens[at] == "{") {
            directives.push_back({words, read_block(tokens, ++at)});
        } else if (tokens[at] != ";") {
            words.push_back(tokens[at]);
            continue;
        } else if (words.front() == "include" && words.back().starts_with(snippets)) {
            std::ranges::copy(read_file(words.back().substr(snippets.size())),
                              std::back_inserter(directives));
        } else {
            directives.push_back({words});
        }
        words.clear();
    }
    return directives;
}

Directives read_file(const std::string& name) {
    const std::vector<std::string> tokens = tokens_of(text_of("nginx/" + name));
    std::size_t at = 0;
    return read_block(tokens, at);
}

const Directives& site() {
    static const Directives directives = read_file("data-import.conf.in");
    return directives;
}

/// The server for clients, which comes before the server for this machine.
const Directives& server() {
    const auto found = std::ranges::find(site(), std::vector<std::string>{"server"}, &Directive::words);
    return found->block;
}

/// Adds the last words of all directives of that name, including those in blocks.
void find_values(const Directives& directives, std::string_view name, std::vector<std::string>& values) {
    for (const Directive& one : directives) {
        if (one.words.front() == name) values.push_back(one.words.back());
        find_values(one.block, name, values);
    }
}

/// The value of a directive in a location, or the value that the location inherits; empty if there is none.
std::string value_in(const Directives& location, std::string_view name) {
    for (const Directives* block : {&location, &server()}) {
        for (const Directive& one : *block) {
            if (one.words.front() == name) return one.words.at(1);
        }
    }
    return {};
}

/// Finds the directive that begins with these words, in blocks too. Returns the number after the words,
/// without its unit.
std::string number_behind(const std::string& words, const Directives& directives = site()) {
    for (const Directive& one : directives) {
        std::string text;
        for (const std::string& word : one.words) (text += word) += ' ';
        if (text.starts_with(words))
            return text.substr(words.size(),
                               text.find_first_not_of("0123456789", words.size()) - words.size());
        if (const std::string number = number_behind(words, one.block); !number.empty()) return number;
    }
    return {};
}

/// Returns the number that follows `words`, the beginning of a directive of nginx's site. The result has
/// commas between thousands, such as `16,384`.
std::string shown_number(const std::string& words) {
    return util::grouped(number_behind(words));
}

/// Returns whether `form`, the regular expression of a location, has a named group, which std::regex cannot
/// read. Tests leave locations with a named group out, because such a location in server() matches no path
/// of an endpoint.
bool has_name(const std::string& form) {
    return form.find("?<") != std::string::npos;
}

/// The location that nginx chooses for a path, by its rules.
const Directive& location_of(const std::string& path) {
    const Directive* longest = nullptr;
    const Directive* first_form = nullptr;
    for (const Directive& one : server()) {
        if (one.words.front() != "location" || one.words.at(1).starts_with('@')) continue;
        const std::string& kind = one.words.at(1);
        const std::string& wanted = one.words.back();
        if (kind == "=" && path == wanted) return one;
        if (kind == "~" && first_form == nullptr && !has_name(wanted) &&
            std::regex_search(path, std::regex(wanted)))
            first_form = &one;
        if ((kind == "^~" || kind == wanted) && path.starts_with(wanted) &&
            (longest == nullptr || longest->words.back().size() < wanted.size()))
            longest = &one;
    }
    return first_form == nullptr || longest->words.at(1) == "^~" ? *longest : *first_form;
}

/// The value that a map of the configuration gives for a text.
std::string mapped(std::string_view variable, const std::string& text) {
    const auto map = std::ranges::find_if(site(), [&](const Directive& one) {
        return one.words.front() == "map" && one.words.back() == variable;
    });
    std::string by_default;
    for (const Directive& row : map->block) {
        const std::string& form = row.words.front();
        if (form == "default") by_default = row.words.back();
        if (form == text || (form.starts_with('~') && std::regex_search(text, std::regex(form.substr(1)))))
            return row.words.back();
    }
    return by_default;
}

/// Returns all texts that a form with alternatives matches, such as `/a` and `/b` for `^/(?:a|b)$`.
std::vector<std::string> texts_of(const std::string& form) {
    const std::size_t begin = form.rfind("(?:");
    if (begin == std::string::npos) return {std::regex_replace(form, std::regex(R"(\\|\^|\$)"), "")};
    const std::size_t end = form.find(')', begin);
    std::istringstream alternatives(form.substr(begin + 3, end - begin - 3));
    std::vector<std::string> texts;
    for (std::string one; std::getline(alternatives, one, '|');)
        std::ranges::copy(texts_of(form.substr(0, begin) + one + form.substr(end + 1)),
                          std::back_inserter(texts));
    return texts;
}

const std::vector<http::Endpoint>& endpoints() {
    static const std::vector<http::Endpoint> all = api::endpoints({});
    return all;
}

std::string sample_of(const http::Endpoint& endpoint) {
    return std::regex_replace(std::string(endpoint.path), std::regex(R"(\{[a-z_]+\})"), "4711");
}

/// The default of `idempotency_bytes`.
std::string size_of_kept_answers() {
    config::Settings settings;
    const config::Setting& setting = *config::find_setting("idempotency_bytes");
    CPPUNIT_ASSERT(config::assign(settings, setting, setting.default_value));
    return util::size_text(settings.idempotency_bytes);
}

/// The methods of a path as the header Allow lists them.
std::string methods_at(std::string_view path) {
    std::set<std::string> methods;
    for (const http::Endpoint& endpoint : endpoints()) {
        if (endpoint.path != path) continue;
        methods.emplace(endpoint.method);
        if (endpoint.method == "GET") methods.insert("HEAD");
    }
    std::string text;
    for (const std::string& method : methods) text += (text.empty() ? "" : ", ") + method;
    return text;
}

}  // namespace

class NginxRoutesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NginxRoutesTest);
    CPPUNIT_TEST(long_bodies_are_taken_where_a_token_is_needed);
    CPPUNIT_TEST(sizes_are_the_limits);
    CPPUNIT_TEST(imports_are_the_addresses_that_admit_first);
    CPPUNIT_TEST(listed_paths_are_those_of_endpoints);
    CPPUNIT_TEST(pools_go_with_what_is_counted);
    CPPUNIT_TEST(methods_are_those_of_the_endpoints);
    CPPUNIT_TEST(nginx_judges_addresses_only_as_they_are_written);
    CPPUNIT_TEST(the_documentation_tells_the_limits);
    CPPUNIT_TEST(the_contract_tells_the_limits);
    CPPUNIT_TEST(requests_of_an_organisation_are_as_many_as_the_service_knows);
    CPPUNIT_TEST_SUITE_END();

public:
    void long_bodies_are_taken_where_a_token_is_needed() {
        for (const http::Endpoint& endpoint : endpoints()) {
            if (!endpoint.body) continue;
            const std::string path = sample_of(endpoint);
            const std::size_t longest = endpoint.needs_token ? util::limits::body : util::limits::short_body;
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, std::to_string(longest),
                                         value_in(location_of(path).block, "client_max_body_size"));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, std::to_string(longest), mapped("$di_longest_body", path));
        }
    }

    void sizes_are_the_limits() {
        std::vector<std::string> sizes;
        find_values(server(), "client_max_body_size", sizes);
        CPPUNIT_ASSERT(!sizes.empty());
        for (const std::string& size : sizes)
            CPPUNIT_ASSERT_MESSAGE(size, size == "0" || size == std::to_string(util::limits::body) ||
                                             size == std::to_string(util::limits::short_body));
        // the part of a body that nginx keeps in memory must be as long as a short body
        CPPUNIT_ASSERT_EQUAL(std::to_string(util::limits::short_body >> 10U) + 'k',
                             value_in(server(), "client_body_buffer_size"));
        CPPUNIT_ASSERT_EQUAL(
            std::to_string(util::limits::body >> 20U) + 'm',
            value_in(location_of("/data-import-long/bulk").block, "client_body_buffer_size"));
    }

    void imports_are_the_addresses_that_admit_first() {
        std::set<std::string> admitting;
        for (const Directive& one : server()) {
            std::vector<std::string> conditions;
            find_values(one.block, "if", conditions);
            if (std::ranges::find(conditions, "405)") != conditions.end())
                std::ranges::copy(texts_of(one.words.back()), std::inserter(admitting, admitting.end()));
        }
        std::set<std::string> imports{"/v1/data-import/bulk/", "/v1/data-import/control-totals/"};
        for (const payload::DeclaredImport& import : payload::imports()) imports.emplace(import.path);
        CPPUNIT_ASSERT(imports == admitting);
    }

    void listed_paths_are_those_of_endpoints() {
        for (const Directive& one : server()) {
            if (one.words.front() != "location" || one.words.at(1) != "~" || has_name(one.words.back()))
                continue;
            const bool is_whole = one.words.back().ends_with('$');
            for (const std::string& path : texts_of(one.words.back())) {
                const auto is_here = [&](const http::Endpoint& endpoint) {
                    return is_whole ? endpoint.path == path : endpoint.path.starts_with(path);
                };
                CPPUNIT_ASSERT_MESSAGE(path, std::ranges::any_of(endpoints(), is_here));
            }
        }
    }

    void pools_go_with_what_is_counted() {
        for (const http::Endpoint& endpoint : endpoints()) {
            const std::string path = sample_of(endpoint);
            const std::string pool = value_in(location_of(path).block, "fastcgi_pass");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, endpoint.method == "GET" && !endpoint.needs_token,
                                         pool == "data_import_health");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, !mapped("$di_listing", path).empty(),
                                         pool == "data_import_listing");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, !mapped("$di_waits", path).empty(),
                                         pool == "data_import_vendor");
        }
    }

    void methods_are_those_of_the_endpoints() {
        for (const http::Endpoint& endpoint : endpoints())
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(endpoint.path), methods_at(endpoint.path),
                                         mapped("$di_allow", sample_of(endpoint)));
    }

    void nginx_judges_addresses_only_as_they_are_written() {
        for (const http::Endpoint& endpoint : endpoints()) {
            const std::string path = sample_of(endpoint);
            std::vector<std::string> conditions;
            find_values(location_of(path).block, "if", conditions);
            const bool judges = std::ranges::find(conditions, "405)") != conditions.end();
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, judges, !mapped("$di_written", path).empty());
            CPPUNIT_ASSERT_EQUAL_MESSAGE(path, judges, !mapped("$di_written", path + "?a=%2F").empty());
            for (const std::string& other :
                 {path + '/', path + "#", path.substr(0, path.size() - 1), '/' + path,
                  std::regex_replace(path, std::regex("/data-"), "/%64ata-")})
                CPPUNIT_ASSERT_MESSAGE(other, mapped("$di_written", other).empty());
        }
    }

    void the_documentation_tells_the_limits() {
        const std::string document = openapi::document(endpoints());
        const std::string token_rate =
            shown_number("limit_req_zone $di_token zone=data_import_token:10m rate=");
        const std::string longest_rate =
            shown_number("limit_req_zone $di_longest zone=data_import_longest:1m rate=");
        const std::string request_rate =
            shown_number("limit_req_zone $di_asker zone=data_import_token_request:10m rate=");
        const int minutes =
            std::stoi(value_in(location_of("/v1/data-import/account-control-totals/4711/").block,
                               "fastcgi_read_timeout")) /
            60;
        for (const std::string& row :
             {"body | " + util::size_text(util::limits::body) + "; " +
                  util::size_text(util::limits::short_body) + " at `/v1/graphql/`;",
              "requests of one token | " + shown_number("limit_conn data_import_token_in_flight ") +
                  " in flight; " + token_rate + " a second, after a pause up to " +
                  shown_number("limit_req zone=data_import_token burst=") + " in a burst |",
              "requests of one organisation in flight | " + shown_number("limit_conn data_import_bulk ") +
                  " bulk requests; " + shown_number("limit_conn data_import_listing ") +
                  " listings and control totals; " + shown_number("limit_conn data_import_huge ") +
                  " bodies of ",
              "bytes and more | " + longest_rate + " a second for each token;",
              "requests for tokens from one address | " + request_rate + " a minute",
              "connections from one address | " + shown_number("limit_conn data_import_address_in_flight ") +
                  " |",
              "header block, request line | " + number_behind("large_client_header_buffers 1 ") + " KiB |",
              "pause between two parts of a request | " + number_behind("client_body_timeout ") +
                  " seconds |",
              "answer | within " + number_behind("fastcgi_read_timeout ", read_file("fastcgi.conf")) +
                  " seconds; listings within " + std::to_string(minutes) + " minutes,"})
            CPPUNIT_ASSERT_MESSAGE(row, document.find(row) != std::string::npos);
    }
    void the_contract_tells_the_limits() {
        const std::string contract = text_of("nginx/docs/contract.md");
        const int minutes =
            std::stoi(value_in(location_of("/v1/data-import/account-control-totals/4711/").block,
                               "fastcgi_read_timeout")) /
            60;
        const std::string header_room = number_behind("large_client_header_buffers 1 ") + " KiB | ";
        for (const std::string& row :
             {"body | " + util::size_text(util::limits::body) + "; of a GraphQL request " +
                  util::size_text(util::limits::short_body) + "; of a bulk request " +
                  util::size_text(util::limits::body) + " as sent and " +
                  util::size_text(util::limits::bulk_body) + " unpacked | 413",
              "members of one object | " + util::grouped(std::to_string(json::max_members)),
              "characters of a number | " + std::to_string(json::max_number_length),
              "lines of a bulk request | " + util::grouped(std::to_string(util::limits::bulk_lines)),
              "document of a GraphQL request | " +
                  util::grouped(std::to_string(graphql::max_document_bytes)) + " bytes",
              "header block | " + header_room + "431", "request line | " + header_room + "414",
              "requests of a token | " + shown_number("limit_conn data_import_token_in_flight ") +
                  " in flight, " + shown_number("limit_req_zone $di_token zone=data_import_token:10m rate=") +
                  " a second, burst " + shown_number("limit_req zone=data_import_token burst="),
              "its first " + std::to_string(util::limits::never_refused) + " short requests in flight",
              "bulk requests of an organisation | " + shown_number("limit_conn data_import_bulk "),
              "listings and control totals of an organisation | " +
                  shown_number("limit_conn data_import_listing "),
              "bytes and more, or of unknown length | " + shown_number("limit_conn data_import_huge "),
              "under Idempotency-Keys (9.2) | " + size_of_kept_answers(),
              "GraphQL requests of an address | " +
                  shown_number("limit_req_zone $di_asker zone=data_import_token_request:10m rate=") +
                  " a minute",
              "connections of an address | " + shown_number("limit_conn data_import_address_in_flight "),
              "time between two parts of a request | " + number_behind("client_body_timeout ") + " s",
              "time of an answer | " + number_behind("fastcgi_read_timeout ", read_file("fastcgi.conf")) +
                  " s; listings " + std::to_string(minutes) + " min"})
            CPPUNIT_ASSERT_MESSAGE(row, contract.find(row) != std::string::npos);
    }

    void requests_of_an_organisation_are_as_many_as_the_service_knows() {
        CPPUNIT_ASSERT_EQUAL(std::to_string(util::limits::huge_bodies),
                             number_behind("limit_conn data_import_huge "));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(NginxRoutesTest);

}  // namespace data_import::tests
