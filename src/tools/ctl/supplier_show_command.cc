// The command `supplier show`.
#include "base/codes/codes.h"
#include "data/proof/account_totals.h"
#include "data/store/access_events.h"
#include "data/store/control_totals.h"
#include "data/store/progress.h"
#include "data/store/shared_json.h"
#include "data/store/supplier_acts.h"
#include "tools/console/text_table.h"
#include "tools/ctl/booked.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/migration.h"
#include "tools/ctl/refusals.h"
#include "tools/ctl/supplier_columns.h"
#include "tools/ctl/supplier_completion.h"
#include "tools/ctl/supplier_erasure.h"
#include "tools/ctl/supplier_state.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

/// A supplier with everything that `supplier show` prints.
struct Presentation {
    store::Supplier supplier;
    std::optional<store::SignedReport> last_report;
    store::SupplierProgress overview;
    Migration migration;
    std::vector<store::Booking> bookings;  ///< bookings, read from the same snapshot as `migration`
};

Presentation presentation_of(Context& context, const std::string& code) {
    database::Database& database = context.database();
    Presentation all;
    all.supplier = need_supplier(context, code);
    proof::with_snapshot(database, [&] {
        const auto ask = [&](const database::Call& call) { return database.execute(call, Context::soon()); };
        if (auto progress = store::read_progress(ask(store::find_progress(code))))
            all.migration.progress = *std::move(progress);
        all.migration.totals = store::read_control_totals(ask(store::find_control_totals(code)));
        all.bookings = store::read_bookings(ask(store::find_bookings(code)));
        all.last_report = store::find_last_signed_report(database, code, Context::soon());
        auto overview = store::read_overview(ask(store::find_overview({code})));
        if (!overview.empty()) all.overview = std::move(overview.front());
    });
    all.migration.planned_end = all.overview.planned_end;
    all.migration.is_late = is_late(all.overview);
    // Leaves out throttled requests. They are no error, because the client only has to slow down.
    auto refusals = store::list_refusals(database,
                                         {.import_supplier = code,
                                          .since = {},
                                          .except = std::string(codes::row_of(Code::throttled).name),
                                          .most = 1},
                                         Context::soon());
    if (!refusals.empty()) all.migration.last_error = std::move(refusals.front());
    return all;
}

void write_bookings(json::Writer& writer, const Presentation& all) {
    if (all.bookings.empty()) return;
    writer.key("booked").begin_array();
    for (const store::Booking& one : all.bookings) {
        store::write_booking(writer.begin_object(), one, store::beside(all.migration.totals, one));
        writer.end_object();
    }
    writer.end_array();
}

void write_erasure(json::Writer& writer, const Presentation& all) {
    writer.key("erase_after_days");
    all.supplier.erase_after_days ? writer.integer(*all.supplier.erase_after_days) : writer.null();
    writer.key("erase_at").string_or_null(all.supplier.erase_at);
    store::write_erasure(writer.key("erasure"), all.overview.erasure);
}

std::string json_of(const Presentation& all) {
    json::Writer writer;
    writer.begin_object();
    supplier_columns.write_members(writer, all.supplier);
    writer.key("status_since").string(all.supplier.status_since);
    writer.key("status_by").string_or_null(all.supplier.status_by);
    writer.key("verdict").string(all.migration.totals.verdict());
    writer.key("state").string(state_of(all.overview)).key("late").boolean(is_late(all.overview));
    writer.key("planned_end").string_or_null(all.overview.planned_end);
    writer.key("attention").integer(all.overview.attention);
    store::write_acknowledgement(writer.key("acknowledged"), all.overview.acknowledgement);
    writer.key("last_report");
    if (all.last_report) {
        writer.begin_object().key("id").string(all.last_report->id);
        writer.key("signed_by").string(all.last_report->signed_by);
        writer.key("signed_at").string(all.last_report->signed_at).end_object();
    } else {
        writer.null();
    }
    write_erasure(writer, all);
    write_migration(writer, all.migration);
    write_bookings(writer, all);
    return writer.end_object().take() + "\n";
}

std::string status_text(const store::Supplier& supplier) {
    if (!supplier.status_by) return supplier.status;
    return supplier.status + " since " + minute_of(supplier.status_since) + ", set by " + *supplier.status_by;
}

std::string attention_text(const store::SupplierProgress& supplier) {
    std::string text = "from " + std::to_string(supplier.attention) + " failed or refused on";
    if (const auto& known = supplier.acknowledgement)
        text += "; acknowledged: " + store::acknowledged_text(*known) + ", by " + known->by + " " +
                minute_of(known->at) + ": " + known->reason;
    return text;
}

std::string text_of(const Presentation& all) {
    const auto& report = all.last_report;
    std::vector<std::pair<std::string, std::string>> properties = {
        {"code", all.supplier.code},
        {"name", all.supplier.name},
        {"status", status_text(all.supplier)},
        {"state", in_words(state_of(all.overview))},
        {"attention", attention_text(all.overview)},
        {"document root", all.supplier.document_root},
        {"created", minute_of(all.supplier.created_at)},
        {all.overview.erasure ? "erased" : "to be erased", erasure_text(all.supplier, all.overview.erasure)},
        {"control totals", totals_text(all.migration.totals)}};
    for (const store::Booking& one : all.bookings)
        properties.emplace_back("booked by " + in_one_line(one.consumer), booking_text(one));
    properties.emplace_back(
        "last report",
        report ? "signed " + minute_of(report->signed_at) + " by " + report->signed_by : "none was signed");
    std::string text = property_list(properties);
    if (!all.overview.erasure || !all.overview.erasure->ended_at)
        text += "\n" + migration_text(all.migration);
    for (const store::Booking& one : all.bookings) {
        if (one.is_declared())
            text += "\nbooked by " + in_one_line(one.consumer) + "\n" +
                    three_columns_text(all.migration.totals, one);
    }
    return text;
}

void show_supplier(Context& context, const Invocation& invocation) {
    const Presentation all = presentation_of(context, invocation.argument("CODE"));
    Context::print(context.json() ? json_of(all) : text_of(all));
}

}  // namespace

std::vector<Command> supplier_show_commands() {
    return {
        command("supplier show", {supplier_code}, {}, show_supplier,
                "Shows an import supplier, whether its totals are the declared ones, which report was signed "
                "last, and the progress of its migration. If consumers take it, it also shows what each of "
                "them has booked, beside what is stored and declared.",
                "ACME")};
}

}  // namespace data_import::ctl
