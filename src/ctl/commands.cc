#include "config/settings.h"
#include "ctl/command.h"
#include "ctl/handlers.h"
#include "ctl/values.h"

namespace data_import::ctl {

namespace {

const Argument supplier_code{"CODE", check_supplier_code};
const Argument external_account_number{"EXTERNAL", check_external_account_number};
const Argument beginning{"BEGINNING", check_external_account_number, true};
const Argument key_id{"ID", check_key_id};

const Option scope{"--supplier", "CODE", check_supplier_code, "An import supplier that the key may touch.",
                   true,         true};
const Option status{"--status", "Ongoing|Paused|Complete", check_supplier_status,
                    "Ongoing takes imports; Paused and Complete refuse them."};
const Option supplier_name{"--name", "NAME", check_name, "The supplier's name for people."};
const Option new_supplier_name{"--name", "NAME", check_name, "The supplier's name for people.", true};
const Option document_root{"--document-root", "PATH", check_document_root,
                           "Root of its document paths in the document bucket; empty: the bucket itself."};

const std::vector<Command> table{
    {"db",
     "setup",
     {},
     {},
     "Makes what is missing of roles, database, schema and a new schema's tables, as an administrator. "
     "Safe to repeat.",
     "db setup",
     set_up_database},
    {"db",
     "migrate",
     {},
     {},
     "Applies the migrations that the database lacks, each in one transaction.",
     "db migrate",
     migrate_database},
    {"db",
     "check",
     {},
     {},
     "Tells whether roles, database and migrations are as this program needs them. It works with the tables "
     "of\n"
     "the version after it, too: migrations that are newer are named.",
     "db check",
     check_database},
    {"db",
     "distribute",
     {},
     {},
     "Has Citus spread the tables of accounts over its workers, which an administrator has added before.\n"
     "Imports wait meanwhile. Safe to repeat.",
     "db distribute",
     distribute_database},

    {"supplier",
     "create",
     {supplier_code},
     {new_supplier_name, document_root, status},
     "Makes an import supplier known.",
     "supplier create ACME --name \"Acme Energy\" --document-root acme",
     create_supplier},
    {"supplier",
     "set",
     {supplier_code},
     {status,
      supplier_name,
      document_root,
      {"--force", "", nullptr, "Completes it although accounts are open or totals differ."}},
     "Changes an import supplier. To become Complete it must have no account that is staged, in progress or\n"
     "failed, and hold what it has declared as its control totals, if it has.",
     "supplier set ACME --status Paused",
     set_supplier,
     true},
    {"supplier", "list", {}, {}, "Lists the import suppliers.", "supplier list --json", list_suppliers},
    {"supplier",
     "show",
     {supplier_code},
     {},
     "Shows an import supplier and how far its migration has come.",
     "supplier show ACME",
     show_supplier},

    {"key",
     "create",
     {},
     {{"--organisation", "ORG", check_name, "Whom the key belongs to.", true}, scope},
     "Makes an API key and prints it, alone; it is shown this once.",
     "key create --organisation \"Acme Energy\" --supplier ACME",
     create_key},
    {"key", "list", {}, {}, "Lists the API keys.", "key list", list_keys},
    {"key",
     "set",
     {key_id},
     {scope},
     "Gives an API key another scope: these suppliers and no others.",
     "key set 3 --supplier ACME --supplier BETA",
     set_key},
    {"key",
     "revoke",
     {key_id},
     {},
     "Revokes an API key and all tokens issued for it, for good.",
     "key revoke 3",
     revoke_key},

    {"signing-key",
     "rotate",
     {},
     {{"--first", "", nullptr, "Does nothing where there is a key already."}},
     "Makes a new key, which signs tokens from a minute later on; older ones still verify, until their last\n"
     "token has expired and a later rotation removes them. Where several hosts share the database,\n"
     "keys_directory has to hold the same files on all of them: copy the new key within that minute.",
     "signing-key rotate",
     rotate_signing_key},
    {"signing-key",
     "list",
     {},
     {},
     "Lists the keys that sign and verify tokens.",
     "signing-key list",
     list_signing_keys},
    {"signing-key",
     "remove",
     {{"KID", check_name}},
     {},
     "Removes a signing key: all tokens that it has signed are refused within seconds. For a key that "
     "others\n"
     "may have got hold of; rotate first.",
     "signing-key remove 20240531T083000.123456Z-1a2b3c4d",
     remove_signing_key},

    {"audit",
     "",
     {},
     {{"--since", "T", check_instant, "Leaves out what is older."}},
     "Lists who created, changed and revoked which API key, on which days each was used, who changed the\n"
     "keys that sign tokens, and who signed which report; the newest last.",
     "audit --since 2024-05-31T08:30:00Z",
     list_access_events},

    {"account",
     "stage",
     {supplier_code, external_account_number},
     {{"--although-erased", "", nullptr, "Also an account that was erased: it begins anew."}},
     "Stages an account: pending from now on. Its number has at most 128 characters, no control characters,\n"
     "none that change the direction of text, and no segment . or .. between slashes.",
     "account stage ACME 4711",
     stage_account},
    {"account",
     "begin",
     {supplier_code, external_account_number},
     {},
     "Tells that an attempt to create it is running.",
     "account begin ACME 4711",
     begin_account},
    {"account",
     "complete",
     {supplier_code, external_account_number},
     {{"--service-account-number", "N", check_service_account_number,
       "The platform's number; given out if left out."},
      {"--created-at", "T", check_instant, "When the platform created it; now if left out."},
      {"--statement-period", "FROM:TO", check_period, "Statement period to open: first and last day."}},
     "Tells that the account exists on the platform: imported from now on.",
     "account complete ACME 4711 --service-account-number A-1B2C3D4E --statement-period "
     "2024-05-01:2024-05-31",
     complete_account},
    {"account",
     "fail",
     {supplier_code, external_account_number},
     {{"--reason", "TEXT", check_reason, "Why it failed, at most 4096 characters.", true}},
     "Tells that the running attempt failed.",
     "account fail ACME 4711 --reason \"meter unknown\"",
     fail_account},
    {"account",
     "show",
     {supplier_code, external_account_number},
     {},
     "Shows an account: history, counts, statement period, documents, and the requests that imported and "
     "that\n"
     "were refused last.",
     "account show ACME 4711",
     show_account},
    {"account",
     "load",
     {supplier_code, {"FILE.csv", check_file}},
     {},
     "Stores many accounts at once, all or none; - reads standard input. The header of the file:\n"
     "  external_account_number,state,service_account_number,account_created_at,statement_from,statement_to\n"
     "state is staged, in_progress, failed or imported; the columns behind it may be empty. Times are\n"
     "written 2024-01-31T10:00:00Z, dates 2024-01-31. Reads CSV as spreadsheets write it: comma, semicolon "
     "or\n"
     "tab, UTF-8 or UTF-16, packed or not; the last record needs a line break. See data-import-csv(5).",
     "account load ACME accounts.csv",
     load_accounts},
    {"account",
     "reset",
     {supplier_code, {"EXTERNAL", check_external_account_number, true}},
     {{"--from", "FILE", check_file,
       "Instead of EXTERNAL: a file with a number in each line; - is standard input."}},
     "Takes everything out that was imported into an account, so that it can be imported again: records, "
     "their\n"
     "part of all totals, and kept answers. The account keeps its state, its service account number and its\n"
     "statement periods. Refused while it is in progress or on hold. Of a file each account is done by "
     "itself;\n"
     "those that cannot be reset are listed, and the exit status is 1. Safe to repeat.",
     "account reset ACME 4711",
     reset_account},
    {"account",
     "hold",
     {supplier_code, external_account_number},
     {{"--off", "", nullptr, "Ends the hold."}},
     "Puts an account on hold: nobody can reset or erase it.",
     "account hold ACME 4711",
     hold_account},
    {"account",
     "erase",
     {supplier_code, external_account_number},
     {},
     "Removes an account with everything that is known of it here, for good. What stays is a digest of its\n"
     "number, with when and by whom it was erased, so that it is not staged or loaded again by accident.\n"
     "Refused while it is in progress or on hold. Logs and backups have their own time. Safe to repeat: "
     "this\n"
     "removes differences of the account that were accepted since, by a reconcile that was running say.",
     "account erase ACME 4711",
     erase_account},

    {"account",
     "list",
     {supplier_code},
     {{"--state", "staged|in_progress|failed|imported", check_account_state, "Only accounts in this state."},
      {"--since", "T", check_instant, "Only accounts whose state has begun since then."},
      {"--stuck", "HOURS", check_hours, "Only accounts in progress for longer than so many hours."},
      {"--without", "KIND", check_record_kind, "Only imported accounts that have no records of this kind."},
      {"--csv", "", nullptr, "CSV (RFC 4180) with a header; a column for each kind of records."}},
     "Lists accounts by their number: state and since when, why they failed, attempts that were begun, and "
     "how\n"
     "many records they have, which are counted account by account while the list is printed. KIND is "
     "notes,\n"
     "transactions, historical_statements, delivery_notes, energy_amounts, market_participant_invoices or\n"
     "payment_instructions.",
     "account list ACME --stuck 24",
     list_accounts},
    {"account",
     "retry",
     {supplier_code},
     {{"--reason-like", "TEXT", check_reason,
       "Only accounts that failed for a reason with this text in it."}},
     "Stages failed accounts again, ten thousand in a transaction, and says how many; safe to repeat. TEXT "
     "is found\n"
     "anywhere in a reason, in capitals or not; no character of it has a special meaning.",
     "account retry ACME --reason-like \"meter unknown\"",
     retry_accounts},
    {"reconcile",
     "",
     {supplier_code, {"FILE.csv", check_file}},
     {{"--accept", "FILE.csv", check_file,
       "Accepts differences, from now on: external_account_number,kind,reason."},
      {"--decimal-comma", "", nullptr, "Amounts are written as 12,50 and 1.234,50."}},
     "Compares what a supplier says each account has with what is held of it, and prints what differs, "
     "account\n"
     "by account; exit status 1 when anything does. - reads standard input. The header of the file:\n"
     "  external_account_number,kind,records,amount[,fingerprint,sums]\n"
     "kind is notes, transactions, historical_statements, delivery_notes, energy_amounts,\n"
     "market_participant_invoices or payment_instructions. amount is the sum over all records: of "
     "transactions\n"
     "their amounts, whatever their type; of statements gross_amount; of delivery notes and energy amounts\n"
     "their quantities, whatever the unit; of invoices amount_total; the other kinds have none. sums are\n"
     "each figure by itself, as GET /v1/data-import/account-control-totals/ answers them:\n"
     "{\"amount:CHARGE\": \"12.50\"}, with counts of items (amounts, line_items); report needs them to "
     "explain\n"
     "these, and types and units one by one. Where amount, fingerprint or sums are empty, they are not\n"
     "compared. What the file does not name is held to be 0 records.\n"
     "An accepted difference is printed as such and no difference any more, as long as both sides stay what\n"
     "they are. Reads UTF-8 with RFC 4180 quoting.",
     "reconcile ACME totals.csv",
     reconcile_accounts},
    {"report",
     "",
     {supplier_code},
     {{"--signed-by", "NAME", check_name, "The person who signs it.", true},
      {"--draft", "", nullptr, "Not signed, and says so on every page; made whatever is open."},
      {"--output", "DIR", check_file, "The directory for the files; the present one if left out."}},
     "Writes a report on a supplier's migration, for people (HTML) and for programs (JSON), and puts the\n"
     "SHA-256 of both into the audit history. All figures are of one moment. Every record is read, which "
     "takes\n"
     "long for many. Of a list of accounts the first 1000 are in it. Refused, with exit status 1, while the\n"
     "supplier has not declared its control totals, while differences are not explained by accepted ones of\n"
     "accounts (reconcile --accept), and where the records are not what the totals say.",
     "report ACME --signed-by \"Jane Doe\" --output /srv/reports",
     make_report},
    {"report",
     "verify",
     {{"FILE", check_file}},
     {},
     "Tells whether a file is one of a signed report, byte by byte; exit status 1 when it was changed, or\n"
     "never signed. - reads standard input.",
     "report verify ACME-20240531T083000Z.html",
     verify_report},

    {"statement",
     "open",
     {supplier_code, external_account_number, {"FROM:TO", check_period}},
     {},
     "Opens a statement period, first and last day, of an imported account; the one that is open is closed.",
     "statement open ACME 4711 2024-05-01:2024-05-31",
     open_statement},
    {"statement",
     "close",
     {supplier_code, external_account_number},
     {},
     "Closes the open statement period: the account takes no transactions until another is opened.",
     "statement close ACME 4711",
     close_statement},

    {"import",
     "log",
     {},
     {{"--supplier", "CODE", check_supplier_code, "Only what concerns this import supplier."},
      {"--since", "T", check_instant,
       "Only what has occurred since then; counts are those of whole days (UTC)."},
      {"--account", "EXTERNAL", check_external_account_number,
       "Not the counts, but the last 20 refused requests of the account."}},
     "Lists the requests that were refused, counted by kind: what a supplier should be told. The 1000 kinds\n"
     "that occurred last are shown; standard error says where there are more.",
     "import log --supplier ACME --since 2024-05-31T00:00:00Z",
     show_import_log},

    {"request",
     "show",
     {{"ID", check_request_id}},
     {{"--supplier", "CODE", check_supplier_code, "Together with --account: the account that it was for."},
      {"--account", "EXTERNAL", check_external_account_number,
       "Looks at this account alone, which is quick, and not through all records."}},
     "Shows what is known of a request by the id that its answer had in X-Request-Id: what was refused, and\n"
     "what it stored.",
     "request show 0f8b2c4d6e8a0b1c2d3e4f5a6b7c8d9e --supplier ACME --account 4711",
     show_request},

    {"token",
     "issue",
     {},
     {{"--key", "ID", check_key_id, "The API key that the token is for.", true}},
     "Prints a token for an API key, alone; for tests and support.",
     "token issue --key 3",
     issue_token},

    {"doctor",
     "",
     {},
     {},
     "Tells what is wrong with this installation, and the command that mends each fault.",
     "doctor",
     examine_installation},
    {"nginx",
     "enable",
     {},
     {},
     "Puts the site into nginx's configuration, tests it and has nginx read it; undone when the test fails.",
     "nginx enable",
     enable_site},
    {"nginx",
     "disable",
     {},
     {},
     "Takes the site out of nginx's configuration and has nginx read it. Works while a configuration is "
     "wrong, too: the\n"
     "service's own, or nginx's, which then goes on with what it has read before.",
     "nginx disable",
     disable_site},
    {"drain",
     "",
     {},
     {{"--off", "", nullptr, "Puts the host into service again."}},
     "Has /readyz say 503 on this host, so that balancers send no more requests; those that come go "
     "on.\nRestarts of the "
     "service do not end it, but one of the machine.",
     "drain",
     drain_host},
    {"metrics",
     "",
     {},
     {},
     "Prints what the service counts, in Prometheus's text format.",
     "metrics",
     print_metrics},

    {"config", "check", {}, {}, "Tells whether the configuration is right.", "config check", check_config},
    {"config",
     "show",
     {},
     {},
     "Prints all settings with their values, without secrets.",
     "config show",
     show_config},

    {"complete",
     "suppliers",
     {beginning},
     {},
     "Prints the codes of import suppliers that begin so, at most a hundred; for bash's completion.",
     "complete suppliers AC",
     complete_suppliers},
    {"complete",
     "accounts",
     {supplier_code, beginning},
     {},
     "Prints the numbers of accounts that begin so, at most a hundred; for bash's completion.",
     "complete accounts ACME 47",
     complete_accounts},
};

const std::string configuration = "The configuration; " + std::string(config::default_file) + " if left out.";

const std::vector<Option> common{
    {"--config", "FILE", check_file, configuration},
    {"--json", "", nullptr, "Output for programs."},
    {"--help", "", nullptr, "What the command does."},
    {"--version", "", nullptr, "The version of the program."},
};

}  // namespace

const std::vector<Command>& commands() {
    return table;
}

const std::vector<Option>& common_options() {
    return common;
}

}  // namespace data_import::ctl
