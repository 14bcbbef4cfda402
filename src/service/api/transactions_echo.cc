#include "service/api/transactions_echo.h"

#include <algorithm>

#include "base/util/decimal.h"
#include "data/json/reader.h"
#include "data/payload/declarations.h"
#include "data/schema/content.h"
#include "data/schema/render.h"

namespace data_import::api {

namespace {

constexpr std::size_t amount_places = 2;

std::string with_two_places(const json::Value& amount) {
    if (const auto plain = util::plain_decimal(amount.text()); plain && !plain->whole.empty()) {
        std::string text(plain->negative ? "-" : "");
        ((text += plain->whole) += '.') += plain->fraction.substr(0, amount_places);
        text.append(amount_places - std::min(amount_places, plain->fraction.size()), '0');
        return text;
    }
    auto decimal = util::parse_decimal(amount.text());
    decimal.value().fraction.resize(amount_places, '0');
    return decimal->to_text();
}

/// Writes an added transaction: the declared fields as sent, except the amount and the date, which are as
/// stored. Fields that a lenient configuration drops are left out.
void write_added(json::Writer& writer, const json::Value& sent, const store::ImportedTransaction& imported) {
    writer.begin_object();
    const auto as_stored = [&](std::string_view name, const json::Value& value) {
        if (name == "amount") {
            writer.string(with_two_places(value));
        } else if (name == "transaction_date" && imported.transaction_date) {
            writer.string(*imported.transaction_date);
        } else {
            return false;
        }
        return true;
    };
    schema::write_validated_members(writer, payload::transaction(), sent, as_stored);
    if (imported.description) writer.key("description").string(*imported.description);
    writer.end_object();
}

constexpr std::string_view date = "transaction_date";
constexpr std::string_view requested_date = "requested_transaction_date";

void write_stored(json::Writer& writer, const json::Value& stored) {
    writer.begin_object();
    for (const auto& [name, value] : stored.members()) {
        if (name != requested_date) writer.key(name).value(value);
    }
    writer.key("status").string("TRANSACTION_IMPORT_SUCCESS").end_object();
}

/// Returns a stored transaction whose date was moved, with the date that was sent.
json::Document before_it_was_moved(const json::Value& stored) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [name, value] : stored.members())
        writer.key(name).value(name == date ? stored.at(requested_date) : value);
    return json::read(writer.end_object().take());
}

/// Returns whether the sent transaction has another content than the stored one. Numbers are compared by
/// their values. If the transaction was stored with a changed date, both the original date and the changed
/// one count as equal.
bool differs(const json::Value& sent, const json::Value& stored) {
    const std::string content = schema::content_text(payload::transaction(), sent);
    if (content == schema::content_text(payload::transaction(), stored)) return false;
    return !stored.find(requested_date) ||
           content != schema::content_text(payload::transaction(), before_it_was_moved(stored).root());
}

bool is_inside(const schema::Violation& violation, const json::Value& value) {
    return violation.position >= value.position() && violation.position < value.end_position();
}

struct Failing {
    json::Value transaction;
    const schema::Violation& violation;
};

// Returns the first transaction with a violation, and this violation; nothing if there is none.
//
// A violation is in `transactions` only if both its name and its position say so. The name alone is not
// enough, because an unknown field of the payload may be called `transactions.0`. The position alone is not
// enough, because a missing field of the payload has the position of the payload's last value, which may be a
// part of the last transaction.
std::optional<Failing> first_failing(const json::Value& transactions,
                                     const std::vector<schema::Violation>& violations) {
    for (const schema::Violation& violation : violations) {
        if (!violation.attr.starts_with("transactions.") || !is_inside(violation, transactions)) continue;
        for (const json::Value item : transactions.items()) {
            if (is_inside(violation, item)) return Failing{item, violation};
        }
    }
    return std::nullopt;
}

}  // namespace

bool write_result(json::Writer& writer, const json::Value& sent, const store::ImportedTransaction& imported) {
    bool is_other = false;
    writer.begin_object().key("status");
    if (imported.stored) {
        const json::Document stored = json::read(*imported.stored);
        is_other = differs(sent, stored.root());
        writer.string("TRANSACTION_ALREADY_EXISTS");
        if (is_other) writer.key("differs").boolean(true);
        writer.key("transaction_data");
        write_stored(writer, stored.root());
    } else {
        writer.string("TRANSACTION_ADDED_TO_ACCOUNT").key("transaction_data");
        write_added(writer, sent, imported);
    }
    writer.end_object();
    return is_other;
}

void write_failing_transaction(json::Writer& writer, const http::Context& context,
                               const http::Problem& problem) {
    const json::Value payload = context.body();
    const auto transactions = payload.is(json::Type::object) ? payload.find("transactions") : std::nullopt;
    if (!transactions || !transactions->is(json::Type::array)) return;
    const auto failing = first_failing(*transactions, problem.violations);
    if (!failing) return;
    writer.key("status").string("TRANSACTION_IMPORT_ERROR");
    writer.key("error_detail").string(failing->violation.told());
    writer.key("transaction_data").value(failing->transaction);
}

}  // namespace data_import::api
