#include "tools/client/stranger.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/util/text.h"
#include "tools/client/pace.h"

namespace data_import::client {

namespace {

constexpr std::size_t longest_quote = 80;
constexpr int too_large = 413;
constexpr int forbidden = 403;

bool is_good(int status) {
    return status >= 200 && status < 300;
}

bool is_redirect(int status) {
    return status >= 300 && status < 400;
}

/// Returns the text in quotes and in one line. A long text is cut after a whole character.
std::string quotation(std::string_view text) {
    std::string line;
    for (const char byte : text) {
        const bool is_space = static_cast<unsigned char>(byte) <= ' ';
        if (!is_space)
            line += byte;
        else if (!line.empty() && !line.ends_with(' '))
            line += ' ';
    }
    while (line.ends_with(' ')) line.pop_back();
    if (line.size() > longest_quote) {
        line.resize(util::utf8_prefix(std::string_view(line).substr(0, longest_quote)));
        line += "...";
    }
    return "'" + line + "'";
}

/// Removes the text up to and including `end`, and returns it without `end`. If `end` does not occur, removes
/// and returns the whole text.
std::string_view cut_up_to(std::string_view& text, std::string_view end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view front = text.substr(0, at);
    text.remove_prefix(std::min(at + end.size(), text.size()));
    return front;
}

/// Returns the text of a page without its tags, scripts and styles.
std::string words_of(std::string_view page) {
    const std::string small = util::lowered(page);
    std::string words;
    for (std::size_t at = 0; at < page.size();) {
        const std::size_t tag = std::min(page.find('<', at), page.size());
        words += page.substr(at, tag - at);
        words += ' ';
        const std::string_view rest = std::string_view(small).substr(tag);
        const bool is_hidden = rest.starts_with("<script") || rest.starts_with("<style");
        const std::size_t end = small.find('>', is_hidden ? small.find("</", tag) : tag);
        if (end == std::string::npos) break;
        at = end + 1;
    }
    return words;
}

/// Returns the title of a page, such as `title 'Login'`; if there is none, the first words of the page.
std::string page_text(std::string_view page) {
    const std::string small = util::lowered(page);
    const std::size_t tag = small.find("<title");
    if (tag != std::string::npos) {
        std::string_view rest = page.substr(tag);
        static_cast<void>(cut_up_to(rest, ">"));
        const std::string title = quotation(cut_up_to(rest, "<"));
        if (title.size() > 2) return "title " + title;
    }
    return quotation(words_of(page));
}

std::string body_text(const Attempt& attempt) {
    const std::string type = attempt.content_type.substr(0, attempt.content_type.find(';'));
    std::string text = type.empty() ? "no content type" : type;
    if (!attempt.coding.empty()) return text + ", packed with " + attempt.coding + ", which nobody asked for";
    if (attempt.body.empty()) return text + ", empty";
    if (!util::is_utf8(attempt.body)) return text;
    const bool is_page = attempt.body.find('<') != std::string::npos;
    const std::string content = is_page ? page_text(attempt.body) : quotation(attempt.body);
    return content.size() > 2 ? text + ", " + content : text;
}

std::string remedy(int status) {
    if (is_good(status) || is_redirect(status))
        return "is --url the address of a data-import service, and is this host logged in to its network?";
    if (status == too_large)
        return "a proxy before the service takes no request of this size: ask who runs it for a higher limit";
    if (status == forbidden) return "ask who runs the proxy or firewall before the service";
    if (status < 500 && !is_passing(status))
        return "is --url the address of a data-import service? If it is, ask who runs the proxy before it";
    return "ask who runs the proxy or balancer before the service, if this goes on";
}

}  // namespace

bool is_of_service(int status, const std::optional<ImportAnswer>& answer) {
    return answer && (is_good(status) || !answer->code.empty());
}

std::string told_of_stranger(const Attempt& attempt) {
    std::string text = std::to_string(attempt.status) + " from something in between: ";
    if (is_redirect(attempt.status))
        text += attempt.location.empty() ? "a redirect to no place" : "a redirect to " + attempt.location;
    else
        text += body_text(attempt);
    if (!attempt.server.empty()) text += ", by " + quotation(attempt.server);
    return text + "; " + remedy(attempt.status);
}

void distrust_stranger(Attempt& attempt, const std::optional<ImportAnswer>& answer) {
    if (attempt.failure != AttemptFailure::none || is_of_service(attempt.status, answer)) return;
    if (attempt.problem.empty()) attempt.problem = told_of_stranger(attempt);
    if (!is_passing(attempt.status)) attempt.failure = AttemptFailure::broken;
}

std::string with_wait(std::string detail, std::optional<std::chrono::seconds> retry_after) {
    constexpr std::chrono::minutes short_wait(1);
    if (!retry_after || *retry_after < short_wait) return detail;
    const bool is_sentence = detail.ends_with('.');
    detail += is_sentence ? " It asks to wait until " : "; it asks to wait until ";
    detail += in_seconds(std::chrono::system_clock::now() + *retry_after);
    return is_sentence ? detail + "." : detail;
}

}  // namespace data_import::client
