#include "ctl/refusals.h"

#include "codes/codes.h"

namespace data_import::ctl {

const std::string& telling_code(const store::RefusalKind& kind) {
    return kind.item_code.empty() ? kind.code : kind.item_code;
}

std::string_view meaning_of(std::string_view code) {
    if (code == store::other_refusals)
        return "More kinds of refusals than are kept apart; the service's log has each request.";
    if (code == store::transaction_differs)
        return "Transactions were sent again with other content; what was stored first has stayed as it was.";
    const codes::Row* row = codes::find(code);
    return row == nullptr ? std::string_view() : row->meaning;
}

void write_refusal(json::Writer& writer, const store::LoggedRefusal& refusal) {
    const store::RefusalKind& kind = refusal.kind;
    writer.begin_object().key("import_supplier").string(kind.import_supplier);
    writer.key("endpoint").string(kind.endpoint).key("status").integer(kind.status);
    writer.key("code").string(kind.code).key("item_code").string(kind.item_code);
    writer.key("attr").string(kind.attr).key("count").integer(refusal.count);
    writer.key("last_at").string(refusal.last_at);
    writer.key("sample_request_id").string(refusal.sample_request_id);
    writer.key("detail").string(meaning_of(telling_code(kind))).end_object();
}

std::string minute_of(const std::string& time) {
    constexpr std::size_t date_length = 10;
    constexpr std::size_t minute_length = 16;
    std::string text = time.substr(0, minute_length);
    text[date_length] = ' ';
    return text + " UTC";
}

}  // namespace data_import::ctl
