#include "manual/pages.h"

#include <sstream>

#include "client/options.h"
#include "config/settings.h"
#include "ctl/account_rows.h"
#include "ctl/command.h"
#include "ctl/usage.h"
#include "manual/client_help.h"
#include "metrics/metric_table.h"

namespace data_import::manual {

namespace {

std::string term_of(const ctl::Option& option) {
    return std::string(option.name) + (option.value.empty() ? "" : " " + std::string(option.value));
}

void add_options(Page& page, const std::vector<ctl::Option>& options) {
    for (const ctl::Option& option : options) page.item(term_of(option), option.sentence);
}

/// The first line of a sentence that goes on with indented lines, and those lines.
void add_sentence(Page& page, std::string_view sentence) {
    std::istringstream lines{std::string(sentence)};
    for (std::string line; std::getline(lines, line);) {
        line.starts_with("  ") ? page.example(line.substr(2)) : page.text(line);
    }
}

void add_command(Page& page, const ctl::Command& command) {
    page.subsection(ctl::usage_line(&command, command.group).substr(ctl::program_name.size() + 1));
    add_sentence(page, command.sentence);
    add_options(page, command.options);
    page.example(std::string(ctl::program_name) + " " + std::string(command.example));
}

Page ctl_page() {
    Page page("data-importctl", 1, "operates an installation of data-import");
    page.section("SYNOPSIS").text("data-importctl COMMAND [ARGUMENT ...] [--json] [--config FILE]");
    page.text("\n\ndata-importctl help [COMMAND]");
    page.section("DESCRIPTION")
        .text(
            "Sets an installation up, steers migrations of accounts, gives out API keys, and finds out what "
            "is wrong. CODE is the code of an import supplier, EXTERNAL the supplier's number of an account, "
            "KIND a kind of records, and T a time such as 2024-05-31T08:30:00Z. For the database, root "
            "becomes the system user that the setting admin_user names.\n\n"
            "A migration begins with supplier create, key create and account load. While it runs, supplier "
            "show tells how far it is, account list --state failed and import log tell what went wrong, and "
            "account retry stages failed accounts again. It ends with reconcile, report, and supplier set "
            "--status Complete. When anything is wrong, begin with doctor.");
    page.section("COMMANDS");
    for (const ctl::Command& command : ctl::commands()) add_command(page, command);
    page.section("OPTIONS OF EVERY COMMAND");
    add_options(page, ctl::common_options());
    page.section("EXIT STATUS")
        .item("0", "Done.")
        .item("1", "Refused or failed: one line on standard error says why and what to do.")
        .item("2", "Wrong usage: one line on standard error names the right form.")
        .item("141", "Nobody reads the output any more, as behind a pipe to head(1).");
    page.section("FILES").item(config::default_file, "The configuration.");
    return page.see_also("data-import.conf(5), data-import-csv(5), data-importd(8)");
}

/// From the key to the verified book.
void add_session(Page& page) {
    page.section("A COMPLETE SESSION")
        .text(
            "The supplier's data is in files of the directory book/: CSV (data-import-csv(5)) or lines of "
            "requests (data-import-ndjson(5)). The platform's operator hands an API key out. Paste it, then "
            "Enter and Ctrl-D, into a file that nobody else can read:")
        .example("(umask 077 && cat >api-key)")
        .text("Are the files right? This asks no service, and names each line that it would refuse:")
        .example("data-import-load --check --report report.ndjson book/")
        .text("Are suppliers, accounts and everything else there that the files need? This stores nothing:")
        .example("data-import-load --url https://import.example.com --api-key-file api-key --dry-run book/")
        .text("Now the book itself. After Ctrl-C, a crash or an exit status of 3, the same command goes on:")
        .example(
            "data-import-load --url https://import.example.com --api-key-file api-key \\\n"
            "    --rejects rejects.ndjson --report report.ndjson book/")
        .text(
            "Mend the lines in rejects.ndjson, for the reasons in report.ndjson, and send them. That file "
            "belongs to the book from now on:")
        .example("data-import-load --url https://import.example.com --api-key-file api-key rejects.ndjson")
        .text(
            "Has everything arrived? This adds the files up, declares that to the service, and prints its "
            "verdict, which has to be EQUAL. It also tells how many lines the service would refuse and were "
            "left out: those of book/ that were mended since:")
        .example(
            "data-import-load --url https://import.example.com --api-key-file api-key --totals --declare \\\n"
            "    book/ rejects.ndjson")
        .text("And is every account right, to the last cent and letter? Those that are not are printed:")
        .example(
            "data-import-load --url https://import.example.com --api-key-file api-key --verify book/ \\\n"
            "    rejects.ndjson")
        .text(
            "The platform's operator finds the same without a connection of the supplier's, from a file that "
            "data-importctl reconcile compares:")
        .example("data-import-load --totals --per-account totals.csv book/ rejects.ndjson");
}

void add_totals(Page& page) {
    page.section("TOTALS")
        .text(
            "--totals, --declare and --verify take all files of a supplier at once, in the order in which "
            "they "
            "were "
            "loaded. They count what the service would store of these files alone: of a note, a transaction "
            "id, a "
            "statement id, a document or a payment instruction that is repeated, the first one; a "
            "transaction "
            "with "
            "check_previously_added=false every time. A line that the service would refuse, whatever it "
            "holds, "
            "counts "
            "nothing, as does one with a statement id that an earlier line has with other content: standard "
            "error "
            "tells how many there were, and the exit status is 1. What depends on the accounts as they are "
            "on "
            "the "
            "service is not looked at. A note without created_at counts as created now: one whose unpin_at "
            "has "
            "passed is refused, unless the same note stands before it in its request.\n\n"
            "Fingerprints are those of GET /v1/data-import/account-control-totals/. Some 100 bytes of each "
            "record "
            "wait to be sorted in a temporary file without a name, in the directory that TMPDIR names or in "
            "/tmp; it "
            "has at most 64 GiB, and memory stays under 64 MiB unless a line needs more.\n\n"
            "--verify prints each account that differs, and the figures of both sides: records, sums, "
            "fingerprint; at "
            "last EQUAL or DIFFERENT, and how many accounts were compared, those that have records on either "
            "side.")
        .item("--totals --json",
              "The array of accounts that GET /v1/data-import/account-control-totals/ answers; for files of "
              "one import "
              "supplier only. With --declare an array of what PUT /v1/data-import/control-totals/ answers.")
        .item("--per-account F",
              "Rows of external_account_number,kind,records,amount,fingerprint,sums, for files of one import "
              "supplier only.")
        .item("--verify --json",
              "An object of differences, each with import_supplier, external_account_number, kind, files and "
              "held; "
              "accounts, different and verdict.");
}

void add_load_files(Page& page) {
    page.section("FILES")
        .text(
            "A file holds requests, one a line (data-import-ndjson(5)), or records (data-import-csv(5)). Its "
            "content tells which: a file that begins with { holds requests, one that begins with a header "
            "that an "
            "import has, or whose name ends in .csv, holds records. Files may be packed with gzip or "
            "Zstandard, "
            "whatever their names; other formats are named in the message and not read. Of a directory, the "
            "files "
            "that end in .ndjson, .jsonl or .csv in any case, also with .gz or .zst, are loaded in the order "
            "of "
            "their names; standard error names what is passed over. No file is taken twice. The file - is "
            "standard "
            "input, without a journal.")
        .item("--rejects F",
              "The lines that were not accepted, exactly as they were read (those of UTF-16 as UTF-8), so "
              "that F can "
              "be loaded once it is mended; of CSV with the header above them. Records that "
              "travel "
              "in one request are refused together. The files of a run with --rejects have one format and "
              "header. One run at a time writes such a file.")
        .item("--report F",
              "A JSON object in a line for each line that was not accepted: file, line, status (0 where none "
              "was "
              "answered), code, attr and detail of the first thing that is wrong, request_id (null where the "
              "service "
              "was not asked), and errors where more than one thing is wrong.")
        .item("--journal F",
              "What has been settled, a few hundred kilobytes at most. It is made beside the first file as "
              "FILE.journal and removed when nothing is left to do. The next run of the same command goes on "
              "from "
              "it, and sends only again what was on its way when the run before was killed. The rejects and "
              "reports of "
              "all its runs stand in the same files: with others, or without them, a run does not begin, nor "
              "where they "
              "hold less than before. A run stops where lines that were sent are no longer what they were. A "
              "journal "
              "that tells of no line belongs to any run.");
    page.text(
        "A line whose path has check_previously_added=false is sent under an Idempotency-Key of its own, "
        "which "
        "the "
        "journal knows, too: it is carried out once, however often this run and the next ones send it. The "
        "service "
        "knows a key for a day. What was under way for longer, or at the end of a run without a journal, may "
        "have been "
        "carried out or not: it stands among the rejects and in the report as outcome_unknown, and is loaded "
        "again "
        "only where the service does not have it.");
}

Page load_page() {
    Page page("data-import-load", 1, "sends import requests from files to a data-import service");
    page.section("SYNOPSIS").text("data-import-load --url URL --api-key-file F [OPTION ...] FILE ...");
    page.text("\n\ndata-import-load --check [OPTION ...] FILE ...");
    page.text("\n\ndata-import-load --totals [--declare --url URL --api-key-file F] [OPTION ...] FILE ...");
    page.text("\n\ndata-import-load --verify --url URL --api-key-file F [OPTION ...] FILE ...");
    add_session(page);
    page.section("DESCRIPTION")
        .text(
            "Sends the lines of files to the service over HTTPS, many in one request. Each is judged and "
            "stored for "
            "itself: what is wrong with one does not touch the others. Requests for one account are carried "
            "out in "
            "their order, all others in any: where one cannot be delivered, those behind it are left to the "
            "next "
            "run, "
            "too. How many requests travel at the same time, and how many lines "
            "each has, "
            "follows what the service bears: both grow while it answers in time, and are halved when it asks "
            "for "
            "patience or does not answer. One token does for the run; the next one is fetched when it ends, "
            "for which "
            "the API key file is read again, so that a key may be replaced meanwhile.\n\n"
            "On a terminal a bar for each import shows how far the run is; elsewhere a line on standard "
            "error does, "
            "every ten seconds. The summary at the end counts what was refused by status, code and place, "
            "with up to "
            "three lines of each.");
    page.section("OPTIONS");
    for (const ClientOption& option : client_options()) page.item(option.term, option.sentence);
    add_load_files(page);
    add_totals(page);
    page.section("ENVIRONMENT")
        .item("https_proxy, all_proxy",
              "The HTTP proxy through which a service is reached whose address begins with https://, unless "
              "--proxy "
              "names another one: http://[USER:PASSWORD@]HOST[:PORT]. Also in capital letters.")
        .item("no_proxy",
              "Hosts that are reached without it, separated by commas: names, which stand for all names "
              "below them, "
              "too, addresses, networks such as 10.0.0.0/8, each also with a port, or * for all.")
        .item("TMPDIR", "The directory for temporary files, /tmp if left out.");
    page.section("EXAMPLE").example(client_example());
    page.section("EXIT STATUS")
        .item("0", "All lines were accepted, by earlier runs of the same journal, too.")
        .item("1",
              "Something was refused or differs, such as a transaction that is stored with other content, or "
              "the "
              "run cannot begin or go on, because of a file, or the "
              "API "
              "key, the address or the certificate: once that is mended, the same command goes on.")
        .item("2", "Wrong usage.")
        .item("3",
              "The run ended before everything was delivered, by Ctrl-C or because the service does not "
              "answer: "
              "the same command goes on.")
        .item("141", "Nobody reads the output any more, as behind a pipe to head(1).");
    return page.see_also("data-import-ndjson(5), data-import-csv(5)");
}

void add_metrics(Page& page) {
    page.section("METRICS").text(
        "nginx's local listener (127.0.0.1:9642 in the site) answers GET /metrics in Prometheus's text "
        "format.");
    for (const metrics::Metric& metric : metrics::table()) {
        std::string term(metric.name);
        if (!metric.labels.empty()) term += " {" + std::string(metric.labels) + "}";
        page.item(term, std::string(metrics::type_name(metric.type)) + ". " + std::string(metric.sentence));
    }
}

Page daemon_page() {
    Page page("data-importd", 8, "answers the requests of the data-import service");
    page.section("SYNOPSIS").text("data-importd [--config FILE] [--check-config | --print-config]");
    page.text("\n\ndata-importd --sample-config | --version | --help");
    page.section("DESCRIPTION")
        .text(
            "A master process opens the sockets and keeps pools of worker processes, which answer the "
            "requests that nginx passes on by FastCGI. It stays in the foreground and logs to standard "
            "error. It "
            "starts without a database, too, and answers 503 until the database is there and migrated.");
    page.section("OPTIONS")
        .item("--config FILE", "Read FILE, conf.d/*.conf and vendors.d/*.conf beside it; " +
                                   std::string(config::default_file) + " if left out.")
        .item("--check-config", "Say whether the configuration is valid, and exit with 0 or 1.")
        .item("--print-config", "Print all settings as they are in force, without secrets.")
        .item("--sample-config", "Print a configuration file that explains all settings.")
        .item("--version", "Print the version.")
        .item("--help", "Print a short text.");
    page.section("SIGNALS")
        .item("HUP",
              "Read the configuration again and replace the workers one after another; no request is lost.")
        .item("TERM, INT", "Finish running requests within stop_timeout and stop.");
    add_metrics(page);
    return page.see_also("data-import.conf(5), data-importctl(1), nginx(8)");
}

Page configuration_page() {
    Page page("data-import.conf", 5, "settings of data-import");
    page.section("DESCRIPTION")
        .text(
            "Lines are `key = value`, blank, or comments that begin with #. The files conf.d/*.conf beside "
            "this one "
            "are read after it in the order of their names, and later values win. An unknown key, a key "
            "twice in "
            "one file and a value out of its range are refused.\n\n"
            "data-importctl config check says whether the configuration is right, and systemctl reload "
            "data-import "
            "puts it into force.");
    std::string group;
    for (const config::SettingDescription& setting : config::describe()) {
        if (setting.group != group) page.section(group = setting.group);
        const std::string value = setting.default_value.empty() ? "empty" : setting.default_value;
        page.item(setting.name,
                  setting.sentence + "\n\nAllowed: " + setting.range + ". Default: " + value + ".");
    }
    page.section("FILES").item(config::default_file, "The configuration.");
    return page.see_also("data-importd(8), data-importctl(1)");
}

void add_account_columns(Page& page) {
    page.section("ACCOUNTS").text("For data-importctl account load, the header names all of these columns:");
    static const std::vector<std::string_view> meanings = {
        "The supplier's number of the account, 1 to 128 characters. Required, and once in a file.",
        "staged, in_progress, failed or imported. Required.",
        "The platform's number of an imported account; one is given out where it is empty.",
        "When the platform created an imported account, such as 2024-01-31T10:00:00Z; now where it is empty.",
        "First day of the statement period to open, such as 2024-01-01. Both days or none.",
        "Last day of the statement period."};
    for (std::size_t column = 0; column < ctl::account_columns.size(); ++column) {
        page.item(ctl::account_columns[column], meanings.at(column));
    }
    page.text(
            "An account that is there already moves to the given state where that step is allowed, is left "
            "alone "
            "where nothing changes, and is an error otherwise. All errors are reported with their lines, and "
            "nothing of a file with an error is stored.")
        .example(
            "external_account_number,state,service_account_number,account_created_at,statement_from,"
            "statement_to\n"
            "4711,imported,A-1B2C3D4E,2024-01-31T10:00:00Z,2024-01-01,2024-12-31\n4712,staged,,,,");
}

void add_import_columns(Page& page) {
    page.section("IMPORTS")
        .text(
            "For data-import-load, the columns are the fields of one import, as the service describes them "
            "under "
            "/docs/ and in /v1/openapi.json; the header tells which import it is. The required ones have to "
            "be "
            "there, an empty cell is a field that is not sent. The fields of what the request holds stand "
            "without its "
            "name: body, not notes.0.body. A field of an object inside, or of an item of an array inside, "
            "has a "
            "column of its own, named by the way to it, items counted from 0; an item whose cells are all "
            "empty is "
            "left out:")
        .example(
            "import_supplier,external_account_number,body,created_at,document_paths.0.document_path\n"
            "ACME,4711,Customer has a payment plan.,2024-01-01T00:00:00Z,\n"
            "ACME,4711,\"Two letters, scanned\",,letters/2023/01.pdf")
        .text(
            "Records that follow each other and have the same import_supplier and external_account_number "
            "make one "
            "request, which is stored or refused as a whole: sort by account. Documents (energy amounts, "
            "delivery "
            "notes, invoices) and market participants are a request each. Transactions of all types stand in "
            "one "
            "file; each has the cells of its own type:")
        .example(
            "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason,"
            "product_code,\\\n"
            "    line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,"
            "line_items.0.net_amount,\\\n"
            "    tax_items.0.amount,tax_items.0.tax_type,tax_items.0.value_taxed,tax_items.0.rate,"
            "tax_items.0.unit_type\n"
            "ACME,4711,C-1001,2024-05-03,12.50,CHARGE,IMPORTED_CHARGE,,,,,,,,,,\n"
            "ACME,4711,S-4001,2024-05-31,71.40,SUPPLY_CHARGE,,ELECTRICITY,2024-05-01,2024-05-31,200,60,"
            "11.40,VAT,60,0.19,PROPORTION")
        .text(
            "A backslash at the end of a line stands here for a line that goes on; a file has none. "
            "Statements and "
            "market participants:")
        .example(
            "import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,"
            "gross_amount\n"
            "ACME,4711,S-2023-12,2023-12-01,2023-12-31,86.42\n\n"
            "code,code_type,name,role,energy,contact_details.0.category,contact_details.0.email\n"
            "9900123000007,BDEW,Northern Grid,NETWORK_OPERATOR,ELECTRICITY,INVOICING,"
            "invoicing@northern-grid.example")
        .text(
            "null cannot be sent by CSV. A record has at most 1 MiB. Where a quoted field is not closed, "
            "nothing behind it can be read: data-import-load ends with an error that names the line on which "
            "the record begins, and goes on from there once it is mended.");
}

Page csv_page() {
    Page page("data-import-csv", 5, "records as CSV, for data-import-load and data-importctl account load");
    page.section("DESCRIPTION")
        .text(
            "CSV (RFC 4180) as spreadsheets and databases write it. Each record ends with a line break. A "
            "field "
            "that holds a separator, a quote or a line break stands in double quotes, and quotes inside it "
            "are "
            "doubled. The first record is the header and names the columns, in any order and any case.\n\n"
            "A last record without a line break is refused, because the file may not be complete: it may be "
            "half "
            "a record. If the file is complete, add a line break.");
    page.section("FORM OF THE FILE")
        .item("Encoding",
              "UTF-8, with or without a byte order mark, or UTF-16. A file of rejects is UTF-8 in any case.")
        .item("Separator",
              "Comma, semicolon or tab: the one that stands most often in the header. A line such as sep=; "
              "above "
              "the header names it instead, which also allows |.")
        .item(
            "Line breaks",
            "LF or CRLF. In a file whose first line ends with CR alone, CR ends records, too. Messages count "
            "lines as an editor does, those inside quoted fields included.")
        .item("Passed over",
              "Blank records (,,,), blank lines, a first line that begins with #TYPE, blanks around the "
              "names in "
              "the header, and columns without a name behind the last one that has one, as long as they are "
              "blank.")
        .item("Packing",
              "gzip and Zstandard, whatever the name of the file. Other formats (zip, .xlsx, bzip2, xz and "
              "others) "
              "are named in the message and not read.")
        .item("Booleans", "true and false in any case, 1 and 0.")
        .item("Numbers",
              "12.50. With the option --decimal-comma of data-import-load and data-importctl reconcile 12,50 "
              "and "
              "1.234,50, a minus before or behind them; there 12.50 is refused.");
    add_import_columns(page);
    add_account_columns(page);
    return page.see_also("data-import-load(1), data-importctl(1)");
}

Page ndjson_page() {
    Page page("data-import-ndjson", 5, "import requests as lines of JSON, for data-import-load");
    page.section("DESCRIPTION")
        .text(
            "UTF-8, with or without a byte order mark, or UTF-16. Each line that is not blank is one "
            "request, a JSON object (RFC 8259) with these members "
            "and no "
            "others, in any order:");
    page.item("path",
              "The path of the request, with its query if it has one. It begins with /v1/. dry_run does not "
              "stand "
              "there: it belongs on the command line, as --dry-run.")
        .item("body", "The payload, a JSON object. It is sent byte for byte as it stands in the line.");
    page.text(
        "Requests for one account are carried out in their order, all others in any. What has to be there "
        "first, "
        "such as market participants before their price sheets, belongs into a run of its own. The file of "
        "rejects has the "
        "lines that were not accepted exactly as they were read, so that it can be sent again once it is "
        "mended. "
        "The service describes all payloads under /docs/ and in /v1/openapi.json.");
    page.section("EXAMPLE").example(
        "{\"path\": \"/v1/data-import/notes/create/\", \"body\": {\"import_supplier\": \"ACME\",\n"
        "\"external_account_number\": \"4711\", \"notes\": [{\"body\": \"Hello\"}]}}");
    page.text("It is one line in the file.");
    return page.see_also("data-import-load(1), data-import-csv(5)");
}

}  // namespace

std::vector<Page> pages() {
    return {ctl_page(), load_page(), daemon_page(), configuration_page(), csv_page(), ndjson_page()};
}

}  // namespace data_import::manual
