#include "service/api/act_rights.h"

#include <utility>

#include "base/util/joined.h"
#include "base/util/limits.h"
#include "base/util/printable.h"
#include "base/util/shell_command.h"
#include "base/util/text.h"
#include "data/store/supplier_acts.h"

namespace data_import::api {

void forbid(std::string detail) {
    constexpr int forbidden = 403;
    throw ActRefused{forbidden, "not_permitted", std::move(detail)};
}

const std::string& name_of_person(const http::Context& context) {
    static const std::string nobody;
    return context.request.person ? context.request.person->name : nobody;
}

std::string ask_for(const std::string& name, std::string_view role,
                    const std::optional<std::vector<std::string>>& import_suppliers) {
    std::string options = " --role " + std::string(role);
    if (import_suppliers) {
        for (const std::string& code : *import_suppliers)
            options += util::shell_command(" --supplier", {code});
    }
    return "Ask an administrator for: " + util::shell_command("data-importctl operator add", {name}, options);
}

void forbid_unknown(const std::string& name) {
    if (name.empty())
        forbid(
            "Nobody has signed in: nginx passes no name on. Ask an administrator to let this name of nginx "
            "sign people in (handbook, Let operators in).");
    forbid("You have signed in as " + util::printable(name) + ", who may not act here. " +
           ask_for(name, "operator", std::vector<std::string>{"CODE"}));
}

store::ActBeginning begin(database::Database& database, const store::ActRequest& request,
                          database::Deadline deadline) {
    const bool is_name = !request.operator_name.empty() && util::is_utf8(request.operator_name) &&
                         request.operator_name.size() <= 4 * util::limits::label;
    if (!is_name) return {.verdict = store::ActVerdict::unknown};
    return store::begin_act(database, request, deadline);
}

std::optional<std::string> ActContext::optional_text(std::string_view field) const {
    const auto found = body.find(field);
    if (!found || found->is(json::Type::null)) return std::nullopt;
    return std::string(found->text());
}

std::vector<std::string> ActContext::texts(std::string_view field) const {
    std::vector<std::string> texts;
    if (const auto found = body.find(field)) {
        for (const json::Value item : found->items()) texts.emplace_back(item.text());
    }
    return texts;
}

void ActContext::need_right_for(const std::optional<std::string>& import_supplier) const {
    if (import_supplier ? rights.has_supplier(*import_supplier) : !rights.import_suppliers) return;
    std::optional<std::vector<std::string>> wanted;
    if (import_supplier) {
        wanted = *rights.import_suppliers;
        wanted->push_back(*import_supplier);
    }
    forbid("You may act on " + util::joined(*rights.import_suppliers) + " only. " +
           ask_for(person, rights.role, wanted));
}

store::Supplier ActContext::take_supplier(const std::string& code) const {
    need_right_for(code);
    if (store::lock_supplier(database, code, deadline)) {
        if (auto supplier = store::find_supplier(database, code, deadline)) return *std::move(supplier);
    }
    throw http::Problem{Code::not_found, "There is no import supplier " + code + "."};
}

store::OperatorRights need_operator(const http::Context& context, database::Database& database) {
    const std::string& name = name_of_person(context);
    store::ActBeginning beginning = begin(database, {.operator_name = name}, context.deadline);
    if (beginning.verdict == store::ActVerdict::unknown) forbid_unknown(name);
    return std::move(beginning.rights);
}

}  // namespace data_import::api
