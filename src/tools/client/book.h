// The files to load as one book: their records, each with its identity, and their totals.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/sorted_texts.h"
#include "data/json/value.h"
#include "data/records/totals.h"
#include "tools/client/import_request.h"
#include "tools/client/options.h"
#include "tools/client/replaced_lines.h"
#include "tools/client/stop.h"
#include "tools/client/summary.h"

namespace data_import::client {

/// The place of a line in the files. Its number() sorts by file, then by line.
struct LinePlace {
    std::size_t file = 0;
    std::uint64_t line = 0;

    static constexpr unsigned line_bits = 36;
    static constexpr unsigned file_bits = 18;

    [[nodiscard]] std::uint64_t number() const { return std::uint64_t{file} << line_bits | line; }
    [[nodiscard]] static LinePlace of(std::uint64_t number) {
        return {number >> line_bits, number & ((std::uint64_t{1} << line_bits) - 1)};
    }
};

/// A record with one of its figures. A record with several figures has one BookRecord for each of them, with
/// `part` 0, 1 and so on. A record without figures has one BookRecord, with `part` 0. Sorted byte by byte,
/// the texts of to_text() are in the order of `account`, then `kind`, and so on up to `part`.
struct BookRecord {
    std::string_view account = {};  ///< import supplier and account number, U+0000 after each
    std::size_t kind = 0;           ///< place of the kind in records::kinds()
    /// Digest of the text that is the same in all repeats of the record (contract, section 5).
    std::string_view identity = {};
    /// Time of a note (0 if the note has none), digest of a statement's content; 0 for other kinds.
    std::uint64_t variant = 0;
    /// The line (LinePlace::number()) and, in the last `place_bits` bits, the position of the record in its
    /// request.
    std::uint64_t place = 0;
    std::uint16_t part = 0;        ///< number of the figure in the record, from 0
    bool is_always_new = false;    ///< the record is stored even if the account has it already
    std::string_view digest = {};  ///< digest of the record, for the fingerprint
    std::string_view figure = {};  ///< name of the figure; empty if the record has none
    std::string_view value = {};

    [[nodiscard]] std::string_view import_supplier() const { return account.substr(0, account.find('\0')); }
    [[nodiscard]] std::string_view external_account_number() const;

    static constexpr unsigned place_bits = 10;  // no list has more than 1000 items
    static_assert(place_bits + LinePlace::line_bits + LinePlace::file_bits == 64);
};

[[nodiscard]] std::string to_text(const BookRecord& record);
/// Reads a text that to_text() has made. The views of the result point into `text`.
[[nodiscard]] BookRecord book_record_of(std::string_view text);

/// Splits requests into records, and adds them to a SortedTexts.
class BookRecords {
public:
    /// `texts` must outlive this object.
    explicit BookRecords(util::SortedTexts& texts) : texts_(texts) {}

    /// Adds the records of a valid request. `body` is the parsed body of `request`. `line` is the
    /// LinePlace::number() of the line that holds the request. Leaves out records that belong to no account,
    /// because there are no totals of them. Throws the exceptions of SortedTexts::add().
    void add(const ImportRequest& request, const json::Value& body, std::uint64_t line);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// Returns the import supplier of the first record; empty if there are no records.
    [[nodiscard]] const std::string& first_supplier() const { return first_supplier_; }
    /// Returns the second import supplier in the order of the files; empty if there is only one.
    [[nodiscard]] const std::string& second_supplier() const { return second_supplier_; }

private:
    void add_record(BookRecord& record, std::string_view number, const json::Value& sent);
    void note_supplier(std::string_view supplier);

    util::SortedTexts& texts_;
    std::string canonical_;  ///< canonical text of a record; a member, so that its memory is reused
    std::uint64_t count_ = 0;
    std::string first_supplier_;
    std::string second_supplier_;
};

/// The totals that the service should have of an account, computed from the files.
struct BookAccount {
    std::string import_supplier;
    records::AccountTotals totals;
};

/// Goes through sorted records, and counts each one that the service would store if it got the lines in their
/// order (contract, section 12.5).
class BookTotals {
public:
    /// The most statements of one account. All of them are kept in memory, to be looked at in the order of
    /// the files.
    static constexpr std::size_t most_statements = 100'000;
    /// The most figures of one kind in the totals of an account, and in those of a supplier.
    static constexpr std::size_t most_figures = 100'000;

    /// `texts` has to be sorted, and must outlive this object.
    explicit BookTotals(util::SortedTexts& texts);

    /// Returns the next account of the files; nothing at the end. Accounts are ordered by the bytes of
    /// supplier and number. Throws std::runtime_error if the account exceeds most_statements or
    /// most_figures.
    [[nodiscard]] std::optional<BookAccount> next();

    /// Returns the number of records, so far, that the service would recognise as repeats.
    [[nodiscard]] std::uint64_t repeats() const { return repeats_; }
    /// Returns the number of lines, so far, that the service would refuse because an earlier line has the
    /// same statement_id with other content. The service refuses such a line as a whole.
    [[nodiscard]] std::uint64_t refused_lines() const;
    /// Returns for each file, by its number, how many of the refused_lines() it has.
    [[nodiscard]] const std::map<std::size_t, std::uint64_t>& refused_by_file() const {
        return refused_lines_;
    }
    /// Returns the LinePlace::number() of the first refused line; the largest number if there is none.
    [[nodiscard]] std::uint64_t first_refused_line() const { return first_refused_line_; }

private:
    /// A note without a time, kept until it is known whether an equal note with a time comes earlier in the
    /// files. If so, the note without a time is a repeat.
    struct Untimed {
        std::uint64_t place = 0;
        std::string digest;
    };
    /// A statement, kept until all statements of the account are read.
    struct Statement {
        std::uint64_t place = 0;
        std::string identity;
        std::uint64_t content = 0;
        std::string digest;
        std::string figure;
        std::string value;
    };
    /// The digests of the content of known statements, by the statement's identity.
    using Known = std::map<std::string, std::uint64_t, std::less<>>;

    void advance();
    void take(const BookRecord& record);
    void take_note(const BookRecord& record, bool is_same);
    void settle_note();
    void take_statement(const BookRecord& record);
    void settle_statements();
    void settle_request(std::size_t from, std::size_t to, Known& known);
    void count(std::size_t kind, std::string_view digest, std::string_view figure, std::string_view value);
    void add_figure(std::size_t kind, std::string_view figure, std::string_view value);

    util::SortedTexts& texts_;
    std::optional<std::string_view> text_;  ///< next text of `texts_`; nothing at the end
    BookAccount account_;
    std::string last_;  ///< kind and identity of the last record
    std::uint64_t last_variant_ = 0;
    /// True if the last record was added to the totals. Then the further figures of the record
    /// (BookRecord::part from 1 on) are added, too.
    bool counts_ = false;
    std::optional<Untimed> untimed_;
    std::uint64_t first_timed_ = 0;
    std::vector<Statement> statements_;
    std::uint64_t repeats_ = 0;
    /// Number of refused lines in each file, by the number of the file.
    std::map<std::size_t, std::uint64_t> refused_lines_;
    std::uint64_t first_refused_line_ = std::numeric_limits<std::uint64_t>::max();
};

class Book {
public:
    explicit Book(const Options& options) : options_(options), summary_(options.files) {}

    /// Makes the book, lets the caller work with it, and returns the exit status. First reads and checks all
    /// files, and writes rejects and report. Lines that are replaced by lines of a file of rejects
    /// (ReplacedLines) are skipped, and do not count. Then calls `work`, which takes all accounts by next().
    /// Then writes to `errors` how many records there were, and which lines were left out because the service
    /// would refuse them. At the end calls `conclude`, which prints the result and returns true if the result
    /// is right.
    ///
    /// The exit status is 3 if the run was stopped. It is 0 if `conclude` returned true and each line that
    /// was left out stands in a file of rejects, else 1. Throws std::runtime_error if a file cannot be read
    /// or the temporary file cannot grow. Passes on other exceptions of `work` and `conclude`.
    [[nodiscard]] int run(const Stop& stop, std::ostream& errors, const std::function<void()>& work,
                          const std::function<bool()>& conclude);

    /// Returns the next account, as BookTotals::next() does.
    [[nodiscard]] std::optional<BookAccount> next() { return totals_->next(); }

    /// Returns the import supplier of the first record; empty if there are no records.
    [[nodiscard]] const std::string& first_supplier() const { return records_.first_supplier(); }
    /// Returns the second import supplier in the order of the files; empty if there is only one.
    [[nodiscard]] const std::string& second_supplier() const { return records_.second_supplier(); }

private:
    [[nodiscard]] bool read(const Stop& stop);
    [[nodiscard]] bool take_over(const InputLine& line);
    void tell(std::ostream& errors) const;
    [[nodiscard]] bool is_whole() const;

    const Options& options_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    Summary summary_;
    const ReplacedLines replaced_{options_.files};
    std::uint64_t replaced_lines_ = 0;
    /// Number of lines that stand in files of rejects, and are left out of the book because check_files()
    /// finds a fault in them.
    std::uint64_t left_in_rejects_ = 0;
    util::SortedTexts texts_{std::size_t{16} << 20};
    BookRecords records_{texts_};
    std::optional<BookTotals> totals_;
};

}  // namespace data_import::client
