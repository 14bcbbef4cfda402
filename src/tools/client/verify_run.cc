#include <charconv>
#include <map>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/payload/paths.h"
#include "data/records/totals.h"
#include "tools/client/access.h"
#include "tools/client/answer.h"
#include "tools/client/book.h"
#include "tools/client/check_run.h"
#include "tools/client/stop.h"

namespace data_import::client {

namespace {

/// The figures of one kind, in the files or in the service. Equal figures have equal texts, so the texts are
/// compared.
struct KindFigures {
    std::string records = "0";
    std::map<std::string, std::string, std::less<>> sums = {};
    std::string fingerprint = {};  ///< fingerprint of the records; empty if there are none

    bool operator==(const KindFigures&) const = default;
};

/// The figures of each kind that has records.
using Kinds = std::map<std::string, KindFigures, std::less<>>;

struct Account {
    std::string number;
    Kinds kinds;
};

/// Reads the figures of an account by kind: `{"notes": {"records": 1, "sums": {}, "fingerprint": "..."}}`.
Kinds kinds_of(const json::Value& told) {
    Kinds kinds;
    for (const auto& [name, kind] : told.members()) {
        KindFigures& figures = kinds[std::string(name)];
        figures.records = kind.at("records").text();
        figures.fingerprint = kind.at("fingerprint").text();
        for (const auto& [figure, sum] : kind.at("sums").members())
            figures.sums[std::string(figure)] = sum.text();
    }
    return kinds;
}

Kinds kinds_of(const records::AccountTotals& totals) {
    json::Writer writer;
    records::write_kinds(writer, totals);
    return kinds_of(json::read(writer.take()).root());
}

/// Reads one account of the service's answer. Throws std::runtime_error if the item is wrong.
Account account_of(const std::string& item) {
    try {
        const json::Document document = json::read(item);
        const json::Value account = document.root();
        return {std::string(account.at("external_account_number").text()), kinds_of(account.at("kinds"))};
    } catch (const std::exception& error) {
        throw std::runtime_error(std::string("the answer is not from a data-import service: ") +
                                 error.what());
    }
}

void write_figures(json::Writer& writer, const KindFigures& figures) {
    writer.begin_object().key("records").raw(figures.records).key("sums").begin_object();
    for (const auto& [figure, sum] : figures.sums) writer.key(figure).string(sum);
    writer.end_object().key("fingerprint");
    figures.fingerprint.empty() ? writer.null() : writer.string(figures.fingerprint);
    writer.end_object();
}

std::string text_of(std::string_view kind, const KindFigures& files, const KindFigures& held) {
    std::string text;
    const auto add = [&](std::string_view figure, const std::string& left, const std::string& right) {
        if (left == right) return;
        const auto shown = [](const std::string& side) { return side.empty() ? "none" : printable(side); };
        text += "  " + printable(kind) + " " + printable(figure) + ": files " + shown(left) + ", stored " +
                shown(right) + "\n";
    };
    add("records", files.records, held.records);
    std::map<std::string_view, std::pair<std::string, std::string>> sums;
    for (const auto& [figure, sum] : files.sums) sums[figure].first = sum;
    for (const auto& [figure, sum] : held.sums) sums[figure].second = sum;
    for (const auto& [figure, sides] : sums) add(figure, sides.first, sides.second);
    add("fingerprint", files.fingerprint, held.fingerprint);
    return text;
}

/// Compares accounts, and prints their differences as they are found.
class Findings {
public:
    Findings(bool is_json, std::ostream& output) : is_json_(is_json), output_(output) {}

    void begin() {
        if (is_json_) output_ << "{\"differences\": [";
    }

    /// Compares one account. The files, the service or both have records of it.
    void compare(const std::string& supplier, const std::string& number, const Kinds& files,
                 const Kinds& held) {
        ++accounts_;
        if (files == held) return;
        ++different_;
        if (!is_json_ && different_ > most_printed) return;
        static const KindFigures nothing;
        std::map<std::string_view, std::pair<const KindFigures*, const KindFigures*>> kinds;
        for (const auto& [kind, figures] : files) kinds[kind] = {&figures, &nothing};
        for (const auto& [kind, figures] : held)
            kinds.try_emplace(kind, &nothing, nullptr).first->second.second = &figures;
        if (!is_json_) output_ << printable(supplier) << " " << printable(number) << '\n';
        for (const auto& [kind, sides] : kinds) {
            if (*sides.first != *sides.second) print(supplier, number, kind, *sides.first, *sides.second);
        }
    }

    /// Counts an account that is not compared, because the service does not know the account's supplier.
    void pass_over() { ++not_compared_; }

    void finish() {
        if (is_json_) {
            json::Writer writer;
            writer.begin_object().key("accounts").integer(accounts_).key("different").integer(different_);
            writer.key("not_compared").integer(not_compared_);
            writer.key("verdict").string(verdict()).end_object();
            output_ << "], " << writer.take().substr(1) << '\n';
        } else {
            if (different_ > most_printed)
                output_ << "and " << grouped(static_cast<std::uint64_t>(different_ - most_printed))
                        << " more, all of which --json prints\n";
            output_ << verdict() << ": " << grouped(static_cast<std::uint64_t>(accounts_))
                    << (accounts_ == 1 ? " account compared, " : " accounts compared, ")
                    << grouped(static_cast<std::uint64_t>(different_)) << " differ";
            if (not_compared_ > 0)
                output_ << ", " << grouped(static_cast<std::uint64_t>(not_compared_)) << " not compared";
            output_ << '\n';
        }
        output_ << std::flush;
    }

    [[nodiscard]] bool is_equal() const { return different_ == 0 && not_compared_ == 0; }

private:
    [[nodiscard]] const char* verdict() const { return is_equal() ? "EQUAL" : "DIFFERENT"; }

    void print(const std::string& supplier, const std::string& number, std::string_view kind,
               const KindFigures& files, const KindFigures& held) {
        if (!is_json_) {
            output_ << text_of(kind, files, held);
            return;
        }
        json::Writer writer;
        writer.begin_object().key("import_supplier").string(supplier);
        writer.key("external_account_number").string(number).key("kind").string(kind);
        write_figures(writer.key("files"), files);
        write_figures(writer.key("held"), held);
        output_ << (std::exchange(has_items_, true) ? ",\n" : "\n") << writer.end_object().take();
    }

    /// The most accounts that the text lists, so that the verdict after them is not overlooked.
    static constexpr std::int64_t most_printed = 20;

    bool is_json_;
    std::ostream& output_;
    std::int64_t accounts_ = 0;
    std::int64_t different_ = 0;
    std::int64_t not_compared_ = 0;
    bool has_items_ = false;
};

/// Compares the book with the service's answer, account by account. Both are in the order of the account
/// numbers.
class Comparison {
public:
    Comparison(Book& book, Findings& findings, const Stop& stop)
        : book_(book), findings_(findings), stop_(stop), next_(book.next()) {}

    /// Returns the supplier of the next account of the book; nothing at its end.
    [[nodiscard]] std::optional<std::string> supplier() const {
        return next_ ? std::optional(next_->import_supplier) : std::nullopt;
    }

    void begin(const std::string& supplier) {
        supplier_ = supplier;
        last_.clear();
    }

    /// Compares `item`, the next account of the service's answer, with the book's account of the same number.
    /// Before that, takes the book's accounts that would stand before `item` in the answer, but are missing
    /// there. Each of these accounts that has records is reported as different. Throws std::runtime_error if
    /// `item` is malformed or not in its order, or if the run was stopped.
    void take(const std::string& item) {
        if (stop_.requested()) throw std::runtime_error("stopped");
        const Account held = account_of(item);
        if (held.number <= last_)
            throw std::runtime_error(
                "the answer is not from a data-import service: its accounts are not in their order");
        last_ = held.number;
        take_unknown(held.number);
        if (is_next(held.number)) {
            findings_.compare(supplier_, held.number, kinds_of(next_->totals), held.kinds);
            next_ = book_.next();
        } else if (!held.kinds.empty()) {
            findings_.compare(supplier_, held.number, {}, held.kinds);
        }
    }

    /// Reports as different all accounts of `supplier_` that are left in the book, because the service does
    /// not have these accounts. Has to be called after the last account of the service's answer.
    void finish() { take_unknown(std::nullopt); }

    /// Counts the book's accounts of `supplier_` as not compared, because the service does not know this
    /// supplier.
    void pass_over() {
        for (; next_ && next_->import_supplier == supplier_; next_ = book_.next()) findings_.pass_over();
    }

private:
    [[nodiscard]] bool is_next(const std::string& number) const {
        return next_ && next_->import_supplier == supplier_ &&
               next_->totals.external_account_number == number;
    }

    /// Takes from the book the next accounts of `supplier_` whose numbers are less than `before`; without
    /// `before`, all accounts of `supplier_` that are left. Reports as different each of these accounts that
    /// has records, because the service does not have the account.
    void take_unknown(const std::optional<std::string>& before) {
        while (next_ && next_->import_supplier == supplier_ &&
               (!before || next_->totals.external_account_number < *before)) {
            const Kinds kinds = kinds_of(next_->totals);
            if (!kinds.empty())
                findings_.compare(supplier_, next_->totals.external_account_number, kinds, {});
            next_ = book_.next();
        }
    }

    Book& book_;
    Findings& findings_;
    const Stop& stop_;
    std::optional<BookAccount> next_;
    std::string supplier_;
    std::string last_;
};

/// Compares the accounts of a supplier. If the service does not know it, says so; the other suppliers are
/// compared all the same.
void compare_supplier(const std::string& supplier, Inquiry& inquiry, Comparison& comparison,
                      std::ostream& errors) {
    comparison.begin(supplier);
    ArrayItems items([&](const std::string& item) { comparison.take(item); });
    try {
        static_cast<void>(inquiry.ask(
            {.path = payload::paths::of_supplier(payload::paths::account_control_totals, supplier),
             .method = "GET",
             .receive = [&](std::string_view piece) { items.take(piece); }}));
    } catch (const NotFound& error) {
        errors << program << ": " << printable(supplier) << ": " << printable(error.what()) << std::endl;
        return comparison.pass_over();
    }
    items.finish();
    comparison.finish();
}

}  // namespace

int verify(const Options& options, std::ostream& output, std::ostream& errors) {
    Stop stop;
    const Interruption interruption(stop);
    Inquiry inquiry(options, stop);
    Book book(options);
    Findings findings(options.json, output);
    const auto compare = [&] {
        if (book.first_supplier().empty()) throw std::runtime_error("the files have no records to verify");
        Comparison comparison(book, findings, stop);
        findings.begin();
        while (const auto supplier = comparison.supplier())
            compare_supplier(*supplier, inquiry, comparison, errors);
        output << std::flush;
    };
    const int status = book.run(stop, errors, compare, [&] {
        findings.finish();
        return findings.is_equal();
    });
    return status == 0 && !output ? 1 : status;
}

}  // namespace data_import::client
