// account stage | begin | complete | fail | show
#include "console/text_table.h"
#include "ctl/columns.h"
#include "ctl/commands.h"
#include "ctl/document_location.h"
#include "ctl/refusals.h"
#include "ctl/values.h"
#include "json/writer.h"
#include "store/account_details.h"
#include "store/account_steps.h"

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
    {"at", "SINCE", &AccountStep::at},
    {"by", "BY", &AccountStep::author, {}, 1},
    {"reason", "REASON", &AccountStep::reason, {}, 1},
};

const Columns<AccountAction> action_columns = {
    {"action", "ACTION", &AccountAction::action},
    {"at", "AT", &AccountAction::at},
    {"by", "BY", &AccountAction::author},
    {"records", "RECORDS", &AccountAction::records},
};

const Columns<AccountImport> import_columns = {
    {"kind", "KIND", &AccountImport::kind, [](const AccountImport& import) { return in_words(import.kind); },
     1},
    {"records", "RECORDS", &AccountImport::records, {}, 1},
    {"imported_at", "IMPORTED", &AccountImport::imported_at},
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
    writer.key("held_since").string_or_null(account.hold ? std::optional(account.hold->at) : std::nullopt);
    action_columns.write_array(writer.key("actions"), account.actions);
    return writer.end_object().take() + "\n";
}

/// The locations, one per line and never cut.
std::string lines_of(const std::string& bucket, const store::DocumentLocations& documents) {
    std::string text;
    for (const std::string& location : documents.locations) {
        text += in_one_line(full_location(bucket, location)) + "\n";
    }
    const std::int64_t more = documents.count - static_cast<std::int64_t>(documents.locations.size());
    if (more > 0) text += "and " + std::to_string(more) + " more\n";
    return text;
}

/// Set apart from the text above.
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
        {"service number", account.service_account_number.value_or("")},
        {"created", account.account_created_at.value_or("")},
        {"staged", account.staged_at},
        {"state since", account.state_changed_at},
        {"statement period", period_of(account).value_or("")}};
    if (account.failure_reason) properties.emplace_back("failure", *account.failure_reason);
    for (const auto& [kind, count] : account.records) {
        properties.emplace_back(in_words(std::string(kind)), std::to_string(count));
    }
    properties.emplace_back("documents", std::to_string(account.documents.count));
    if (account.hold)
        properties.emplace_back("on hold since", account.hold->at + " by " + account.hold->author);
    return property_list(properties) + paragraph(history_columns, account.history) +
           paragraph(action_columns, account.actions) + paragraph(import_columns, account.last_imports) +
           paragraph(describe(account.last_refusals)) + paragraph(lines_of(bucket, account.documents));
}

store::AccountDetails need_account(Context& context, const store::AccountName& name) {
    auto account = store::find_account(context.database(), name, Context::soon());
    if (account) return *std::move(account);
    if (const auto erased = store::find_erasure(context.database(), name, Context::soon())) {
        throw Failure("account " + name.external_account_number + " of " + name.import_supplier +
                      " was erased at " + erased->at + " by " + erased->author);
    }
    throw Failure("import supplier " + name.import_supplier + " has no account " +
                  name.external_account_number + "; " + std::string(program_name) +
                  " account stage makes it known");
}

void print_outcome(Context& context, const store::AccountName& name, bool changed) {
    const store::AccountDetails account = need_account(context, name);
    if (context.json()) return Context::print(json_of(context.settings().document_bucket, name, account));
    std::string text = "account " + name.external_account_number + " of " + name.import_supplier + " is " +
                       in_words(account.state);
    if (account.service_account_number) text += " as " + *account.service_account_number;
    Context::print(text + (changed ? "\n" : ", as it was\n"));
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
        const Period period = parse_period(*text).value();
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

}  // namespace

std::vector<Command> account_commands() {
    return {
        {{"account",
          "stage",
          {supplier_code, external_account_number},
          {{"--although-erased", "", nullptr, "Also an account that was erased: it begins anew."}},
          "Stages an account: pending from now on. Its number has at most 128 characters, no control "
          "characters,\n"
          "none that change the direction of text, and no segment . or .. between slashes.",
          "account stage ACME 4711"},
         stage_account},
        {{"account",
          "begin",
          {supplier_code, external_account_number},
          {},
          "Tells that an attempt to create it is running.",
          "account begin ACME 4711"},
         begin_account},
        {{"account",
          "complete",
          {supplier_code, external_account_number},
          {{"--service-account-number", "N", check_service_account_number,
            "The platform's number; given out if left out."},
           {"--created-at", "T", check_instant, "When the platform created it; now if left out."},
           {"--statement-period", "FROM:TO", check_period, "Statement period to open: first and last day."}},
          "Tells that the account exists on the platform: imported from now on.",
          "account complete ACME 4711 --service-account-number A-1B2C3D4E --statement-period "
          "2024-05-01:2024-05-31"},
         complete_account},
        {{"account",
          "fail",
          {supplier_code, external_account_number},
          {{"--reason", "TEXT", check_reason, "Why it failed, at most 4096 characters.", true}},
          "Tells that the running attempt failed.",
          "account fail ACME 4711 --reason \"meter unknown\""},
         fail_account},
        {{"account",
          "show",
          {supplier_code, external_account_number},
          {},
          "Shows an account: history, counts, statement period, documents, and the requests that imported "
          "and "
          "that\n"
          "were refused last.",
          "account show ACME 4711"},
         show_account}};
}

}  // namespace data_import::ctl
