// A parsed JSON document: flat, in the order of the text, with numbers as the literals that were sent.
//
// The document is a tape of 8-byte nodes over the payload's text, in which strings have been decoded. So it
// needs a small multiple of the input's size, and reading it allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace data_import::json {

enum class Type : std::uint8_t { null, boolean, number, string, array, object };

class Document;
class Value;
using Member = std::pair<std::string_view, Value>;  ///< an object's member: its key and its value
template <typename Element>
class Elements;

/// A view of one value of a document; valid as long as the document is neither moved nor destroyed. Access to
/// a part that the type does not have (the items of a number) throws std::logic_error.
class Value {
public:
    [[nodiscard]] Type type() const;
    [[nodiscard]] bool is(Type wanted) const { return type() == wanted; }

    /// Returns the value of a boolean.
    [[nodiscard]] bool boolean() const;
    /// Returns the decoded text of a string, or the literal of a number as it was sent.
    [[nodiscard]] std::string_view text() const;
    /// Returns the number of items of an array or members of an object.
    [[nodiscard]] std::size_t size() const;

    /// Returns the items of an array in order: `for (Value item : value.items())`.
    [[nodiscard]] Elements<Value> items() const;
    /// Returns the item of an array at this place, which has to be there. Goes through all items before it.
    [[nodiscard]] Value item(std::size_t place) const;
    /// Returns the members of an object in order: `for (auto [key, member] : value.members())`.
    [[nodiscard]] Elements<Member> members() const;
    /// Returns the member of an object with this key, found by going through all of them.
    [[nodiscard]] std::optional<Value> find(std::string_view key) const;
    /// Returns the member of an object with this key, which has to be there (std::out_of_range otherwise).
    [[nodiscard]] Value at(std::string_view key) const;

    /// Returns a number that grows in the order in which values stand in the payload.
    [[nodiscard]] std::size_t position() const { return index_; }
    /// Returns a number that is greater than the position of everything inside this value, and not greater
    /// than the position of anything after it.
    [[nodiscard]] std::size_t end_position() const;

private:
    friend class Document;
    friend class MembersInTurn;
    template <typename Element>
    friend class Elements;
    Value(const Document& document, std::uint32_t index) : document_(&document), index_(index) {}
    [[noreturn]] static void lacks(const char* what);

    const Document* document_;
    std::uint32_t index_;
};

/// Finds members of an object. It is fastest if they are asked for in the order in which they stand.
class MembersInTurn {
public:
    explicit MembersInTurn(const Value& object);
    [[nodiscard]] std::optional<Value> find(std::string_view key);

private:
    [[nodiscard]] std::optional<Value> search(std::string_view key);
    [[nodiscard]] Value take(std::uint32_t name);

    Value object_;
    std::uint32_t next_;  ///< index of the key that the next search looks at first
    std::uint32_t end_;
};

/// The document that owns nodes and texts. Movable; views of a moved document are invalid.
class Document {
public:
    /// Returns the outermost value.
    [[nodiscard]] Value root() const { return {*this, 0}; }

private:
    friend class Value;
    friend class MembersInTurn;
    friend struct Shape;          // json/shape.h
    friend class DocumentFiller;  // json/reader.cc
    template <typename Element>
    friend class Elements;

    /// A key, or a value of this `type`:
    /// - key, string or number: `first` is its start in `text_`, `second` its length
    /// - boolean: `second` is 1 for true, 0 for false
    /// - array or object: `first` is the index after the value's last node, `second` the count of its items
    ///   or members
    /// A member of an object is a string node, its key, followed by the nodes of its value.
    struct Node {
        std::uint32_t first;
        std::uint32_t second : 29;
        std::uint32_t type : 3;
    };
    static_assert(sizeof(Node) == 8);

    [[nodiscard]] const Node& node(std::uint32_t index) const { return nodes_[index]; }
    [[nodiscard]] std::string_view text(std::uint32_t index) const {
        return {text_.data() + node(index).first, node(index).second};
    }
    [[nodiscard]] std::uint32_t behind(std::uint32_t index) const;

    std::vector<Node> nodes_;
    std::string text_;  ///< the payload; each string that had escapes is decoded where it stands
};

/// The items of an array or the members of an object as a range: an element is a Value or a Member.
template <typename Element>
class Elements {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = const Element*;
        using reference = Element;

        Iterator(const Document& document, std::uint32_t index) : document_(&document), index_(index) {}
        [[nodiscard]] Element operator*() const {
            const Value value(*document_, index_ + key_nodes);
            if constexpr (key_nodes == 0)
                return value;
            else
                return {document_->text(index_), value};
        }
        Iterator& operator++() {
            index_ = document_->behind(index_ + key_nodes);
            return *this;
        }
        [[nodiscard]] bool operator==(const Iterator& other) const { return index_ == other.index_; }

    private:
        static constexpr std::uint32_t key_nodes = std::is_same_v<Element, Member> ? 1 : 0;

        const Document* document_;
        std::uint32_t index_;
    };

    [[nodiscard]] Iterator begin() const { return begin_; }
    [[nodiscard]] Iterator end() const { return end_; }

private:
    friend class Value;
    Elements(const Document& document, std::uint32_t container)
        : begin_(document, container + 1), end_(document, document.behind(container)) {}

    Iterator begin_;
    Iterator end_;
};

// These functions are inline, because each is called several times for every value of a payload.

inline std::uint32_t Document::behind(std::uint32_t index) const {
    const Node& here = node(index);
    const auto type = static_cast<Type>(here.type);
    return type == Type::array || type == Type::object ? here.first : index + 1;
}

inline Type Value::type() const {
    return static_cast<Type>(document_->node(index_).type);
}

inline bool Value::boolean() const {
    if (!is(Type::boolean)) lacks("truth");
    return document_->node(index_).second != 0;
}

inline std::string_view Value::text() const {
    if (!is(Type::string) && !is(Type::number)) lacks("text");
    return document_->text(index_);
}

inline std::size_t Value::size() const {
    if (!is(Type::array) && !is(Type::object)) lacks("size");
    return document_->node(index_).second;
}

inline std::size_t Value::end_position() const {
    return document_->behind(index_);
}

inline Elements<Value> Value::items() const {
    if (!is(Type::array)) lacks("items");
    return {*document_, index_};
}

inline Value Value::item(std::size_t place) const {
    return *std::next(items().begin(), static_cast<std::ptrdiff_t>(place));
}

inline Elements<Member> Value::members() const {
    if (!is(Type::object)) lacks("members");
    return {*document_, index_};
}

inline std::optional<Value> MembersInTurn::find(std::string_view key) {
    if (next_ < end_ && object_.document_->text(next_) == key) return take(next_);
    return search(key);
}

/// Returns the member whose key is the node `name`. The next search begins after it.
inline Value MembersInTurn::take(std::uint32_t name) {
    next_ = object_.document_->behind(name + 1);
    return {*object_.document_, name + 1};
}

}  // namespace data_import::json
