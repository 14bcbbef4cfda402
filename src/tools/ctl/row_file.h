// Reads a CSV file with a header. Gives its rows in the form that COPY reads, and collects their faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/util/csv.h"
#include "base/util/csv_columns.h"
#include "data/store/account_load.h"
#include "tools/console/context.h"
#include "tools/ctl/command.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/text_file.h"

namespace data_import::ctl {

/// The greatest number of errors that are printed for a file.
inline constexpr std::size_t most_row_errors = 100;

/// A text for the help: the format of the files.
inline const std::string about_csv =
    "The file is CSV as spreadsheets write it: with comma, semicolon or tab, in UTF-8 or UTF-16, compressed "
    "or not. The last record needs a line break. See data-import-csv(5).";

/// Thrown if rows of a file are wrong. `verdict` is the consequence, such as `nothing was stored`.
class RowsRefused : public Failure {
public:
    RowsRefused(const std::string& verdict, const std::string& file, store::LoadErrors errors)
        : Failure(verdict + ": " + std::to_string(errors.count) +
                  (errors.count == 1 ? " error in " : " errors in ") + file +
                  "; correct these lines and call it again"),
          errors_(std::move(errors)) {}
    [[nodiscard]] const store::LoadErrors& errors() const { return errors_; }

private:
    store::LoadErrors errors_;
};

/// Prints the errors that are kept, a line each, and how many more there are.
void print_row_errors(const Context& context, const store::LoadErrors& errors);

/// Reads a CSV file in chunks, and collects the faults of its rows. The constructor's ProgressLine has to
/// outlive the RowFile.
///
/// `Rows` is a type that knows the columns of the file. The constructor of `Rows` takes the file's header,
/// and the last arguments of RowFile's constructor. The function `append(record, chunk)` of `Rows` appends a
/// record of the file to the text `chunk`, or returns what is wrong with the record.
template <typename Rows>
class RowFile {
public:
    /// Opens the file and reads the header. Throws Failure.
    template <typename... Arguments>
    RowFile(const std::string& name, ProgressLine& progress, Arguments... arguments)
        : name_(shown_name(name)),
          file_(name),
          progress_(progress),
          reader_([this](char* buffer, std::size_t size) { return file_.read(buffer, size); }),
          rows_(read_header(arguments...)) {}

    /// Reads the next rows into `chunk`, without the faulty ones. Returns false at the end.
    bool next_chunk(std::string& chunk) {
        constexpr std::size_t chunk_bytes = 256 * 1024;
        chunk.clear();
        while (chunk.size() < chunk_bytes && reader_.next(record_)) {
            ++count_;
            const auto wrong = rows_.append(record_, chunk);
            if (wrong && ++errors_.count <= most_row_errors)
                errors_.first.push_back({record_.line(), *wrong});
        }
        progress_.rows_done(count_, fraction());
        return !chunk.empty();
    }

    /// Returns the file's name as messages show it: `standard input` for `-`.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] const Rows& rows() const { return rows_; }
    /// Returns the number of wrong rows so far, and the faults of the first `most_row_errors`.
    [[nodiscard]] const store::LoadErrors& errors() const { return errors_; }

private:
    template <typename... Arguments>
    Rows read_header(Arguments... arguments) {
        if (!reader_.next(record_)) throw Failure(name_ + " is empty; it has to begin with a header");
        try {
            return Rows(record_, arguments...);
        } catch (const util::WrongCsvHeader& wrong) {
            throw Failure(wrong.what());
        }
    }

    [[nodiscard]] double fraction() const {
        if (file_.size().value_or(0) == 0) return -1;
        return static_cast<double>(file_.bytes_taken()) / static_cast<double>(*file_.size());
    }

    std::string name_;
    TextFile file_;
    ProgressLine& progress_;
    util::CsvReader reader_;
    util::CsvRecord record_;
    Rows rows_;
    std::uint64_t count_ = 0;
    store::LoadErrors errors_;
};

}  // namespace data_import::ctl
