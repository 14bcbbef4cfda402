// The nginx sites of releases, with the snippets of this version. An upgrade keeps a site that an
// administrator has edited, and replaces the snippets beside it.
#include <Poco/URI.h>
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <fstream>
#include <regex>
#include <sstream>

#include "../../runner.h"
#include "../../support/answer_check.h"
#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/load.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"

namespace data_import::tests {

namespace {

using namespace std::chrono_literals;

std::string content_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Returns the text before `end` in a line of the site that begins with `begin`.
std::string part_of(const std::string& site, const std::string& begin, const std::string& end) {
    const std::size_t found = site.find(begin);
    CPPUNIT_ASSERT_MESSAGE(begin, found != std::string::npos);
    const std::size_t place = found + begin.size();
    return site.substr(place, site.find(end, place) - place);
}

/// Returns the site of a release, with the addresses and folders of the site `present`.
std::string site_of(const std::string& commit, const std::string& present, const Stack& stack) {
    std::string site = must_run("git show " + commit + ":nginx/data-import.conf.in");
    const std::string shared = part_of(present, "alias ", "/docs/;");
    for (const auto& [word, value] : std::map<std::string, std::string>{
             {"@LISTEN@", "listen 127.0.0.1:" + std::to_string(stack.port()) + " ssl backlog=4096;"},
             {"@SERVER_NAME@", "localhost 127.0.0.1"},
             {"@SOCKETS@", part_of(present, "unix:", "/import.sock")},
             {"@METRICS_LISTEN@", Poco::URI(stack.value("METRICS_URL")).getAuthority()},
             {"@ACCESS_LOG@", part_of(present, "access_log ", " data_import_access")},
             {"@DOCS@", shared + "/docs"},
             {"@MIGRATION@", shared + "/migration"},
             {"@HANDBOOK@", shared + "/handbook"}})
        site = std::regex_replace(site, std::regex(word), value);
    return site;
}

}  // namespace

class ReleasedSiteTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReleasedSiteTest);
    CPPUNIT_TEST(sites_of_releases_serve);
    CPPUNIT_TEST_SUITE_END();

public:
    void sites_of_releases_serve() {
        if (run_command("git rev-parse --is-inside-work-tree").status != 0) skip("there is no git history");
        const PrivateStack stack;
        const std::filesystem::path nginx = stack->run_directory() / "nginx";
        const std::string present = content_of(nginx / "sites-available/data-import");
        must_run("rm -f " + shell_word((nginx / "sites-enabled").string()) + "/{operators*,sign-on}");
        AdminSession database(stack->value("DATABASE_URL"));
        run_ctl(*stack, "supplier create ACME --name Acme");
        import_accounts(database, "ACME", "A-", 1);
        const std::string token = token_for(*stack, "Acme", "ACME");
        std::istringstream releases(must_run("sed -nE 's/^[0-9.]+ ([0-9a-f]{40})$/\\1/p' sql/RELEASED"));
        int count = 0;
        for (std::string commit; releases >> commit; ++count) {
            std::ofstream(nginx / "sites-available/data-import") << site_of(commit, present, *stack);
            const CommandResult tried = run_command("nginx -t -p " + shell_word(nginx.string() + "/") +
                                                    " -c " + shell_word((nginx / "nginx.conf").string()));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(commit + tried.errors, 0, tried.status);
            reload(*stack);
            check_answers(*stack, token, commit);
        }
        CPPUNIT_ASSERT(count > 0);
    }

private:
    /// Waits until nginx has replaced its workers.
    static void reload(const Stack& stack) {
        const pid_t master = stack.pid("NGINX_PID");
        const std::vector<pid_t> before = children_of(master);
        kill(master, SIGHUP);
        CPPUNIT_ASSERT(wait_until(
            [&] {
                const std::vector<pid_t> now = children_of(master);
                return !now.empty() && std::ranges::find_first_of(now, before) == now.end();
            },
            30s));
    }

    static void check_answers(const Stack& stack, const std::string& token, const std::string& body) {
        const Answer stored = ask(stack, notes_request(token, "ACME", "A-00001", {{body}}));
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(stored), 201, stored.status);
        for (const auto& [method, target, status] :
             {std::tuple("GET", "/v1/data-import/notes/create/", 405),
              std::tuple("TRACE", "/v1/errors.json", 405), std::tuple("GET", "/nothing/", 404),
              std::tuple("GET", "/docs/", 200), std::tuple("GET", "/migration/", 200),
              std::tuple("GET", "/readyz", 200)}) {
            HttpConnection connection(stack.port(), stack.value("CA_FILE"));
            const Answer answer =
                connection.ask({method, target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(method) + ' ' + target + ' ' + shown(answer), status,
                                         answer.status);
        }
        for (const char* target : {"/metrics", "/migration/", "/handbook/", "/operator/suppliers/"}) {
            HttpConnection connection(Poco::URI(stack.value("METRICS_URL")).getPort());
            const Answer answer =
                connection.ask({"GET", target, {{"Host", "localhost"}, {"Connection", "close"}}, ""});
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(target) + ' ' + shown(answer), 200, answer.status);
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReleasedSiteTest);

}  // namespace data_import::tests
