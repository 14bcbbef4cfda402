#include "ctl/names.h"

#include <chrono>
#include <exception>

#include "store/accounts.h"
#include "store/suppliers.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_offered = 100;

/// Short, because a person waits at the prompt.
database::Deadline at_once() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(2);
}

std::vector<std::string> suppliers(Context& context, const std::string& beginning) {
    std::vector<std::string> codes;
    for (const store::Supplier& supplier : store::list_suppliers(context.database(), at_once())) {
        if (supplier.code.starts_with(beginning) && codes.size() < most_offered)
            codes.push_back(supplier.code);
    }
    return codes;
}

std::string supplier_of(const Invocation& before) {
    const auto argument = before.optional_argument("CODE");
    return argument ? *argument : before.option("--supplier").value_or("");
}

}  // namespace

std::vector<std::string> names_for(std::string_view value, const std::string& beginning,
                                   const Invocation& before) {
    try {
        Context context(before);
        if (value == "CODE") return suppliers(context, beginning);
        if (value == "EXTERNAL")
            return store::account_numbers(context.database(), supplier_of(before), beginning, most_offered,
                                          at_once());
    } catch (const std::exception&) {
    }
    return {};
}

}  // namespace data_import::ctl
