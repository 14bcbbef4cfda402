#include <algorithm>
#include <deque>
#include <span>

#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/paths.h"
#include "data/records/kinds.h"
#include "data/store/columns.h"
#include "data/store/control_totals.h"
#include "data/store/shared_json.h"
#include "service/api/endpoints.h"
#include "service/api/local_endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

namespace {

using schema::object;

/// Declares a sum. It has room for the whole sum of a book of 64-bit amounts.
schema::Schema sum() {
    return schema::decimal(38, 10);
}

schema::Schema plain_sum() {
    return schema::text(1, 64);
}

/// The description of a sum in the documentation.
constexpr std::string_view about_sum =
    "The exact sum of this figure, in the unit of the records; answers have no unnecessary zeros. For a "
    "figure that only counts, the number.";
constexpr std::string_view about_sums = "Sums by the name of the figure.";
constexpr std::string_view about_records = "Number of records of this kind.";
constexpr std::string_view about_kind = "Figures of this kind of records.";

/// The most characters of a quantity_unit (contract, sections 4.3 and 4.4).
constexpr std::size_t longest_unit = 16;

schema::Object sums_of(const records::Kind& kind, const schema::Schema& value) {
    schema::Object sums = object();
    for (const std::string& name : records::sums_of(kind))
        sums = records::is_open(name) ? sums.may_each(name, longest_unit, value, about_sum)
                                      : sums.may(name, value, about_sum);
    return sums.names_are_choices();
}

constexpr std::string_view no_figure = "A declaration needs at least one figure: accounts, records or a sum.";

/// Refuses a declaration that has no `accounts`, if none of its kinds has a figure. A body that has neither
/// `accounts` nor kinds is refused by `need_one_of` below.
void has_a_figure(const json::Value& declared, schema::Report& report) {
    const auto kinds = declared.find("kinds");
    if (declared.find("accounts") || !kinds || kinds->size() == 0) return;
    for (const auto& [name, kind] : kinds->members()) {
        if (kind.find(store::records_figure)) return;
        const auto sums = kind.find("sums");
        if (sums && sums->members().begin() != sums->members().end()) return;
    }
    report.add(Code::required, std::string(no_figure));
}

schema::Schema declaration() {
    schema::Object kinds = object();
    for (const records::Kind& kind : records::kinds())
        kinds = kinds.may(kind.name,
                          object()
                              .may(store::records_figure, schema::integer(0), about_records)
                              .may("sums", sums_of(kind, sum()), about_sums),
                          about_kind);
    return object()
        .may("accounts", schema::integer(0), "Number of accounts in all states together.")
        .may("kinds", kinds.names_are_choices(),
             "Records by kind; kinds that are not named are not compared.")
        .need_one_of({"accounts", "kinds"}, Code::required, no_figure)
        .rule({"accounts", "kinds"}, has_a_figure);
}

schema::Schema answer() {
    const auto count = schema::integer(0);
    schema::Object held = object();
    schema::Object declared = object();
    for (const records::Kind& kind : records::kinds()) {
        held = held.may(kind.name,
                        object()
                            .need(store::records_figure, count, about_records)
                            .need("sums", sums_of(kind, plain_sum()), about_sums)
                            .may("sums_left_out", count,
                                 "Number of sums that are not shown, if the kind has very many units."),
                        about_kind);
        declared = declared.may(kind.name,
                                object()
                                    .may(store::records_figure, count, about_records)
                                    .may("sums", sums_of(kind, plain_sum()), about_sums),
                                about_kind);
    }
    const auto difference =
        object()
            .need("kind", schema::text(1, 64), "Kind of records, or `accounts`.")
            .need("figure", schema::text(1, 64), "`records`, `accounts`, or the name of a sum.")
            .need("declared", plain_sum(), "The declared figure of the supplier.")
            .need("held", plain_sum(), "The figure of the records that arrived.")
            .need("difference", plain_sum(), "`held` minus `declared`.");
    return object()
        .need("import_supplier", payload::supplier_code(), payload::about::import_supplier)
        .need("as_of", schema::datetime(), "When the figures were exact.")
        .need("accounts", accounts_by_state(), "Accounts by state.")
        .need("kinds", held, "Records that arrived, by kind. Kinds without records are left out.")
        .need("declared",
              schema::nullable(object()
                                   .may("accounts", count, "Number of accounts in all states together.")
                                   .need("kinds", declared, "Records by kind.")),
              "The last declaration of the supplier; null if there is none.")
        .need("differences", schema::array(difference), "Figures that differ from the declaration.")
        .need("undeclared_kinds", schema::array(schema::text(1, 64)),
              "Kinds of which records arrived and nothing is declared: `EQUAL` says nothing about them.")
        .need("verdict", schema::choice({"UNDECLARED", "EQUAL", "DIFFERENT"}),
              "Whether the records that arrived equal the declaration.");
}

database::Call find(const http::Context& context) {
    return store::find_control_totals(context.segments.at(0));
}

database::Call declare(const http::Context& context) {
    std::vector<store::DeclaredFigure> figures;
    std::deque<std::string>
        room;  // for decimals that are rewritten; a deque keeps its elements in their places
    if (const auto accounts = context.body().find(store::accounts_figure))
        figures.push_back({store::accounts_figure, store::accounts_figure, accounts->text()});
    if (const auto kinds = context.body().find("kinds")) {
        for (const auto& [name, kind] : kinds->members()) {
            if (const auto records = kind.find(store::records_figure))
                figures.push_back({name, store::records_figure, records->text()});
            if (const auto sums = kind.find("sums")) {
                for (const auto& [figure, value] : sums->members())
                    figures.push_back(
                        {name, figure, store::taken_decimal(value.text(), room.emplace_back())});
            }
        }
    }
    return store::declare_control_totals(
        context.segments.at(0), {.request_id = context.request.request_id, .api_key_id = context.access->id},
        figures);
}

using Figures = std::span<const store::ControlFigure>;
using Side = std::optional<std::string> store::ControlFigure::*;

/// Divides the figures, which are ordered by kind, into those of each kind. Leaves out the number of
/// accounts.
std::vector<Figures> by_kind(const Figures& figures) {
    std::vector<Figures> kinds;
    for (auto first = figures.begin(); first != figures.end();) {
        const auto end = std::find_if(
            first, figures.end(), [&](const store::ControlFigure& one) { return one.kind != first->kind; });
        if (first->kind != store::accounts_figure) kinds.emplace_back(first, end);
        first = end;
    }
    return kinds;
}

/// Writes the number of records of a kind as the member `records`, a JSON number. Writes nothing if `side`
/// (`held` or `declared`) has no such number.
void write_records(json::Writer& writer, const Figures& kind, Side side) {
    const store::ControlFigure& first = kind.front();
    if (first.figure == store::records_figure && first.*side) writer.key(first.figure).raw(*(first.*side));
}

void write_sums(json::Writer& writer, const Figures& kind, Side side) {
    writer.key("sums").begin_object();
    for (const store::ControlFigure& one : kind) {
        if (one.figure != store::records_figure && one.*side) writer.key(one.figure).string(*(one.*side));
    }
    writer.end_object();
}

void write_held(json::Writer& writer, const store::ControlTotals& totals) {
    writer.begin_object();
    for (const Figures& kind : by_kind(totals.figures)) {
        const store::ControlFigure& records = kind.front();
        if (records.figure != store::records_figure || records.held.value_or("0") == "0") continue;
        writer.key(records.kind).begin_object();
        write_records(writer, kind, &store::ControlFigure::held);
        write_sums(writer, kind, &store::ControlFigure::held);
        for (const auto& [name, count] : totals.left_out) {
            if (name == records.kind) writer.key("sums_left_out").integer(count);
        }
        writer.end_object();
    }
    writer.end_object();
}

void write_declared(json::Writer& writer, const store::ControlTotals& totals) {
    if (!totals.is_declared()) return static_cast<void>(writer.null());
    const auto is_declared = [](const store::ControlFigure& one) { return one.declared.has_value(); };
    writer.begin_object();
    for (const store::ControlFigure& one : totals.figures) {
        if (one.kind == store::accounts_figure && one.declared) writer.key(one.kind).raw(*one.declared);
    }
    writer.key("kinds").begin_object();
    for (const Figures& kind : by_kind(totals.figures)) {
        if (std::ranges::none_of(kind, is_declared)) continue;
        writer.key(kind.front().kind).begin_object();
        write_records(writer, kind, &store::ControlFigure::declared);
        write_sums(writer, kind, &store::ControlFigure::declared);
        writer.end_object();
    }
    writer.end_object().end_object();
}

void write_differences(json::Writer& writer, const store::ControlTotals& totals) {
    writer.begin_array();
    for (const store::ControlFigure& one : totals.figures) {
        if (!one.difference) continue;
        writer.begin_object().key("kind").string(one.kind).key("figure").string(one.figure);
        writer.key("declared").string(one.declared.value()).key("held").string(one.held.value_or("0"));
        writer.key("difference").string(*one.difference).end_object();
    }
    writer.end_array();
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const store::ControlTotals totals = store::read_control_totals(rows);
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(context.segments.at(0));
    writer.key("as_of").string(totals.as_of).key("accounts");
    store::write_accounts(writer, totals.accounts);
    writer.key("kinds");
    write_held(writer, totals);
    writer.key("declared");
    write_declared(writer, totals);
    writer.key("differences");
    write_differences(writer, totals);
    writer.key("undeclared_kinds").begin_array();
    for (const std::string& kind : totals.undeclared_kinds()) writer.string(kind);
    writer.end_array().key("verdict").string(totals.verdict()).end_object();
    return {.body = writer.take()};
}

}  // namespace

http::Endpoint control_totals() {
    return {.method = "GET",
            .path = payload::paths::control_totals,
            .summary = "Prove that everything arrived: exact totals of all records of a supplier.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers = {{200,
                         "The totals of all accounts at the time `as_of`. Repeats count once, and notes that "
                         "the service pins itself do not count. Sums are exact decimal strings. Kinds "
                         "without records are left out. A kind with more than 1000 units has the first 1000 "
                         "sums, and `sums_left_out` counts the others. `declared` is the last declaration of "
                         "the supplier; `differences` has the figures that differ from it.",
                         answer()}},
            .plan = find,
            .reply = reply};
}

http::Endpoint control_totals_declare() {
    return {.method = "PUT",
            .path = payload::paths::control_totals,
            .summary = "Declare the totals of a supplier, and compare them with the records that arrived.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .body = declaration(),
            .answers = {{200,
                         "The totals, compared with this declaration. It replaces the declaration before. "
                         "Figures that it does not name are not compared.",
                         answer()}},
            .plan = declare,
            .reply = reply};
}

http::Endpoint operator_control_totals() {
    return for_operators("local:/operator/control-totals/{import_supplier}/",
                         "Return the totals of a supplier beside those that it has declared.", find, reply);
}

}  // namespace data_import::api
