#include "world.h"

#include <unistd.h>

#include <array>
#include <sstream>
#include <stdexcept>

#include "base/util/datetime.h"
#include "command.h"
#include "data/keys/key_ring.h"
#include "data/keys/token.h"
#include "data/records/kinds.h"
#include "forged_token.h"

namespace data_import::tests {

namespace {

constexpr int accounts_of_each_state = 40;
constexpr int imported_accounts = 3000;

std::string numbered(const std::string& prefix, int number) {
    std::string digits = std::to_string(number);
    return prefix + std::string(5 - digits.size(), '0') + digits;
}

/// The id of the newest key of an organisation.
std::string key_id(AdminSession& database, const std::string& organisation) {
    return database.value("SELECT max(id) FROM data_import.api_key WHERE organisation = $1", {organisation});
}

std::string create_key(const Stack& stack, const std::string& organisation, const std::string& suppliers) {
    std::string arguments = "key create --organisation " + shell_word(organisation);
    std::istringstream codes(suppliers);
    for (std::string code; codes >> code;) arguments += " --supplier " + shell_word(code);
    return run_ctl(stack, arguments);
}

std::string with_other_signature(std::string token) {
    char& first = token.at(token.rfind('.') + 1);
    first = first == 'A' ? 'B' : 'A';
    return token;
}

std::string repeated(const std::string& text, const std::string& count) {
    std::string result;
    for (long left = std::stol(count); left > 0; --left) result += text;
    return result;
}

/// `"m0":0,"m1":0`.
std::string members(long count) {
    std::string result;
    for (long number = 0; number < count; ++number)
        (result += number == 0 ? "\"m" : ",\"m") += std::to_string(number) + "\":0";
    return result;
}

std::string bytes_of_hex(const std::string& digits) {
    std::istringstream stream(digits);
    std::string bytes;
    for (std::string pair; stream >> pair;) bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    return bytes;
}

std::string moved_now(const std::string& shift) {
    const std::int64_t seconds = shift.empty() ? 0 : std::stol(shift);
    const std::int64_t whole = util::now().microseconds / 1'000'000;
    return util::to_text(util::Instant{(whole + seconds) * 1'000'000});
}

std::string kinds() {
    std::string names;
    for (const records::Kind& kind : records::kinds()) (names += names.empty() ? "" : ",") += kind.name;
    return names;
}

/// Returns a JSON object with a number for every kind. `counts` lists the numbers that are not 0, as in
/// `notes=2,transactions=1`.
std::string records_of(const std::string& counts) {
    std::string text = "{";
    for (const records::Kind& kind : records::kinds()) {
        const std::string name = std::string(kind.name) + "=";
        const std::size_t place = ("," + counts).find("," + name);
        const std::string count =
            place == std::string::npos ? "0" : std::to_string(std::stol(counts.substr(place + name.size())));
        ((text += text.size() > 1 ? ",\"" : "\"") += kind.name) += "\":" + count;
    }
    return text + "}";
}

/// The codes of the vendors, as their files say, in the order of the files.
std::string vendors_in(const std::string& directory) {
    std::istringstream lines(must_run("sed -n 's/^code = //p' " + shell_word(directory) + "/*.conf"));
    std::string codes;
    for (std::string code; std::getline(lines, code);) codes += (codes.empty() ? "\"" : ", \"") + code + '"';
    return '[' + codes + ']';
}

}  // namespace

std::string run_ctl(const Stack& stack, const std::string& arguments) {
    return must_run(stack.value("CTL") + ' ' + arguments);
}

std::string token_for(const Stack& stack, const std::string& organisation, const std::string& suppliers) {
    static_cast<void>(create_key(stack, organisation, suppliers));
    AdminSession database(stack.value("DATABASE_URL"));
    return run_ctl(stack, "token issue --key " + key_id(database, organisation));
}

void import_accounts(AdminSession& database, const std::string& supplier, const std::string& prefix,
                     int count) {
    const std::string numbers = " FROM generate_series(1, $3::integer) AS n";
    const std::string number = "$2 || lpad(n::text, 5, '0')";
    database.rows("SELECT data_import.account_stage($1, " + number + ")" + numbers,
                  {supplier, prefix, std::to_string(count)});
    database.rows("SELECT data_import.account_complete($1, " + number + ", 'S-' || " + number + ")" + numbers,
                  {supplier, prefix, std::to_string(count)});
}

/// Makes the world on the first call. If that fails, all later calls fail, too, without another try.
World& world() {
    static std::string failure;
    static const std::unique_ptr<World> world = [] {
        try {
            return std::make_unique<World>(Stack::shared());
        } catch (const std::exception& reason) {
            failure = reason.what();
            return std::unique_ptr<World>();
        }
    }();
    if (!world) throw std::runtime_error("suppliers, tokens and accounts could not be made: " + failure);
    return *world;
}

World::World(const Stack& stack)
    : stack_(stack),
      database_(stack.value("DATABASE_URL")),
      stamp_([] {
          std::ostringstream text;
          text << std::hex << util::now().microseconds / 1000;
          return text.str();
      }()),
      directory_(std::filesystem::temp_directory_path() / ("data-import-cases-" + stamp_)) {
    std::filesystem::create_directory(directory_);
    std::filesystem::permissions(directory_, std::filesystem::perms(0755));
    shared_["directory"] = directory_.string();
    shared_["stamp"] = stamp_;
    shared_["vendors"] = vendors_in(stack.value("VENDORS_DIR"));
    make_suppliers();
    make_accounts();
    make_listing();
    make_tokens();
    set_supplier("PAUSED", "Paused");
    set_supplier("COMPLETE", "Complete");
}

World::~World() {
    std::error_code ignored;  // a file left in the temporary directory does no harm
    std::filesystem::remove_all(directory_, ignored);
}

void World::make_suppliers() {
    shared_["listing"] = "LISTING-" + stamp_;
    shared_["failing"] = "FAILING-" + stamp_;
    shared_["eventful"] = "EVENTFUL-" + stamp_;
    for (const std::string& code :
         {std::string("ACME"), std::string("OTHER"), std::string("PAUSED"), std::string("COMPLETE"),
          std::string("EMPTY"), shared_["listing"], shared_["failing"], shared_["eventful"]}) {
        if (database_.count("SELECT count(*) FROM data_import.import_supplier WHERE code = $1", {code}) ==
            0) {
            run_ctl(stack_, "supplier create " + code + " --name " + shell_word("Supplier " + code));
        }
        set_supplier(code, "Ongoing");
    }
}

void World::set_supplier(const std::string& code, const std::string& status) {
    run_ctl(stack_, "supplier set " + code + " --status " + status);
}

void World::make_accounts() {
    import_accounts(database_, "ACME", stamp_ + "-imported-", imported_accounts);
    for (const std::string& supplier :
         {std::string("PAUSED"), std::string("COMPLETE"), std::string("OTHER")}) {
        import_accounts(database_, supplier, stamp_ + '-' + supplier + '-', 1);
    }
    shared_["paused_account"] = numbered(stamp_ + "-PAUSED-", 1);
    shared_["complete_account"] = numbered(stamp_ + "-COMPLETE-", 1);
    shared_["other_account"] = numbered(stamp_ + "-OTHER-", 1);
    shared_["odd_account"] = "ä/ +%" + stamp_;
    database_.rows("SELECT data_import.account_stage('ACME', $1)", {shared_["odd_account"]});
    database_.rows("SELECT data_import.account_complete('ACME', $1, $2)",
                   {shared_["odd_account"], "S-ODD-" + stamp_});
    for (int number = 1; number <= accounts_of_each_state; ++number) {
        for (const std::string& state :
             {std::string("staged"), std::string("in_progress"), std::string("failed")}) {
            const std::string account = numbered(stamp_ + '-' + state + '-', number);
            database_.rows("SELECT data_import.account_stage('ACME', $1)", {account});
            if (state != "staged") database_.rows("SELECT data_import.account_begin('ACME', $1)", {account});
            if (state == "failed")
                database_.rows("SELECT data_import.account_fail('ACME', $1, 'no tariff')", {account});
        }
    }
}

/// Makes accounts whose external account numbers show whether a list is in the order of code points. In that
/// order, B-2 precedes a-1, and U+FFFD precedes the emoji. In UTF-16 the emoji would precede U+FFFD.
void World::make_listing() {
    const std::string& code = shared_["listing"];
    for (const char* account : {"\U0001F600-6", "a-1", "\u00e4-3", "B-2", "\uFFFD-5", "b 4", "\"quoted\\"}) {
        database_.rows("SELECT data_import.account_stage($1, $2)", {code, account});
    }
    database_.rows("SELECT data_import.account_complete($1, 'a-1', $2, '2024-02-29T12:00:00.250+02:00')",
                   {code, "L1-" + stamp_});
    database_.rows("SELECT data_import.account_complete($1, 'B-2', $2, '2023-01-01T00:00:00Z')",
                   {code, "L2-" + stamp_});
    database_.rows("SELECT data_import.account_begin($1, $2)", {code, "\u00e4-3"});
    database_.rows("SELECT data_import.account_begin($1, 'b 4')", {code});
    database_.rows("SELECT data_import.account_fail($1, 'b 4', 'no tariff')", {code});
}

World::Key World::make_key(const std::string& organisation, const std::string& scope) {
    std::string text = create_key(stack_, organisation, scope);
    return {key_id(database_, organisation), std::move(text)};
}

void World::make_tokens() {
    const Key main = make_key("Main " + stamp_, "ACME PAUSED COMPLETE EMPTY " + shared_["listing"] + ' ' +
                                                    shared_["failing"] + ' ' + shared_["eventful"]);
    const Key other = make_key("Other " + stamp_, "OTHER");
    const Key revoked = make_key("Revoked " + stamp_, "ACME");
    shared_["key_id"] = main.id;
    shared_["api_key"] = main.text;
    shared_["revoked_api_key"] = revoked.text;
    shared_["token"] = run_ctl(stack_, "token issue --key " + main.id);
    shared_["other_token"] = run_ctl(stack_, "token issue --key " + other.id);
    shared_["revoked_token"] = run_ctl(stack_, "token issue --key " + revoked.id);
    run_ctl(stack_, "key revoke " + revoked.id);
    const keys::KeyRing ring = keys::KeyRing::load(keys_directory(stack_));
    shared_["expired_token"] = keys::issue_token(ring, {main.id, "World"}, -std::chrono::hours(1));
    shared_["wrong_signature_token"] = with_other_signature(shared_["token"]);
    shared_["unsigned_token"] = shared_["token"].substr(0, shared_["token"].rfind('.') + 1);
}

long World::stored_notes() {
    return database_.count("SELECT count(*) FROM data_import.note");
}

/// Counters, logs and lists that workers fill and empty by themselves, at any time.
const std::string tables_of_the_background =
    "'account_refusal', 'account_refusal_count', 'bulk_refusal', 'api_key_token', 'api_key_use', "
    "'consumer_count', 'consumer_news', 'event', 'event_feed', 'idempotency_key', 'idempotency_key_use', "
    "'import_rate', 'import_receipt', 'import_total', 'kept_answers', 'kept_answers_of_minute', 'news', "
    "'news_delivery', 'open_account', 'readiness', 'refusal_rate', 'refused_request', "
    "'token_request', 'work_on_nodes'";

long World::stored_rows() {
    if (count_of_rows_.empty()) {
        count_of_rows_ = "SELECT 0";
        for (const auto& table :
             database_.rows("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
                            "WHERE schemaname = 'data_import' AND tablename NOT IN (" +
                            tables_of_the_background +
                            ", 'account', 'payment_vendor_failure', 'payment_vendor_circuit')")) {
            count_of_rows_ += " + (SELECT count(*) FROM " + table.at(0) + ')';
        }
    }
    return database_.count(count_of_rows_);
}

std::string World::moment() {
    return database_.rows("SELECT pg_snapshot_xmin(pg_current_snapshot())::xid").at(0).at(0);
}

std::string World::digest(const std::string& since) {
    if (select_digest_.empty()) {
        const std::string sum = "coalesce(sum(hashtextextended(to_jsonb(one)::text, 0))";
        select_digest_ =
            "SELECT concat_ws(E'\\n', (SELECT concat('import_total ', " + sum +
            ", 0)) FROM (SELECT import_supplier, kind, figure, sum(value) FROM "
            "(SELECT import_supplier, kind, figure, value FROM data_import.import_total UNION ALL "
            "SELECT import_supplier, kind, figure, value FROM data_import.import_receipt) AS counted "
            "WHERE figure <> 'differing' GROUP BY 1, 2, 3) AS one)";
        // leaves out the column tells_news, which workers set at any time
        select_digest_ += ", (SELECT concat('import_supplier ', " + sum +
                          ", 0)) FROM (SELECT to_jsonb(supplier) - 'tells_news' FROM "
                          "data_import.import_supplier AS supplier) AS one)";
        for (const auto& table : database_.rows(
                 "SELECT tablename FROM pg_tables WHERE schemaname = 'data_import' AND tablename NOT IN (" +
                 tables_of_the_background + ", 'import_supplier')")) {
            const std::string& name = table.at(0);
            select_digest_.append(", (SELECT concat('").append(name).append(" ', count(*), ' ', ");
            select_digest_.append(sum).append(" FILTER (WHERE age(one.xmin) <= age($1::xid)), 0)) FROM ");
            select_digest_.append("data_import.").append(name).append(" AS one)");
        }
        select_digest_ += ')';
    }
    return database_.rows(select_digest_, {since}).at(0).at(0);
}

const std::string* World::shared(const std::string& name) const {
    const auto found = shared_.find(name);
    return found == shared_.end() ? nullptr : &found->second;
}

std::string World::take_account(const std::string& state) {
    const int number = ++taken_[state];
    if (number > (state == "imported" ? imported_accounts : accounts_of_each_state)) {
        throw std::runtime_error("the cases use more accounts than were made: world.cc");
    }
    return numbered(stamp_ + '-' + state + '-', number);
}

/// A text without digits, because many digits may look like the number of a card, which is masked.
std::string World::take_fresh() {
    std::string name = numbered("FRESH-" + stamp_ + '-', ++taken_["fresh"]);
    for (char& character : name) {
        if (character >= '0' && character <= '9') character = static_cast<char>('K' + (character - '0'));
    }
    return name;
}

/// Makes a number from the time in milliseconds, because both this time and a market participant's code have
/// 13 digits.
std::string World::take_code() {
    return std::to_string(std::stoll(stamp_, nullptr, 16) + ++taken_["code"]);
}

std::string Variables::expand(std::string_view text) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t open = text.find("{{", begin);
        const std::size_t close = open == std::string_view::npos ? open : text.find("}}", open);
        if (close == std::string_view::npos) return result.append(text.substr(begin));
        result.append(text.substr(begin, open - begin));
        result += value(std::string(text.substr(open + 2, close - open - 2)));
        begin = close + 2;
    }
    return result;
}

std::string Variables::value(const std::string& name) {
    if (const std::string* found = world_.shared(name)) return *found;
    if (name.rfind("now", 0) == 0) return moved_now(name.substr(3));
    if (name.rfind("members:", 0) == 0) return members(std::stol(name.substr(8)));
    if (name.rfind("hex:", 0) == 0) return bytes_of_hex(name.substr(4));
    if (name.rfind("repeat:", 0) == 0) {
        const std::size_t colon = name.rfind(':');
        return repeated(name.substr(7, colon - 7), name.substr(colon + 1));
    }
    if (name == "kinds") return kinds();
    if (name.rfind("records:", 0) == 0) return records_of(name.substr(8));
    const auto known = own_.find(name);
    return known != own_.end() ? known->second : own_.emplace(name, own_value(name)).first->second;
}

std::string Variables::own_value(const std::string& name) {
    if (name == "service_number") return "S-" + value("account");
    const std::string kind = name.substr(0, name.find_last_not_of("0123456789") + 1);
    if (kind == "account") return world_.take_account("imported");
    if (kind == "staged" || kind == "in_progress" || kind == "failed") return world_.take_account(kind);
    if (kind == "fresh") return world_.take_fresh();
    if (kind == "code") return world_.take_code();
    throw std::runtime_error("there is no variable {{" + name + "}}");
}

}  // namespace data_import::tests
