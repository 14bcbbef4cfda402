// Builds a document from the events of a parser, and refuses what no single event shows: repeated keys.
// Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "json/key_table.h"
#include "json/source_text.h"
#include "json/value.h"

namespace data_import::json {

/// One object has the same key more than once.
class DuplicateKey : public std::runtime_error {
public:
    explicit DuplicateKey(std::string_view key) : std::runtime_error(std::string(key)) {}
};

class DocumentBuilder {
public:
    /// Begins a document over this text, of which keys, strings and numbers are spans. Reserves what it will
    /// hold, at most: `nodes` values and keys, `decoded_bytes` of decoded strings.
    DocumentBuilder(const std::string& text, std::size_t nodes, std::size_t decoded_bytes);

    /// Adds a string that does not stand in the text as it is meant.
    [[nodiscard]] Span add_decoded(std::string_view string);

    void key(Span name);
    void string(Span text) { add_text(Type::string, text); }
    void number(Span literal) { add_text(Type::number, literal); }
    void boolean(bool truth);
    void null();
    void begin(Type container);
    /// Ends the innermost container; throws DuplicateKey.
    void end();

    [[nodiscard]] Document take() { return std::move(document_); }

private:
    /// A container whose end has not come: its node, and where its keys begin in `keys_`.
    struct Open {
        std::uint32_t node;
        std::size_t first_key;
    };

    void count_item();
    void add_text(Type type, Span text);
    void append(Type type, std::uint32_t first, std::uint32_t second);
    void refuse_duplicates(std::size_t first_key);
    void refuse_duplicates_among_many(std::span<const std::uint32_t> keys);
    [[nodiscard]] std::string_view text_of(std::uint32_t node) const;

    Document document_;
    std::vector<Open> open_;
    std::vector<std::uint32_t> keys_;  ///< nodes of the keys of all open objects
    KeyTable table_;
};

}  // namespace data_import::json
