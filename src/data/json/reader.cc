#include "data/json/reader.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/util/foreign_form.h"
#include "base/util/keyed_hash.h"
#include "base/util/text.h"
#include "data/json/scan.h"
#include "data/json/shape.h"

namespace data_import::json {

namespace {

/// Document::Node has 29 bits for the length of a string. That is enough for a text of this size, because a
/// string without its quotes is shorter than the text.
constexpr std::size_t max_text_size = std::size_t{1} << 29U;
constexpr std::size_t max_quoted_key = 100;  // most code points of a key that an error quotes
/// The most keys of an object that are compared one by one; more are put into a table.
constexpr std::size_t few_keys = 16;

void check_encoding(std::string_view text) {
    if (text.size() > max_text_size) throw SyntaxError("The JSON text is larger than 512 MiB.");
    if (text.starts_with("\xEF\xBB\xBF"))
        throw SyntaxError("The JSON text must not start with a byte order mark.");
    if (const auto encoding = util::wide_encoding(text))
        throw SyntaxError("The JSON text is in " + std::string(*encoding) + "; it must be in UTF-8.");
    if (const auto form = util::packed_form(text))
        throw SyntaxError("This is no JSON text but packed data (" + std::string(*form) +
                          "): it must be unpacked first.");
    if (const std::size_t valid = util::utf8_prefix(text); valid < text.size())
        throw SyntaxError("The JSON text is not valid UTF-8", text, valid);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw SyntaxError("The JSON text is empty.");
}

/// Finds a key that stands twice in one object, and throws SyntaxError for it.
class DuplicateKeys {
public:
    void check(const std::vector<std::string_view>& keys) {
        if (keys.size() > few_keys) return check_many(keys);
        for (auto key = keys.begin(); key != keys.end(); ++key) {
            if (std::find(keys.begin(), key, *key) != key) refuse(*key);
        }
    }

private:
    /// Throws SyntaxError if a key occurs twice in `keys`. The time is in proportion to the number of keys.
    ///
    /// Clients cannot choose keys that collide, because the hash depends on a random secret of the process.
    void check_many(const std::vector<std::string_view>& keys) {
        table_.assign(std::bit_ceil(keys.size() * 2), {});
        const std::size_t mask = table_.size() - 1;
        for (const std::string_view key : keys) {
            std::size_t place = hash_(key) & mask;
            for (; table_[place].data() != nullptr; place = (place + 1) & mask) {
                if (table_[place] == key) refuse(key);
            }
            table_[place] = key;
        }
    }

    [[noreturn]] static void refuse(std::string_view key) {
        throw SyntaxError("An object contains the key \"" +
                          std::string(util::first_code_points(key, max_quoted_key)) + "\" more than once.");
    }

    std::vector<std::string_view> table_;
    const util::KeyedHash& hash_ = util::KeyedHash::of_process();
};

}  // namespace

/// Builds the document of a text. Takes the nodes from the text's Shape (json/shape.h), and enters into them
/// where the keys, strings and numbers stand in the text.
class DocumentFiller {
public:
    DocumentFiller(const std::string& text, const Scan& scan) {
        document_.nodes_ = shape_of(text, scan).nodes;
        if (document_.nodes_.size() != scan.tokens.size())
            throw std::logic_error("JSON with other tokens than nodes");
        document_.text_ = text;
        for (std::size_t node = 0; node < document_.nodes_.size(); ++node)
            place(document_.nodes_[node], scan.tokens[node]);
        decode(text, scan, [this](std::uint32_t node, std::string_view decoded) {
            place_decoded(document_.nodes_[node], decoded);
        });
    }

    [[nodiscard]] Document take() {
        refuse_duplicates();
        return std::move(document_);
    }

private:
    static void place(Document::Node& node, Span token) {
        switch (static_cast<Type>(node.type)) {
            case Type::string:
                node.first = token.start + 1;
                node.second = (token.length - 2) & 0x1FFF'FFFFU;
                break;
            case Type::number:
                node.first = token.start;
                node.second = token.length & 0x1FFF'FFFFU;
                break;
            default:
                break;
        }
    }

    /// Puts the decoded string into the text in the place of the original. It fits, because a string is
    /// shorter without its escapes.
    void place_decoded(Document::Node& node, std::string_view decoded) {
        decoded.copy(document_.text_.data() + node.first, decoded.size());
        node.second = static_cast<std::uint32_t>(decoded.size()) & 0x1FFF'FFFFU;
    }

    void refuse_duplicates() {
        DuplicateKeys duplicates;
        for (std::uint32_t node = 0; node < document_.nodes_.size(); ++node) {
            if (static_cast<Type>(document_.node(node).type) != Type::object) continue;
            keys_.clear();
            for (std::uint32_t key = node + 1; key < document_.behind(node); key = document_.behind(key + 1))
                keys_.push_back(document_.text(key));
            duplicates.check(keys_);
        }
    }

    Document document_;
    std::vector<std::string_view> keys_;  ///< keys of one object
};

// scan() makes a skeleton of `text`: a text of the same structure, in which strings are empty and numbers are
// 0. Poco's parser finds the structure of the skeleton. DocumentFiller puts the strings and numbers of `text`
// into this structure, and has Poco's parser decode the strings that have escapes.
Document read(const std::string& text) {
    check_encoding(text);
    return DocumentFiller(text, scan(text)).take();
}

}  // namespace data_import::json
