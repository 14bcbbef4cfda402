#include "tools/export/csv_export.h"

#include <chrono>
#include <string>
#include <string_view>

#include "base/util/printable.h"
#include "data/proof/account_totals.h"
#include "data/records/kinds.h"

namespace data_import::exports {

namespace {

using store::ExportedView;

// The beginning of each file. Without it, Excel assumes another encoding.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct OtherView {
    std::string_view name;
    std::string_view kind;
    std::string_view records;
    bool has_accounts = true;
};

/// The views of items, and of kinds without accounts. views_of() adds these views to those of the tables
/// records::Kind::table.
constexpr OtherView other_views[] = {
    {"transaction_line_item", "transactions", "financial_transaction"},
    {"transaction_tax_item", "transactions", "financial_transaction"},
    {"delivery_note_amount", "delivery_notes", "delivery_note"},
    {"invoice_line_item", "market_participant_invoices", "market_participant_invoice"},
    {"invoice_tax_amount", "market_participant_invoices", "market_participant_invoice"},
    {"market_participant", "market_participants", "market_participant", false},
    {"market_participant_contact", "market_participants", "market_participant", false},
    {"price_sheet", "price_sheets", "price_sheet", false},
    {"article_price", "price_sheets", "price_sheet", false}};

void append_text(std::string& line, std::string_view text) {
    line += '"';
    for (const char byte : util::without_formula(text)) (line += byte == '"' ? "\"" : "") += byte;
    line += '"';
}

std::string header_of(const ExportedView& view) {
    std::string names;
    for (const store::ExportedColumn& column : view.columns)
        (names += names.empty() ? "" : ",") += column.name;
    return std::string(byte_order_mark) + names + '\n';
}

std::string line_of(const ExportedView& view, std::span<const std::optional<std::string_view>> cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
        if (column > 0) line += ',';
        if (!cells[column]) continue;
        view.columns[column].is_text ? append_text(line, *cells[column])
                                     : static_cast<void>(line += *cells[column]);
    }
    return line += '\n';
}

}  // namespace

std::vector<ExportedView> views_of(database::Database& database, const Request& request,
                                   database::Deadline deadline) {
    std::vector<ExportedView> views = {{.name = "account", .records = {}}};
    for (const records::Kind& kind : records::kinds()) {
        if (request.has_kind(kind.name)) views.push_back({std::string(kind.table), std::string(kind.table)});
    }
    for (const OtherView& view : other_views) {
        if (request.has_kind(view.kind))
            views.push_back({std::string(view.name), std::string(view.records), view.has_accounts});
    }
    for (ExportedView& view : views) store::find_columns(database, view, deadline);
    return views;
}

void export_view(database::Database& database, const ExportedView& view, const Request& request,
                 const AccountRanges& ranges, Progress& progress, const BulkLines::Sink& sink) {
    sink(header_of(view));
    const auto read = [&](const std::string& behind, const std::string& last) {
        const store::ExportedRows wanted{.accounts = {request.import_supplier, behind, last},
                                         .numbers = numbers_in(request.numbers, behind, last),
                                         .since = request.since};
        store::read_view(
            database, view, wanted,
            [&](std::span<const std::optional<std::string_view>> cells) {
                progress.check();
                sink(line_of(view, cells));
            },
            std::chrono::steady_clock::now() + proof::longest_snapshot);
    };
    if (!view.has_accounts) return read({}, {});
    for (std::size_t part = 0; part < ranges.parts(); ++part) ranges.visit(part, read);
}

}  // namespace data_import::exports
