#include "auth/token.h"

#include <cppunit/extensions/HelperMacros.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "auth/api_key.h"
#include "util/crypto.h"

namespace data_import::tests {

namespace {

/// A directory for key files that vanishes with the test.
class KeyDirectory {
public:
    KeyDirectory() {
        std::string name = std::filesystem::temp_directory_path() / "data-import-keys-XXXXXX";
        CPPUNIT_ASSERT(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~KeyDirectory() { std::filesystem::remove_all(path); }
    KeyDirectory(const KeyDirectory&) = delete;
    KeyDirectory& operator=(const KeyDirectory&) = delete;

    std::filesystem::path path;
};

std::string sign(const std::string& head, const std::string& claims, const std::string& secret) {
    const std::string text = util::to_base64url(head) + '.' + util::to_base64url(claims);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &length);
    return text + '.' + util::to_base64url({reinterpret_cast<const char*>(digest), length});
}

const auth::SigningKey key{"k1", std::string(32, 's')};
const std::string good_head = R"({"alg":"HS256","typ":"JWT","kid":"k1"})";
const std::string good_claims = R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":200})";

bool is_refused(const std::string& token) {
    try {
        CPPUNIT_ASSERT_EQUAL(key.kid, auth::token_kid(token));
        static_cast<void>(auth::verify_token(token, key));
        return false;
    } catch (const auth::TokenRefused& refused) {
        return !refused.expired && !refused.detail.empty();
    }
}

}  // namespace

class TokenTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TokenTest);
    CPPUNIT_TEST(issued_tokens_verify);
    CPPUNIT_TEST(a_token_of_the_right_form_is_taken);
    CPPUNIT_TEST(forms_that_are_refused);
    CPPUNIT_TEST(heads_that_are_refused);
    CPPUNIT_TEST(claims_that_are_refused);
    CPPUNIT_TEST(every_changed_character_is_refused);
    CPPUNIT_TEST(times_count_to_the_second);
    CPPUNIT_TEST(the_newest_key_signs_and_all_verify);
    CPPUNIT_TEST(open_or_broken_key_files_are_refused);
    CPPUNIT_TEST(api_keys_have_256_random_bits);
    CPPUNIT_TEST_SUITE_END();

public:
    void issued_tokens_verify() {
        const KeyDirectory directory;
        auth::KeyRing::create_key(directory.path);
        const auth::KeyRing ring = auth::KeyRing::load(directory.path);
        const std::string token = auth::issue_token(ring, "42", std::chrono::seconds(60));
        CPPUNIT_ASSERT_EQUAL(ring.signing_key().kid, auth::token_kid(token));
        const auth::TokenClaims claims = auth::verify_token(token, ring.signing_key());
        CPPUNIT_ASSERT_EQUAL(std::string("42"), claims.api_key_id);
        const std::int64_t now = std::time(nullptr);
        CPPUNIT_ASSERT(claims.expires_at >= now + 59 && claims.expires_at <= now + 61);
        auth::check_time(claims, now);
    }

    void a_token_of_the_right_form_is_taken() {
        CPPUNIT_ASSERT(!is_refused(sign(good_head, good_claims, key.secret)));
    }

    void forms_that_are_refused() {
        const std::string token = sign(good_head, good_claims, key.secret);
        const std::vector<std::string> forms = {
            "",
            ".",
            "..",
            "...",
            "a.b.c",
            "garbage",
            token + '.',
            '.' + token,
            token + ".x",
            token + '=',
            token + ' ',
            token + '\n',
            token.substr(0, token.rfind('.')),
            token.substr(0, token.rfind('.') + 1),
            token + std::string(auth::max_token_length, 'A'),
        };
        for (const std::string& form : forms) CPPUNIT_ASSERT_MESSAGE(form, is_refused(form));
    }

    void heads_that_are_refused() {
        for (const std::string head :
             {R"({"alg":"none","kid":"k1"})", R"({"alg":"hs256","kid":"k1"})",
              R"({"alg":"HS384","kid":"k1"})", R"({"alg":"RS256","kid":"k1"})",
              R"({"alg":["HS256"],"kid":"k1"})", R"({"kid":"k1"})", R"({"alg":"HS256"})",
              R"({"alg":"HS256","kid":1})", R"({"alg":"HS256","kid":"k1","crit":["exp"]})",
              R"({"alg":"none","alg":"HS256","kid":"k1"})", R"(["HS256"])", "", "{"}) {
            CPPUNIT_ASSERT_MESSAGE(head, is_refused(sign(head, good_claims, key.secret)));
        }
    }

    void claims_that_are_refused() {
        for (const std::string claims :
             {R"({"iss":"other","aud":"data-import","sub":"7","nbf":100,"exp":200})",
              R"({"aud":"data-import","sub":"7","nbf":100,"exp":200})",
              R"({"iss":"data-import","aud":"other","sub":"7","nbf":100,"exp":200})",
              R"({"iss":"data-import","aud":["data-import"],"sub":"7","nbf":100,"exp":200})",
              R"({"iss":"data-import","aud":"data-import","nbf":100,"exp":200})",
              R"({"iss":"data-import","aud":"data-import","sub":7,"nbf":100,"exp":200})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","exp":200})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":"200"})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":200.5})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":2e2})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":null})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":200,"exp":300})",
              R"({"iss":"data-import","aud":"data-import","sub":"7","nbf":100,"exp":99999999999999999999})",
              "[]", "\"7\"", ""}) {
            CPPUNIT_ASSERT_MESSAGE(claims, is_refused(sign(good_head, claims, key.secret)));
        }
    }

    void every_changed_character_is_refused() {
        const std::string token = sign(good_head, good_claims, key.secret);
        const std::string wrong_secret = sign(good_head, good_claims, std::string(32, 't'));
        CPPUNIT_ASSERT(is_refused(wrong_secret));
        for (std::size_t place = token.find('.'); place < token.size(); ++place) {
            std::string changed = token;
            changed[place] = changed[place] == 'A' ? 'B' : 'A';
            CPPUNIT_ASSERT_MESSAGE(changed, is_refused(changed));
        }
    }

    void times_count_to_the_second() {
        const auth::TokenClaims claims{"7", 100, 200};
        auth::check_time(claims, 100);
        auth::check_time(claims, 199);
        CPPUNIT_ASSERT_THROW(auth::check_time(claims, 99), auth::TokenRefused);
        try {
            auth::check_time(claims, 200);
            CPPUNIT_FAIL("an expired token was taken");
        } catch (const auth::TokenRefused& refused) {
            CPPUNIT_ASSERT(refused.expired);
        }
    }

    void the_newest_key_signs_and_all_verify() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0640);
        write_key(directory.path / "20210101T000000Z-b.key", 0600);
        const auth::KeyRing ring = auth::KeyRing::load(directory.path);
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000000Z-b"), ring.signing_key().kid);
        CPPUNIT_ASSERT(ring.find("20200101T000000Z-a") != nullptr);
        CPPUNIT_ASSERT(ring.find("20200101T000000Z") == nullptr);
        struct stat status {};
        const std::string made = auth::KeyRing::create_key(directory.path) + ".key";
        CPPUNIT_ASSERT_EQUAL(0, stat((directory.path / made).c_str(), &status));
        CPPUNIT_ASSERT_EQUAL(mode_t{0640}, status.st_mode & 07777);
        for (int number = 0; number < 20; ++number) {
            const std::string kid = auth::KeyRing::create_key(directory.path);
            CPPUNIT_ASSERT_EQUAL(kid, auth::KeyRing::load(directory.path).signing_key().kid);
        }
    }

    void open_or_broken_key_files_are_refused() {
        const KeyDirectory directory;
        CPPUNIT_ASSERT_THROW(static_cast<void>(auth::KeyRing::load(directory.path)), auth::KeyRingError);
        CPPUNIT_ASSERT_THROW(static_cast<void>(auth::KeyRing::load(directory.path / "none")),
                             auth::KeyRingError);
        for (const int mode : {0644, 0660, 0642, 0641}) {
            const auto file = directory.path / "x.key";
            write_key(file, mode);
            CPPUNIT_ASSERT_THROW(static_cast<void>(auth::KeyRing::load(directory.path)), auth::KeyRingError);
            std::filesystem::remove(file);
        }
        std::ofstream(directory.path / "y.key") << "short\n";
        CPPUNIT_ASSERT_EQUAL(0, chmod((directory.path / "y.key").c_str(), 0600));
        CPPUNIT_ASSERT_THROW(static_cast<void>(auth::KeyRing::load(directory.path)), auth::KeyRingError);
        write_key(directory.path / "a.key", 0600);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, auth::KeyRing::load(directory.path).keys().size());
    }

    void api_keys_have_256_random_bits() {
        const auth::NewApiKey one = auth::generate_api_key();
        const auth::NewApiKey other = auth::generate_api_key();
        CPPUNIT_ASSERT(one.text != other.text);
        CPPUNIT_ASSERT(one.text.starts_with("dik_"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, util::from_base64url(one.text.substr(4)).value().size());
        CPPUNIT_ASSERT_EQUAL(auth::api_key_digest(one.text), one.sha256_hex);
        CPPUNIT_ASSERT_EQUAL(std::size_t{64}, one.sha256_hex.size());
    }

private:
    static void write_key(const std::filesystem::path& file, int mode) {
        std::ofstream(file) << util::to_base64url(std::string(32, 'k')) << '\n';
        CPPUNIT_ASSERT_EQUAL(0, chmod(file.c_str(), static_cast<mode_t>(mode)));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TokenTest);

}  // namespace data_import::tests
