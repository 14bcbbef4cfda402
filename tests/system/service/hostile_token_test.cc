// Sends hostile tokens and Authorization headers through nginx to a worker. Each is refused with the error
// code that fits its fault. Unusual headers with a good token are accepted.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../support/answer_check.h"
#include "../../support/forged_token.h"
#include "../../support/json_match.h"
#include "../../support/load.h"
#include "../../support/world.h"
#include "../../table.h"
#include "data/keys/token.h"

namespace data_import::tests {

namespace {

constexpr const char* failed = "authentication_failed";
constexpr const char* absent = "not_authenticated";
constexpr const char* expired = "token_expired";

/// A good token whose head or claims differ in one part, which is replaced.
struct Forgery {
    std::string name;
    std::string part;  ///< the replaced part of the good head or claims; empty: nothing is replaced
    std::string replacement;
    Signer signer = Signer::ring;
    const char* code = failed;
};

const std::vector<Forgery> forged_heads = {
    {"alg none, not signed", "HS256", "none", Signer::nobody},
    {"alg None, not signed", "HS256", "None", Signer::nobody},
    {"alg NONE, not signed", "HS256", "NONE", Signer::nobody},
    {"alg nOnE, not signed", "HS256", "nOnE", Signer::nobody},
    {"alg none, signed all the same", "HS256", "none"},
    {"alg HS256, not signed", "", "", Signer::nobody},
    {"alg HS384", "HS256", "HS384", Signer::sha384},
    {"alg HS512", "HS256", "HS512", Signer::sha512},
    {"alg HS256 on an HS384 signature", "", "", Signer::sha384},
    {"alg RS256, signed with the symmetric key", "HS256", "RS256"},
    {"alg ES256, signed with the symmetric key", "HS256", "ES256"},
    {"alg PS256, signed with the symmetric key", "HS256", "PS256"},
    {"alg EdDSA, signed with the symmetric key", "HS256", "EdDSA"},
    {"alg in lower case", "HS256", "hs256"},
    {"alg with a blank", "HS256", "HS256 "},
    {"alg empty", "HS256", ""},
    {"alg null", R"("HS256")", "null"},
    {"alg a number", R"("HS256")", "256"},
    {"alg a list", R"("HS256")", R"(["HS256"])"},
    {"alg missing", R"("alg":"HS256",)", ""},
    {"alg twice", R"("alg":"HS256")", R"("alg":"none","alg":"HS256")"},
    {"a secret of somebody else", "", "", Signer::other_key},
    {"an empty secret", "", "", Signer::no_key},
    {"the kid as the secret", "", "", Signer::kid},
    {"a key in the head itself", R"("typ":"JWT")", R"("jwk":{"kty":"oct","k":"eHh4eHh4eHg"})",
     Signer::other_key},
    {"a key at an address", R"("typ":"JWT")", R"("jku":"http://127.0.0.1/jwks.json")", Signer::other_key},
    {"kid unknown", "{kid}", "20000101T000000Z-00000000"},
    {"kid missing", R"(,"kid":"{kid}")", ""},
    {"kid null", R"("{kid}")", "null"},
    {"kid a number", R"("{kid}")", "1"},
    {"kid a list", R"("{kid}")", R"(["{kid}"])"},
    {"kid empty", "{kid}", ""},
    {"kid a path to an empty file", "{kid}", "../../../../../../dev/null", Signer::no_key},
    {"kid a path to the key", "{kid}", "../keys/{kid}"},
    {"kid with the file's ending", "{kid}", "{kid}.key"},
    {"kid SQL", "{kid}", "x' UNION SELECT 'x", Signer::other_key},
    {"kid with a NUL", "{kid}", R"({kid}\u0000)"},
    {"kid huge", "{kid}", std::string(3000, 'k')},
    {"kid twice", R"("kid":"{kid}")", R"("kid":"x","kid":"{kid}")"},
    {"critical extensions", R"("typ":"JWT")", R"("crit":["exp"])"},
    {"a byte order mark before the head", "{\"alg\"", "\xEF\xBB\xBF{\"alg\""},
    {"bytes behind the head", R"("kid":"{kid}"})", R"("kid":"{kid}"}x)"},
    {"a comment in the head", R"("typ")", R"(/**/"typ")"},
    {"a head of many levels", R"("JWT")", std::string(40, '[') + std::string(40, ']')},
    {"a head that is no object", R"({"alg":"HS256","typ":"JWT","kid":"{kid}"})", R"(["HS256"])"},
    {"a head that is no JSON", R"({"alg":"HS256","typ":"JWT","kid":"{kid}"})", "HS256"},
    {"a head that is no UTF-8", "JWT", "\xFF"},
};

const std::vector<Forgery> forged_claims = {
    {"exp a second ago", "{now+600}", "{now-1}", Signer::ring, expired},
    {"exp now", "{now+600}", "{now}", Signer::ring, expired},
    {"exp zero", "{now+600}", "0", Signer::ring, expired},
    {"exp negative", "{now+600}", "-1", Signer::ring, expired},
    {"exp a second ago, signed by somebody else", "{now+600}", "{now-1}", Signer::other_key},
    {"exp a fraction", "{now+600}", "{now+600}.5"},
    {"exp with an exponent", "{now+600}", "4e9"},
    {"exp a text", "{now+600}", R"("{now+600}")"},
    {"exp null", "{now+600}", "null"},
    {"exp too large for an integer", "{now+600}", "9223372036854775808"},
    {"exp too large for a double", "{now+600}", "1e999"},
    {"exp missing", R"(,"exp":{now+600})", ""},
    {"exp twice", R"("exp":{now+600})", R"("exp":{now-1},"exp":{now+600})"},
    {"nbf in a minute", "{now-90}", "{now+60}"},
    {"nbf far away", "{now-90}", "9223372036854775807"},
    {"nbf a text", "{now-90}", R"("{now-90}")"},
    {"nbf missing", R"("nbf":{now-90},)", ""},
    {"iat in an hour", "{now-60}", "{now+3600}"},
    {"iat a text", "{now-60}", R"("yesterday")"},
    {"iat missing", R"("iat":{now-60},)", ""},
    {"iss another", R"("iss":"data-import")", R"("iss":"somebody")"},
    {"iss a list", R"("iss":"data-import")", R"("iss":["data-import"])"},
    {"iss missing", R"("iss":"data-import",)", ""},
    {"aud another", R"("aud":"data-import")", R"("aud":"data-imports")"},
    {"aud a list", R"("aud":"data-import")", R"("aud":["data-import"])"},
    {"aud of a refresh token", R"("aud":"data-import")", R"("aud":"data-import-refresh")"},
    {"aud missing", R"("aud":"data-import",)", ""},
    {"sub of no key", "{sub}", "999999999"},
    {"sub a number", R"("{sub}")", "{sub}"},
    {"sub a word", "{sub}", "admin"},
    {"sub empty", "{sub}", ""},
    {"sub negative", "{sub}", "-1"},
    {"sub with a zero in front", "{sub}", "0{sub}"},
    {"sub huge", "{sub}", std::string(400, '9')},
    {"sub SQL", "{sub}", "{sub}' OR '1'='1"},
    {"sub with a NUL", "{sub}", R"({sub}\u0000)"},
    {"sub missing", R"("sub":"{sub}",)", ""},
    {"sub twice", R"("sub":"{sub}")", R"("sub":"1","sub":"{sub}")"},
    {"a byte order mark before the claims", "{\"iss\"", "\xEF\xBB\xBF{\"iss\""},
    {"bytes behind the claims", "{now+600}}", "{now+600}} {}"},
    {"claims of many levels", "{now+600}}",
     "{now+600},\"x\":" + std::string(40, '[') + std::string(40, ']') + "}"},
};

/// Headers by which a request tries to show a token, and the answer to it. In the headers, `{good}` stands
/// for a good token, `{head}`, `{claims}` and `{signature}` for its parts, `{refresh}` for a refresh token,
/// and `{key}` for an API key.
struct Header {
    std::string name;
    std::vector<std::pair<std::string, std::string>> lines;  ///< name and value of each header
    int status = 401;
    const char* code = failed;
};

std::vector<std::pair<std::string, std::string>> authorization(const std::string& value) {
    return {{"Authorization", value}};
}

const std::vector<Header> headers = {
    {"no header", {}, 401, absent},
    {"the token under another name", {{"X-Authorization", "Token {good}"}}, 401, absent},
    {"the token for a proxy", {{"Proxy-Authorization", "Token {good}"}}, 401, absent},
    {"the token in a cookie", {{"Cookie", "Authorization=Token {good}; token={good}"}}, 401, absent},
    {"a name with an underscore", {{"Authorization_", "Token {good}"}}, 401, absent},
    {"an empty header", authorization(""), 401, absent},
    {"a scheme alone", authorization("Token"), 401, absent},
    {"a scheme and blanks", authorization("Bearer    "), 401, absent},
    {"Basic", authorization("Basic {good}")},
    {"Basic with a name and the token", authorization("Basic dG9rZW46dG9rZW4=")},
    {"Digest", authorization("Digest username=\"x\", response=\"{good}\"")},
    {"Negotiate", authorization("Negotiate {good}")},
    {"JWT", authorization("JWT {good}")},
    {"a scheme with a colon", authorization("Token: {good}")},
    {"a scheme with an equals sign", authorization("Token={good}")},
    {"the token as a parameter", authorization("Token token={good}")},
    {"a tab behind the scheme", authorization("Token\t{good}")},
    {"a tab before the token", authorization("Token \t{good}")},
    {"a blank in the token", authorization("Token {head}. {claims}.{signature}")},
    {"two tokens", authorization("Token {good} {good}")},
    {"two tokens with a comma", authorization("Token {good}, Token {good}")},
    {"the scheme behind the token", authorization("{good} Token")},
    {"two schemes", authorization("Token Bearer {good}")},
    {"a comma behind the token", authorization("Token {good},")},
    {"quotes", authorization("Token \"{good}\"")},
    {"angle brackets", authorization("Token <{good}>")},
    {"a percent-encoded NUL", authorization("Token {good}%00")},
    {"percent-encoded dots", authorization("Token {head}%2e{claims}%2e{signature}")},
    {"bytes outside ASCII", authorization("Token \xC3\xBC\xFF\x80")},
    {"bytes outside ASCII behind the token", authorization("Token {good}\xC2\xA0")},
    {"a scheme outside ASCII", authorization("T\xC3\xB6ken {good}")},
    {"one part", authorization("Token {head}")},
    {"two parts", authorization("Token {head}.{claims}")},
    {"four parts", authorization("Token {good}.{signature}")},
    {"five parts", authorization("Token {head}.{claims}.{claims}.{claims}.{signature}")},
    {"dots only", authorization("Token ..")},
    {"an empty head", authorization("Token .{claims}.{signature}")},
    {"empty claims", authorization("Token {head}..{signature}")},
    {"an empty signature", authorization("Token {head}.{claims}.")},
    {"parts in another order", authorization("Token {claims}.{head}.{signature}")},
    {"padding", authorization("Token {good}=")},
    {"padding of each part", authorization("Token {head}==.{claims}==.{signature}==")},
    {"the alphabet of plain base64", authorization("Token {plain}")},
    {"a signature cut short", authorization("Token {short}")},
    {"a signature that goes on", authorization("Token {good}AAAA")},
    {"the token in capitals", authorization("Token {capitals}")},
    {"a refresh token", authorization("Token {refresh}")},
    {"an API key", authorization("Token {key}")},
    {"5,000 characters", authorization("Token " + std::string(5000, 'a'))},
    {"a good token and 12,000 characters", authorization("Token {good}." + std::string(12000, 'a'))},
    // refusals of nginx itself
    {"two headers, the first good",
     {{"Authorization", "Token {good}"}, {"Authorization", "Token x"}},
     400,
     "bad_request"},
    {"two headers, the second good",
     {{"Authorization", "Token x"}, {"Authorization", "Token {good}"}},
     400,
     "bad_request"},
    {"two headers, both good",
     {{"Authorization", "Token {good}"}, {"authorization", "Token {good}"}},
     400,
     "bad_request"},
    {"20,000 characters", authorization("Token " + std::string(20000, 'a')), 431, "header_too_large"},
    {"a NUL in the header", authorization(std::string("Token {good}\0x", 14)), 400, "bad_request"},
    // good tokens
    {"a good token", authorization("Token {good}"), 200, nullptr},
    {"a good token in lower case", authorization("token {good}"), 200, nullptr},
    {"a good token in capitals", authorization("TOKEN {good}"), 200, nullptr},
    {"a good Bearer", authorization("Bearer {good}"), 200, nullptr},
    {"a good bearer", authorization("bEARER {good}"), 200, nullptr},
    {"a good token with blanks", authorization("Token    {good}  "), 200, nullptr},
    {"a good token alone", authorization("{good}"), 200, nullptr},
};

const Forge& forge() {
    static const Forge made(world().stack(), *world().shared("key_id"));
    return made;
}

/// The values that replace words in braces, such as `{good}`, in the headers of the cases. `{good}` is a
/// token whose signature contains `-` or `_`. Plain base64 has `+` or `/` instead, so `{plain}`, the same
/// token in plain base64, is another text.
const std::map<std::string, std::string>& words() {
    static const std::map<std::string, std::string> made = [] {
        std::string token;
        for (int number = 0; token.find_first_of("-_", token.rfind('.') + 1) == std::string::npos; ++number) {
            std::string claims = Forge::good_claims;
            claims.insert(1, "\"jti\":" + std::to_string(number) + ',');
            token = forge().token(Forge::good_head, claims);
        }
        const std::size_t first = token.find('.');
        const std::size_t last = token.rfind('.');
        std::map<std::string, std::string> parts = {{"{good}", token},
                                                    {"{head}", token.substr(0, first)},
                                                    {"{claims}", token.substr(first + 1, last - first - 1)},
                                                    {"{signature}", token.substr(last + 1)},
                                                    {"{short}", token.substr(0, token.size() - 1)},
                                                    {"{plain}", token},
                                                    {"{capitals}", token},
                                                    {"{key}", *world().shared("api_key")}};
        for (char& letter : parts["{plain}"]) letter = letter == '-' ? '+' : letter == '_' ? '/' : letter;
        for (char& letter : parts["{capitals}"])
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        keys::TokenIssuer issuer({.keys_directory = keys_directory(world().stack()),
                                  .token_lifetime = std::chrono::hours(1),
                                  .refresh_token_lifetime = std::chrono::hours(1)});
        parts["{refresh}"] = issuer.issue({*world().shared("key_id"), "Main"}).refresh_token;
        return parts;
    }();
    return made;
}

std::string with_words(std::string text) {
    for (const auto& [word, value] : words()) {
        for (std::size_t place = 0; (place = text.find(word, place)) != std::string::npos;
             place += value.size())
            text.replace(place, word.size(), value);
    }
    return text;
}

void check_answer(const std::vector<std::pair<std::string, std::string>>& lines, int status,
                  const char* code) {
    HttpRequest request = get_request("/v1/data-import/all-account-import-processes/EMPTY/");
    request.headers.insert(request.headers.end(), lines.begin(), lines.end());
    const Answer answer = ask(world().stack(), request);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), status, answer.status);
    check_any_answer(answer);
    if (code != nullptr)
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), std::string(code), parse_error_body(answer.body).code);
}

}  // namespace

class HostileTokenTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(HostileTokenTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Forgery& row : forged_heads) {
            add_row(context, row.name, [row] {
                std::string head = Forge::good_head;
                change(head, row);
                check(head, Forge::good_claims, row);
            });
        }
        for (const Forgery& row : forged_claims) {
            add_row(context, row.name, [row] {
                std::string claims = Forge::good_claims;
                change(claims, row);
                check(Forge::good_head, claims, row);
            });
        }
        for (const Header& row : headers) add_row(context, row.name, [row] { check(row); });
    }

private:
    static void change(std::string& text, const Forgery& row) {
        const std::size_t place = text.find(row.part);
        CPPUNIT_ASSERT_MESSAGE("the good text has no part " + row.part, place != std::string::npos);
        text.replace(place, row.part.size(), row.replacement);
    }

    static void check(const std::string& head, const std::string& claims, const Forgery& row) {
        check_answer(authorization("Token " + forge().token(head, claims, row.signer)), 401, row.code);
    }

    static void check(const Header& row) {
        auto lines = row.lines;
        for (auto& line : lines) line.second = with_words(line.second);
        check_answer(lines, row.status, row.code);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(HostileTokenTest);

}  // namespace data_import::tests
