#include "tools/client/faults.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/codes/codes.h"
#include "base/util/whole_number.h"
#include "data/json/reader.h"
#include "data/schema/declared.h"
#include "tools/client/import_request.h"

namespace data_import::client {

namespace {

/// Returns the number of the record that `attr` is about: 3 for `notes.3.body`. Nothing if `attr` is about no
/// single record, or if the line has no list of records.
std::optional<std::size_t> record_of(const InputLine& line, std::string_view attr) {
    const std::size_t begin = std::min(attr.find('.'), attr.size());
    const std::string_view behind = attr.substr(std::min(begin + 1, attr.size()));
    const std::string_view index = behind.substr(0, behind.find('.'));
    const auto place = schema::is_index(index) ? util::whole_number<std::size_t>(index) : std::nullopt;
    return place && *place < line.records.size() ? place : std::nullopt;
}

Fault fault_of(const InputLine& line, const Outcome& outcome, std::string attr, std::string_view code,
               std::string detail) {
    const auto record = record_of(line, attr);
    return {outcome.status,
            std::string(code),
            std::move(attr),
            std::move(detail),
            record ? line.records[*record].line : line.number,
            record};
}

/// Returns the detail of the outcome. A JSON syntax error in the body gets its position in the line of the
/// file, in place of its position in the body.
std::string detail_of(const InputLine& line, const Outcome& outcome) {
    if (outcome.code != codes::name_of(Code::parse_error) || !line.request.empty()) return outcome.detail;
    const std::string_view body = parse_line(line).body;
    try {
        static_cast<void>(json::read(std::string(body)));
        return outcome.detail;
    } catch (const json::SyntaxError& error) {
        return told_of_line(error, static_cast<std::size_t>(body.data() - line.text.data()));
    }
}

/// Returns `account 4711 of ACME`.
std::string account_text(const InputLine& line) {
    const std::string account = account_of(parse_line(line).body);
    const std::size_t end = std::min(account.find('\x1f'), account.size());
    return "account " + account.substr(std::min(end + 1, account.size())) + " of " + account.substr(0, end);
}

/// Returns the text with `N` in place of each word for which `is_number` returns true.
template <typename Test>
std::string folded(std::string_view text, char separator, const Test& is_number) {
    std::string words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const std::string_view word = text.substr(0, end);
        if (!words.empty()) words += separator;
        words += is_number(word) ? "N" : word;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

}  // namespace

std::vector<Fault> faults_of(const InputLine& line, const Outcome& outcome) {
    std::vector<Fault> faults;
    for (const ErrorItem& error : outcome.answer.errors) {
        faults.push_back(fault_of(line, outcome, error.attr, error.code, error.detail));
    }
    const std::string account = outcome.answer.differing.empty() ? "" : account_text(line);
    for (const DifferingItem& item : outcome.answer.differing) {
        faults.push_back(fault_of(
            line, outcome, "transactions." + std::to_string(item.place), stored_with_other_content,
            "The " + account + " has the transaction_id " + item.transaction_id + " with other content."));
    }
    if (faults.empty() && outcome.fate != Fate::accepted)
        faults.push_back({outcome.status, outcome.code, "", detail_of(line, outcome), line.number});
    return faults;
}

std::uint64_t line_of(const InputLine& line, std::string_view attr) {
    const auto record = record_of(line, attr);
    return record ? line.records[*record].line : line.number;
}

std::string place_of(std::string_view attr) {
    return folded(attr, '.', schema::is_index);
}

std::string reason_of(std::string_view detail) {
    return folded(detail, ' ', [](std::string_view word) {
        return word.find_first_of("0123456789") != std::string_view::npos;
    });
}

FaultGroups::Key FaultGroups::key_of(const Fault& fault) const {
    const std::string rest = "...";
    Key key{fault.status, fault.code, place_of(fault.attr), reason_of(fault.detail)};
    if (groups_.contains(key)) return key;
    if (groups_.size() >= most_groups) return {fault.status, fault.code, rest, rest};
    auto& [status, code, place, reason] = key;
    std::size_t reasons = 0;
    for (auto group = groups_.lower_bound({status, code, place, ""});
         group != groups_.end() &&
         std::tie(status, code, place) ==
             std::tie(std::get<0>(group->first), std::get<1>(group->first), std::get<2>(group->first));
         ++group)
        ++reasons;
    if (reasons >= most_reasons) reason = rest;
    return key;
}

void FaultGroups::add(std::size_t file, const Fault& fault) {
    FaultGroup& group = groups_[key_of(fault)];
    group.is_alike = group.is_alike && (group.count == 0 || group.detail == fault.detail);
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

std::vector<std::pair<FaultGroups::Key, FaultGroup>> FaultGroups::by_count() const {
    std::vector<std::pair<Key, FaultGroup>> sorted(groups_.begin(), groups_.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& entry) { return entry.second.count; });
    return sorted;
}

}  // namespace data_import::client
