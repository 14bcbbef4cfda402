#include "account_figures.h"

namespace data_import::tests {

// Compares in one statement, and so in one snapshot. Each list of accounts in progress or of failed accounts
// is compared twice: whole, and cut to its first three accounts. A wrong order shows in the cut list.
std::vector<std::string> wrong_account_figures(AdminSession& database, const std::string& supplier) {
    const auto differences = database.rows(
        "WITH account AS MATERIALIZED (SELECT * FROM data_import.account WHERE import_supplier = $1), "
        "ranked AS ("
        "  SELECT state, external_account_number, state_changed_at, failure_reason, row_number() OVER ("
        "    PARTITION BY state ORDER BY CASE state WHEN 'in_progress' THEN state_changed_at END, "
        "    CASE state WHEN 'failed' THEN state_changed_at END DESC, external_account_number) AS place "
        "  FROM account WHERE state IN ('in_progress', 'failed')), "
        "compared AS (SELECT unnest(ARRAY['in_progress', 'failed']) AS state, unnest(ARRAY[3, 1000000]) AS "
        "most "
        "             UNION ALL SELECT 'failed', 3 UNION ALL SELECT 'in_progress', 1000000), "
        "asked AS (SELECT state, before, after, most "
        "            FROM unnest(ARRAY['in_progress', 'failed']) AS state "
        "            CROSS JOIN (SELECT timestamptz 'infinity' AS before "
        "                        UNION ALL SELECT max(state_changed_at) FROM account) AS until "
        "            CROSS JOIN unnest(ARRAY['', '5']) AS after CROSS JOIN unnest(ARRAY[3, 1000000]) AS "
        "most) "
        "SELECT 'accounts ' || state, coalesce(told.records, 0)::text, coalesce(there.accounts, 0)::text "
        "FROM (SELECT substr(kind, 9) AS state, records FROM data_import.migration_progress($1) "
        "      WHERE starts_with(kind, 'account_')) AS told "
        "FULL JOIN (SELECT state, count(*) AS accounts FROM account GROUP BY 1) AS there USING (state) "
        "WHERE coalesce(told.records, 0) <> coalesce(there.accounts, 0) "
        "UNION ALL "
        "SELECT 'the first ' || most || ' accounts ' || state, "
        "  coalesce(told.external_account_number || ' since ' || told.since, 'nothing'), "
        "  coalesce(there.external_account_number || ' since ' || there.state_changed_at, 'nothing') "
        "FROM (SELECT compared.*, open.external_account_number, open.since, open.reason "
        "      FROM compared CROSS JOIN LATERAL data_import.open_accounts(ARRAY[$1], state, most) AS open) "
        "AS told "
        "FULL JOIN (SELECT most, ranked.* FROM compared JOIN ranked USING (state) WHERE place <= most) AS "
        "there "
        "  USING (state, most, external_account_number) "
        "WHERE told.since IS DISTINCT FROM there.state_changed_at OR told.reason IS DISTINCT FROM "
        "there.failure_reason "
        "UNION ALL "
        "SELECT 'the next ' || most || ' accounts ' || state || ' behind ' || after || ' before ' || before, "
        "  coalesce(told.external_account_number || ' since ' || told.since, 'nothing'), "
        "  coalesce(there.external_account_number || ' since ' || there.state_changed_at, 'nothing') "
        "FROM (SELECT asked.*, open.account_key, open.external_account_number, open.since "
        "      FROM asked CROSS JOIN LATERAL data_import.next_open_accounts($1, state, before, after, most) "
        "      AS open) AS told "
        "FULL JOIN (SELECT * FROM (SELECT asked.*, account_key, external_account_number, state_changed_at, "
        "             row_number() OVER (PARTITION BY state, before, after, most "
        "                                ORDER BY external_account_number) AS place "
        "           FROM asked JOIN account USING (state) "
        "           WHERE external_account_number > after AND state_changed_at < before) AS ordered "
        "           WHERE place <= most) AS there "
        "  USING (state, before, after, most, account_key, external_account_number) "
        "WHERE told.since IS DISTINCT FROM there.state_changed_at",
        {supplier});
    std::vector<std::string> sentences;
    for (const auto& row : differences)
        sentences.push_back(row.at(0) + " of " + supplier + ": " + row.at(1) + " is told, " + row.at(2) +
                            " is there");
    return sentences;
}

}  // namespace data_import::tests
