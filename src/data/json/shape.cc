#include "data/json/shape.h"

#include <Poco/Dynamic/Var.h>
#include <Poco/Exception.h>
#include <Poco/JSON/Handler.h>
#include <Poco/JSON/Parser.h>
#include <Poco/SharedPtr.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace data_import::json {

namespace {

constexpr std::size_t most_remembered = 32;
/// The greatest number of bytes of all skeletons (Scan::skeleton) that a thread remembers, together. A
/// skeleton's shape has up to about four times as many bytes, so both take less than 3 MiB in each thread.
constexpr std::size_t most_bytes_remembered = 524'288;
constexpr std::size_t longest_remembered = 65'536;
/// Strings with escapes are put into an array until it has this number of bytes; then the array is parsed.
constexpr std::size_t decoded_together = 65'536;

/// A part of one of the parser's messages, and the sentence that clients get instead, because the parser's
/// messages quote bytes of the payload.
struct Meaning {
    std::string_view message;
    const char* sentence;
};

constexpr std::array<Meaning, 13> meanings = {{
    {"Excess characters", "There is more text behind the JSON value"},
    {"\xFF",
     // The byte FF never occurs in UTF-8. In the parser's messages it stands for the end of the text.
     "The text ends before the JSON value is complete"},
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

std::size_t behind_white_space(std::string_view text, std::size_t offset) {
    while (offset < text.size() && is_white_space(text[offset])) ++offset;
    return offset;
}

/// Returns the offset at which `text` goes on after `tokens`, with a token or with any other text. `tokens`
/// are the first tokens of the text. `closed` is the number of closing brackets that follow the last of them.
/// These brackets, a comma or colon, and white space are passed over.
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

/// Builds a shape from the parser's events.
class ShapeBuilder : public Poco::JSON::Handler {
public:
    explicit ShapeBuilder(std::size_t nodes) { shape_.nodes.reserve(nodes); }

    void reset() override {}
    void startObject() override { begin(Type::object); }
    void endObject() override { end(); }
    void startArray() override { begin(Type::array); }
    void endArray() override { end(); }
    void key(const std::string& /*empty*/) override { append(Type::string, 0); }
    void value(const std::string& /*empty*/) override { append_item(Type::string); }
    void value(int) override { append_item(Type::number); }
    void value(unsigned) override { append_item(Type::number); }
    void value(Poco::Int64) override { append_item(Type::number); }
    void value(Poco::UInt64) override { append_item(Type::number); }
    void value(double) override { append_item(Type::number); }
    void value(bool truth) override { append_item(Type::boolean, truth ? 1 : 0); }
    void null() override { append_item(Type::null); }

    [[nodiscard]] Shape take() { return std::move(shape_); }
    /// Returns the offset at which the parser has stopped.
    [[nodiscard]] std::size_t stop(std::string_view text, std::span<const Span> tokens) const {
        return next_token(text, tokens.first(size()), closed_);
    }

private:
    void begin(Type container) {
        append_item(container);
        open_.push_back(size() - 1);
    }

    void end() {
        shape_.nodes[open_.back()].first = size();
        open_.pop_back();
        ++closed_;
    }

    void append_item(Type type, std::uint32_t second = 0) {
        if (!open_.empty()) ++shape_.nodes[open_.back()].second;
        append(type, second);
    }

    void append(Type type, std::uint32_t second) {
        Shape::Node node{};
        node.second = second & 1U;
        node.type = static_cast<std::uint32_t>(type) & 0x7U;
        shape_.nodes.push_back(node);
        closed_ = 0;
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(shape_.nodes.size()); }

    Shape shape_;
    std::vector<std::uint32_t> open_;  ///< indexes of the nodes of arrays and objects that have not ended
    std::size_t closed_ = 0;           ///< number of arrays and objects that ended since the last node
};

Shape parse(std::string_view text, const Scan& scan) {
    Poco::SharedPtr<ShapeBuilder> builder = new ShapeBuilder(scan.tokens.size());
    try {
        Poco::JSON::Parser(builder).parse(scan.skeleton);
    } catch (const Poco::Exception& refusal) {
        throw SyntaxError(sentence_for(refusal.message()), text, builder->stop(text, scan.tokens));
    }
    return builder->take();
}

/// The skeletons (Scan::skeleton) that were used last, each with its shape. The skeleton that was used last
/// is the first one.
class Memory {
public:
    /// Returns the shape of a skeleton, valid until the next call; null if the skeleton is not remembered.
    [[nodiscard]] const Shape* find(std::string_view skeleton) {
        const auto entry = std::ranges::find(entries_, skeleton, &Entry::skeleton);
        if (entry == entries_.end()) return nullptr;
        std::rotate(entries_.begin(), entry, entry + 1);
        return &entries_.front().shape;
    }

    void add(const std::string& skeleton, const Shape& shape) {
        bytes_ += skeleton.size();
        entries_.insert(entries_.begin(), {skeleton, shape});
        while (entries_.size() > most_remembered || bytes_ > most_bytes_remembered) {
            bytes_ -= entries_.back().skeleton.size();
            entries_.pop_back();
        }
    }

private:
    struct Entry {
        std::string skeleton;
        Shape shape;
    };

    std::vector<Entry> entries_;
    std::size_t bytes_ = 0;  ///< total length of the skeletons in `entries_`
};

/// Passes on the strings of an array, each with its index, from 0 on.
class StringTaker : public ShapeBuilder {
public:
    using Take = std::function<void(std::size_t number, const std::string& decoded)>;
    explicit StringTaker(Take take) : ShapeBuilder(0), take_(std::move(take)) {}

    using ShapeBuilder::value;
    void value(const std::string& decoded) override { take_(taken_++, decoded); }

    [[nodiscard]] std::size_t taken() const { return taken_; }

private:
    Take take_;
    std::size_t taken_ = 0;
};

}  // namespace

Shape shape_of(std::string_view text, const Scan& scan) {
    thread_local Memory memory;
    if (scan.skeleton.size() > longest_remembered) return parse(text, scan);
    if (const Shape* known = memory.find(scan.skeleton)) return *known;
    Shape shape = parse(text, scan);
    memory.add(scan.skeleton, shape);
    return shape;
}

void decode(std::string_view text, const Scan& scan,
            const std::function<void(std::uint32_t token, std::string_view decoded)>& take) {
    for (auto rest = std::span(scan.escaped); !rest.empty();) {
        std::string strings = "[";
        std::size_t count = 0;
        while (count < rest.size() && strings.size() < decoded_together) {
            const Span token = scan.tokens[rest[count++]];
            (strings += text.substr(token.start, token.length)) += ',';
        }
        strings.back() = ']';
        Poco::SharedPtr<StringTaker> taker = new StringTaker(
            [&](std::size_t number, const std::string& decoded) { take(rest[number], decoded); });
        try {
            Poco::JSON::Parser(taker).parse(strings);
        } catch (const Poco::Exception& refusal) {
            const std::size_t number = std::min(taker->taken(), count - 1);
            throw SyntaxError(sentence_for(refusal.message()), text, scan.tokens[rest[number]].start);
        }
        rest = rest.subspan(count);
    }
}

}  // namespace data_import::json
