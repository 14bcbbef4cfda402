#include "data/keys/token.h"

#include <cppunit/extensions/HelperMacros.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "../../runner.h"
#include "base/util/crypto.h"
#include "base/util/file_descriptor.h"
#include "data/keys/api_key.h"
#include "service/auth/address_block.h"

namespace data_import::tests {

namespace {

/// A directory for key files, which the destructor removes.
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

keys::IssuerOptions options_for(const KeyDirectory& directory) {
    return {.keys_directory = directory.path,
            .token_lifetime = std::chrono::hours(1),
            .refresh_token_lifetime = std::chrono::hours(24 * 7)};
}

/// While this object exists, the process can open no file descriptor.
class NoDescriptors {
public:
    NoDescriptors() {
#ifdef __SANITIZE_ADDRESS__
        tests::skip("the sanitizers need descriptors themselves, to look at objects");
#endif
        CPPUNIT_ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before_));
        const util::FileDescriptor lowest(open("/dev/null", O_RDONLY | O_CLOEXEC));
        const rlimit none{static_cast<rlim_t>(lowest.get()), before_.rlim_max};
        CPPUNIT_ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
    }
    ~NoDescriptors() {
        setrlimit(RLIMIT_NOFILE, &before_);
    }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit before_{};
};

std::string sign(const std::string& head, const std::string& claims, const std::string& secret) {
    const std::string text = util::to_base64url(head) + '.' + util::to_base64url(claims);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &length);
    return text + '.' + util::to_base64url({reinterpret_cast<const char*>(digest), length});
}

const keys::SigningKey key{"k1", std::string(32, 's')};
const std::string good_head = R"({"alg":"HS256","typ":"JWT","kid":"k1"})";
const std::string good_claims =
    R"({"iss":"data-import","aud":"data-import","sub":"7","iat":130,"nbf":100,"exp":200})";

/// Makes a key file and gives its kid.
std::string create_key(const std::filesystem::path& directory) {
    const keys::SigningKey made = keys::KeyRing::new_key();
    keys::KeyRing::store_key(directory, made);
    return made.kid;
}

bool is_refused(const std::string& token) {
    try {
        CPPUNIT_ASSERT_EQUAL(key.kid, keys::token_kid(token));
        static_cast<void>(keys::verify_token(token, key));
        return false;
    } catch (const keys::TokenRefused& refused) {
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
    CPPUNIT_TEST(a_refresh_token_is_no_access_token);
    CPPUNIT_TEST(tokens_of_one_issue_are_the_same);
    CPPUNIT_TEST(tokens_of_one_organisation_begin_alike);
    CPPUNIT_TEST(tokens_are_reused_for_a_sixth_of_their_lifetime_at_most);
    CPPUNIT_TEST(keys_stay_in_force_while_they_cannot_be_read);
    CPPUNIT_TEST(a_key_file_that_cannot_be_read_keeps_its_key_alone);
    CPPUNIT_TEST(keys_that_are_taken_away_do_not_come_back);
    CPPUNIT_TEST(refresh_tokens_expire);
    CPPUNIT_TEST(every_changed_character_is_refused);
    CPPUNIT_TEST(times_count_to_the_second);
    CPPUNIT_TEST(the_newest_key_signs_and_all_verify);
    CPPUNIT_TEST(a_key_signs_a_minute_after_it_was_made);
    CPPUNIT_TEST(open_or_broken_key_files_are_refused);
    CPPUNIT_TEST(a_directory_that_others_can_write_is_refused);
    CPPUNIT_TEST(kids_tell_when_they_were_made);
    CPPUNIT_TEST(old_keys_are_needed_until_their_last_token_has_expired);
    CPPUNIT_TEST(addresses_are_counted_by_block);
    CPPUNIT_TEST(api_keys_have_256_random_bits);
    CPPUNIT_TEST_SUITE_END();

public:
    void issued_tokens_verify() {
        const KeyDirectory directory;
        create_key(directory.path);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const std::string token = keys::issue_token(ring, {"42", "Acme"}, std::chrono::seconds(60));
        CPPUNIT_ASSERT_EQUAL(ring.signing_key().kid, keys::token_kid(token));
        const keys::TokenClaims claims = keys::verify_token(token, ring.signing_key());
        CPPUNIT_ASSERT_EQUAL(std::string("42"), claims.api_key_id);
        const std::int64_t now = std::time(nullptr);
        CPPUNIT_ASSERT(claims.expires_at >= now + 59 && claims.expires_at <= now + 61);
        keys::check_time(claims, now);
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
            token + std::string(keys::max_token_length, 'A'),
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

    /// Changes the good claims: replaces one, leaves one out, or adds one.
    void claims_that_are_refused() {
        const std::vector<std::pair<std::string, std::string>> changes = {
            {R"("iss":"data-import")", R"("iss":"other")"},
            {R"("iss":"data-import",)", ""},
            {R"("aud":"data-import")", R"("aud":"other")"},
            {R"("aud":"data-import")", R"("aud":["data-import"])"},
            {R"("aud":"data-import")", R"("aud":"data-import-refresh")"},
            {R"("sub":"7",)", ""},
            {R"("sub":"7")", R"("sub":7)"},
            {R"("sub":"7")", R"("sub":"")"},
            {R"("sub":"7")", R"("sub":"07")"},
            {R"("sub":"7")", R"("sub":"-7")"},
            {R"("sub":"7")", R"("sub":"7 OR 1=1")"},
            {R"("sub":"7")", R"("sub":"9223372036854775808")"},
            {R"("iat":130,)", ""},
            {R"("iat":130)", R"("iat":"130")"},
            {R"("iat":130)", R"("iat":130.0)"},
            {R"("nbf":100,)", ""},
            {R"("nbf":100)", R"("nbf":null)"},
            {R"(,"exp":200)", ""},
            {R"("exp":200)", R"("exp":"200")"},
            {R"("exp":200)", R"("exp":200.5)"},
            {R"("exp":200)", R"("exp":2e2)"},
            {R"("exp":200)", R"("exp":null)"},
            {R"("exp":200)", R"("exp":200,"exp":300)"},
            {R"("exp":200)", R"("exp":99999999999999999999)"},
        };
        for (const auto& [part, replacement] : changes) {
            std::string claims = good_claims;
            claims.replace(claims.find(part), part.size(), replacement);
            CPPUNIT_ASSERT_MESSAGE(claims, claims != good_claims);
            CPPUNIT_ASSERT_MESSAGE(claims, is_refused(sign(good_head, claims, key.secret)));
        }
        for (const std::string claims : {"[]", "\"7\"", ""})
            CPPUNIT_ASSERT_MESSAGE(claims, is_refused(sign(good_head, claims, key.secret)));
    }

    void a_refresh_token_is_no_access_token() {
        const KeyDirectory directory;
        create_key(directory.path);
        keys::TokenIssuer issuer(options_for(directory));
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const keys::IssuedTokens issued = issuer.issue({"42", "Acme"});
        CPPUNIT_ASSERT_EQUAL(std::string("42"),
                             keys::verify_token(issued.token, ring.signing_key()).api_key_id);
        CPPUNIT_ASSERT_THROW(static_cast<void>(keys::verify_token(issued.refresh_token, ring.signing_key())),
                             keys::TokenRefused);
        CPPUNIT_ASSERT_EQUAL(std::string("42"), issuer.read(issued.refresh_token).api_key_id);
        CPPUNIT_ASSERT_EQUAL(std::string(), issuer.read(issued.token).api_key_id);
        CPPUNIT_ASSERT(!issuer.read(issued.token).expired);
        const auto left = issued.refresh_expires_in.count();
        CPPUNIT_ASSERT(left > 604800 - 60 && left <= 604800);
    }

    void tokens_of_one_issue_are_the_same() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0600);
        keys::TokenIssuer issuer(options_for(directory));
        const auto issued_at = keys::present_second() - std::chrono::seconds(300);
        const auto first = issuer.issue({"42", "Acme"}, issued_at);
        const auto again = keys::TokenIssuer(options_for(directory)).issue({"42", "Acme"}, issued_at);
        CPPUNIT_ASSERT_EQUAL(first.token, again.token);
        CPPUNIT_ASSERT_EQUAL(first.refresh_token, again.refresh_token);
        CPPUNIT_ASSERT(first.token != issuer.issue({"43", "Acme"}, issued_at).token);
        CPPUNIT_ASSERT(first.token !=
                       issuer.issue({"42", "Acme"}, issued_at + std::chrono::seconds(1)).token);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const auto expires_at = keys::verify_token(first.token, ring.signing_key()).expires_at;
        CPPUNIT_ASSERT_EQUAL(static_cast<std::int64_t>(issued_at.time_since_epoch().count()) + 3600,
                             expires_at);
        CPPUNIT_ASSERT(first.expires_in.count() <= 3300 && first.expires_in.count() > 3240);
        write_key(directory.path / "20210101T000000Z-b.key", 0600);
        const auto after_rotation = issuer.issue({"42", "Acme"}, issued_at);
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000000Z-b"), keys::token_kid(after_rotation.token));
    }

    /// nginx counts the requests of an organisation by the beginning of its tokens.
    void tokens_of_one_organisation_begin_alike() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0600);
        keys::TokenIssuer issuer(options_for(directory));
        const auto beginning = [&](std::string_view api_key_id, std::string_view organisation, int age = 0) {
            const auto issued_at = keys::present_second() - std::chrono::seconds(age);
            return issuer.issue({api_key_id, organisation}, issued_at).token.substr(0, 40);
        };
        const std::string acme = beginning("42", "Acme");
        CPPUNIT_ASSERT_EQUAL(acme, beginning("43", "Acme", 1000));
        CPPUNIT_ASSERT(acme != beginning("42", "Acme "));
        CPPUNIT_ASSERT(acme != beginning("42", ""));
        create_key(directory.path);
        std::filesystem::remove(directory.path / "20200101T000000Z-a.key");
        CPPUNIT_ASSERT(acme != beginning("42", "Acme"));
    }

    void tokens_are_reused_for_a_sixth_of_their_lifetime_at_most() {
        const auto reuse = [](int lifetime, int refresh_lifetime) {
            return static_cast<int>(
                keys::TokenIssuer({.token_lifetime = std::chrono::seconds(lifetime),
                                   .refresh_token_lifetime = std::chrono::seconds(refresh_lifetime)})
                    .reuse()
                    .count());
        };
        CPPUNIT_ASSERT_EQUAL(600, reuse(3600, 604800));
        CPPUNIT_ASSERT_EQUAL(600, reuse(86400, 604800));
        CPPUNIT_ASSERT_EQUAL(599, reuse(3599, 604800));
        CPPUNIT_ASSERT_EQUAL(10, reuse(60, 604800));
        CPPUNIT_ASSERT_EQUAL(20, reuse(3600, 120));
    }

    /// With no descriptor left neither the directory nor its files can be opened.
    void keys_stay_in_force_while_they_cannot_be_read() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0600);
        write_key(directory.path / "20210101T000000Z-b.key", 0600);
        keys::CurrentRing ring(directory.path, std::chrono::seconds(0));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, ring.ring().keys().size());
        const std::uint64_t generation = ring.generation();
        {
            const NoDescriptors none;
            CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path)),
                                 keys::KeyRingUnreadable);
            CPPUNIT_ASSERT_EQUAL(std::size_t{2}, ring.ring().keys().size());
            CPPUNIT_ASSERT_EQUAL(generation, ring.generation());
            std::filesystem::remove(directory.path / "20200101T000000Z-a.key");
        }
        CPPUNIT_ASSERT(ring.find("20200101T000000Z-a") == nullptr);
        CPPUNIT_ASSERT(ring.find("20210101T000000Z-b") != nullptr);
        CPPUNIT_ASSERT(ring.generation() > generation);
    }

    void a_key_file_that_cannot_be_read_keeps_its_key_alone() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0600);
        write_key(directory.path / "20210101T000000Z-b.key", 0600);
        const keys::KeyRing known = keys::KeyRing::load(directory.path);
        for (const keys::SigningKey& one : known.keys())
            std::filesystem::remove(directory.path / (one.kid + ".key"));
        // a read at the beginning of this file is an I/O error
        std::filesystem::create_symlink("/proc/self/mem", directory.path / "20210101T000000Z-b.key");
        std::filesystem::create_symlink("/proc/self/mem", directory.path / "20220101T000000Z-c.key");
        const keys::KeyRing ring = keys::KeyRing::load(directory.path, &known);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, ring.keys().size());
        CPPUNIT_ASSERT(ring.keys().front() == known.keys().back());
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, ring.unread().size());
    }

    void keys_that_are_taken_away_do_not_come_back() {
        const KeyDirectory directory;
        const auto file = directory.path / "20200101T000000Z-a.key";
        write_key(file, 0600);
        keys::CurrentRing ring(directory.path, std::chrono::seconds(0));
        static_cast<void>(ring.ring());
        std::filesystem::remove(file);
        CPPUNIT_ASSERT_THROW(static_cast<void>(ring.ring()), keys::KeyRingError);
        const NoDescriptors none;
        CPPUNIT_ASSERT_THROW(static_cast<void>(ring.ring()), keys::KeyRingError);
    }

    void refresh_tokens_expire() {
        const KeyDirectory directory;
        create_key(directory.path);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const auto token_of = [&](int lifetime) {
            return keys::issue_token(ring, {"42", "Acme"}, std::chrono::seconds(lifetime),
                                     keys::TokenUse::refresh);
        };
        keys::TokenIssuer issuer(options_for(directory));
        const keys::RefreshToken expired = issuer.read(token_of(0));
        CPPUNIT_ASSERT(expired.expired && expired.api_key_id.empty());
        CPPUNIT_ASSERT_EQUAL(std::string("42"), issuer.read(token_of(5)).api_key_id);
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
        const keys::TokenClaims claims{"7", 130, 100, 200};
        keys::check_time(claims, 100);
        CPPUNIT_ASSERT_THROW(keys::check_time({"7", 131, 100, 200}, 100), keys::TokenRefused);
        keys::check_time(claims, 199);
        CPPUNIT_ASSERT_THROW(keys::check_time(claims, 99), keys::TokenRefused);
        try {
            keys::check_time(claims, 200);
            CPPUNIT_FAIL("an expired token was taken");
        } catch (const keys::TokenRefused& refused) {
            CPPUNIT_ASSERT(refused.expired);
        }
    }

    void the_newest_key_signs_and_all_verify() {
        const KeyDirectory directory;
        write_key(directory.path / "20200101T000000Z-a.key", 0640);
        write_key(directory.path / "20210101T000000Z-b.key", 0600);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000000Z-b"), ring.signing_key().kid);
        CPPUNIT_ASSERT(ring.find("20200101T000000Z-a") != nullptr);
        CPPUNIT_ASSERT(ring.find("20200101T000000Z") == nullptr);
        struct stat status {};
        const std::string made = create_key(directory.path) + ".key";
        CPPUNIT_ASSERT_EQUAL(0, stat((directory.path / made).c_str(), &status));
        CPPUNIT_ASSERT_EQUAL(mode_t{0640}, status.st_mode & 07777);
        for (int number = 0; number < 20; ++number) {
            const std::string kid = create_key(directory.path);
            CPPUNIT_ASSERT_EQUAL(kid, keys::KeyRing::load(directory.path).keys().back().kid);
        }
    }

    void a_key_signs_a_minute_after_it_was_made() {
        const KeyDirectory directory;
        for (const char* kid : {"20200101T000000Z-a", "20210101T000000.5Z-b", "20210101T000030Z-c"})
            write_key(directory.path / (std::string(kid) + ".key"), 0600);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const auto signing_at = [&](const char* time) {
            return ring.signing_key(*keys::creation_time(time)).kid;
        };
        CPPUNIT_ASSERT_EQUAL(std::string("20200101T000000Z-a"), signing_at("20191231T000000Z"));
        CPPUNIT_ASSERT_EQUAL(std::string("20200101T000000Z-a"), signing_at("20210101T000059Z"));
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000000.5Z-b"), signing_at("20210101T000100Z"));
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000000.5Z-b"), signing_at("20210101T000129Z"));
        CPPUNIT_ASSERT_EQUAL(std::string("20210101T000030Z-c"), signing_at("20210101T000130Z"));
    }

    void open_or_broken_key_files_are_refused() {
        const KeyDirectory directory;
        CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path)), keys::KeyRingError);
        CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path / "none")),
                             keys::KeyRingError);
        for (const int mode : {0644, 0660, 0642, 0641}) {
            const auto file = directory.path / "x.key";
            write_key(file, mode);
            CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path)), keys::KeyRingError);
            std::filesystem::remove(file);
        }
        std::ofstream(directory.path / "y.key") << "short\n";
        CPPUNIT_ASSERT_EQUAL(0, chmod((directory.path / "y.key").c_str(), 0600));
        CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path)), keys::KeyRingError);
        write_key(directory.path / "a.key", 0600);
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, keys::KeyRing::load(directory.path).keys().size());
    }

    void a_directory_that_others_can_write_is_refused() {
        const KeyDirectory directory;
        create_key(directory.path);
        for (const mode_t mode : {0770, 0702, 0777}) {
            CPPUNIT_ASSERT_EQUAL(0, chmod(directory.path.c_str(), mode));
            CPPUNIT_ASSERT_THROW(static_cast<void>(keys::KeyRing::load(directory.path)), keys::KeyRingError);
        }
        CPPUNIT_ASSERT_EQUAL(0, chmod(directory.path.c_str(), 0750));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1}, keys::KeyRing::load(directory.path).keys().size());
    }

    void kids_tell_when_they_were_made() {
        const auto seconds_of = [](const char* kid) {
            const auto time = keys::creation_time(kid);
            return time ? time->time_since_epoch().count() : -1;
        };
        CPPUNIT_ASSERT_EQUAL(1717144200L, static_cast<long>(seconds_of("20240531T083000Z-a")));
        CPPUNIT_ASSERT_EQUAL(1717144200L, static_cast<long>(seconds_of("20240531T083000.123456Z-0a1b2c3d")));
        for (const char* kid :
             {"", "x", "20240531", "20240531T083000", "20241331T083000Z", "2024-05-31T08:30Z"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(kid, -1L, static_cast<long>(seconds_of(kid)));
        const std::time_t now = std::time(nullptr);
        const auto made = seconds_of(keys::KeyRing::new_key().kid.c_str());
        CPPUNIT_ASSERT(made >= now - 1 && made <= now + 1);
    }

    void old_keys_are_needed_until_their_last_token_has_expired() {
        const KeyDirectory directory;
        for (const char* kid : {"20200101T000000Z-a", "20210101T000000Z-b", "other", "zzz"})
            write_key(directory.path / (std::string(kid) + ".key"), 0600);
        const keys::KeyRing ring = keys::KeyRing::load(directory.path);
        const auto until = ring.needed_until("20200101T000000Z-a", std::chrono::hours(1));
        CPPUNIT_ASSERT(until == *keys::creation_time("20210102T010000Z"));
        // A key is needed until some time after the next key was made. Here the next key is `other`, and its
        // kid contains no time.
        CPPUNIT_ASSERT(!ring.needed_until("20210101T000000Z-b", std::chrono::hours(1)));
        CPPUNIT_ASSERT(!ring.needed_until("zzz", std::chrono::hours(1)));  // the newest key
        CPPUNIT_ASSERT(!ring.needed_until("nothing", std::chrono::hours(1)));
    }

    void addresses_are_counted_by_block() {
        const std::vector<std::pair<std::string, std::string>> blocks = {
            {"192.0.2.7", "192.0.2.7/32"},
            {"::ffff:192.0.2.7", "192.0.2.7/32"},
            {"2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"},
            {"2001:0DB8::1", "2001:db8::/64"},
            {"::1", "::/64"},
            {"", "::/128"},
            {"unix:", "::/128"},
            {"192.0.2.7'; --", "::/128"},
        };
        for (const auto& [address, block] : blocks) CPPUNIT_ASSERT_EQUAL(block, auth::address_block(address));
    }

    void api_keys_have_256_random_bits() {
        const keys::NewApiKey one = keys::generate_api_key();
        const keys::NewApiKey other = keys::generate_api_key();
        CPPUNIT_ASSERT(one.text != other.text);
        CPPUNIT_ASSERT(one.text.starts_with("dik_"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{32}, util::from_base64url(one.text.substr(4)).value().size());
        CPPUNIT_ASSERT_EQUAL(keys::api_key_digest(one.text), one.sha256_hex);
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
