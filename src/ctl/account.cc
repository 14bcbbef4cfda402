// account stage | begin | complete | fail | show
#include "ctl/document_location.h"
#include "ctl/handlers.h"
#include "ctl/json_text.h"
#include "ctl/table.h"
#include "ctl/usage.h"
#include "ctl/values.h"
#include "store/account_steps.h"

namespace data_import::ctl {

namespace {

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

void write_history(json::Writer& writer, const std::vector<store::AccountStep>& history) {
    writer.key("history").begin_array();
    for (const store::AccountStep& step : history) {
        writer.begin_object().key("state").string(step.state).key("at").string(step.at);
        writer.key("by").string(step.author);
        member(writer, "reason", step.reason).end_object();
    }
    writer.end_array();
}

void write_last_imports(json::Writer& writer, const std::vector<store::AccountImport>& imports) {
    writer.key("last_imports").begin_array();
    for (const store::AccountImport& import : imports) {
        writer.begin_object().key("kind").string(import.kind).key("records").integer(import.records);
        writer.key("imported_at").string(import.imported_at).key("request_id").string(import.request_id);
        writer.key("api_key_id").string(import.api_key_id).end_object();
    }
    writer.end_array();
}

std::string json_of(const std::string& bucket, const store::AccountName& name,
                    const store::AccountDetails& account) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(name.import_supplier);
    writer.key("external_account_number")
        .string(name.external_account_number)
        .key("state")
        .string(account.state);
    member(writer, "service_account_number", account.service_account_number);
    member(writer, "account_created_at", account.account_created_at);
    member(writer, "failure_reason", account.failure_reason);
    writer.key("staged_at")
        .string(account.staged_at)
        .key("state_changed_at")
        .string(account.state_changed_at);
    member(writer, "statement_period", period_of(account));
    writer.key("records").begin_object();
    for (const auto& [kind, count] : account.records) writer.key(kind).integer(count);
    writer.end_object();
    write_documents(writer, bucket, account.documents);
    write_history(writer, account.history);
    write_last_imports(writer, account.last_imports);
    return writer.end_object().take() + "\n";
}

/// The locations below each other, whole however long they are.
std::string lines_of(const std::string& bucket, const store::DocumentLocations& documents) {
    std::string text;
    for (const std::string& location : documents.locations) {
        text += in_one_line(full_location(bucket, location)) + "\n";
    }
    const std::int64_t more = documents.count - static_cast<std::int64_t>(documents.locations.size());
    if (more > 0) text += "and " + std::to_string(more) + " more\n";
    return text;
}

std::string history_of(const store::AccountDetails& account) {
    if (account.history.empty()) return "";
    Table table({"SINCE", "STATE", "BY", "REASON"});
    for (const auto& step : account.history)
        table.add({step.at, in_words(step.state), step.author, step.reason.value_or("")});
    return table.text("");
}

std::string imports_of(const store::AccountDetails& account) {
    if (account.last_imports.empty()) return "";
    Table table({"IMPORTED", "KIND", "RECORDS", "REQUEST", "KEY"});
    for (const auto& import : account.last_imports) {
        table.add({import.imported_at, in_words(import.kind), std::to_string(import.records),
                   import.request_id, import.api_key_id});
    }
    return table.text("");
}

/// Set apart from what is above.
std::string paragraph(const std::string& text) {
    return text.empty() ? "" : "\n" + text;
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
    return property_list(properties) + paragraph(history_of(account)) + paragraph(imports_of(account)) +
           paragraph(lines_of(bucket, account.documents));
}

store::AccountDetails need_account(Context& context, const store::AccountName& name) {
    auto account = store::find_account(context.database(), name, Context::soon());
    if (!account) {
        throw Failure("import supplier " + name.import_supplier + " has no account " +
                      name.external_account_number + "; " + std::string(program_name) +
                      " account stage makes it known");
    }
    return *std::move(account);
}

void print_outcome(Context& context, const store::AccountName& name, bool changed) {
    const store::AccountDetails account = need_account(context, name);
    if (context.json()) return Context::print(json_of(context.settings().document_bucket, name, account));
    std::string text = "account " + name.external_account_number + " of " + name.import_supplier + " is " +
                       in_words(account.state);
    if (account.service_account_number) text += " as " + *account.service_account_number;
    Context::print(text + (changed ? "\n" : ", as it was\n"));
}

}  // namespace

void stage_account(Context& context, const Invocation& invocation) {
    const auto name = name_of(invocation);
    print_outcome(context, name,
                  store::stage_account(context.database(), name, context.operator_name(), Context::soon()));
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

}  // namespace data_import::ctl
