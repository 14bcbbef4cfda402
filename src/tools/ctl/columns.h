// Rows that people see as a table and programs as JSON, from one list of columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data/json/writer.h"
#include "tools/console/text_table.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

/// A row's value in a column: a text, a number, a boolean, or a list of texts.
using ColumnValue =
    std::variant<std::optional<std::string>, std::int64_t, bool, std::optional<std::vector<std::string>>>;

/// Returns the text; nothing if it is empty.
[[nodiscard]] std::optional<std::string> unless_empty(const std::string& text);

/// Returns the value as people read it: `yes` for true; empty if there is no value.
[[nodiscard]] std::string to_text(const ColumnValue& value);

/// Writes the value as JSON; null if there is no value.
void write(json::Writer& writer, const ColumnValue& value);

/// Returns a JSON object in one line, with its line feed.
[[nodiscard]] std::string object(std::initializer_list<std::pair<std::string_view, ColumnValue>> members);

/// Returns `2024-05-31 08:30 UTC` for an RFC 3339 time in UTC; empty for an empty one.
[[nodiscard]] std::string minute_of(const std::string& time);

/// Returns a function for OutputColumn::shown: it returns the member `time` of a row as minute_of() writes
/// it.
template <typename Row>
[[nodiscard]] std::function<std::string(const Row&)> minute(std::string Row::*time) {
    return [time](const Row& row) { return minute_of(row.*time); };
}

template <typename Row>
struct OutputColumn {
    std::string_view member;   ///< member of the JSON object; empty: for people only
    std::string_view heading;  ///< heading in the table; empty: for programs only
    std::function<ColumnValue(const Row&)> value;
    /// Text in the table; without this function, the value's own text.
    std::function<std::string(const Row&)> shown = {};
    int place = 0;  ///< position in the table: smaller numbers come first
};

/// All columns of one kind of row, in the order of the JSON object.
template <typename Row>
class Columns {
public:
    Columns(std::initializer_list<OutputColumn<Row>> columns) : columns_(columns) {
        for (const OutputColumn<Row>& column : columns_) {
            if (!column.heading.empty()) shown_.push_back(column);
        }
        std::ranges::stable_sort(shown_, {}, &OutputColumn<Row>::place);
    }

    /// Returns a table, or `empty_sentence` in a line if there are no rows.
    [[nodiscard]] std::string text(const std::vector<Row>& rows, const std::string& empty_sentence) const {
        std::vector<std::string> headings;
        for (const OutputColumn<Row>& column : shown_) headings.emplace_back(column.heading);
        Table table(std::move(headings));
        for (const Row& row : rows) {
            std::vector<std::string> cells;
            for (const OutputColumn<Row>& column : shown_)
                cells.push_back(column.shown ? column.shown(row) : to_text(column.value(row)));
            table.add(std::move(cells));
        }
        return table.text(empty_sentence);
    }

    /// Writes the row's members into an object that the caller begins and ends.
    void write_members(json::Writer& writer, const Row& row) const {
        for (const OutputColumn<Row>& column : columns_) {
            if (!column.member.empty()) write(writer.key(column.member), column.value(row));
        }
    }

    void write_array(json::Writer& writer, const std::vector<Row>& rows) const {
        writer.begin_array();
        for (const Row& row : rows) {
            writer.begin_object();
            write_members(writer, row);
            writer.end_object();
        }
        writer.end_array();
    }

    /// Returns the row as a JSON object in one line, with its line feed.
    [[nodiscard]] std::string json(const Row& row) const {
        json::Writer writer;
        writer.begin_object();
        write_members(writer, row);
        return writer.end_object().take() + "\n";
    }

    /// Returns the rows as a JSON array in one line, with its line feed.
    [[nodiscard]] std::string json(const std::vector<Row>& rows) const {
        json::Writer writer;
        write_array(writer, rows);
        return writer.take() + "\n";
    }

private:
    std::vector<OutputColumn<Row>> columns_;
    std::vector<OutputColumn<Row>> shown_;
};

}  // namespace data_import::ctl
