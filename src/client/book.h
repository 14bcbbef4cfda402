// The files to load as one book, and its totals.
#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>

#include "client/book_records.h"
#include "client/book_totals.h"
#include "client/options.h"
#include "client/stop.h"
#include "client/summary.h"
#include "util/sorted_texts.h"

namespace data_import::client {

class Book {
public:
    explicit Book(const Options& options) : options_(options), summary_(options.files) {}

    /// Reads and checks all files, with rejects and report. False where the stop came first. Throws
    /// std::runtime_error if a file cannot be read, or the temporary file takes no more.
    [[nodiscard]] bool read(const Stop& stop);
    /// The next account, as BookTotals::next().
    [[nodiscard]] std::optional<BookAccount> next() { return totals_->next(); }

    /// The first two import suppliers that records are for; empty for none.
    [[nodiscard]] const std::string& first_supplier() const { return records_.first_supplier(); }
    [[nodiscard]] const std::string& second_supplier() const { return records_.second_supplier(); }

    /// Once all accounts were taken: tells how much there was, and the lines that were left out. True if none
    /// were.
    [[nodiscard]] bool tell(std::ostream& errors) const;

private:
    const Options& options_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Summary summary_;
    util::SortedTexts texts_{std::size_t{16} << 20};
    BookRecords records_{texts_};
    std::optional<BookTotals> totals_;
};

/// Runs `work`. False if it failed after a stop was asked for; its other exceptions pass through.
template <typename Work>
[[nodiscard]] bool unless_stopped(const Stop& stop, const Work& work) {
    try {
        work();
        return true;
    } catch (const std::runtime_error&) {
        if (!stop.requested()) throw;
        return false;
    }
}

}  // namespace data_import::client
