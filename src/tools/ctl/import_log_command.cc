// The command `import log`.
#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "base/util/invisible.h"
#include "base/util/printable.h"
#include "base/util/shell_command.h"
#include "data/store/accounts.h"
#include "data/store/import_log.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/refusals.h"
#include "tools/ctl/unknown_account.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t most_kinds = 1000;

/// Says that there are more kinds of refusals. Writes to standard error, so that a program that reads the
/// list finds nothing else in it.
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

/// The refusals of one supplier's requests to one endpoint, as text. The text begins with `place`, which
/// names the supplier and the endpoint. Then follow three parts for each kind of refusal: a line of figures,
/// a sentence, and the last refused request as an example.
class Block {
public:
    explicit Block(std::string place) : place_(std::move(place)) {}

    [[nodiscard]] const std::string& place() const { return place_; }

    void add(const store::LoggedRefusal& refusal) {
        const store::RefusalKind& kind = refusal.kind;
        const std::string& code = telling_code(kind);
        figures_.add({std::to_string(refusal.count), std::to_string(kind.status), code, kind.attr});
        explanations_.push_back(
            indented(sentence_of(refusal)) +
            indented("last " + minute_of(refusal.last_at) + ", request " + refusal.sample_request_id));
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
    std::vector<std::string> explanations_;  ///< sentence and example of each row of `figures_`
};

/// Returns a block for each supplier and endpoint; the block with the latest refusal comes first.
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

/// The most refusals that are shown. Only 20 are kept of an account, but accounts of several suppliers may
/// have the same number.
constexpr std::size_t most_refusals = 1000;

/// Returns advice on each refused account that does not exist here: the account that was perhaps meant, and
/// the command that stages the unknown one.
std::string advice_on_unknown(Context& context, const std::vector<store::KeptRefusal>& refusals) {
    std::set<std::pair<std::string, std::string>> unknown;
    for (const store::KeptRefusal& kept : refusals) {
        if (!kept.is_known)
            unknown.insert({kept.account.import_supplier, kept.account.external_account_number});
    }
    std::string text;
    for (const auto& [supplier, number] : unknown) {
        const auto question = question_of_meant(context, number, supplier);
        text += "\n" + supplier + " has no account " + util::with_invisible_named(number);
        if (const auto invisible = util::find_invisible(number)) {
            text += "; the number " + util::to_text(*invisible) + (question ? "; " + *question : "") + "\n";
            continue;
        }
        text += (question ? "; " + *question + " If not, and" : "; if") +
                std::string(" it is to be migrated:\n  ") + std::string(program_name) + " " +
                util::shell_command("account stage", {supplier, number}) + "\n";
    }
    return text;
}

/// Returns the text that is printed if no refusal of this account number is kept.
std::string text_of_nothing(Context& context, const std::string& number,
                            const std::optional<std::string>& import_supplier) {
    const std::string nothing = "no refusal of such an account is kept\n";
    for (const store::AccountName& account :
         store::find_accounts_of_number(context.database(), number, Context::soon())) {
        if (import_supplier && account.import_supplier != *import_supplier) continue;
        if (account.external_account_number == number) return nothing;
        return in_one_line(number + " is the number on the platform of account " +
                           account.external_account_number + " of " + account.import_supplier) +
               ":\n  " + std::string(program_name) + " " +
               util::shell_command("account show",
                                   {account.import_supplier, account.external_account_number}) +
               "\n";
    }
    const auto question = question_of_meant(context, number, import_supplier);
    return nothing + "no account has the number " + util::with_invisible_named(number) + "; " +
           question.value_or("upper and lower case are different") + "\n";
}

/// Returns the suppliers that have an account of this number, or that sent refused requests for one.
std::set<std::string> suppliers_of(Context& context, const std::string& number,
                                   const std::vector<store::KeptRefusal>& refusals) {
    std::set<std::string> suppliers;
    for (const store::KeptRefusal& kept : refusals) suppliers.insert(kept.account.import_supplier);
    for (const store::AccountName& account :
         store::find_accounts_of_number(context.database(), number, Context::soon())) {
        if (account.external_account_number == number) suppliers.insert(account.import_supplier);
    }
    return suppliers;
}

/// Returns sentences about refusals that were counted but not kept. `parts` has the counts of each supplier,
/// and `refusals` are the refusals that are shown. There is a sentence for each supplier that is in both
/// `parts` and `suppliers`, unless `store::max_account_refusals` of its refusals are shown. If `suppliers` is
/// empty, one sentence is about all suppliers in `parts`.
std::string text_of_only_counted(const std::vector<store::KeptPart>& parts,
                                 const std::set<std::string>& suppliers, const std::string& number,
                                 const std::vector<store::KeptRefusal>& refusals) {
    if (suppliers.empty() && !parts.empty()) return "\n" + describe(together(parts), number);
    std::string text;
    for (const store::KeptPart& part : parts) {
        const auto shown =
            std::ranges::count(refusals, part.import_supplier,
                               [](const store::KeptRefusal& kept) { return kept.account.import_supplier; });
        if (suppliers.contains(part.import_supplier) &&
            static_cast<std::size_t>(shown) < store::max_account_refusals)
            text += "\n" + describe(part, number);
    }
    return text;
}

void show_log_of_account(Context& context, const Invocation& invocation, const std::string& number) {
    const auto import_supplier = invocation.option("--supplier");
    const auto since = invocation.option("--since");
    database::Database& database = context.database();
    const auto refusals = store::list_last_refusals(database,
                                                    {.external_account_number = number,
                                                     .import_supplier = import_supplier,
                                                     .since = since,
                                                     .most = most_refusals},
                                                    Context::soon());
    const std::string erased = describe_erasures(context, number, import_supplier);
    const bool is_nothing = refusals.empty() && erased.empty();
    std::string only_counted;
    if (is_nothing || !refusals.empty())
        only_counted = text_of_only_counted(
            store::list_partly_kept(database, import_supplier, since, Context::soon()),
            import_supplier ? std::set{*import_supplier} : suppliers_of(context, number, refusals), number,
            refusals);
    if (!context.json())
        return Context::print(
            (is_nothing ? text_of_nothing(context, number, import_supplier) : describe(refusals)) + erased +
            advice_on_unknown(context, refusals) + only_counted);
    json::Writer writer;
    write_refusals(writer, refusals);
    Context::print(writer.take() + "\n");
    std::cerr << only_counted;
}

const Columns<store::UnknownAccount> unknown_columns = {
    {"import_supplier", "SUPPLIER",
     [](const store::UnknownAccount& unknown) { return unknown.account.import_supplier; }},
    {"external_account_number", "ACCOUNT",
     [](const store::UnknownAccount& unknown) {
         return unless_empty(unknown.account.external_account_number);
     },
     [](const store::UnknownAccount& unknown) {
         return util::with_invisible_named(unknown.account.external_account_number);
     }},
    {"refusals", "REFUSED", &store::UnknownAccount::refusals,
     [](const store::UnknownAccount& unknown) {
         return std::to_string(unknown.refusals) +
                (unknown.refusals < static_cast<std::int64_t>(store::max_account_refusals) ? "" : " or more");
     }},
    {"last_at", "LAST", &store::UnknownAccount::last_at, minute(&store::UnknownAccount::last_at)},
    {"last_request_id", "REQUEST", &store::UnknownAccount::last_request_id},
};

std::string csv_of(const std::vector<store::UnknownAccount>& accounts) {
    std::string text = "import_supplier,external_account_number,refusals,last_at,last_request_id\n";
    for (const store::UnknownAccount& unknown : accounts) {
        text += util::spreadsheet_field(unknown.account.import_supplier) + ',' +
                util::spreadsheet_field(unknown.account.external_account_number) + ',' +
                std::to_string(unknown.refusals) + ',' + unknown.last_at + ',' + unknown.last_request_id +
                '\n';
    }
    return text;
}

void show_unknown_accounts(Context& context, const Invocation& invocation) {
    const auto import_supplier = invocation.option("--supplier");
    const auto since = invocation.option("--since");
    const auto accounts =
        store::list_unknown_accounts(context.database(), import_supplier, since, Context::soon());
    std::string only_counted;
    for (const store::KeptPart& part :
         store::list_partly_kept(context.database(), import_supplier, since, Context::soon()))
        only_counted += "\n" + describe(part, std::nullopt);
    if (!context.json() && !invocation.has("--csv"))
        return Context::print(unknown_columns.text(accounts, "no refusal of an unknown account is kept") +
                              only_counted);
    Context::print(context.json() ? unknown_columns.json(accounts) : csv_of(accounts));
    std::cerr << only_counted;
}

/// Refuses options that make no sense together.
void check_together(const Context& context, const Invocation& invocation) {
    if (invocation.has("--unknown") && invocation.has("--account"))
        invocation.refuse("--unknown and --account exclude each other");
    if (invocation.has("--csv") && !invocation.has("--unknown")) invocation.refuse("--csv is for --unknown");
    if (invocation.has("--csv") && context.json()) invocation.refuse("--csv and --json exclude each other");
}

void show_import_log(Context& context, const Invocation& invocation) {
    check_together(context, invocation);
    const store::RefusalFilter filter{.import_supplier = invocation.option("--supplier"),
                                      .since = invocation.option("--since"),
                                      .most = most_kinds + 1};
    if (filter.import_supplier) need_supplier(context, *filter.import_supplier);
    if (const auto number = invocation.option("--account"))
        return show_log_of_account(context, invocation, *number);
    if (invocation.has("--unknown")) return show_unknown_accounts(context, invocation);
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
         {"--account", "EXTERNAL", check_sent_account_number,
          "Instead of counts, the last " + std::to_string(store::max_account_refusals) +
              " refused requests of the account, known here or not."},
         {"--unknown", "", nullptr, "Instead of counts, the numbers of accounts that are not known here."},
         {"--csv", "", nullptr, "With --unknown: CSV (RFC 4180) with a header."}},
        show_import_log,
        "Lists the refused requests, counted by kind of refusal (endpoint, code and field), to tell a "
        "supplier what to correct. It shows the " +
            std::to_string(most_kinds) +
            " kinds of refusal that occurred last; standard error says if there are more. --unknown lists "
            "the "
            "account numbers that requests named and that are not known here, the latest first, with the "
            "last request of each; at most " +
            std::to_string(store::max_account_refusals) + " refusals of a number are kept.",
        "--supplier ACME --since 2024-05-31T00:00:00Z")};
}

}  // namespace data_import::ctl
