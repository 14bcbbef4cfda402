// complete suppliers | accounts: what bash offers when a supplier's code or an account's number is being
// typed.
#include <algorithm>
#include <chrono>

#include "ctl/handlers.h"
#include "json/writer.h"
#include "store/account_list.h"
#include "store/suppliers.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_offered = 100;

/// Somebody waits at the prompt.
database::Deadline at_once() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(2);
}

void print(const Context& context, const std::vector<std::string>& names) {
    std::string lines;
    json::Writer writer;
    writer.begin_array();
    for (const std::string& name : names) {
        lines += name + "\n";
        writer.string(name);
    }
    Context::print(context.json() ? writer.end_array().take() + "\n" : lines);
}

}  // namespace

void complete_suppliers(Context& context, const Invocation& invocation) {
    const std::string beginning = invocation.optional_argument("BEGINNING").value_or("");
    std::vector<std::string> codes;
    for (const store::Supplier& supplier : store::list_suppliers(context.database(), at_once())) {
        if (supplier.code.starts_with(beginning) && codes.size() < most_offered)
            codes.push_back(supplier.code);
    }
    print(context, codes);
}

void complete_accounts(Context& context, const Invocation& invocation) {
    print(context, store::account_numbers(context.database(), invocation.argument("CODE"),
                                          invocation.optional_argument("BEGINNING").value_or(""),
                                          most_offered, at_once()));
}

}  // namespace data_import::ctl
