#include "client/fault_groups.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "schema/declared.h"

namespace data_import::client {

namespace {

/// The line of the record that `attr` (`notes.3.body`) is about.
std::uint64_t line_of(const Line& line, std::string_view attr) {
    const std::size_t begin = std::min(attr.find('.'), attr.size());
    const std::string_view behind = attr.substr(std::min(begin + 1, attr.size()));
    const std::string_view index = behind.substr(0, behind.find('.'));
    std::size_t place = 0;
    if (!schema::is_index(index) ||
        std::from_chars(index.data(), index.data() + index.size(), place).ec != std::errc())
        return line.number;
    return place < line.records.size() ? line.records[place] : line.number;
}

}  // namespace

std::vector<Fault> faults_of(const Line& line, const Outcome& outcome) {
    std::vector<Fault> faults;
    for (const ErrorItem& error : outcome.answer.errors)
        faults.push_back({outcome.status, error.code, error.attr, error.detail, line_of(line, error.attr)});
    if (faults.empty()) faults.push_back({outcome.status, outcome.code, "", outcome.detail, line.number});
    return faults;
}

std::string place_of(std::string_view attr) {
    std::string place;
    while (!attr.empty()) {
        const std::size_t end = std::min(attr.find('.'), attr.size());
        const std::string_view segment = attr.substr(0, end);
        place += place.empty() ? "" : ".";
        place += schema::is_index(segment) ? "N" : segment;
        attr.remove_prefix(std::min(end + 1, attr.size()));
    }
    return place;
}

void FaultGroups::add(std::size_t file, const Fault& fault) {
    Key key{fault.status, fault.code, place_of(fault.attr)};
    if (groups_.size() >= most_groups && !groups_.contains(key)) std::get<2>(key) = "...";
    FaultGroup& group = groups_[key];
    ++group.count;
    const FaultGroup::Example example{file, fault.line};
    const auto place = std::ranges::lower_bound(group.examples, example);
    const bool is_there = place != group.examples.end() && *place == example;
    if (is_there) return;
    if (place == group.examples.begin()) {
        group.attr = fault.attr;
        group.detail = fault.detail;
    }
    group.examples.insert(place, example);
    if (group.examples.size() > FaultGroup::most_examples) group.examples.pop_back();
}

std::vector<FaultGroups::Key> FaultGroups::by_count() const {
    std::vector<Key> keys;
    for (const auto& [key, group] : groups_) keys.push_back(key);
    std::ranges::stable_sort(keys, std::greater{}, [this](const Key& key) { return groups_.at(key).count; });
    return keys;
}

}  // namespace data_import::client
