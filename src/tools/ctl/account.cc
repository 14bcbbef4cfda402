// The commands `account stage | begin | complete | fail | show | retry, statement open | close`.
#include "base/util/invisible.h"
#include "base/util/limits.h"
#include "base/util/shell_command.h"
#include "data/json/writer.h"
#include "data/store/account_acts.h"
#include "data/store/account_details.h"
#include "data/store/account_steps.h"
#include "data/store/shared_json.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/document_location.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/refusals.h"
#include "tools/ctl/unknown_account.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

using store::AccountAction;
using store::AccountImport;
using store::AccountStep;

store::AccountName name_of(const Invocation& invocation) {
    return {invocation.argument("CODE"), invocation.argument("EXTERNAL")};
}

std::optional<std::string> period_of(const store::AccountDetails& account) {
    if (!account.statement_first_day) return std::nullopt;
    return *account.statement_first_day + ":" + account.statement_last_day.value();
}

void write_documents(json::Writer& writer, const std::string& bucket,
                     const store::DocumentLocations& documents) {
    writer.key("documents").begin_object().key("count").integer(documents.count);
    writer.key("locations").begin_array();
    for (const std::string& location : documents.locations) writer.string(full_location(bucket, location));
    writer.end_array().end_object();
}

const Columns<AccountStep> history_columns = {
    {"state", "STATE", &AccountStep::state, [](const AccountStep& step) { return in_words(step.state); }, 1},
    {"at", "SINCE", &AccountStep::at, minute(&AccountStep::at)},
    {"by", "BY", &AccountStep::author, {}, 1},
    {"reason", "REASON", &AccountStep::reason, {}, 1},
};

const Columns<AccountAction> action_columns = {
    {"action", "ACTION", &AccountAction::action},
    {"at", "AT", &AccountAction::at, minute(&AccountAction::at)},
    {"by", "BY", &AccountAction::author},
    {"records", "RECORDS", &AccountAction::records},
};

const Columns<AccountImport> import_columns = {
    {"kind", "KIND", &AccountImport::kind, [](const AccountImport& import) { return in_words(import.kind); },
     1},
    {"records", "RECORDS", &AccountImport::records, {}, 1},
    {"imported_at", "IMPORTED", &AccountImport::imported_at, minute(&AccountImport::imported_at)},
    {"request_id", "REQUEST", &AccountImport::request_id, {}, 1},
    {"api_key_id", "KEY", &AccountImport::api_key_id, {}, 1},
};

std::string json_of(const std::string& bucket, const store::AccountName& name,
                    const store::AccountDetails& account) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(name.import_supplier);
    writer.key("external_account_number")
        .string(name.external_account_number)
        .key("state")
        .string(account.state);
    writer.key("service_account_number").string_or_null(account.service_account_number);
    writer.key("account_created_at").string_or_null(account.account_created_at);
    writer.key("failure_reason").string_or_null(account.failure_reason);
    writer.key("staged_at")
        .string(account.staged_at)
        .key("state_changed_at")
        .string(account.state_changed_at);
    writer.key("statement_period").string_or_null(period_of(account));
    writer.key("records").begin_object();
    for (const auto& [kind, count] : account.records) writer.key(kind).integer(count);
    writer.end_object();
    write_documents(writer, bucket, account.documents);
    history_columns.write_array(writer.key("history"), account.history);
    import_columns.write_array(writer.key("last_imports"), account.last_imports);
    write_refusals(writer.key("last_refusals"), account.last_refusals);
    store::write_not_kept(writer.key("not_kept"), account.not_kept);
    writer.key("held_since").string_or_null(account.hold ? std::optional(account.hold->at) : std::nullopt);
    action_columns.write_array(writer.key("actions"), account.actions);
    return writer.end_object().take() + "\n";
}

/// Returns the locations of documents, one in a line, and the number of those that are not listed.
std::string lines_of(const std::string& bucket, const store::DocumentLocations& documents) {
    std::string text;
    for (const std::string& location : documents.locations) {
        text += in_one_line(full_location(bucket, location)) + "\n";
    }
    const std::int64_t more = documents.count - static_cast<std::int64_t>(documents.locations.size());
    if (more > 0) text += "and " + std::to_string(more) + " more\n";
    return text;
}

/// Returns the text with an empty line before it; an empty text stays empty.
std::string paragraph(const std::string& text) {
    return text.empty() ? "" : "\n" + text;
}

template <typename Row>
std::string paragraph(const Columns<Row>& columns, const std::vector<Row>& rows) {
    return rows.empty() ? "" : paragraph(columns.text(rows, ""));
}

std::string text_of(const std::string& bucket, const store::AccountName& name,
                    const store::AccountDetails& account) {
    std::vector<std::pair<std::string, std::string>> properties = {
        {"account", name.external_account_number + " of " + name.import_supplier},
        {"state", in_words(account.state)},
        {"number on the platform", account.service_account_number.value_or("")},
        {"created", minute_of(account.account_created_at.value_or(""))},
        {"staged", minute_of(account.staged_at)},
        {"state since", minute_of(account.state_changed_at)},
        {"statement period", period_of(account).value_or("")}};
    if (account.failure_reason) properties.emplace_back("failure", *account.failure_reason);
    for (const auto& [kind, count] : account.records) {
        properties.emplace_back(in_words(kind), std::to_string(count));
    }
    properties.emplace_back("documents", std::to_string(account.documents.count));
    if (account.hold)
        properties.emplace_back("on hold since", minute_of(account.hold->at) + " by " + account.hold->author);
    return property_list(properties) + paragraph(history_columns, account.history) +
           paragraph(action_columns, account.actions) + paragraph(import_columns, account.last_imports) +
           paragraph(describe(account.last_refusals)) +
           paragraph(account.not_kept ? describe(*account.not_kept, name.external_account_number) : "") +
           paragraph(lines_of(bucket, account.documents));
}

store::AccountDetails need_account(Context& context, const store::AccountName& name) {
    auto account = store::find_account(context.database(), name, Context::soon());
    if (account) return *std::move(account);
    if (const auto erased = store::find_erasure(context.database(), name, Context::soon())) {
        throw Failure("account " + name.external_account_number + " of " + name.import_supplier +
                      " was erased at " + erased->at + " by " + erased->author);
    }
    need_supplier(context, name.import_supplier);
    throw Failure("import supplier " + name.import_supplier + " has no account " +
                  util::with_invisible_named(name.external_account_number) + "; " +
                  advice_on_unknown(context, name.import_supplier, name.external_account_number));
}

void print_outcome(Context& context, const store::AccountName& name, bool changed) {
    const store::AccountDetails account = need_account(context, name);
    if (context.json()) return Context::print(json_of(context.settings().document_bucket, name, account));
    std::string text = "account " + name.external_account_number + " of " + name.import_supplier + " is " +
                       in_words(account.state);
    if (account.service_account_number) text += " as " + *account.service_account_number;
    Context::print(in_one_line(text + (changed ? "" : ", as it was")) + "\n");
}

void stage_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    print_outcome(context, name,
                  store::stage_account(context.database(), name, invocation.has("--although-erased"),
                                       context.operator_name(), Context::soon()));
}

void begin_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    print_outcome(context, name,
                  store::begin_account(context.database(), name, context.operator_name(), Context::soon()));
}

void complete_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    store::Completion completion{.service_account_number = invocation.option("--service-account-number"),
                                 .account_created_at = invocation.option("--created-at"),
                                 .statement_first_day = {},
                                 .statement_last_day = {}};
    if (const auto text = invocation.option("--statement-period")) {
        const Period period = parse_period(*text);
        completion.statement_first_day = period.first_day;
        completion.statement_last_day = period.last_day;
    }
    static_cast<void>(store::complete_account(context.database(), name, completion, context.operator_name(),
                                              Context::soon()));
    print_outcome(context, name, true);
}

void fail_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const std::string reason = invocation.option("--reason").value();
    print_outcome(
        context, name,
        store::fail_account(context.database(), name, reason, context.operator_name(), Context::soon()));
}

void show_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const auto account = need_account(context, name);
    const std::string& bucket = context.settings().document_bucket;
    Context::print(context.json() ? json_of(bucket, name, account) : text_of(bucket, name, account));
}

void retry_accounts(Context& context, const Invocation& invocation) {
    const store::RetryFilter filter{.import_supplier = invocation.argument("CODE"),
                                    .reason_like = invocation.option("--reason-like")};
    std::uint64_t staged = 0;
    {
        ProgressLine progress;
        progress.phase("staging failed accounts");
        staged = store::retry_failed_accounts(
            context.database(), filter, context.operator_name(),
            [&](std::uint64_t accounts, double fraction) { progress.rows_done(accounts, fraction); },
            Context::late());
    }
    if (staged > 0)
        store::record_staged(context.database(), filter.import_supplier, staged, std::nullopt,
                             context.acting_operator(), Context::soon());
    if (context.json()) return Context::print(object({{"staged", static_cast<std::int64_t>(staged)}}));
    Context::print(std::to_string(staged) + (staged == 1 ? " account" : " accounts") + " staged again\n");
}

/// Prints the open statement period `period`, such as `2026-01-01:2026-12-31`, or that no period is open. If
/// `changed` is false, adds that this was so before the command.
void print_period(const Context& context, const store::AccountName& name,
                  const std::optional<std::string>& period, bool changed) {
    if (context.json())
        return Context::print(object({{"import_supplier", name.import_supplier},
                                      {"external_account_number", name.external_account_number},
                                      {"statement_period", period}}));
    Context::print(
        in_one_line("account " + name.external_account_number + " of " + name.import_supplier + " has " +
                    (period ? "the open statement period " + *period : "no open statement period") +
                    (changed ? "" : ", as it was")) +
        "\n");
}

void open_statement(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const std::string& text = invocation.argument("FROM:TO");
    const Period period = parse_period(text);
    const bool changed =
        store::open_statement(context.database(), name, period.first_day, period.last_day, Context::soon());
    print_period(context, name, text, changed);
}

void close_statement(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    const bool changed = store::close_statement(context.database(), name, Context::soon());
    print_period(context, name, std::nullopt, changed);
}

}  // namespace

std::vector<Command> account_commands() {
    return {
        command(
            "account stage", {supplier_code, external_account_number},
            {{"--although-erased", "", nullptr, "Also stages an account that was erased: it begins again."}},
            stage_account,
            "Makes an account known, or stages a failed account again; its state is then staged. Its number "
            "has at most " +
                std::to_string(util::limits::external_account_number) +
                " characters. It must not have control characters, characters that change the direction of "
                "text, blanks at its ends, or a segment . or .. between slashes.",
            "ACME 4711"),
        command("account begin", {supplier_code, external_account_number}, {}, begin_account,
                "Marks an account as in progress: an attempt to create it is running.", "ACME 4711"),
        command("account complete", {supplier_code, external_account_number},
                {{"--service-account-number", "N", check_service_account_number,
                  "The account's number on the platform. If left out, this service assigns one."},
                 {"--created-at", "T", check_instant, "When the platform created it; now if left out."},
                 {"--statement-period", "FROM:TO", check_period,
                  "Statement period to open: first and last day."}},
                complete_account,
                "Marks an account as imported: it exists on the platform, and takes imports from now on. "
                "Transactions also need an open statement period.",
                "ACME 4711 --service-account-number A-1B2C3D4E --statement-period 2024-05-01:2024-05-31"),
        command("account fail", {supplier_code, external_account_number},
                {{"--reason", "TEXT", check_reason,
                  "Why it failed, at most " + std::to_string(util::limits::reason) + " characters.", true}},
                fail_account, "Marks an account as failed: the running attempt has failed.",
                "ACME 4711 --reason \"meter unknown\""),
        command("account show", {supplier_code, external_account_number}, {}, show_account,
                "Shows an account: history, counts, statement period, documents, its last imports and its "
                "last refused requests.",
                "ACME 4711")};
}

std::vector<Command> account_retry_commands() {
    return {
        command("account retry", {supplier_code},
                {{"--reason-like", "TEXT", check_reason, "Only accounts whose reason contains TEXT."}},
                retry_accounts,
                "Stages all failed accounts again, in steps of ten thousand, and prints how many there were. "
                "Safe to repeat. TEXT is searched in the reasons, without regard to case; no character "
                "of it has a special meaning.",
                "ACME --reason-like \"meter unknown\"")};
}

std::vector<Command> statement_commands() {
    return {
        command("statement open", {supplier_code, external_account_number, {"FROM:TO", check_period}}, {},
                open_statement,
                "Opens a statement period of an imported account, from the first to the last day. An open "
                "period is closed first.",
                "ACME 4711 2024-05-01:2024-05-31"),
        command("statement close", {supplier_code, external_account_number}, {}, close_statement,
                "Closes the open statement period. The account accepts no transactions until another one is "
                "opened.",
                "ACME 4711")};
}

}  // namespace data_import::ctl
