#include "tally.h"

#include <Poco/JSON/Object.h>

#include <chrono>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "../support/account_figures.h"
#include "../support/database.h"
#include "../support/json_match.h"
#include "../support/load.h"
#include "../support/token_requests.h"
#include "data/database/database.h"
#include "data/json/reader.h"
#include "data/proof/last_records.h"
#include "data/records/kinds.h"

namespace data_import::soak {

namespace {

using tests::AdminSession;

using StoredById = std::map<std::string, std::vector<Stored>>;

/// For each kind of this test that kinds.h does not have: a query that returns a row for each stored record.
/// Its columns are `account_key` (null for records that belong to no account), `record` (the import's ID, a
/// dot and the record's number in the import), and `details` (the number of the record's contacts or article
/// prices).
const std::map<Kind, std::string> rows_of_others{
    {moved_dates,
     "SELECT account_key, (regexp_match(body, '\"(soak-[^\".]+)[.]'))[1] || '.0' AS record, 0 AS details "
     "FROM data_import.note WHERE is_by_service"},
    {"market_participants",
     "SELECT NULL::uuid AS account_key, name AS record, "
     "  (SELECT count(*) FROM data_import.market_participant_contact WHERE market_participant_code = code) "
     "AS "
     "details "
     "FROM data_import.market_participant WHERE name LIKE 'soak-%'"},
    {"price_sheets",
     "SELECT NULL::uuid AS account_key, external_id AS record, "
     "  (SELECT count(*) FROM data_import.article_price AS price WHERE price.external_id = one.external_id "
     "     AND price.market_participant_code = one.market_participant_code "
     "     AND price.organisation = one.organisation) AS details "
     "FROM data_import.price_sheet AS one"},
};

StoredById stored_others(AdminSession& database, Kind kind) {
    const auto rows = database.rows(
        "SELECT regexp_replace(stored.record, '[.][0-9]+$', ''), account.import_supplier, "
        "  account.external_account_number, count(*), count(DISTINCT stored.record), sum(stored.details) "
        "FROM (" +
        rows_of_others.at(kind) +
        ") AS stored LEFT JOIN data_import.account USING (account_key) GROUP BY 1, 2, 3");
    StoredById stored;
    for (const auto& row : rows)
        stored[row.at(0)].push_back(
            {{row.at(1), row.at(2)}, std::stol(row.at(3)), std::stol(row.at(4)), std::stol(row.at(5))});
    return stored;
}

/// Adds the records of one account, by the ID in each record's JSON. A record without an ID is added by its
/// whole JSON.
void add_records_of(database::Database& database, const records::Kind& kind, const std::string& account_key,
                    const Place& place, StoredById& stored) {
    static const std::regex name("(soak-[0-9]+-[0-9]+)[.][0-9]+");
    std::map<std::string, std::set<std::string>> distinct;
    std::map<std::string, Stored> found;
    const auto all = proof::read_last_records(database, kind, account_key, {}, 1'000'000,
                                              std::chrono::steady_clock::now() + std::chrono::minutes(5));
    for (const proof::SeenRecord& record : all.records) {
        std::smatch match;
        const bool is_named = std::regex_search(record.json, match, name);
        const std::string id = is_named ? match[1].str() : record.json;
        distinct[id].insert(is_named ? match[0].str() : id);
        Stored& one = found.try_emplace(id, Stored{.place = place}).first->second;
        ++one.records;
        one.details += elements_of(json::read(record.json).root());
    }
    for (auto& [id, one] : found) {
        one.distinct = static_cast<long>(distinct[id].size());
        stored[id].push_back(one);
    }
}

/// Returns the records of all accounts, which it reads as the service does to show them to operators.
StoredById stored_records(const std::string& conninfo, AdminSession& administrator,
                          const records::Kind& kind) {
    database::Database database({.conninfo = conninfo});
    StoredById stored;
    for (const auto& row : administrator.rows("SELECT replace(account_key::text, '-', ''), import_supplier, "
                                              "  external_account_number FROM data_import.account"))
        add_records_of(database, kind, row.at(0), {row.at(1), row.at(2)}, stored);
    return stored;
}

void compare_kind(StoredById stored, Kind kind, const Ledger& ledger, Verdict& verdict) {
    for (const Entry& entry : ledger.entries) {
        if (entry.kind != kind) continue;
        const auto found = stored.extract(entry.id);
        compare(entry, found.empty() ? std::vector<Stored>() : found.mapped(), verdict);
    }
    for (const auto& [id, rows] : stored)
        verdict.unwanted.push_back("sent by nobody: " + std::string(kind) + ' ' + id);
}

/// The service's own figures for a supplier, kind by kind.
Poco::JSON::Object::Ptr progress_of(const tests::Stack& stack, const Organisation& organisation,
                                    const std::string& supplier) {
    const std::string token =
        tests::token_member(tests::ask(stack, tests::token_request_by_key(organisation.api_key)), "token");
    const tests::Answer answer =
        tests::ask(stack, tests::get_request("/v1/data-import/progress/" + supplier + '/', token));
    return tests::parse_json(answer.body).extract<Poco::JSON::Object::Ptr>()->getObject("records");
}

void compare_figures(AdminSession& database, const tests::Stack& stack, const Organisation& organisation,
                     const std::string& supplier, Verdict& verdict) {
    const Poco::JSON::Object::Ptr told = progress_of(stack, organisation, supplier);
    std::map<std::string, long> there;
    for (const auto& row : database.rows(
             "SELECT kind, sum(value)::bigint FROM data_import.record_figure JOIN data_import.account USING "
             "(account_key) WHERE import_supplier = $1 AND figure IN ('records', 'pinned') GROUP BY kind",
             {supplier}))
        there[row.at(0)] = std::stol(row.at(1));
    for (const std::string& kind : told->getNames()) {
        const long figure = told->getValue<long>(kind);
        if (figure == there[kind]) continue;
        verdict.wrong_figures.push_back(kind + " of " + supplier + ": " + std::to_string(there[kind]) +
                                        " are there, progress says " + std::to_string(figure));
    }
}

/// Compares every figure of the control totals with a scan of all records.
void compare_totals(AdminSession& database, const std::string& supplier, Verdict& verdict) {
    const auto differences = database.rows(
        "SELECT coalesce(held.kind, there.kind), coalesce(held.figure, there.figure), "
        "  coalesce(held.held, 'nothing'), coalesce(there.value::text, 'nothing') "
        "FROM (SELECT * FROM data_import.control_totals($1, 100000) WHERE kind <> 'accounts' "
        "        AND kind NOT LIKE 'account\\_%') AS held "
        "FULL JOIN (SELECT figures.kind, figures.figure, sum(figures.value) AS value "
        "           FROM data_import.account JOIN data_import.record_figure AS figures USING (account_key) "
        "           WHERE account.import_supplier = $1 AND figures.figure <> 'pinned' GROUP BY 1, 2) AS "
        "there "
        "  ON held.kind = there.kind AND held.figure = there.figure "
        "WHERE coalesce(held.held::numeric, 0) <> coalesce(there.value, 0)",
        {supplier});
    for (const auto& row : differences) {
        verdict.wrong_figures.push_back(row.at(0) + ' ' + row.at(1) + " of " + supplier +
                                        ": control totals say " + row.at(2) + ", the records " + row.at(3));
    }
}

}  // namespace

Verdict tally(const tests::Stack& stack, const Book& book, const Ledger& ledger) {
    const std::string conninfo = stack.value("DATABASE_URL");
    AdminSession database(conninfo);
    Verdict verdict;
    for (const Kind name : all_kinds()) {
        const records::Kind* const kind = records::find_kind(name);
        compare_kind(
            kind == nullptr ? stored_others(database, name) : stored_records(conninfo, database, *kind), name,
            ledger, verdict);
    }
    for (const Organisation& organisation : book.organisations) {
        for (const std::string& supplier : organisation.suppliers) {
            compare_figures(database, stack, organisation, supplier, verdict);
            compare_totals(database, supplier, verdict);
            for (std::string& sentence : tests::wrong_account_figures(database, supplier))
                verdict.wrong_figures.push_back(std::move(sentence));
        }
    }
    return verdict;
}

}  // namespace data_import::soak
