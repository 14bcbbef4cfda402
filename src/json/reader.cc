#include "json/reader.h"

#include <Poco/Dynamic/Var.h>
#include <Poco/Exception.h>
#include <Poco/JSON/Handler.h>
#include <Poco/JSON/Parser.h>
#include <Poco/SharedPtr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "json/scan.h"
#include "util/keyed_hash.h"
#include "util/text.h"

namespace data_import::json {

namespace {

/// A node's length holds one less, which is enough: a string is at least its quotes shorter than the text.
constexpr std::size_t max_text_size = std::size_t{1} << 29U;
constexpr std::size_t max_quoted_key = 100;  // code points
/// Up to so many keys are compared with each other, which needs nothing else.
constexpr std::size_t few_keys = 16;

/// How the parser's messages begin or what they contain, and what that means. The messages themselves quote
/// bytes of the payload.
struct Meaning {
    std::string_view message;
    const char* sentence;
};

constexpr std::array<Meaning, 13> meanings = {{
    {"Excess characters", "There is more text behind the JSON value"},
    {"\xFF",
     "The text ends before the JSON value is complete"},  // no byte of UTF-8: the parser's mark of the end
    {"unexpected end of text", "The text ends before the JSON value is complete"},
    {"unterminated string", "A string has no closing quote"},
    {"unescaped control character", "A string contains a control character, which has to be escaped"},
    {"surrogate", "A string contains half of a surrogate pair"},
    {"escape", "A string contains a backslash with something behind it that JSON does not know"},
    {"expected ':'", "A key is not followed by a colon"},
    {"expected ',' or '}'", "A member of an object is not followed by a comma or a closing brace"},
    {"expected member name", "An object has something other than a key in double quotes where a key is due"},
    {"in value", "There is something that is not a JSON value"},
    {"unexpected byte", "There is a character that cannot stand here"},
    {"expected '", "There is a word other than true, false and null"},
}};

const char* sentence_for(std::string_view message) {
    for (const Meaning& meaning : meanings) {
        if (message.find(meaning.message) != std::string_view::npos) return meaning.sentence;
    }
    return "The text is not valid JSON";
}

void check_encoding(std::string_view text) {
    if (text.size() > max_text_size) throw SyntaxError("The JSON text is larger than 512 MiB.");
    if (text.starts_with("\xEF\xBB\xBF"))
        throw SyntaxError("The JSON text must not start with a byte order mark.");
    if (!util::is_utf8(text)) throw SyntaxError("The JSON text is not valid UTF-8.");
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw SyntaxError("The JSON text is empty.");
}

std::size_t behind_white_space(std::string_view text, std::size_t offset) {
    while (offset < text.size() && is_white_space(text[offset])) ++offset;
    return offset;
}

/// Where the next token starts, or what stands in its place: behind these and the brackets that close behind
/// them.
std::size_t next_token(std::string_view text, std::span<const Span> tokens, std::size_t closed) {
    if (tokens.empty()) return behind_white_space(text, 0);
    const Span last = tokens.back();
    std::size_t end = last.start + last.length;
    const bool opened = closed == 0 && (text[last.start] == '[' || text[last.start] == '{');
    for (; closed > 0; --closed) end = text.find_first_of("]}", end) + 1;
    const std::size_t next = behind_white_space(text, end);
    const bool separated = next < text.size() && (text[next] == ',' || text[next] == ':');
    return separated && !opened ? behind_white_space(text, next + 1) : next;
}

}  // namespace

/// Builds a document from the parser's events. The parser has seen the skeleton only: keys, strings and
/// numbers are taken from the text, of which each node has a token. Refuses repeated keys.
class DocumentBuilder : public Poco::JSON::Handler {
public:
    DocumentBuilder(const std::string& text, const std::vector<Span>& tokens) : tokens_(tokens) {
        document_.text_ = text;
        document_.nodes_.reserve(tokens.size());
    }

    void reset() override {}
    void startObject() override { begin(Type::object); }
    void endObject() override {
        refuse_duplicates();
        end();
    }
    void startArray() override { begin(Type::array); }
    void endArray() override { end(); }
    void key(const std::string& decoded) override { append(Type::string, place(decoded)); }
    void value(const std::string& decoded) override { append_item(Type::string, place(decoded)); }
    void value(int) override { append_item(Type::number, token()); }
    void value(unsigned) override { append_item(Type::number, token()); }
    void value(Poco::Int64) override { append_item(Type::number, token()); }
    void value(Poco::UInt64) override { append_item(Type::number, token()); }
    void value(double) override { append_item(Type::number, token()); }
    void value(bool truth) override { append_item(Type::boolean, {0, truth ? 1U : 0U}); }
    void null() override { append_item(Type::null, {0, 0}); }

    [[nodiscard]] Document take() { return std::move(document_); }
    /// Where the parser has stopped.
    [[nodiscard]] std::size_t stop(std::string_view text) const {
        return next_token(text, std::span(tokens_).first(size()), closed_);
    }

private:
    /// Of the next node.
    [[nodiscard]] Span token() const { return tokens_.at(size()); }

    /// Where a string stands: one without escapes, which is empty in the skeleton, as it was sent. One with
    /// escapes becomes shorter, and takes their place.
    [[nodiscard]] Span place(const std::string& decoded) {
        const Span quoted = token();
        const std::uint32_t start = quoted.start + 1;
        if (decoded.empty()) return {start, quoted.length - 2};
        decoded.copy(document_.text_.data() + start, decoded.size());
        return {start, static_cast<std::uint32_t>(decoded.size())};
    }

    void begin(Type container) {
        append_item(container, {0, 0});
        open_.push_back(size() - 1);
    }

    void end() {
        document_.nodes_[open_.back()].first = size();
        open_.pop_back();
        ++closed_;
    }

    void append_item(Type type, Span value) {
        if (!open_.empty()) ++document_.nodes_[open_.back()].second;
        append(type, value);
    }

    void append(Type type, Span value) {
        Document::Node node{};
        node.first = value.start;
        node.second = value.length & 0x1FFF'FFFFU;
        node.type = static_cast<std::uint32_t>(type) & 0x7U;
        document_.nodes_.push_back(node);
        closed_ = 0;
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(document_.nodes_.size()); }

    /// Among the keys of the innermost object.
    void refuse_duplicates() {
        keys_.clear();
        for (std::uint32_t key = open_.back() + 1; key < size(); key = document_.behind(key + 1))
            keys_.push_back(document_.text(key));
        if (keys_.size() > few_keys) return refuse_duplicates_among_many();
        for (auto key = keys_.begin(); key != keys_.end(); ++key) {
            if (std::find(keys_.begin(), key, *key) != key) refuse_duplicate(*key);
        }
    }

    /// In a hash table with open addressing. Its time is in proportion to the keys whatever they are: nobody
    /// outside of the process can choose keys that collide.
    void refuse_duplicates_among_many() {
        table_.assign(std::bit_ceil(keys_.size() * 2), {});
        const std::size_t mask = table_.size() - 1;
        for (const std::string_view key : keys_) {
            std::size_t place = hash_(key) & mask;
            for (; table_[place].data() != nullptr; place = (place + 1) & mask) {
                if (table_[place] == key) refuse_duplicate(key);
            }
            table_[place] = key;
        }
    }

    [[noreturn]] static void refuse_duplicate(std::string_view key) {
        throw SyntaxError("An object contains the key \"" +
                          std::string(util::first_code_points(key, max_quoted_key)) + "\" more than once.");
    }

    const std::vector<Span>& tokens_;
    Document document_;
    std::vector<std::uint32_t> open_;  ///< containers whose end has not come
    std::size_t closed_ = 0;           ///< containers since the last node
    std::vector<std::string_view> keys_;
    std::vector<std::string_view> table_;
    const util::KeyedHash& hash_ = util::KeyedHash::of_process();
};

Document read(const std::string& text) {
    check_encoding(text);
    const Scan found = scan(text);
    Poco::SharedPtr<DocumentBuilder> builder = new DocumentBuilder(text, found.tokens);
    try {
        Poco::JSON::Parser(builder).parse(found.skeleton);
    } catch (const Poco::Exception& refusal) {
        throw syntax_error(sentence_for(refusal.message()), text, builder->stop(text));
    }
    return builder->take();
}

}  // namespace data_import::json
