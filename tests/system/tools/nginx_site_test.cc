// data-importctl nginx enable and disable, with a real nginx of their own in a throw-away directory.
#include <cppunit/extensions/HelperMacros.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "../../support/command.h"
#include "../../support/processes.h"
#include "../../support/stack.h"

namespace data_import::tests {

namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

}  // namespace

class NginxSiteSystemTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NginxSiteSystemTest);
    CPPUNIT_TEST(enables_and_disables_as_often_as_asked);
    CPPUNIT_TEST(takes_back_a_site_that_nginx_refuses);
    CPPUNIT_TEST(changes_nothing_where_nginx_refuses_already);
    CPPUNIT_TEST(disables_the_site_that_nginx_refuses);
    CPPUNIT_TEST(disables_the_site_beside_another_that_nginx_refuses);
    CPPUNIT_TEST(keeps_a_site_that_another_needs);
    CPPUNIT_TEST(disables_the_site_of_a_service_whose_configuration_is_wrong);
    CPPUNIT_TEST(leaves_other_files_alone);
    CPPUNIT_TEST(mends_a_link_to_nowhere);
    CPPUNIT_TEST(says_that_there_is_no_site);
    CPPUNIT_TEST(says_that_nginx_does_not_run);
    CPPUNIT_TEST(answers_programs);
    CPPUNIT_TEST(leaves_room_for_variables_of_other_sites);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        std::string pattern = (fs::temp_directory_path() / "data-import-test-XXXXXX").string();
        CPPUNIT_ASSERT(mkdtemp(pattern.data()) != nullptr);
        root_ = pattern;
        port_ = free_port();
        write_file(root_ / "nginx.conf", "daemon on;\nworker_processes 1;\npid " +
                                             (root_ / "nginx.pid").string() + ";\nerror_log " +
                                             (root_ / "error.log").string() +
                                             ";\nevents {}\nhttp {\n access_log off;\n" + temporary_paths() +
                                             " include sites-enabled/*;\n}\n");
        write_file(root_ / "other", "");
        fs::create_directory(root_ / "sites-enabled");
        write_site("return 204;");
        write_file(root_ / "data-import.conf", "nginx_config = " + (root_ / "nginx.conf").string() +
                                                   "\nsocket_directory = " + root_.string() + "\n");
        must_run("nginx -c " + (root_ / "nginx.conf").string() + " -e " + (root_ / "error.log").string());
        // a signal would be lost if it came before nginx had its first worker
        CPPUNIT_ASSERT(wait_until([&] { return nginx() > 0 && !children_of(nginx()).empty(); }, 10s));
    }

    void tearDown() override {
        if (nginx() > 0) stop_nginx();
        fs::remove_all(root_);
    }

    void enables_and_disables_as_often_as_asked() {
        CPPUNIT_ASSERT(!is_served());
        for (const char* said : {"the site is enabled\n", "the site is enabled already\n"}) {
            const CommandResult result = ctl("nginx enable");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
            CPPUNIT_ASSERT_MESSAGE(result.output, result.output.starts_with(said));
            // no service has made the sockets in this directory
            CPPUNIT_ASSERT(result.output.find("the workers cannot be reached yet") != std::string::npos);
            CPPUNIT_ASSERT(wait_until([&] { return is_served(); }, 10s));
        }
        CPPUNIT_ASSERT(fs::read_symlink(link()) == site());
        for (const char* said : {"the site is disabled\n", "the site is disabled already\n"}) {
            const CommandResult result = ctl("nginx disable");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
            CPPUNIT_ASSERT_MESSAGE(result.output, result.output.starts_with(said));
            CPPUNIT_ASSERT(wait_until([&] { return !is_served(); }, 10s));
        }
        CPPUNIT_ASSERT(!fs::is_symlink(link()));
    }

    void takes_back_a_site_that_nginx_refuses() {
        write_site("nonsense on;");
        const CommandResult result = ctl("nginx enable");
        check_refused(result, "which is disabled again: unknown directive \"nonsense\"");
        CPPUNIT_ASSERT(!fs::is_symlink(link()));
        CPPUNIT_ASSERT(nginx() > 0);
    }

    void changes_nothing_where_nginx_refuses_already() {
        write_file(root_ / "sites-enabled/other", "nonsense on;");
        check_refused(ctl("nginx enable"), "nothing was changed: unknown directive \"nonsense\"");
        CPPUNIT_ASSERT(!fs::is_symlink(link()));
    }

    void disables_the_site_that_nginx_refuses() {
        enable();
        write_site("nonsense on;");
        const CommandResult result = ctl("nginx disable");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
        CPPUNIT_ASSERT_EQUAL(std::string("the site is disabled\nnginx has read its configuration\n"),
                             result.output);
        CPPUNIT_ASSERT(wait_until([&] { return !is_served(); }, 10s));
    }

    void disables_the_site_beside_another_that_nginx_refuses() {
        enable();
        write_file(root_ / "sites-enabled/other", "nonsense on;");
        for (const char* said : {"the site is disabled\n", "the site is disabled already\n"}) {
            const CommandResult result = ctl("nginx disable");
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
            CPPUNIT_ASSERT_MESSAGE(result.output, result.output.starts_with(said));
            CPPUNIT_ASSERT_MESSAGE(
                result.output, result.output.find("nginx keeps the configuration that it has read before") !=
                                   std::string::npos);
            CPPUNIT_ASSERT_MESSAGE(result.output, result.output.find("\"nonsense\"") != std::string::npos);
            CPPUNIT_ASSERT(!fs::is_symlink(link()));
        }
        const CommandResult result = ctl("nginx disable --json");
        CPPUNIT_ASSERT_MESSAGE(result.output,
                               result.output.starts_with("{\"enabled\":false,\"changed\":false,"
                                                         "\"reloaded\":false,\"refusal\":\"unknown"));
        CPPUNIT_ASSERT(nginx() > 0);
    }

    void keeps_a_site_that_another_needs() {
        write_file(site(), "log_format shared_format '$host';\n");
        enable();
        write_file(root_ / "sites-enabled/other",
                   "access_log " + (root_ / "log").string() + " shared_format;\n");
        check_refused(ctl("nginx disable"), "which stays enabled: unknown log format \"shared_format\"");
        CPPUNIT_ASSERT(fs::is_symlink(link()));
    }

    void disables_the_site_of_a_service_whose_configuration_is_wrong() {
        enable();
        std::ofstream(root_ / "data-import.conf", std::ios::app) << "import_workers = many\n";
        CPPUNIT_ASSERT_EQUAL(1, ctl("nginx enable").status);
        const CommandResult result = ctl("nginx disable");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
        CPPUNIT_ASSERT(!fs::is_symlink(link()));
        CPPUNIT_ASSERT(wait_until([&] { return !is_served(); }, 10s));
    }

    void leaves_other_files_alone() {
        write_file(link(), "# mine\n");
        check_refused(ctl("nginx enable"), "is not a link");
        check_refused(ctl("nginx disable"), "is not a link");
        CPPUNIT_ASSERT(fs::is_regular_file(link()));
        fs::remove(link());
        fs::create_symlink(root_ / "other", link());
        check_refused(ctl("nginx disable"), "is not a link");
        CPPUNIT_ASSERT(fs::read_symlink(link()) == root_ / "other");
    }

    void mends_a_link_to_nowhere() {
        fs::create_symlink("/nonexistent", link());
        CPPUNIT_ASSERT_EQUAL(0, ctl("nginx enable").status);
        CPPUNIT_ASSERT(fs::read_symlink(link()) == site());
        fs::remove(link());
        fs::create_symlink("/nonexistent", link());
        CPPUNIT_ASSERT_EQUAL(0, ctl("nginx disable").status);
        CPPUNIT_ASSERT(!fs::is_symlink(link()));
    }

    void says_that_there_is_no_site() {
        fs::remove(site());
        check_refused(ctl("nginx enable"), "apt-get install --reinstall data-import");
    }

    void says_that_nginx_does_not_run() {
        stop_nginx();
        const CommandResult result = ctl("nginx enable");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
        CPPUNIT_ASSERT(fs::is_symlink(link()));
        CPPUNIT_ASSERT(result.output.find("systemctl start nginx") != std::string::npos);
    }

    void answers_programs() {
        const CommandResult result = ctl("nginx enable --json");
        CPPUNIT_ASSERT_MESSAGE(
            result.output, result.output.starts_with("{\"enabled\":true,\"changed\":true,\"reloaded\":true,"
                                                     "\"refusal\":null,\"sockets\":\""));
    }

    /// nginx warns if long names of variables do not fit into its hash table. Whether they fit depends on the
    /// variables of all sites.
    void leaves_room_for_variables_of_other_sites() {
        const fs::path whole = root_ / "whole";
        must_run("cp -R " + (Stack::shared().run_directory() / "nginx").string() + ' ' + whole.string());
        for (int server = 0; server < 12; ++server) {
            std::string maps;
            for (int variable = 0; variable < 6; ++variable)
                maps += "map $uri $site_" + std::to_string(server) + "_of_others_has_" +
                        std::to_string(variable) + " { default 1; }\n";
            write_file(whole / "sites-enabled/other", maps);
            const CommandResult result =
                run_command("nginx -t -p " + whole.string() + "/ -c " + (whole / "nginx.conf").string() +
                            " -e " + (root_ / "whole.log").string());
            CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
            CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find("[warn]") == std::string::npos);
        }
    }

private:
    [[nodiscard]] fs::path site() const { return root_ / "sites-available/data-import"; }
    [[nodiscard]] fs::path link() const { return root_ / "sites-enabled/data-import"; }

    [[nodiscard]] std::string temporary_paths() const {
        std::string lines;
        for (const char* name : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
            lines += std::string(" ") + name + "_temp_path " + (root_ / "temporary" / name).string() + ";\n";
        fs::create_directories(root_ / "temporary");
        return lines;
    }

    void write_site(const std::string& directive) const {
        write_file(site(), "server {\n listen 127.0.0.1:" + std::to_string(port_) + ";\n location / {\n " +
                               directive + "\n }\n}\n");
    }

    [[nodiscard]] CommandResult ctl(const std::string& words) const {
        return run_command((build_directory() / "data-importctl").string() + " " + words + " --config " +
                           (root_ / "data-import.conf").string());
    }

    void enable() const {
        const CommandResult result = ctl("nginx enable");
        CPPUNIT_ASSERT_EQUAL_MESSAGE(result.errors, 0, result.status);
    }

    static void check_refused(const CommandResult& result, const std::string& reason) {
        CPPUNIT_ASSERT_EQUAL(1, result.status);
        CPPUNIT_ASSERT_EQUAL(std::string(), result.output);
        CPPUNIT_ASSERT_MESSAGE(result.errors, result.errors.find(reason) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::ptrdiff_t{1}, std::count(result.errors.begin(), result.errors.end(), '\n'));
    }

    [[nodiscard]] pid_t nginx() const {
        pid_t process = 0;
        std::ifstream(root_ / "nginx.pid") >> process;
        return process;
    }

    void stop_nginx() const {
        const pid_t process = nginx();
        kill(process, SIGTERM);
        CPPUNIT_ASSERT(wait_until([&] { return !is_running(process); }, 10s));
    }

    [[nodiscard]] bool is_served() const {
        return run_command("exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(port_)).status == 0;
    }

    fs::path root_;
    std::uint16_t port_ = 0;
};

CPPUNIT_TEST_SUITE_REGISTRATION(NginxSiteSystemTest);

}  // namespace data_import::tests
