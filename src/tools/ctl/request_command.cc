// The command `request show`.
#include "base/util/limits.h"
#include "data/json/writer.h"
#include "data/store/api_keys.h"
#include "data/store/import_log.h"
#include "data/store/request_trace.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/refusals.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::StoredRecords;

constexpr std::size_t most_refusals = util::limits::bulk_lines;

/// All findings about a request.
struct Trace {
    std::string request_id;
    std::optional<std::string> api_key_id = {};
    std::optional<std::string> organisation = {};
    std::vector<store::KeptRefusal> refused = {};
    std::optional<std::int64_t> refused_lines = {};  ///< number of refused lines in the bulk request
    std::vector<store::LoggedRefusal> counted = {};
    std::vector<StoredRecords> stored = {};
};

std::optional<std::string> supplier_of(const StoredRecords& records) {
    return records.account ? std::optional(records.account->import_supplier) : std::nullopt;
}

std::optional<std::string> number_of(const StoredRecords& records) {
    return records.account ? std::optional(records.account->external_account_number) : std::nullopt;
}

const Columns<StoredRecords> stored_columns = {
    {"import_supplier", "SUPPLIER", supplier_of},
    {"external_account_number", "ACCOUNT", number_of},
    {"kind", "KIND", &StoredRecords::kind,
     [](const StoredRecords& records) { return in_words(records.kind); }},
    {"records", "RECORDS", &StoredRecords::records},
    {"status", "STATUS", [](const StoredRecords&) { return ColumnValue(std::int64_t{201}); }},
    {"imported_at", "IMPORTED", &StoredRecords::imported_at, minute(&StoredRecords::imported_at)},
};

std::optional<store::AccountName> account_of(const Invocation& invocation) {
    const auto supplier = invocation.option("--supplier");
    const auto number = invocation.option("--account");
    if (supplier.has_value() != number.has_value())
        invocation.refuse("--supplier and --account name the account together");
    if (!supplier) return std::nullopt;
    return store::AccountName{*supplier, *number};
}

/// Finds the API key of the request. All findings have the same key, so any of them will do.
void find_key(Context& context, Trace& trace) {
    if (!trace.refused.empty()) trace.api_key_id = trace.refused.front().refusal.api_key_id;
    if (!trace.stored.empty()) trace.api_key_id = trace.stored.front().api_key_id;
    if (!trace.api_key_id) return;
    const auto key = store::find_api_key(context.database(), *trace.api_key_id, Context::soon());
    if (key) trace.organisation = key->organisation;
}

/// Returns whether the request may have stored something. A single request that was refused has stored
/// nothing. A bulk request with a refused line may have stored its other lines.
bool may_have_stored(const Trace& trace) {
    return trace.refused.empty() || trace.refused.front().refusal.line > 0;
}

Trace find_trace(Context& context, const Invocation& invocation) {
    const auto account = account_of(invocation);
    Trace trace{.request_id = invocation.argument("ID")};
    database::Database& database = context.database();
    trace.refused = store::list_last_refusals(
        database,
        {.external_account_number = account ? std::optional(account->external_account_number) : std::nullopt,
         .request_id = trace.request_id,
         .import_supplier = account ? std::optional(account->import_supplier) : std::nullopt,
         .most = most_refusals},
        Context::soon());
    if (!account)
        trace.refused_lines = store::count_refused_lines(database, trace.request_id, Context::soon());
    trace.counted = store::list_refusals_of_sample(database, trace.request_id, Context::soon());
    if (may_have_stored(trace)) {
        ProgressLine progress;
        trace.stored = store::find_records_of_request(
            database, trace.request_id, account,
            [&](std::string_view kind) { progress.phase("looking through " + in_words(kind)); },
            Context::late());
    }
    find_key(context, trace);
    return trace;
}

std::string json_of(const Trace& trace) {
    json::Writer writer;
    writer.begin_object().key("request_id").string(trace.request_id);
    writer.key("api_key_id").string_or_null(trace.api_key_id);
    writer.key("organisation").string_or_null(trace.organisation);
    write_refusals(writer.key("refused"), trace.refused);
    writer.key("refused_lines");
    trace.refused_lines ? writer.integer(*trace.refused_lines) : writer.null();
    writer.key("counted").begin_array();
    for (const store::LoggedRefusal& refusal : trace.counted) write_refusal(writer, refusal);
    writer.end_array();
    stored_columns.write_array(writer.key("stored"), trace.stored);
    return writer.end_object().take() + "\n";
}

/// Returns a text about `counted`: the kinds of refusals whose last refused request is the request to be
/// shown.
///
/// Other refusals of the request are missing here. The import log counts refusals by kind, and keeps only the
/// id of the last refused request of each kind.
std::string text_of(const std::vector<store::LoggedRefusal>& counted) {
    std::string text;
    for (const store::LoggedRefusal& refusal : counted) {
        const store::RefusalKind& kind = refusal.kind;
        text += minute_of(refusal.last_at) + "  " + std::to_string(kind.status) + " " + kind.code + "  " +
                (kind.endpoint.empty() ? "no known address" : kind.endpoint) + "\n";
        if (!kind.import_supplier.empty()) text += indented("import supplier " + kind.import_supplier);
        text += indented(telling_code(kind) + (kind.attr.empty() ? "" : " " + kind.attr) + ": " +
                         sentence_of(refusal));
    }
    return text;
}

/// Says how many refused lines are kept, if not all are; empty otherwise.
std::string text_of_missing_lines(const Trace& trace) {
    const auto kept = static_cast<std::int64_t>(trace.refused.size());
    if (trace.refused_lines.value_or(0) <= kept) return "";
    return "\n" + std::to_string(kept) + " of " + std::to_string(*trace.refused_lines) +
           " refused lines are kept. The journals of the hosts together have them all:\n"
           "  journalctl -u data-import REQUEST_ID=" +
           trace.request_id + "\n";
}

std::string text_of(const Trace& trace) {
    std::string text = "request " + trace.request_id;
    if (trace.api_key_id) text += ", key " + *trace.api_key_id;
    if (trace.organisation) text += " of " + in_one_line(*trace.organisation);
    text += "\n";
    if (!trace.refused.empty())
        text += "\n" + describe(trace.refused);
    else if (!trace.counted.empty())
        text += "\n" + text_of(trace.counted);
    text += text_of_missing_lines(trace);
    if (!trace.stored.empty()) text += "\n" + stored_columns.text(trace.stored, "");
    return text;
}

void show_request(Context& context, const Invocation& invocation) {
    const Trace trace = find_trace(context, invocation);
    if (trace.refused.empty() && trace.counted.empty() && trace.stored.empty() && !trace.refused_lines) {
        throw Failure(
            "nothing is known here of request " + trace.request_id +
            ": it has stored nothing that is still there, and is not among the last refusals that are "
            "kept; the journal of a host may have it, journalctl -u data-import REQUEST_ID=" +
            trace.request_id);
    }
    Context::print(context.json() ? json_of(trace) : text_of(trace));
}

}  // namespace

std::vector<Command> request_commands() {
    return {command(
        "request show", {{"ID", check_request_id}},
        {{"--supplier", "CODE", check_supplier_code, "With --account: the import supplier of the account."},
         {"--account", "EXTERNAL", check_sent_account_number,
          "Searches only the records of this account, which is quick, instead of all records."}},
        show_request,
        "Shows what a request stored, or why it was refused. ID is the X-Request-Id of its answer.",
        "0f8b2c4d6e8a0b1c2d3e4f5a6b7c8d9e --supplier ACME --account 4711")};
}

}  // namespace data_import::ctl
