#include "json/builder.h"

#include <algorithm>

namespace data_import::json {

namespace {

/// Up to so many keys are compared with each other, which needs nothing else.
constexpr std::size_t few_keys = 16;

}  // namespace

DocumentBuilder::DocumentBuilder(const std::string& text, std::size_t nodes, std::size_t decoded_bytes) {
    document_.nodes_.reserve(nodes);
    document_.text_.reserve(text.size() + decoded_bytes);
    document_.text_ = text;
}

Span DocumentBuilder::add_decoded(std::string_view string) {
    const std::size_t start = document_.text_.size();
    document_.text_.append(string);
    return {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(string.size())};
}

void DocumentBuilder::key(Span name) {
    keys_.push_back(static_cast<std::uint32_t>(document_.nodes_.size()));
    append(Type::string, name.start, name.length);
}

void DocumentBuilder::boolean(bool truth) {
    count_item();
    append(Type::boolean, 0, truth ? 1 : 0);
}

void DocumentBuilder::null() {
    count_item();
    append(Type::null, 0, 0);
}

void DocumentBuilder::begin(Type container) {
    count_item();
    open_.push_back({static_cast<std::uint32_t>(document_.nodes_.size()), keys_.size()});
    append(container, 0, 0);
}

void DocumentBuilder::end() {
    const Open closing = open_.back();
    refuse_duplicates(closing.first_key);
    keys_.resize(closing.first_key);
    document_.nodes_[closing.node].first = static_cast<std::uint32_t>(document_.nodes_.size());
    open_.pop_back();
}

void DocumentBuilder::count_item() {
    if (!open_.empty()) ++document_.nodes_[open_.back().node].second;
}

void DocumentBuilder::add_text(Type type, Span text) {
    count_item();
    append(type, text.start, text.length);
}

void DocumentBuilder::append(Type type, std::uint32_t first, std::uint32_t second) {
    Document::Node node{};
    node.first = first;
    node.second = second & 0x1FFF'FFFFU;
    node.type = static_cast<std::uint32_t>(type) & 0x7U;
    document_.nodes_.push_back(node);
}

void DocumentBuilder::refuse_duplicates(std::size_t first_key) {
    const std::span<const std::uint32_t> keys = std::span(keys_).subspan(first_key);
    if (keys.size() > few_keys) return refuse_duplicates_among_many(keys);
    for (auto key = keys.begin(); key != keys.end(); ++key) {
        const auto is_same = [&](std::uint32_t earlier) { return text_of(earlier) == text_of(*key); };
        if (std::any_of(keys.begin(), key, is_same)) throw DuplicateKey(text_of(*key));
    }
}

void DocumentBuilder::refuse_duplicates_among_many(std::span<const std::uint32_t> keys) {
    table_.prepare(keys.size());
    for (const std::uint32_t key : keys) {
        const auto is_same = [&](std::uint32_t earlier) { return text_of(earlier) == text_of(key); };
        if (!table_.insert(text_of(key), key, is_same)) throw DuplicateKey(text_of(key));
    }
}

std::string_view DocumentBuilder::text_of(std::uint32_t node) const {
    const Document::Node& key = document_.node(node);
    return std::string_view(document_.text_).substr(key.first, key.second);
}

}  // namespace data_import::json
