#include "tools/ctl/refusals.h"

#include <algorithm>

#include "base/codes/codes.h"
#include "base/util/shell_command.h"
#include "data/store/shared_json.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t indent = 7;

/// Returns the detail; if none was kept, the meaning of the code.
std::string detail_or_meaning(const std::string& detail, const std::string& code) {
    return detail.empty() ? std::string(meaning_of(code)) : detail;
}

std::string sentence_of(const store::RefusedPlace& reason) {
    return indented(reason.code + (reason.attr.empty() ? "" : " " + reason.attr) + ": " +
                    detail_or_meaning(reason.detail, reason.code));
}

std::string account_of(const store::KeptRefusal& kept) {
    const auto& [supplier, number] = kept.account;
    return (number.empty() ? "an account" : "account " + number) + " of " + supplier +
           (kept.is_known ? "" : ", which is not known here");
}

}  // namespace

std::string indented(const std::string& text) {
    return std::string(indent, ' ') + wrapped(in_one_line(text), indent, true) + "\n";
}

const std::string& telling_code(const store::RefusalKind& kind) {
    return kind.item_code.empty() ? kind.code : kind.item_code;
}

std::string_view meaning_of(std::string_view code) {
    if (code == store::other_refusals)
        return "There were too many kinds of refusals to keep them apart; the service's log has each "
               "request.";
    if (code == store::transaction_differs)
        return "Transactions were sent again with other content; the stored ones did not change.";
    const codes::CodeRow* row = codes::find(code);
    return row == nullptr ? std::string_view() : row->meaning;
}

std::string sentence_of(const store::LoggedRefusal& refusal) {
    return detail_or_meaning(refusal.detail, telling_code(refusal.kind));
}

void write_refusal(json::Writer& writer, const store::LoggedRefusal& refusal) {
    const store::RefusalKind& kind = refusal.kind;
    writer.begin_object().key("import_supplier").string(kind.import_supplier);
    writer.key("endpoint").string(kind.endpoint).key("status").integer(kind.status);
    writer.key("code").string(kind.code).key("item_code").string(kind.item_code);
    writer.key("attr").string(kind.attr).key("count").integer(refusal.count);
    writer.key("last_at").string(refusal.last_at);
    writer.key("sample_request_id").string(refusal.sample_request_id);
    writer.key("detail").string(sentence_of(refusal)).end_object();
}

std::string describe(const std::vector<store::KeptRefusal>& refusals) {
    std::string text;
    for (const store::KeptRefusal& kept : refusals) {
        const store::Refusal& refusal = kept.refusal;
        text += minute_of(kept.at) + "  " + std::to_string(refusal.status) + " " + refusal.code + "  " +
                refusal.endpoint + "\n";
        text += indented(account_of(kept));
        text += indented("request " + refusal.request_id +
                         (refusal.line == 0 ? "" : ", line " + std::to_string(refusal.line)) + ", key " +
                         refusal.api_key_id);
        if (refusal.places.empty())
            text += sentence_of({.code = refusal.code, .attr = "", .detail = refusal.detail});
        for (const store::RefusedPlace& place : refusal.places) text += sentence_of(place);
        const std::size_t more = refusal.error_count - std::min(refusal.error_count, refusal.places.size());
        if (more > 0) text += indented("and " + std::to_string(more) + " more");
    }
    return text;
}

store::KeptPart together(const std::vector<store::KeptPart>& parts) {
    store::KeptPart sum{.import_supplier = "", .since = parts.front().since};
    for (const store::KeptPart& part : parts) {
        sum.since = std::min(sum.since, part.since);
        sum.refusals += part.refusals;
        sum.kept += part.kept;
    }
    return sum;
}

std::string describe(const store::KeptPart& part, const std::optional<std::string>& number) {
    const std::int64_t only_counted = part.refusals - part.kept;
    const bool is_named = !part.import_supplier.empty();
    std::vector<std::string> fields;
    if (is_named) fields.push_back("IMPORT_SUPPLIER=" + part.import_supplier);
    fields.push_back(number ? "ACCOUNT=" + *number : "CODE=account_not_found");
    return in_one_line(std::to_string(only_counted) + " of the " + std::to_string(part.refusals) +
                       " refusals" + (is_named ? " of " + part.import_supplier : "") + " since " +
                       part.since + (only_counted == 1 ? " was" : " were") +
                       " only counted: more came than are kept.") +
           "\nThe journals of the hosts together have them all:\n  " +
           util::shell_command("journalctl -u data-import", fields) + "\n";
}

void write_refusals(json::Writer& writer, const std::vector<store::KeptRefusal>& refusals) {
    writer.begin_array();
    for (const store::KeptRefusal& kept : refusals) {
        const store::Refusal& refusal = kept.refusal;
        writer.begin_object().key("at").string(kept.at).key("request_id").string(refusal.request_id);
        writer.key("line");
        refusal.line == 0 ? writer.null() : writer.integer(static_cast<std::int64_t>(refusal.line));
        store::write_account_of(writer, kept);
        writer.key("api_key_id").string(refusal.api_key_id).key("endpoint").string(refusal.endpoint);
        writer.key("status").integer(refusal.status).key("code").string(refusal.code);
        store::write_detail(writer, refusal);
        writer.key("error_count").integer(static_cast<std::int64_t>(refusal.error_count));
        store::write_places(writer.key("errors"), refusal.places);
        writer.end_object();
    }
    writer.end_array();
}

}  // namespace data_import::ctl
