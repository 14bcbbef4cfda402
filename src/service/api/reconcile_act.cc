// The act `reconcile`: compares the stored accounts with a file of totals that the supplier made. Accepts
// those differences for which the operator's request gives a reason.
#include <string_view>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/csv.h"
#include "base/util/csv_columns.h"
#include "base/util/limits.h"
#include "base/util/readable.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/proof/comparison.h"
#include "data/proof/total_rows.h"
#include "data/store/erasure.h"
#include "data/store/reconciliation.h"
#include "data/store/shared_json.h"
#include "service/api/act.h"

namespace data_import::api {

namespace {

constexpr std::size_t longest_file = 9UL * 1024 * 1024;
constexpr std::size_t most_reasons = 500;
constexpr std::size_t most_told = 500;
constexpr std::size_t most_faults = 100;

[[noreturn]] void refuse_rows(const store::LoadErrors& errors) {
    std::vector<schema::Violation> violations;
    for (const store::LoadError& error : errors.first)
        violations.push_back({.attr = "totals",
                              .code = Code::invalid,
                              .detail = "Line " + std::to_string(error.line) + ": " + error.sentence + "."});
    throw http::validation_error(std::move(violations));
}

[[noreturn]] void refuse_file(const std::string& sentence) {
    throw http::validation_error(
        {{.attr = "totals", .code = Code::invalid, .detail = "The file is wrong: " + sentence + "."}});
}

/// Reads the file as rows for COPY.
std::string read_totals(std::string_view file, bool has_decimal_comma) {
    util::CsvReader reader([&](char* buffer, std::size_t size) {
        const std::size_t count = file.copy(buffer, size);
        file.remove_prefix(count);
        return count;
    });
    util::CsvRecord record;
    if (!reader.next(record)) refuse_file("it is empty, and has to begin with a header");
    std::string rows;
    store::LoadErrors errors;
    try {
        proof::TotalRows totals(record, has_decimal_comma);
        while (reader.next(record)) {
            const auto wrong = totals.append(record, rows);
            if (wrong && ++errors.count <= most_faults) errors.first.push_back({record.line(), *wrong});
        }
    } catch (const util::WrongCsvHeader& wrong) {
        refuse_file(wrong.what());
    }
    if (errors.count > 0) refuse_rows(errors);
    return rows;
}

/// Returns a source for COPY that passes on all rows at once.
std::function<bool(std::string&)> once(std::string rows) {
    return [rows = std::move(rows)](std::string& chunk) mutable {
        chunk = std::exchange(rows, {});
        return !chunk.empty();
    };
}

std::string read_reasons(const json::Value& reasons) {
    std::string rows;
    std::uint64_t line = 0;
    for (const json::Value one : reasons.items())
        store::append_copy_row(
            rows, store::AcceptedReason{.line = ++line,
                                        .external_account_number = one.at("external_account_number").text(),
                                        .kind = one.at("kind").text(),
                                        .reason = one.at("reason").text()});
    return rows;
}

void take_files(const ActContext& context, store::Reconciliation& files) {
    const auto comma = context.body.find("decimal_comma");
    files.copy_totals(once(read_totals(context.body.at("totals").text(), comma && comma->boolean())));
    if (const auto reasons = context.body.find("reasons")) files.copy_reasons(once(read_reasons(*reasons)));
    if (const store::LoadErrors twice = files.duplicates(most_faults); twice.count > 0) refuse_rows(twice);
}

/// Collects differences as they are found: the first ones as JSON, and a digest of all.
class Found {
public:
    Found() { first_.begin_array(); }

    void add(const store::Difference& difference, const std::optional<store::Acceptance>& acceptance) {
        json::Writer sides;
        store::write_difference(sides.begin_object(), difference);
        all_.add(sides.end_object().text());
        ++(acceptance ? accepted_ : open_);
        if (static_cast<std::size_t>(open_ + accepted_) <= most_told) tell(difference, acceptance);
    }

    [[nodiscard]] std::int64_t open() const { return open_; }
    [[nodiscard]] std::int64_t accepted() const { return accepted_; }
    [[nodiscard]] std::string take_first() { return first_.end_array().take(); }
    [[nodiscard]] std::string take_digest() { return util::to_hex(util::bytes_of(all_.take())); }

private:
    void tell(const store::Difference& difference, const std::optional<store::Acceptance>& acceptance) {
        store::write_difference(first_.begin_object(), difference);
        first_.key("accepted");
        if (acceptance) {
            store::write_acceptance(first_.begin_object(), *acceptance);
            first_.end_object();
        } else {
            first_.null();
        }
        first_.end_object();
    }

    std::int64_t open_ = 0;
    std::int64_t accepted_ = 0;
    json::Writer first_;
    util::Sha256Sum all_;
};

void need_no_idle_reasons(store::Reconciliation& files) {
    const store::LoadErrors idle = files.idle_reasons(1);
    if (idle.count > 0)
        refuse_act("Nothing was accepted: of the reasons, " + idle.first.front().sentence + ".");
}

Outcome reconcile(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const std::string& code = supplier.code;
    if (store::find_erasure(context.database, code, context.deadline))
        refuse_act("The accounts of import supplier " + code + " were erased.");
    store::Reconciliation files(context.database, code, context.deadline);
    take_files(context, files);
    Found found;
    const proof::Compared compared = proof::compare_accounts(
        context.database, code, files, context.by.system_user,
        {.differs = [&](const auto& difference,
                        const auto& acceptance) { found.add(difference, acceptance); },
         .account_done = [] {}},
        context.deadline);
    need_no_idle_reasons(files);
    const store::AccountComparison comparison{.accounts = compared.accounts,
                                              .open = found.open(),
                                              .accepted = found.accepted(),
                                              .by = context.by.system_user};
    store::record_comparison(context.database, code, comparison,
                             store::figures_digest(context.database, code, context.deadline),
                             context.deadline);
    const std::string text = util::counted(compared.accounts, "account") + " of " + code +
                             " compared: " + util::counted(found.open(), "difference") + " open, " +
                             util::grouped(found.accepted()) + " accepted";
    const auto audit_id =
        proof::record_accepted(context.database, code, compared.accepted, context.by, context.deadline);
    return {.will = compared.accepted == 0
                        ? "keeps the comparison: " + text
                        : "accepts " + util::counted(compared.accepted, "difference") + "; then " + text,
            .done = text,
            .basis = code + '\n' + found.take_digest(),
            .audit_id = audit_id,
            .write = [comparison, wrong = compared.wrong_totals.size(), first = found.take_first()](
                         json::Writer& writer, Told told) {
                writer.key("accounts").integer(comparison.accounts);
                writer.key("different").integer(comparison.open);
                writer.key("accepted").integer(comparison.accepted);
                writer.key("wrong_totals").integer(static_cast<std::int64_t>(wrong));
                writer.key("differences");
                told == Told::again ? writer.null() : writer.raw(first);
            }};
}

}  // namespace

std::vector<Act> reconcile_acts() {
    const schema::Object reason =
        schema::object()
            .need("external_account_number", payload::external_account_number(),
                  payload::about::external_account_number)
            .need("kind", schema::code(util::limits::label), "Kind of the records.")
            .need("reason", schema::text(1, util::limits::reason), "Why the difference is accepted.");
    return {{.name = "reconcile",
             .path = "local:/operator/acts/reconcile/",
             .summary = "Compare a supplier's file of its accounts, and accept differences.",
             .body = schema::object()
                         .need("import_supplier", payload::supplier_code(), payload::about::import_supplier)
                         .need("totals", schema::text(1, longest_file),
                               "The file: external_account_number,kind,records,amount[,fingerprint,sums].")
                         .may("reasons", schema::array(reason).min(1).max(most_reasons),
                              "The differences to accept.")
                         .may("decimal_comma", schema::boolean(), "Amounts are written as 12,50."),
             .carry_out = reconcile,
             .reads_records = true}};
}

}  // namespace data_import::api
