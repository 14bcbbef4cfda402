#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/util/csv.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/payload/paths.h"
#include "data/records/totals.h"
#include "tools/client/access.h"
#include "tools/client/book.h"
#include "tools/client/check_run.h"
#include "tools/client/kept_file.h"
#include "tools/client/stop.h"

namespace data_import::client {

namespace {

/// The totals of all accounts of a supplier.
struct SupplierTotals {
    std::string import_supplier;
    std::uint64_t accounts = 0;
    std::vector<records::KindTotals> kinds = std::vector<records::KindTotals>(records::kinds().size());

    void add(const records::AccountTotals& account) {
        ++accounts;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            records::add(kinds[kind], account.kinds[kind]);
            if (kinds[kind].sums.size() > BookTotals::most_figures)
                throw std::runtime_error("the import supplier " + import_supplier + " has more than " +
                                         std::to_string(BookTotals::most_figures) + " units");
        }
    }
};

/// Returns the body of a declaration. It has every kind; a kind that the files do not have is declared with 0
/// records.
std::string declaration_of(const SupplierTotals& totals) {
    json::Writer writer;
    writer.begin_object().key("kinds").begin_object();
    for (std::size_t kind = 0; kind < totals.kinds.size(); ++kind) {
        writer.key(records::kinds()[kind].name).begin_object();
        writer.key("records").integer(totals.kinds[kind].records);
        records::write_sums(writer.key("sums"), totals.kinds[kind].sums);
        writer.end_object();
    }
    writer.end_object().end_object();
    return writer.take();
}

std::string text_of(const SupplierTotals& totals) {
    std::string text = printable(totals.import_supplier) + ": " + grouped(totals.accounts) +
                       (totals.accounts == 1 ? " account with records\n" : " accounts with records\n");
    for (std::size_t kind = 0; kind < totals.kinds.size(); ++kind) {
        const records::KindTotals& one = totals.kinds[kind];
        if (one.records == 0) continue;
        text += "  " + std::string(records::kinds()[kind].name) + " records: " + std::to_string(one.records) +
                "\n";
        for (const auto& [figure, sum] : one.sums)
            text += "  " + std::string(records::kinds()[kind].name) + " " + printable(figure) + ": " +
                    sum.to_text() + "\n";
    }
    return text;
}

std::string text_of(const json::Value& difference) {
    const auto text = [&](std::string_view name) { return printable(difference.at(name).text()); };
    return "  " + text("kind") + " " + text("figure") + ": declared " + text("declared") + ", stored " +
           text("held") + ", difference " + text("difference") + "\n";
}

/// Returns a row of CSV for each kind of records that the account has.
std::string rows_of(const records::AccountTotals& account) {
    std::string rows;
    for (std::size_t kind = 0; kind < account.kinds.size(); ++kind) {
        const records::KindTotals& one = account.kinds[kind];
        const records::Kind& known = records::kinds()[kind];
        if (one.records == 0) continue;
        (rows += util::csv_field(account.external_account_number)) += ',';
        (rows += known.name) += ',' + std::to_string(one.records) + ',';
        if (!known.amount.empty()) rows += records::amount_of(one, known);
        json::Writer sums;
        records::write_sums(sums, one.sums);
        rows += ',' + one.fingerprint.to_text() + ',' + util::csv_field(sums.text()) + '\n';
    }
    return rows;
}

/// Adds up the totals of each supplier, and declares or prints them.
class Printer {
public:
    Printer(const Options& options, Inquiry* inquiry, const Stop& stop, std::ostream& output,
            std::ostream& errors)
        : options_(options), inquiry_(inquiry), stop_(stop), output_(output), errors_(errors) {
        if (options.per_account_file.empty()) return;
        rows_ = KeptFile("totals", options.per_account_file, options.files);
    }

    /// Empties the file of --per-account, and writes its header. Is called once all files to load are read,
    /// so that the file of --per-account keeps its content if reading fails.
    void begin() {
        if (!rows_) return;
        rows_.begin(0);
        rows_.add("external_account_number,kind,records,amount,fingerprint,sums\n");
    }

    void take(const BookAccount& account) {
        if (stop_.requested()) throw std::runtime_error("stopped");
        if (!supplier_ || supplier_->import_supplier != account.import_supplier) {
            finish_supplier();
            supplier_ = SupplierTotals{.import_supplier = account.import_supplier};
        }
        supplier_->add(account.totals);
        rows_.add(rows_of(account.totals));
        if (!options_.json || options_.declare) return;
        json::Writer writer;
        writer.begin_object().key("external_account_number").string(account.totals.external_account_number);
        records::write_kinds(writer.key("kinds"), account.totals);
        print_item(writer.end_object().take());
    }

    /// Prints the totals. They are kept until this call, so that the remarks on lines that were left out come
    /// first.
    void print() {
        if (options_.json) output_ << (has_items_ ? "\n]\n" : "[]\n");
        output_ << text_ << std::flush;
    }

    [[nodiscard]] bool is_different() const { return is_different_; }

    /// Finishes the totals of `supplier_`, the supplier of the account that was added last. Has to be called
    /// after this supplier's last account. With --declare, declares the totals to the service. With neither
    /// --declare nor --json, adds the totals to the text that print() prints.
    void finish_supplier() {
        if (!supplier_) return;
        if (options_.declare)
            declare_known();
        else if (!options_.json)
            text_ += text_of(*supplier_);
        supplier_.reset();
    }

private:
    /// Declares the totals of `supplier_`. If the service does not know this supplier, only prints an error,
    /// so that the totals of the other suppliers are declared, too.
    void declare_known() {
        try {
            declare();
        } catch (const NotFound& error) {
            is_different_ = true;
            errors_ << program << ": " << printable(supplier_->import_supplier) << ": "
                    << printable(error.what()) << std::endl;
        }
    }

    void declare() {
        const std::string body = declaration_of(*supplier_);
        const std::string answer = inquiry_->ask(
            {.path = payload::paths::of_supplier(payload::paths::control_totals, supplier_->import_supplier),
             .body = body,
             .method = "PUT"});
        try {
            const json::Document document = json::read(answer);
            const std::string verdict(document.root().at("verdict").text());
            is_different_ = is_different_ || verdict != "EQUAL";
            if (options_.json) return print_item(answer);
            text_ += printable(supplier_->import_supplier) + ": " + printable(verdict) + '\n';
            for (const json::Value difference : document.root().at("differences").items())
                text_ += text_of(difference);
        } catch (const std::exception& error) {
            throw std::runtime_error(std::string("the answer is not from a data-import service: ") +
                                     error.what());
        }
    }

    void print_item(const std::string& text) {
        output_ << (has_items_ ? ",\n" : "[\n") << text;
        has_items_ = true;
    }

    const Options& options_;
    Inquiry* inquiry_;
    const Stop& stop_;
    std::ostream& output_;
    std::ostream& errors_;
    KeptFile rows_;
    std::optional<SupplierTotals> supplier_;
    std::string text_;
    bool has_items_ = false;
    bool is_different_ = false;
};

/// Refuses files of several suppliers if totals are written by account, because these rows do not name the
/// supplier.
void require_one_supplier(const Options& options, const Book& book) {
    const bool tells_accounts = !options.per_account_file.empty() || (options.json && !options.declare);
    if (!tells_accounts || book.second_supplier().empty()) return;
    throw std::runtime_error(
        "the files are for several import suppliers, " + printable(book.first_supplier()) + " and " +
        printable(book.second_supplier()) +
        " among them: load the files of one import supplier at a time for the totals of each account");
}

}  // namespace

int totals(const Options& options, std::ostream& output, std::ostream& errors) {
    Stop stop;
    const Interruption interruption(stop);
    std::optional<Inquiry> inquiry;
    if (options.declare) inquiry.emplace(options, stop);
    Printer printer(options, inquiry ? &*inquiry : nullptr, stop, output, errors);
    Book book(options);
    const auto add_up = [&] {
        require_one_supplier(options, book);
        printer.begin();
        while (const auto account = book.next()) printer.take(*account);
        printer.finish_supplier();
    };
    const int status = book.run(stop, errors, add_up, [&] {
        printer.print();
        return !printer.is_different();
    });
    return status == 0 && !output ? 1 : status;
}

}  // namespace data_import::client
