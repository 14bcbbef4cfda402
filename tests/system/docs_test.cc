// The pages under /docs/: the documentation, the guide and the contract, which need nothing from any other
// host.
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "../runner.h"
#include "../support/answer_check.h"
#include "../support/command.h"
#include "../support/http.h"
#include "../support/stack.h"
#include "../support/world.h"

namespace data_import::tests {

namespace {

Answer ask(const std::string& method, const std::string& target, const std::string& body = "") {
    const Stack& stack = Stack::shared();
    HttpConnection connection(stack.port(), stack.value("CA_FILE"));
    return connection.ask({method, target, {{"Host", "localhost"}, {"Connection", "close"}}, body});
}

Answer get(const std::string& target) {
    return ask("GET", target);
}

/// The targets of a page's references: values of href and src.
std::vector<std::string> references_of(const std::string& page) {
    static const std::regex reference("(?:href|src)=\"([^\"]*)\"");
    std::vector<std::string> found;
    for (std::sregex_iterator match(page.begin(), page.end(), reference), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

std::string without_entities(std::string text) {
    for (const auto& [entity, character] :
         {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&amp;", "&")})
        for (std::size_t place; (place = text.find(entity)) != std::string::npos;)
            text.replace(place, std::string_view(entity).size(), character);
    return text;
}

/// The blocks of commands in a page, except those that show output.
std::vector<std::string> commands_of(const std::string& page) {
    constexpr std::string_view begin = "<pre tabindex";
    std::vector<std::string> found;
    for (std::size_t place = page.find(begin); place != std::string::npos; place = page.find(begin, place)) {
        place = page.find(">\n", place) + 2;
        found.push_back(without_entities(page.substr(place, page.find("</pre>", place) - place)));
    }
    return found;
}

/// Fails unless the page and everything that it refers to are there: files, other pages, and places in the
/// page itself. `target` ends with the name of the page, or with a slash.
void check_references(const std::string& target) {
    const Answer page = get(target);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(page), 200, page.status);
    CPPUNIT_ASSERT(page.header("Content-Type") == "text/html; charset=utf-8");
    const std::vector<std::string> references = references_of(page.body);
    CPPUNIT_ASSERT(references.size() >= 5);
    for (const std::string& reference : references) {
        if (reference.front() == '#') {
            CPPUNIT_ASSERT_MESSAGE(reference,
                                   page.body.find(" id=\"" + reference.substr(1) + '"') != std::string::npos);
            continue;
        }
        const Answer file =
            get(reference.front() == '/' ? reference : target.substr(0, target.rfind('/') + 1) + reference);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(reference, 200, file.status);
        CPPUNIT_ASSERT_MESSAGE(reference, file.header("X-Request-Id").has_value());
    }
}

/// Runs the guide's commands and returns their output. Fails unless it contains `price_sheets`, the answer to
/// the import of price sheets.
std::string output_of_guide(const std::string& script, const std::string& price_sheets) {
    const CommandResult result = run_command(script);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
    CPPUNIT_ASSERT_MESSAGE(result.output, result.output.find(price_sheets) != std::string::npos);
    for (const char* said : {"\"COMPLETED\"", "NOTE_CREATION_SUCCESS", "TRANSACTION_ADDED_TO_ACCOUNT",
                             "S-2023-12", "LS-42", "\"accepted\":3", "\"verdict\":"})
        CPPUNIT_ASSERT_MESSAGE(said + (" in " + result.output),
                               result.output.find(said) != std::string::npos);
    return result.output;
}

}  // namespace

class DocsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DocsTest);
    CPPUNIT_TEST(page_refers_to_files_that_are_there);
    CPPUNIT_TEST(guide_and_contract_refer_to_what_is_there);
    CPPUNIT_TEST(client_can_be_had_with_its_manual);
    CPPUNIT_TEST(list_of_checksums_is_text);
    CPPUNIT_TEST(files_of_an_upgrade_are_loaded_at_once);
    CPPUNIT_TEST(contract_shows_every_section_at_its_number);
    CPPUNIT_TEST(policy_admits_no_other_host);
    CPPUNIT_TEST(bare_address_leads_here);
    CPPUNIT_TEST(commands_of_the_guide_work);
    CPPUNIT_TEST(guide_shows_why_there_is_no_token);
    CPPUNIT_TEST(other_files_are_not_found_in_the_common_shape);
    CPPUNIT_TEST(page_is_only_read);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        if (!std::filesystem::exists(build_directory() / "docs/index.html"))
            skip("the documentation page is not built: npm could not fetch its viewer, or DOCS=no");
    }

    void page_refers_to_files_that_are_there() { check_references("/docs/"); }

    void guide_and_contract_refer_to_what_is_there() {
        check_references("/docs/guide.html");
        check_references("/docs/contract.html");
    }

    void client_can_be_had_with_its_manual() {
        check_references("/docs/client/");
        const std::string manual = get("/docs/client/data-import-load.1.html").body;
        for (const char* part : {">A COMPLETE SESSION</h2>", "<dt>--rejects DIRECTORY/</dt>",
                                 "--rejects rejects/ --report report.ndjson book/",
                                 "<a href=\"data-import-csv.5.html\">data-import-csv(5)</a>"})
            CPPUNIT_ASSERT_MESSAGE(part, manual.find(part) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL_MESSAGE("a request of troff", std::string::npos, manual.find("\n."));
    }

    /// Only the package has the list of checksums, so the test writes a list. The file's name, SHA256SUMS,
    /// has no extension from which nginx could tell the type.
    void list_of_checksums_is_text() {
        const std::string site =
            (Stack::shared().run_directory() / "nginx/sites-available/data-import").string();
        const CommandResult served =
            run_command("sed -n 's#^ *alias \\(.*/docs/\\);#\\1#p' " + shell_word(site));
        const std::string sums = served.output.substr(0, served.output.find('\n')) + "client/SHA256SUMS";
        std::ofstream(sums) << "0f  data-import-client.deb\n";
        const Answer answer = get("/docs/client/SHA256SUMS");
        std::filesystem::remove(sums);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
        CPPUNIT_ASSERT_EQUAL(std::string("text/plain; charset=utf-8"),
                             answer.header("Content-Type").value_or(""));
    }

    void files_of_an_upgrade_are_loaded_at_once() {
        for (const char* target : {"/docs/", "/docs/start.js", "/docs/client/"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, std::string("no-cache"),
                                         get(target).header("Cache-Control").value_or(""));
    }

    void contract_shows_every_section_at_its_number() {
        const std::string page = get("/docs/contract.html").body;
        static const std::regex heading("^#+ ([0-9]+(?:[.][0-9]+)?)[.]? ");
        std::ifstream contract("nginx/docs/contract.md");
        int sections = 0;
        for (std::string line; std::getline(contract, line);) {
            std::smatch found;
            if (!std::regex_search(line, found, heading)) continue;
            std::string number = found[1];
            std::ranges::replace(number, '.', '-');
            CPPUNIT_ASSERT_MESSAGE(line, page.find(" id=\"section-" + number + '"') != std::string::npos);
            ++sections;
        }
        CPPUNIT_ASSERT(sections >= 14);
    }

    void policy_admits_no_other_host() {
        for (const char* target : {"/docs/", "/docs/start.js", "/docs/?any=1&any=2"}) {
            const Answer answer = get(target);
            const std::string policy = answer.header("Content-Security-Policy").value_or("");
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("default-src 'self'") == 0);
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("unsafe") == std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(policy, policy.find("http") == std::string::npos);
            CPPUNIT_ASSERT(answer.header("X-Content-Type-Options") == "nosniff");
        }
    }

    void bare_address_leads_here() {
        for (const auto& [target, status] : {std::pair("/?any=1", 302), std::pair("/docs", 301)}) {
            const Answer answer = get(target);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), status, answer.status);
            CPPUNIT_ASSERT(answer.header("Location") == "/docs/");
            CPPUNIT_ASSERT(answer.header("X-Request-Id").has_value());
        }
    }

    // Runs the guide's examples one after the other, first as dry runs, as the guide has them, then as real
    // imports. The account is imported and has an open statement period.
    void commands_of_the_guide_work() {
        World& world = tests::world();
        const std::string account = world.take_account("imported");
        must_run(world.stack().value("CTL") + " statement open ACME " + account + " 2024-05-01:2024-05-31");
        const std::string given =
            "set -eu -o pipefail; export CURL_CA_BUNDLE=" + shell_word(world.stack().value("CA_FILE")) +
            "; BASE_URL=" + shell_word(world.stack().value("BASE_URL")) +
            " KEY=" + shell_word(*world.shared("api_key")) + " SUPPLIER=ACME ACCOUNT=" + shell_word(account) +
            " PARTICIPANT=" + world.take_code() + "\n";
        const std::vector<std::string> commands = commands_of(get("/docs/guide.html").body);
        CPPUNIT_ASSERT(commands.size() >= 8);
        std::string script = given;
        for (const std::string& block : commands) script += block;
        const std::string dry_run = "DRY_RUN='?dry_run=true'";
        CPPUNIT_ASSERT(script.find(dry_run) != std::string::npos);
        CPPUNIT_ASSERT(
            output_of_guide(script, R"("price_sheets_imported":1,"price_sheets_already_imported":0)")
                .find("\"fingerprint\"") == std::string::npos);
        script.replace(script.find(dry_run), dry_run.size(), "DRY_RUN=");
        CPPUNIT_ASSERT(
            output_of_guide(script, R"("price_sheets_imported":0,"price_sheets_already_imported":1)")
                .find("\"fingerprint\"") != std::string::npos);
    }

    void guide_shows_why_there_is_no_token() {
        const Stack& stack = Stack::shared();
        const CommandResult result = run_command(
            "set -eu -o pipefail; export CURL_CA_BUNDLE=" + shell_word(stack.value("CA_FILE")) +
            "; BASE_URL=" + shell_word(stack.value("BASE_URL")) + " KEY=dik_" + std::string(43, 'x') + "\n" +
            commands_of(get("/docs/guide.html").body).front() + "[[ -z $TOKEN ]]");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.output + result.errors, 0, result.status);
        CPPUNIT_ASSERT_MESSAGE(result.output, result.output.find("\"errors\":[{") != std::string::npos);
    }

    void other_files_are_not_found_in_the_common_shape() {
        for (const char* target : {"/docs/nothing", "/docs/../secret", "/docs/%2e%2e/env"}) {
            const Answer answer = get(target);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(target, 404, answer.status);
            check_any_answer(answer);
        }
    }

    void page_is_only_read() {
        const Answer answer = ask("POST", "/docs/", "{}");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 405, answer.status);
        CPPUNIT_ASSERT_EQUAL(std::string("GET, HEAD"), answer.header("Allow").value_or(""));
        check_any_answer(answer);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DocsTest);

}  // namespace data_import::tests
