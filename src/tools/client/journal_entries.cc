#include "tools/client/journal_entries.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>

#include "base/util/whole_number.h"
#include "data/json/reader.h"
#include "data/json/writer.h"

namespace data_import::client {

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

bool is_head(std::string_view text) {
    return text.starts_with(head_mark) || text.starts_with(head_mark_1_0);
}

std::string entry_of(std::string_view mark, const std::vector<std::uint64_t>& numbers) {
    std::string text(mark);
    for (const std::uint64_t number : numbers) text += std::to_string(number) + ' ';
    text.pop_back();
    return with_sum(text);
}

std::vector<std::uint64_t> numbers_of(std::string_view entry, std::string_view mark, std::size_t least) {
    std::vector<std::uint64_t> numbers;
    if (!entry.starts_with(mark)) return {};
    for (std::size_t at = mark.size(); at <= entry.size();) {
        const std::size_t end = std::min(entry.find(' ', at), entry.size());
        const auto number = util::whole_number<std::uint64_t>(entry.substr(at, end - at));
        if (!number) return {};
        numbers.push_back(*number);
        at = end + 1;
    }
    return numbers.size() >= least ? numbers : std::vector<std::uint64_t>();
}

std::string head_of(const std::string& id, const JournalSubject& subject) {
    json::Writer writer;
    writer.begin_object().key("id").string(id).key("target").string(subject.target);
    writer.key("rejects").string(subject.rejects).key("report").string(subject.report);
    if (subject.reading) {
        writer.key("reading").begin_array();
        for (const std::string& option : *subject.reading) writer.string(option);
        writer.end_array();
    }
    if (!subject.organisation.empty()) writer.key("organisation").string(subject.organisation);
    writer.key("files").begin_array();
    for (const auto& file : subject.files) {
        writer.begin_object().key("name").string(file.name);
        writer.key("size").integer(static_cast<std::int64_t>(file.size));
        writer.key("modified").integer(file.modified).end_object();
    }
    return std::string(head_mark) + writer.end_array().end_object().take();
}

std::pair<std::string, JournalSubject> head_in(std::string_view text) {
    static_assert(head_mark.size() == head_mark_1_0.size());
    const json::Document document = json::read(std::string(text.substr(head_mark.size())));
    const auto text_of = [](const json::Value& object, std::string_view name) {
        return std::string(object.at(name).text());
    };
    const json::Value root = document.root();
    JournalSubject subject{.target = text_of(root, "target"),
                           .files = {},
                           .rejects = text_of(root, "rejects"),
                           .report = text_of(root, "report")};
    if (const auto organisation = root.find("organisation"))
        subject.organisation = std::string(organisation->text());
    if (const auto reading = root.find("reading")) {
        subject.reading.emplace();
        for (const json::Value option : reading->items()) subject.reading->emplace_back(option.text());
    }
    for (const json::Value file : root.at("files").items()) {
        subject.files.push_back({text_of(file, "name"),
                                 util::whole_number<std::uint64_t>(file.at("size").text()).value(),
                                 util::whole_number<std::int64_t>(file.at("modified").text()).value()});
    }
    return {text_of(root, "id"), std::move(subject)};
}

}  // namespace data_import::client
