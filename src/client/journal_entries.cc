#include "client/journal_entries.h"

#include <zlib.h>

#include <cstdio>

#include "json/reader.h"
#include "json/writer.h"

namespace data_import::client {

namespace {

template <typename Number>
Number number_of(const json::Value& value) {
    Number number = 0;
    const std::string_view text = value.text();
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

std::string with_sum(std::string_view text) {
    const auto* const bytes = reinterpret_cast<const Bytef*>(text.data());
    char sum[16];
    std::snprintf(sum, sizeof sum, " %08lx\n", crc32(0, bytes, static_cast<uInt>(text.size())));
    return std::string(text) + sum;
}

std::optional<std::string_view> without_sum(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string_view text = line.substr(0, blank);
    const std::string expected = with_sum(text);
    if (std::string_view(expected).substr(0, expected.size() - 1) != line) return std::nullopt;
    return text;
}

std::string head_of(const JournalHead& head) {
    const JournalSubject& subject = head.subject;
    json::Writer writer;
    writer.begin_object().key("id").string(head.id);
    writer.key("target").string(subject.target);
    writer.key("rejects").string(subject.rejects).key("report").string(subject.report);
    writer.key("files").begin_array();
    for (const auto& file : subject.files) {
        writer.begin_object().key("name").string(file.name);
        writer.key("size").integer(static_cast<std::int64_t>(file.size));
        writer.key("modified").integer(file.modified).end_object();
    }
    return std::string(head_mark) + writer.end_array().end_object().take();
}

JournalHead head_in(std::string_view text) {
    const json::Document document = json::read(std::string(text.substr(head_mark.size())));
    const json::Value root = document.root();
    JournalHead head{std::string(root.at("id").text()),
                     {.target = std::string(root.at("target").text()),
                      .files = {},
                      .rejects = std::string(root.at("rejects").text()),
                      .report = std::string(root.at("report").text())}};
    for (const json::Value file : root.at("files").items()) {
        head.subject.files.push_back({std::string(file.at("name").text()),
                                      number_of<std::uint64_t>(file.at("size")),
                                      number_of<std::int64_t>(file.at("modified"))});
    }
    return head;
}

std::string entry_of(std::string_view mark, std::initializer_list<std::uint64_t> numbers) {
    std::string text(mark);
    for (const std::uint64_t number : numbers) text += ' ' + std::to_string(number);
    return with_sum(text);
}

}  // namespace data_import::client
