// The records of the files to load, each with its identity, as texts to be sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "client/import_request.h"
#include "json/value.h"
#include "util/sorted_texts.h"

namespace data_import::client {

/// A record, or a further figure of the preceding one. Texts sort by all members up to `part`, in this order.
struct BookRecord {
    std::string_view account = {};   ///< import supplier and number, U+0000 behind each
    std::size_t kind = 0;            ///< place in records::kinds()
    std::string_view identity = {};  ///< digest of the text that repeats share (contract, section 5)
    std::uint64_t variant = 0;       ///< time of a note, 0 without one; content of a statement; else 0
    std::uint64_t place = 0;         ///< in the files
    std::uint16_t part = 0;          ///< 0 is the record
    bool is_always_new = false;
    std::string_view digest = {};  ///< digest of the record, for the fingerprint
    std::string_view figure = {};  ///< empty for none
    std::string_view value = {};

    [[nodiscard]] std::string_view import_supplier() const { return account.substr(0, account.find('\0')); }
    [[nodiscard]] std::string_view external_account_number() const;
    /// The line that it stands in.
    [[nodiscard]] std::uint64_t line() const { return place >> place_bits; }

    static constexpr unsigned place_bits = 10;  // no list has more than 1000 items
};

[[nodiscard]] std::string to_text(const BookRecord& record);
/// Reads a text that to_text() has made; the parts point into it.
[[nodiscard]] BookRecord book_record_of(std::string_view text);

/// Takes requests apart.
class BookRecords {
public:
    /// `texts` has to live longer.
    explicit BookRecords(util::SortedTexts& texts) : texts_(texts) {}

    /// Adds the records of a valid request, which stands in line `sequence`; requests of a dry run, and
    /// imports without totals, have none. Passes on exceptions of `texts`.
    void add(const ImportRequest& request, const json::Value& body, std::uint64_t sequence);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// The first two import suppliers that records were for; empty for none.
    [[nodiscard]] const std::string& first_supplier() const { return first_supplier_; }
    [[nodiscard]] const std::string& second_supplier() const { return second_supplier_; }

private:
    void add_record(BookRecord& record, std::string_view number, const json::Value& sent);
    void note_supplier(std::string_view supplier);

    util::SortedTexts& texts_;
    std::string canonical_;  ///< reused from record to record
    std::uint64_t count_ = 0;
    std::string first_supplier_;
    std::string second_supplier_;
};

}  // namespace data_import::client
