// A CSV file as requests (data-import-csv(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/input.h"
#include "payload/imports.h"
#include "schema/table.h"
#include "util/csv.h"
#include "util/text_source.h"

namespace data_import::client {

/// The header tells which import the records are for. Records that follow each other and belong to one
/// account make one request together, where the import takes several.
class CsvLines : public Lines {
public:
    /// Reads the header. Throws std::runtime_error, which names the file, where no import has these columns.
    CsvLines(util::TextSource source, std::size_t file, bool decimal_comma = false);

    [[nodiscard]] std::optional<Line> next() override;
    [[nodiscard]] std::string head() const override { return head_; }

private:
    [[nodiscard]] bool read_record();
    [[nodiscard]] bool belongs_to(const Line& line, const std::string& common) const;
    [[nodiscard]] std::string_view cell(std::size_t column) const;
    void take_record(Line& line);
    void read_numbers();
    [[nodiscard]] std::string record_fault() const;
    [[nodiscard]] std::string number_fault() const;

    util::TextSource source_;
    std::size_t file_;
    util::CsvReader reader_;
    util::CsvRecord record_;
    std::string raw_;   ///< the record as it was read
    std::string head_;  ///< the header as it was read
    const payload::Import* import_ = nullptr;
    std::optional<schema::Table> table_;
    util::CsvHeader header_;
    bool decimal_comma_;
    std::vector<std::string> numbers_;  ///< by their columns: cells that had a decimal comma, with a point
    bool has_record_ = false;           ///< one that is not taken yet
    std::uint64_t told_ = 0;
};

}  // namespace data_import::client
