#include "json/reader.h"

#include <Poco/Dynamic/Var.h>
#include <Poco/Exception.h>
#include <Poco/JSON/Handler.h>
#include <Poco/JSON/Parser.h>

#include <array>
#include <vector>

#include "json/builder.h"
#include "json/source_text.h"
#include "util/text.h"

namespace data_import::json {

namespace {

/// A node's length holds one less, which is enough: a string is at least its quotes shorter than the text.
constexpr std::size_t max_text_size = std::size_t{1} << 29U;
constexpr std::size_t max_quoted_key = 100;  // code points

/// Passes the parser's events on to the builder, with the texts of plain strings and numbers as the survey
/// found them: the parser sees a skeleton, and knows numbers as int or double only.
class Events : public Poco::JSON::Handler {
public:
    Events(DocumentBuilder& builder, const Survey& survey, std::size_t& tokens)
        : builder_(builder), scalars_(survey.scalars), tokens_(tokens) {}

    void reset() override {}
    void startObject() override { begin(Type::object); }
    void endObject() override { end(); }
    void startArray() override { begin(Type::array); }
    void endArray() override { end(); }
    void key(const std::string& name) override { builder_.key(span_of(name)); }
    void null() override {
        ++tokens_;
        builder_.null();
    }
    void value(bool truth) override {
        ++tokens_;
        builder_.boolean(truth);
    }
    void value(const std::string& text) override { builder_.string(span_of(text)); }
    void value(int) override { number(); }
    void value(unsigned) override { number(); }
    void value(Poco::Int64) override { number(); }
    void value(Poco::UInt64) override { number(); }
    void value(double) override { number(); }

private:
    /// The next scalar: the parser finds as many as the survey, or stops before.
    Span span_of(const std::string& decoded) {
        ++tokens_;
        const Span next = scalars_.at(scalars_read_++);
        return next.length == length_unknown ? builder_.add_decoded(decoded) : next;
    }
    void number() {
        ++tokens_;
        builder_.number(scalars_.at(scalars_read_++));
    }
    void begin(Type container) {
        builder_.begin(container);
        ++tokens_;
    }
    void end() {
        ++tokens_;
        builder_.end();
    }

    DocumentBuilder& builder_;
    const std::vector<Span>& scalars_;
    std::size_t scalars_read_ = 0;
    std::size_t& tokens_;
};

/// How the parser's messages begin or what they contain, and what that means. The messages themselves quote
/// bytes of the payload.
struct Meaning {
    std::string_view message;
    const char* sentence;
};

constexpr std::array<Meaning, 14> meanings = {{
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
    {"depth", "The nesting is too deep"},
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

/// Runs the parser. Its check for null bytes stays off: it would refuse an escaped backslash before `u0000`
/// too, and survey() has looked for real ones.
void parse(const std::string& skeleton, const Poco::JSON::Handler::Ptr& events) {
    Poco::JSON::Parser parser(events);
    parser.setDepth(max_nesting * 2);  // the survey's limit comes first
    parser.parse(skeleton);
}

/// ` near line L, byte B` of the token behind so many.
std::string place_behind(std::string_view text, std::size_t tokens) {
    Cursor cursor(text);
    while (tokens-- > 0) cursor.next();
    return cursor.place();
}

}  // namespace

Document read(const std::string& text) {
    check_encoding(text);
    const Survey found = survey(text);
    DocumentBuilder builder(text, found.nodes, found.decoded_bytes);
    std::size_t tokens = 0;
    const Poco::JSON::Handler::Ptr events = new Events(builder, found, tokens);
    try {
        parse(found.skeleton, events);
    } catch (const DuplicateKey& duplicate) {
        throw SyntaxError("An object contains the key \"" +
                          std::string(util::first_code_points(duplicate.what(), max_quoted_key)) +
                          "\" more than once.");
    } catch (const Poco::Exception& refusal) {
        throw SyntaxError(sentence_for(refusal.message()) + place_behind(text, tokens) + ".");
    }
    return builder.take();
}

}  // namespace data_import::json
