// Writes a demonstration book: the accounts, notes and payment instructions of an energy supplier that does
// not exist. The same arguments give the same files, byte for byte, on every machine.
//
//     book --seed N --accounts N --notes N --instructions N --supplier CODE --vendor CODE
//          accounts.csv notes.ndjson instructions.ndjson
//
// accounts.csv is for `data-importctl account load`, the other two files for `data-import-load`. Notes and
// instructions belong to imported accounts only. A request has 1 to 8 notes, and no account gets a note
// twice. The first accounts get one instruction each.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/writer.h"

namespace {

using data_import::json::Writer;
using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

constexpr std::uint64_t most_notes_in_request = 8;

/// Random numbers that are the same everywhere: the engines of <random> are the same in all libraries, its
/// distributions are not.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
    std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
    bool percent(std::uint64_t share) { return below(100) < share; }

    template <typename Items>
    const auto& pick(const Items& items) {
        return items[below(std::size(items))];
    }

private:
    std::mt19937_64 engine_;
};

// --- names, streets and towns of the invented customers

constexpr std::array<std::string_view, 16> first_names = {
    "Jürgen", "Käthe",  "Søren", "Anneliese", "Björn", "Günther", "Zoë",   "Mehmet",
    "Łukasz", "Ulrike", "Heiko", "Jörg",      "Aylin", "Wiebke",  "Renée", "Hans-Jürgen"};
constexpr std::array<std::string_view, 16> last_names = {
    "Müller", "Schäfer", "Großmann", "Petersen", "Jäger",         "Weiß",   "Özdemir", "von der Heide",
    "Krüger", "Böhm",    "Hansen",   "Kowalski", "Meyer-Lübbers", "Strauß", "O'Brien", "Nguyễn"};
constexpr std::array<std::string_view, 12> streets = {
    "Königstraße",         "Am Mühlenteich", "Große Bleichen",    "Höhenweg",
    "Straße des Friedens", "Süderholm",      "Lübecker Chaussee", "Bäckergang",
    "Flämische Straße",    "An der Au",      "Nordseeallee",      "Schloßplatz"};
constexpr std::array<std::string_view, 8> towns = {"24103 Kiel",       "20095 Hamburg",   "23552 Lübeck",
                                                   "25980 Westerland", "24937 Flensburg", "25813 Husum",
                                                   "18055 Rostock",    "28195 Bremen"};
constexpr std::array<std::string_view, 6> reasons = {
    "Mehrverbrauch im Abrechnungsjahr",  "neue Wärmepumpe",
    "Preisänderung zum Monatsersten",    "Wunsch des Kunden",
    "Balkonkraftwerk ☀️ in Betrieb", "Auszug der Kinder"};
constexpr std::array<std::string_view, 5> documents = {"rechnung", "vertragsbestätigung", "zählerfoto",
                                                       "kündigung", "SEPA-Mandat unterschrieben"};

std::string number(std::uint64_t value, std::size_t digits = 1) {
    std::string text = std::to_string(value);
    return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

/// Joins texts. Values in braces are evaluated in their order, operands of + in any order; so with this
/// function the random numbers are used in the same order everywhere.
std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

// --- days and times
// -----------------------------------------------------------------------------------------------

constexpr sys_days first_day = std::chrono::year(2022) / 1 / 1;
constexpr sys_days last_day = std::chrono::year(2025) / 9 / 30;

std::string date_text(sys_days day) {
    const year_month_day date(day);
    return number(static_cast<unsigned>(static_cast<int>(date.year())), 4) + "-" +
           number(static_cast<unsigned>(date.month()), 2) + "-" +
           number(static_cast<unsigned>(date.day()), 2);
}

std::string german_date(sys_days day) {
    const std::string text = date_text(day);
    return text.substr(8) + "." + text.substr(5, 2) + "." + text.substr(0, 4);
}

/// A date and time without an offset.
std::string clock_text(sys_seconds time) {
    const auto day = std::chrono::floor<days>(time);
    const auto second = static_cast<std::uint64_t>((time - day).count());
    return date_text(day) + "T" + number(second / 3600, 2) + ":" + number(second / 60 % 60, 2) + ":" +
           number(second % 60, 2);
}

sys_days some_day(Chance& chance) {
    return first_day +
           days(static_cast<int>(chance.below(static_cast<std::uint64_t>((last_day - first_day).count()))));
}

sys_seconds some_time(Chance& chance) {
    return some_day(chance) + seconds(static_cast<int>(chance.below(86'400)));
}

/// An instant in one of the forms that suppliers' systems write: UTC or German time, with or without a
/// fraction.
std::string datetime_text(sys_seconds time, Chance& chance) {
    std::string fraction;
    if (chance.percent(30)) {
        const std::uint64_t digits = chance.between(1, 6);
        fraction = ".";
        for (std::uint64_t digit = 0; digit < digits; ++digit) fraction += number(chance.below(10));
    }
    const std::uint64_t form = chance.below(4);
    if (form <= 1) return clock_text(time) + fraction + "Z";
    const int hours = form == 2 ? 1 : 2;
    return clock_text(time + std::chrono::hours(hours)) + fraction + "+0" +
           number(static_cast<unsigned>(hours)) + ":00";
}

// --- accounts
// -----------------------------------------------------------------------------------------------------

struct Account {
    std::string number;
    std::string state;
    std::string customer;
    std::string address;
    std::string market_location;
    std::set<std::string> notes;  ///< of each note its body, or its document paths if the note has no body
};

/// Eleven digits; the last one is a check digit. To compute it, add the ten digits, every second one doubled,
/// and subtract the last digit of the sum from ten (10 gives 0).
std::string market_location(Chance& chance) {
    std::string digits = number(chance.between(1, 9));
    while (digits.size() < 10) digits += number(chance.below(10));
    unsigned sum = 0;
    for (std::size_t at = 0; at < digits.size(); ++at) {
        sum += static_cast<unsigned>(digits[at] - '0') * (at % 2 == 0 ? 1U : 2U);
    }
    return digits + number((10 - sum % 10) % 10);
}

std::string some_state(Chance& chance) {
    const std::uint64_t share = chance.below(100);
    if (share < 88) return "imported";
    if (share < 94) return "staged";
    return share < 97 ? "in_progress" : "failed";
}

Account make_account(std::uint64_t index, Chance& chance) {
    Account account;
    account.number = "ND-" + number(10'000'000 + index);
    account.state = index == 0 ? "imported" : some_state(chance);
    account.customer = joined({chance.pick(first_names), " ", chance.pick(last_names)});
    account.address =
        joined({chance.pick(streets), " ", number(chance.between(1, 180)), ", ", chance.pick(towns)});
    account.market_location = market_location(chance);
    return account;
}

/// The columns after service_account_number, which stays empty because the service assigns this number.
std::string imported_columns(Chance& chance) {
    const std::string created = datetime_text(some_time(chance), chance);
    if (chance.percent(10)) return created + ",,";
    const year_month_day day(some_day(chance));
    const year_month_day from = day.year() / day.month() / 1;
    const sys_days to = sys_days(from + std::chrono::years(1)) - days(1);
    return created + "," + date_text(from) + "," + date_text(to);
}

std::vector<Account> write_accounts(std::ostream& output, std::uint64_t count, Chance& chance) {
    output << "external_account_number,state,service_account_number,account_created_at,statement_from,"
              "statement_to\n";
    std::vector<Account> accounts;
    for (std::uint64_t index = 0; index < count; ++index) {
        accounts.push_back(make_account(index, chance));
        const Account& account = accounts.back();
        output << account.number << ',' << account.state << ",,"
               << (account.state == "imported" ? imported_columns(chance) : ",,") << '\n';
    }
    return accounts;
}

// --- notes
// --------------------------------------------------------------------------------------------------------

std::string meter(Chance& chance) {
    return "1EMH00" + number(chance.below(100'000'000), 8);
}

std::string euros(Chance& chance) {
    return joined({number(chance.between(20, 480)), ",", number(chance.below(100), 2), " €"});
}

std::string reading_note(const Account& account, Chance& chance) {
    return joined({"Zählerstand ", number(chance.between(1, 99)), ".", number(chance.below(1000), 3), ",",
                   number(chance.below(10)), " kWh am ", german_date(some_day(chance)), " von ",
                   account.customer, " telefonisch durchgegeben (Zähler ", meter(chance), ")."});
}

std::string instalment_note(const Account&, Chance& chance) {
    return joined({"Abschlag ab ", german_date(some_day(chance)), " von ", euros(chance), " auf ",
                   euros(chance), " geändert.\nGrund: ", chance.pick(reasons)});
}

std::string location_note(const Account& account, Chance& chance) {
    return joined({"MaLo ", account.market_location,
                   " beim Netzbetreiber \"Nordküste Netz\" angemeldet, Lieferbeginn ",
                   german_date(some_day(chance)), ", Vorgang ", number(chance.below(1'000'000), 6)});
}

std::string move_note(const Account& account, Chance& chance) {
    return joined({account.customer, " zieht zum ", german_date(some_day(chance)),
                   " aus.\n\nAlt: ", account.address, "\nNeu: ", chance.pick(streets), " ",
                   number(chance.between(1, 99)), "\tSchlüssel №", number(chance.below(1000))});
}

std::string contact_note(const Account& account, Chance& chance) {
    constexpr std::array<std::string_view, 6> moods = {"😀", "👍", "😡", "🤷‍♀️", "🔌", "❄️"};
    return joined({"Rückruf am ", german_date(some_day(chance)), ": „", account.customer,
                   " fragt nach dem Bonus über ", euros(chance), "“ ", chance.pick(moods)});
}

std::string archive_note(const Account& account, Chance& chance) {
    return "Akte aus dem Altsystem übernommen: \\\\archiv\\kunden\\" + account.number + "\\" +
           number(chance.below(100'000), 5) + ".tif";
}

std::string note_body(const Account& account, Chance& chance) {
    constexpr std::array writers = {reading_note, reading_note, instalment_note, location_note,
                                    move_note,    contact_note, archive_note};
    return chance.pick(writers)(account, chance);
}

std::vector<std::string> note_documents(const Account& account, Chance& chance) {
    std::vector<std::string> paths;
    for (std::uint64_t count = chance.between(1, 3); count > 0; --count) {
        paths.push_back(joined({"belege/", date_text(some_day(chance)).substr(0, 4), "/", account.number, "/",
                                chance.pick(documents), "-", number(chance.below(100'000), 5), ".pdf"}));
    }
    return paths;
}

struct Note {
    std::string body;
    std::vector<std::string> documents;

    [[nodiscard]] std::string identity() const {
        if (!body.empty()) return body;
        std::string identity;
        for (const std::string& path : documents) identity += "\n" + path;
        return identity;
    }
};

Note make_note(Account& account, Chance& chance) {
    for (;;) {
        Note note;
        const bool documents_only = chance.percent(4);
        if (!documents_only) note.body = note_body(account, chance);
        if (documents_only || chance.percent(12)) note.documents = note_documents(account, chance);
        if (account.notes.insert(note.identity()).second) return note;
    }
}

/// A note without a creation time gets the time of its import. Since a note must not be unpinned before it is
/// created, the `unpin_at` of such a note is in 2035 or later.
void write_times(Writer& writer, Chance& chance) {
    const sys_seconds created = some_time(chance);
    const bool has_created = chance.percent(85);
    if (has_created) writer.key("created_at").string(datetime_text(created, chance));
    if (!chance.percent(8)) return;
    writer.key("is_pinned").boolean(true);
    if (!chance.percent(60)) return;
    const sys_seconds pinned_from =
        has_created ? created : sys_seconds(sys_days(std::chrono::year(2035) / 1 / 1));
    writer.key("unpin_at")
        .string(clock_text(pinned_from + days(static_cast<int>(chance.between(1, 400)))) + "Z");
}

void write_note(Writer& writer, const Note& note, Chance& chance) {
    writer.begin_object();
    if (!note.body.empty()) writer.key("body").string(note.body);
    if (!note.documents.empty()) {
        writer.key("document_paths").begin_array();
        for (const std::string& path : note.documents) {
            writer.begin_object().key("document_path").string(path).end_object();
        }
        writer.end_array();
    }
    write_times(writer, chance);
    writer.end_object();
}

std::string request_line(const std::string& supplier, Account& account, std::uint64_t notes, Chance& chance) {
    Writer writer;
    writer.begin_object().key("path").string("/v1/data-import/notes/create/").key("body").begin_object();
    writer.key("import_supplier").string(supplier).key("external_account_number").string(account.number);
    writer.key("notes").begin_array();
    for (; notes > 0; --notes) write_note(writer, make_note(account, chance), chance);
    return writer.end_array().end_object().end_object().take();
}

void write_notes(std::ostream& output, const std::string& supplier, std::vector<Account>& accounts,
                 std::uint64_t left, Chance& chance) {
    while (left > 0) {
        for (Account& account : accounts) {
            if (left == 0) break;
            if (account.state != "imported") continue;
            const std::uint64_t notes = std::min(left, chance.between(1, most_notes_in_request));
            output << request_line(supplier, account, notes, chance) << '\n';
            left -= notes;
        }
    }
}

// --- payment instructions
// -----------------------------------------------------------------------------------------

std::string instruction_line(const std::string& supplier, const std::string& vendor, const Account& account,
                             Chance& chance) {
    Writer writer;
    writer.begin_object().key("path").string("/v1/data-import/payment-instruction/create/");
    writer.key("body").begin_object().key("import_supplier").string(supplier);
    writer.key("external_account_number").string(account.number).key("vendor").string(vendor);
    writer.key("reference").string("PI-" + number(chance.below(1'000'000'000), 9));
    writer.key("type").string(chance.percent(60) ? "DIRECT_DEBIT" : "CARD");
    return writer.end_object().end_object().take();
}

void write_instructions(std::ostream& output, std::map<std::string, std::string>& options,
                        const std::vector<Account>& accounts, std::uint64_t left, Chance& chance) {
    for (const Account& account : accounts) {
        if (left == 0) return;
        if (account.state != "imported") continue;
        output << instruction_line(options.at("--supplier"), options.at("--vendor"), account, chance) << '\n';
        --left;
    }
}

// --- command line
// -------------------------------------------------------------------------------------------------

std::uint64_t to_number(const std::string& text) {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size())
        throw std::runtime_error("no number: " + text);
    return value;
}

std::ofstream create(const std::string& name) {
    std::ofstream file(name, std::ios::binary | std::ios::trunc);
    if (!file) throw std::runtime_error("cannot write " + name);
    return file;
}

void finish(std::ofstream& file, const std::string& name) {
    file.close();
    if (!file) throw std::runtime_error("cannot write " + name);
}

void write_book(std::map<std::string, std::string>& options, const std::vector<std::string>& files) {
    Chance chance(to_number(options.at("--seed")));
    const std::uint64_t count = to_number(options.at("--accounts"));
    if (count == 0) throw std::runtime_error("a book has at least one account");
    std::ofstream csv = create(files.at(0));
    std::vector<Account> accounts = write_accounts(csv, count, chance);
    finish(csv, files.at(0));
    std::ofstream notes = create(files.at(1));
    write_notes(notes, options.at("--supplier"), accounts, to_number(options.at("--notes")), chance);
    finish(notes, files.at(1));
    std::ofstream instructions = create(files.at(2));
    write_instructions(instructions, options, accounts, to_number(options.at("--instructions")), chance);
    finish(instructions, files.at(2));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::map<std::string, std::string> options;
    std::vector<std::string> files;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const bool is_option = arguments[at].starts_with("--") && at + 1 < arguments.size();
        if (!is_option) {
            files.push_back(arguments[at]);
            continue;
        }
        options[arguments[at]] = arguments[at + 1];
        ++at;
    }
    const std::set<std::string> known = {"--seed",         "--accounts", "--notes",
                                         "--instructions", "--supplier", "--vendor"};
    bool complete = options.size() == known.size() && files.size() == 3;
    for (const auto& option : options) complete = complete && known.contains(option.first);
    if (!complete) {
        std::cerr
            << "usage: book --seed N --accounts N --notes N --instructions N --supplier CODE --vendor CODE "
               "accounts.csv notes.ndjson instructions.ndjson\n";
        return 2;
    }
    try {
        write_book(options, files);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "book: " << error.what() << '\n';
        return 1;
    }
}
