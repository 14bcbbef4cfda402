// The totals of the files to load, account by account (contract, section 12.4).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/book_records.h"
#include "records/totals.h"
#include "util/sorted_texts.h"

namespace data_import::client {

/// The totals that an account is to have.
struct BookAccount {
    std::string import_supplier;
    records::AccountTotals totals;
};

/// Goes through sorted records, and counts each that the service would store, were the lines sent to it in
/// their order (contract, section 12.5).
class BookTotals {
public:
    /// Per account: its statements have to be looked at in the order of the files, all at once.
    static constexpr std::size_t most_statements = 100'000;
    /// Per kind of an account, and per supplier.
    static constexpr std::size_t most_figures = 100'000;

    /// `texts` is sorted and has to live longer.
    explicit BookTotals(util::SortedTexts& texts);

    /// The next account that lines are for, by supplier and number in the order of their bytes; nothing at
    /// the end. Throws std::runtime_error where one of the two bounds above is passed.
    [[nodiscard]] std::optional<BookAccount> next();

    /// Records that the service would have already.
    [[nodiscard]] std::uint64_t repeats() const { return repeats_; }
    /// Lines with a statement that an earlier one holds with other content: the service refuses such a line
    /// as a whole.
    [[nodiscard]] std::uint64_t refused_lines() const { return refused_lines_; }
    /// An account with such a line.
    [[nodiscard]] const std::string& refused_account() const { return refused_account_; }

private:
    /// The first record without a time among those with one identity, until it is known whether one with a
    /// time came before.
    struct Untimed {
        std::uint64_t place = 0;
        std::string digest;
    };
    /// A statement, kept until all statements of the account are there.
    struct Statement {
        std::uint64_t place = 0;
        std::string identity;
        std::uint64_t content = 0;
        std::string digest;
        std::string figure;
        std::string value;
    };
    using Known = std::map<std::string, std::uint64_t, std::less<>>;  ///< contents by identity

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
    std::optional<std::string_view> text_;  ///< the one that is not taken yet
    BookAccount account_;
    std::string last_;  ///< kind, identity
    std::uint64_t last_variant_ = 0;
    bool counts_ = false;  ///< the record that further figures belong to does
    std::optional<Untimed> untimed_;
    std::uint64_t first_timed_ = 0;
    std::vector<Statement> statements_;
    std::uint64_t repeats_ = 0;
    std::uint64_t refused_lines_ = 0;
    std::string refused_account_;
};

}  // namespace data_import::client
