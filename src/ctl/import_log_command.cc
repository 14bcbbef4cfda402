// import log
#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "console/text_table.h"
#include "ctl/command.h"
#include "ctl/known_supplier.h"
#include "ctl/refusals.h"
#include "ctl/values.h"
#include "store/import_log.h"
#include "util/shell_command.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_kinds = 1000;

/// On standard error, so that a program that reads the list finds nothing else in it.
void tell_of_more(const store::RefusalFilter& filter) {
    std::cerr << program_name << ": only the " << most_kinds
              << " kinds of refusals that occurred last are shown"
              << (filter.import_supplier ? "" : ": --supplier CODE shows those of one") << std::endl;
}

std::string json_of(const std::vector<store::LoggedRefusal>& refusals) {
    json::Writer writer;
    writer.begin_array();
    for (const store::LoggedRefusal& refusal : refusals) write_refusal(writer, refusal);
    return writer.end_array().take() + "\n";
}

std::string place_of(const store::RefusalKind& kind) {
    return (kind.import_supplier.empty() ? "no known supplier" : kind.import_supplier) + "  " +
           (kind.endpoint.empty() ? "no known address" : kind.endpoint);
}

/// Refusals of one supplier at one endpoint: a line of figures, a sentence and an example for each kind.
class Block {
public:
    explicit Block(std::string place) : place_(std::move(place)) {}

    [[nodiscard]] const std::string& place() const { return place_; }

    void add(const store::LoggedRefusal& refusal) {
        const store::RefusalKind& kind = refusal.kind;
        const std::string& code = telling_code(kind);
        figures_.add({std::to_string(refusal.count), std::to_string(kind.status), code, kind.attr});
        explanations_.push_back("       " + std::string(meaning_of(code)) + "\n       last " +
                                minute_of(refusal.last_at) + ", request " + refusal.sample_request_id + "\n");
    }

    [[nodiscard]] std::string text() const {
        const std::string figures = figures_.text("");
        std::size_t begin = figures.find('\n') + 1;
        std::string text = in_one_line(place_) + "\n" + figures.substr(0, begin);
        for (const std::string& explanation : explanations_) {
            const std::size_t end = figures.find('\n', begin) + 1;
            text += figures.substr(begin, end - begin) + explanation;
            begin = end;
        }
        return text;
    }

private:
    std::string place_;
    Table figures_{{"COUNT", "STATUS", "CODE", "FIELD"}};
    std::vector<std::string> explanations_;  ///< one for each row of `figures_`
};

/// The blocks in the order of their first refusals.
std::string text_of(const std::vector<store::LoggedRefusal>& refusals) {
    if (refusals.empty()) return "nothing was refused\n";
    std::vector<Block> blocks;
    for (const store::LoggedRefusal& refusal : refusals) {
        const std::string place = place_of(refusal.kind);
        auto block = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block& known) { return known.place() == place; });
        if (block == blocks.end()) block = blocks.insert(block, Block(place));
        block->add(refusal);
    }
    std::string text;
    for (const Block& block : blocks) text += (text.empty() ? "" : "\n") + block.text();
    return text;
}

constexpr std::size_t most_refusals = 1000;  // an account has 20, its number may be that of several suppliers

/// Each supplier whose account is not known, with the command that stages it.
std::string advice_on_unknown(const std::vector<store::KeptRefusal>& refusals) {
    std::set<std::pair<std::string, std::string>> unknown;
    for (const store::KeptRefusal& kept : refusals) {
        if (!kept.is_known)
            unknown.insert({kept.account.import_supplier, kept.account.external_account_number});
    }
    std::string text;
    for (const auto& [supplier, number] : unknown)
        text += "\n" + in_one_line(supplier + " has no account " + number) +
                "; if it is to be migrated:\n  " + std::string(program_name) + " " +
                util::shell_command("account stage", {supplier, number}) + "\n";
    return text;
}

void show_log_of_account(Context& context, const Invocation& invocation, const std::string& number) {
    const auto refusals = store::list_last_refusals(context.database(),
                                                    {.external_account_number = number,
                                                     .import_supplier = invocation.option("--supplier"),
                                                     .since = invocation.option("--since"),
                                                     .most = most_refusals},
                                                    Context::soon());
    if (!context.json())
        return Context::print(refusals.empty() ? "nothing was refused of such an account\n"
                                               : describe(refusals) + advice_on_unknown(refusals));
    json::Writer writer;
    write_refusals(writer, refusals);
    Context::print(writer.take() + "\n");
}

void show_import_log(Context& context, const Invocation& invocation) {
    const store::RefusalFilter filter{.import_supplier = invocation.option("--supplier"),
                                      .since = invocation.option("--since"),
                                      .most = most_kinds + 1};
    if (filter.import_supplier) need_supplier(context, *filter.import_supplier);
    if (const auto number = invocation.option("--account"))
        return show_log_of_account(context, invocation, *number);
    auto refusals = store::list_refusals(context.database(), filter, Context::soon());
    const bool are_more = refusals.size() > most_kinds;
    if (are_more) refusals.pop_back();
    Context::print(context.json() ? json_of(refusals) : text_of(refusals));
    if (are_more) tell_of_more(filter);
}

}  // namespace

std::vector<Command> import_log_commands() {
    return {command(
        "import log", {},
        {{"--supplier", "CODE", check_supplier_code, "Only requests for this import supplier."},
         {"--since", "T", check_instant,
          "Only kinds of refusal that occurred after T. Counts include the whole day (UTC) of T."},
         {"--account", "EXTERNAL", check_external_account_number,
          "Instead of counts, the last " + std::to_string(store::max_account_refusals) +
              " refused requests of the account, known here or not."}},
        show_import_log,
        "Lists the refused requests, counted by kind of refusal (endpoint, code and field), to tell a "
        "supplier what to correct. It shows the " +
            std::to_string(most_kinds) +
            " kinds of refusal that occurred last; standard error says if there are more.",
        "--supplier ACME --since 2024-05-31T00:00:00Z")};
}

}  // namespace data_import::ctl
