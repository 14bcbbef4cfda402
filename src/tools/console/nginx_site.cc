#include "tools/console/nginx_site.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/console/bounded.h"

namespace data_import::console {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto patience = 10s;
constexpr int not_found = 127;
constexpr const char* default_config = "/etc/nginx/nginx.conf";
constexpr std::string_view file_mark = "# configuration file ";
/// A text that stands only in the site's file, by which this file is found in nginx's configuration.
constexpr std::string_view site_mark = "upstream data_import_import";

ProgramResult run_nginx(const Site& site, std::vector<std::string> words) {
    words.insert(words.begin(), "nginx");
    words.insert(words.end(), {"-c", site.config.string(), "-e", "stderr"});
    ProgramResult result = run_program(words, patience);
    if (result.status == not_found) throw Failure("there is no program nginx; apt-get install nginx");
    return result;
}

/// Returns the message after `[emerg]`: `unknown directive ...` of `nginx: [emerg] 12#12: unknown directive
/// ...`. Without such a line, returns the last line.
std::string refusal_in(const std::string& output) {
    static const std::regex mark("\\[emerg\\] ([0-9]+#[0-9]+: )?");
    std::istringstream lines(output);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, mark)) return match.suffix();
        if (!line.empty()) last = line;
    }
    return last;
}

bool is_run_by_systemd(const Site& site) {
    std::error_code ignored;
    return site.config == default_config && fs::exists("/run/systemd/system", ignored);
}

/// The words of one directive. With `Braces::kept`, a directive that opens a block ends with the word `{`,
/// and the end of the block is the directive `}`.
using Directive = std::vector<std::string>;

enum class Braces { left_out, kept };

/// Returns the directives of a text in nginx's language, in the order of the text: those inside of blocks,
/// and those outside. With `Braces::left_out`, the result does not show where blocks begin and end.
std::vector<Directive> directives_of(std::string_view text, Braces braces = Braces::left_out) {
    std::vector<Directive> directives;
    Directive words;
    std::string word;
    char quote = '\0';
    bool in_comment = false;
    const auto end_word = [&] {
        if (!word.empty()) words.push_back(std::exchange(word, ""));
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char character = text[at];
        if (in_comment) {
            in_comment = character != '\n';
        } else if (quote != '\0') {
            if (character == quote)
                quote = '\0';
            else
                word += character;
        } else if (character == '"' || character == '\'') {
            quote = character;
        } else if (character == '#' && word.empty()) {
            in_comment = true;
        } else if (character == ';' || character == '{' || character == '}') {
            end_word();
            if (character == '{' && braces == Braces::kept) words.emplace_back("{");
            if (!words.empty()) directives.push_back(std::exchange(words, {}));
            if (character == '}' && braces == Braces::kept) directives.push_back({"}"});
        } else if (character == ' ' || character == '\t' || character == '\n' || character == '\r') {
            end_word();
        } else {
            word += character;
        }
    }
    return directives;
}

/// Returns the texts of the site and of the files that only the site includes.
std::string text_of_site(const std::string& dump) {
    std::string text;
    for (std::size_t begin = dump.find(file_mark); begin != std::string::npos;) {
        const std::size_t next = dump.find(std::string("\n") + std::string(file_mark), begin + 1);
        const std::size_t end = next == std::string::npos ? dump.size() : next + 1;
        const std::string part = dump.substr(begin, end - begin);
        const std::string name = part.substr(0, part.find('\n'));
        const bool is_ours = part.find(site_mark) != std::string::npos ||
                             name.find("/snippets/data-import/") != std::string::npos;
        if (is_ours) text += part;
        begin = next == std::string::npos ? next : next + 1;
    }
    return text;
}

/// Returns the first value of a directive in a file of snippets/data-import/, in seconds or bytes. 0 if the
/// directive is missing or has an unknown form.
std::uint64_t value_in_snippet(const std::string& dump, const std::string& file, std::string_view name) {
    static const std::regex form("([0-9]{1,12})([smhkgKMG]?)");
    const std::size_t begin = dump.find("/snippets/data-import/" + file + ":\n");
    if (begin == std::string::npos) return 0;
    const std::size_t end = dump.find("\n" + std::string(file_mark), begin);
    for (const Directive& directive : directives_of("#" + dump.substr(begin, end - begin))) {
        std::smatch parts;
        if (directive.front() != name || directive.size() != 2) continue;
        if (!std::regex_match(directive[1], parts, form)) return 0;
        const std::string unit = parts[2];
        const bool is_size = name == "client_max_body_size";
        const std::uint64_t factor = unit.empty() || unit == "s"               ? 1
                                     : unit == "h"                             ? 3600
                                     : unit == "k" || unit == "K"              ? 1024
                                     : unit == "M" || (unit == "m" && is_size) ? 1024 * 1024
                                     : unit == "g" || unit == "G"              ? 1024 * 1024 * 1024
                                                                               : 60;
        return std::stoull(parts[1]) * factor;
    }
    return 0;
}

/// Reads address and port of a `listen`: `443`, `[::]:443`, `127.0.0.1:8443` or `127.0.0.1`.
void take_address(SiteFacts& facts, const std::string& listen) {
    const std::size_t colon = listen.rfind(':');
    const bool is_port = listen.find_first_not_of("0123456789") == std::string::npos;
    const std::string port = is_port ? listen : colon == std::string::npos ? "443" : listen.substr(colon + 1);
    const std::string address = is_port ? "*" : listen.substr(0, colon);
    facts.port = std::atoi(port.c_str());
    facts.address = address == "*" || address == "0.0.0.0" ? "127.0.0.1"
                    : address == "[::]"                    ? "::1"
                                                           : address;
}

bool has_word(const Directive& directive, std::string_view word) {
    return std::find(directive.begin(), directive.end(), word) != directive.end();
}

/// Returns whether a client can use the name to reach the site. A name that begins with a dot stands for many
/// names.
bool is_name(std::string_view name) {
    return !name.starts_with('.') && name != "_" && name != "localhost" &&
           name.find_first_of("*~$") == std::string_view::npos && !name.empty();
}

/// A block's directives for people who sign in. A directive that the block does not have is inherited from
/// the block around it.
struct SignIn {
    std::optional<bool> by_password = {};
    std::optional<bool> by_request = {};
    std::optional<bool> satisfies_any = {};  ///< one way to sign in is enough if several are set
    std::optional<std::string> person = {};
    bool passes_acts = false;
    std::vector<SignIn> acting = {};  ///< blocks inside this one that pass acts to the workers

    void take(const Directive& directive) {
        const std::string& name = directive.front();
        if (directive.size() < 2) return;
        if (name == "auth_basic") by_password = directive[1] != "off";
        if (name == "auth_request") by_request = directive[1] != "off";
        if (name == "satisfy") satisfies_any = directive[1] == "any";
        if (name == "fastcgi_pass" && directive[1] == "data_import_operator") passes_acts = true;
        if (name == "fastcgi_param" && directive[1] == "DATA_IMPORT_OPERATOR" && directive.size() > 2)
            person = directive[2];
    }
    /// Returns the blocks that pass acts to the workers, among this block and those inside it. Each has the
    /// directives that it inherits.
    [[nodiscard]] std::vector<SignIn> all_acting() const {
        std::vector<SignIn> all = acting;
        for (SignIn& inside : all) {
            if (!inside.by_password) inside.by_password = by_password;
            if (!inside.by_request) inside.by_request = by_request;
            if (!inside.satisfies_any) inside.satisfies_any = satisfies_any;
            if (!inside.person) inside.person = person;
        }
        if (passes_acts) all.push_back({by_password, by_request, satisfies_any, person, true, {}});
        return all;
    }
    [[nodiscard]] bool needs_password() const {
        return by_password.value_or(false) && !satisfies_any.value_or(false);
    }
    /// Returns true if the client chooses the value, so that it does not tell who signs in. Such a value is a
    /// header, a cookie, an argument, or the user name of a sign-in whose password nobody checks. Returns
    /// true for a value without a variable, too, because it is the same for everybody.
    [[nodiscard]] bool is_of_client(const std::string& value) const {
        static const std::regex sent("[$][{]?(http_|arg_|cookie_|args|query_string|request|uri)");
        static const std::regex named("[$][{]?remote_user");
        return std::regex_search(value, sent) || value.find('$') == std::string::npos ||
               (!needs_password() && std::regex_search(value, named));
    }
};

/// Reads one server. `at` moves from the directive after `server {` to the end of the server's block.
void read_server(std::vector<Directive>::const_iterator& at, std::vector<Directive>::const_iterator end,
                 std::vector<ActingServer>& servers) {
    std::vector<SignIn> blocks(1);
    ActingServer server{.is_encrypted = true};
    bool has_certificates = false;
    std::vector<std::pair<std::string, std::string>> variables;
    for (; at != end; ++at) {
        const Directive& directive = *at;
        const std::string& name = directive.front();
        if (name == "}") {
            const std::vector<SignIn> acting = blocks.back().all_acting();
            blocks.pop_back();
            if (blocks.empty()) {
                for (const SignIn& one : acting) {
                    server.signs_in =
                        has_certificates || one.by_password.value_or(false) || one.by_request.value_or(false);
                    server.person = one.person.value_or("");
                    server.person_is_of_client = one.is_of_client(server.person);
                    for (const auto& [variable, value] : variables)
                        server.person_is_of_client |=
                            variable == server.person && value.find('$') == 0 && one.is_of_client(value);
                    servers.push_back(server);
                }
                return;
            }
            std::ranges::copy(acting, std::back_inserter(blocks.back().acting));
            continue;
        }
        if (directive.back() == "{") {
            blocks.emplace_back();
            continue;
        }
        if (name == "listen" && !has_word(directive, "ssl")) server.is_encrypted = false;
        if (name == "ssl_verify_client" && directive.size() > 1) has_certificates = directive[1] == "on";
        if (name == "server_name" && directive.size() > 1) server.name = directive[1];
        if (name == "set" && directive.size() > 2) variables.emplace_back(directive[1], directive[2]);
        blocks.back().take(directive);
    }
}

}  // namespace

std::vector<ActingServer> acting_servers(const std::string& dump) {
    std::vector<ActingServer> servers;
    const std::vector<Directive> directives = directives_of(dump, Braces::kept);
    for (auto at = directives.begin(); at != directives.end(); ++at) {
        if (at->front() == "server" && at->back() == "{" && at->size() == 2)
            read_server(++at, directives.end(), servers);
        if (at == directives.end()) break;
    }
    return servers;
}

Site::Site(const fs::path& nginx_config)
    : config(nginx_config),
      available(nginx_config.parent_path() / "sites-available/data-import"),
      link(nginx_config.parent_path() / "sites-enabled/data-import") {}

bool Site::is_there() const {
    std::error_code ignored;
    return fs::is_regular_file(available, ignored);
}

bool Site::is_enabled() const {
    std::error_code error;
    return fs::is_symlink(link, error) && fs::equivalent(link, available, error) && !error;
}

bool Site::is_dangling() const {
    std::error_code ignored;
    return fs::is_symlink(link, ignored) && !fs::exists(link, ignored);
}

bool Site::is_obstructed() const {
    std::error_code ignored;
    const bool is_there = fs::symlink_status(link, ignored).type() != fs::file_type::not_found;
    return is_there && !is_enabled() && !is_dangling();
}

std::optional<std::string> nginx_refusal(const Site& site) {
    const ProgramResult result = run_nginx(site, {"-t"});
    if (result.status == 0) return std::nullopt;
    return refusal_in(result.output);
}

bool reload_nginx(const Site& site) {
    const bool by_systemd = is_run_by_systemd(site);
    if (by_systemd && run_program({"systemctl", "is-active", "--quiet", "nginx"}, patience).status != 0)
        return false;
    const ProgramResult result = by_systemd ? run_program({"systemctl", "reload", "nginx"}, patience)
                                            : run_nginx(site, {"-s", "reload"});
    if (result.status == 0) return true;
    const std::string reason = refusal_in(result.output);
    const bool runs_not = result.output.find("invalid PID number") != std::string::npos ||
                          result.output.find("No such process") != std::string::npos ||
                          result.output.find("nginx.pid\" failed (2:") != std::string::npos;
    if (runs_not) return false;
    throw Failure("nginx does not read its configuration: " + reason + "; nginx -t says more");
}

SiteFacts read_site(const std::string& dump) {
    SiteFacts facts;
    for (const Directive& directive : directives_of(text_of_site(dump))) {
        if (directive.size() < 2) continue;
        const std::string& name = directive.front();
        if (name == "listen" && facts.port == 0 && has_word(directive, "ssl")) {
            take_address(facts, directive[1]);
            facts.takes_proxy_protocol = has_word(directive, "proxy_protocol");
        }
        if (name == "ssl_certificate") facts.certificates.push_back(directive[1]);
        if (name == "ssl_certificate_key") facts.certificate_keys.push_back(directive[1]);
        if (name != "server_name") continue;
        std::copy_if(directive.begin() + 1, directive.end(), std::back_inserter(facts.names), is_name);
    }
    facts.answer_seconds = value_in_snippet(dump, "fastcgi.conf", "fastcgi_read_timeout");
    for (const char* file : {"import.conf", "long-bodies.conf"}) {
        const std::uint64_t longest = value_in_snippet(dump, file, "client_max_body_size");
        if (longest != 0 && (facts.longest_body == 0 || longest < facts.longest_body))
            facts.longest_body = longest;
    }
    return facts;
}

NginxConfiguration read_configuration(const Site& site) {
    ProgramResult result = run_nginx(site, {"-T"});
    if (result.status != 0) return {refusal_in(result.output), ""};
    return {std::nullopt, std::move(result.output)};
}

}  // namespace data_import::console
