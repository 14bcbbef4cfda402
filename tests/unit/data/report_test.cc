// report/: the figures and sentences of a report, and the differences that count as explained.
#include "data/report/report.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <map>
#include <string>
#include <vector>

#include "../../table.h"
#include "data/report/curve.h"
#include "data/report/explanations.h"
#include "data/report/markup.h"

namespace data_import {

namespace {

using store::AcceptedDifference;
using store::KindFigures;
using store::Sums;

/// An accepted difference of an account: the values that were declared and held then, and those held now.
struct Accepted {
    std::string account;
    std::string kind;
    KindFigures declared;
    KindFigures held;
    KindFigures now;
    bool is_known = true;
};

/// A figure: the declared value (empty: none), the held value, and the difference (empty: they are equal).
struct Figure {
    std::string kind;
    std::string figure;
    std::string declared;
    std::string held;
    std::string difference;
};

struct Row {
    std::string name;
    std::vector<Figure> figures;
    std::vector<Accepted> accepted;
    std::string explained;  ///< for each figure that differs: y or n
    long lapsed = 0;
};

const KindFigures two{2, "10", "aa"};
const KindFigures less{1, "4", "bb"};
const KindFigures nothing{0, "0", "00"};
const KindFigures two_invoices{2, "10", "aa", Sums{{"amount_total", "10"}, {"line_items", "7"}}};
const KindFigures one_invoice{1, "4", "bb", Sums{{"amount_total", "4"}, {"line_items", "4"}}};
const KindFigures in_both_units{2, "10", "aa", Sums{{"quantity:KWH", "4"}, {"quantity:MWH", "6"}}};
const KindFigures in_kwh{1, "4", "bb", Sums{{"amounts", "4"}, {"quantity:KWH", "4"}}};
const KindFigures more_kwh{1, "9", "cc", Sums{{"quantity:KWH", "9"}}};

const std::vector<Row> rows = {
    {"nothing differs", {}, {}, ""},
    {"nothing is accepted", {{"notes", "records", "2", "1", "-1"}}, {}, "n"},
    {"records add up", {{"notes", "records", "2", "1", "-1"}}, {{"A", "notes", two, less, less}}, "y"},
    {"records do not add up", {{"notes", "records", "3", "1", "-2"}}, {{"A", "notes", two, less, less}}, "n"},
    {"several accounts add up",
     {{"notes", "records", "4", "1", "-3"}},
     {{"A", "notes", two, less, less}, {"B", "notes", two, nothing, nothing}},
     "y"},
    {"what cancels out explains nothing more",
     {{"notes", "records", "2", "1", "-1"}},
     {{"A", "notes", two, less, less}, {"B", "notes", less, two, two}},
     "n"},
    {"another kind explains nothing",
     {{"notes", "records", "2", "1", "-1"}},
     {{"A", "transactions", two, less, less}},
     "n"},
    {"the account has changed since",
     {{"notes", "records", "2", "1", "-1"}},
     {{"A", "notes", two, less, nothing}},
     "n",
     1},
    {"of several the one that holds counts",
     {{"notes", "records", "2", "1", "-1"}},
     {{"A", "notes", two, nothing, less}, {"A", "notes", two, less, less}},
     "y"},
    {"amounts of all types together",
     {{"transactions", "records", "2", "1", "-1"},
      {"transactions", "amount:CHARGE", "8", "4", "-4"},
      {"transactions", "amount:CREDIT", "2", "0", "-2"}},
     {{"A", "transactions", two, less, less}},
     "yyy"},
    {"amounts that hide each other",
     {{"transactions", "records", "2", "1", "-1"},
      {"transactions", "amount:CHARGE", "9", "1", "-8"},
      {"transactions", "amount:CREDIT", "0", "2", "2"}},
     {{"A", "transactions", two, less, less}},
     "ynn"},
    {"an amount that does not add up",
     {{"transactions", "records", "2", "1", "-1"}, {"transactions", "amount:CHARGE", "9", "4", "-5"}},
     {{"A", "transactions", two, less, less}},
     "yn"},
    {"an amount that the supplier did not tell",
     {{"transactions", "records", "2", "1", "-1"}, {"transactions", "amount:CHARGE", "10", "4", "-6"}},
     {{"A", "transactions", {2, {}, "aa"}, less, less}},
     "yn"},
    {"items are not explained by accounts of which their count is not told",
     {{"market_participant_invoices", "records", "2", "1", "-1"},
      {"market_participant_invoices", "amount_total", "10", "4", "-6"},
      {"market_participant_invoices", "line_items", "7", "4", "-3"}},
     {{"A", "market_participant_invoices", two, less, less}},
     "yyn"},
    {"not even where they are equal",
     {{"market_participant_invoices", "records", "2", "1", "-1"},
      {"market_participant_invoices", "line_items", "4", "4", ""}},
     {{"A", "market_participant_invoices", two, less, less}},
     "yn"},
    {"items that add up",
     {{"market_participant_invoices", "records", "2", "1", "-1"},
      {"market_participant_invoices", "amount_total", "10", "4", "-6"},
      {"market_participant_invoices", "line_items", "7", "4", "-3"}},
     {{"A", "market_participant_invoices", two_invoices, one_invoice, one_invoice}},
     "yyy"},
    {"items that do not add up",
     {{"market_participant_invoices", "records", "2", "1", "-1"},
      {"market_participant_invoices", "amount_total", "10", "4", "-6"},
      {"market_participant_invoices", "line_items", "9", "4", "-5"}},
     {{"A", "market_participant_invoices", two_invoices, one_invoice, one_invoice}},
     "yyn"},
    {"no records have no items",
     {{"delivery_notes", "records", "0", "1", "1"},
      {"delivery_notes", "amounts", "0", "4", "4"},
      {"delivery_notes", "quantity:KWH", "0", "4", "4"}},
     {{"A", "delivery_notes", nothing, in_kwh, in_kwh}},
     "yyy"},
    {"a record that another account has too many is not hidden by one that is accepted",
     {{"notes", "records", "2", "2", ""}},
     {{"A", "notes", two, less, less}},
     "n"},
    {"nor an amount",
     {{"historical_statements", "records", "2", "1", "-1"},
      {"historical_statements", "gross_amount", "10", "10", ""}},
     {{"A", "historical_statements", two, less, less}},
     "yn"},
    {"nor an account",
     {{"accounts", "accounts", "3", "3", ""}},
     {{"A", "notes", two, nothing, nothing, false}},
     "n"},
    {"what is equal and accepted differences that cancel out are no difference",
     {{"notes", "records", "2", "2", ""}},
     {{"A", "notes", two, less, less}, {"B", "notes", less, two, two}},
     ""},
    {"another unit explains nothing",
     {{"energy_amounts", "records", "2", "1", "-1"}, {"energy_amounts", "quantity:KWH", "10", "4", "-6"}},
     {{"A", "energy_amounts", in_both_units, in_kwh, in_kwh}},
     "yn"},
    {"each unit adds up",
     {{"energy_amounts", "records", "2", "1", "-1"},
      {"energy_amounts", "quantity:KWH", "4", "4", ""},
      {"energy_amounts", "quantity:MWH", "6", "0", "-6"}},
     {{"A", "energy_amounts", in_both_units, in_kwh, in_kwh}},
     "yy"},
    {"one unit that is too high and one that is too low, both of them told",
     {{"energy_amounts", "quantity:KWH", "4", "9", "5"}, {"energy_amounts", "quantity:MWH", "6", "0", "-6"}},
     {{"A", "energy_amounts", in_both_units, more_kwh, more_kwh}},
     "yy"},
    {"amounts together do not hide a type that adds up by itself",
     {{"transactions", "amount:CHARGE", "9", "1", "-8"}, {"transactions", "amount:CREDIT", "2", "4", "2"}},
     {{"A", "transactions", two, less, less}},
     "nn"},
    {"amounts together are not told from a type that nobody has declared",
     {{"transactions", "amount:CHARGE", "8", "2", "-6"}, {"transactions", "amount:CREDIT", "", "4", ""}},
     {{"A", "transactions", two, less, less}},
     "n"},
    {"accounts that are not known",
     {{"accounts", "accounts", "3", "2", "-1"}, {"notes", "records", "2", "0", "-2"}},
     {{"A", "notes", two, nothing, nothing, false}},
     "yy"},
    {"an account counts once",
     {{"accounts", "accounts", "4", "2", "-2"}},
     {{"A", "notes", two, nothing, nothing, false}, {"A", "transactions", two, nothing, nothing, false}},
     "n"},
    {"accounts too many", {{"accounts", "accounts", "1", "2", "1"}}, {}, "n"},
};

report::Explanations explained(const Row& row) {
    store::ControlTotals totals;
    const auto unless_empty = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional(text);
    };
    for (const Figure& one : row.figures)
        totals.figures.push_back(
            {one.kind, one.figure, one.held, unless_empty(one.declared), unless_empty(one.difference)});
    totals.figures.push_back({"payment_instructions", "records", "3", "3", std::nullopt});
    std::vector<AcceptedDifference> accepted;
    std::map<std::pair<std::string, std::string>, report::AccountRecords> held;
    for (const Accepted& one : row.accepted) {
        accepted.push_back({{one.account, one.kind, one.declared, one.held}, {"root", "now", "because"}});
        held[{one.account, one.kind}] = {one.is_known, one.now};
    }
    return report::explain(totals, accepted, [&](const std::string& number, const std::string& kind) {
        return held.at({number, kind});
    });
}

report::Report draft() {
    report::Report report;
    report.id = std::string(32, 'a');
    report.signer = "<script>alert('&\"')</script>";
    report.supplier = {"<ACME>", "<b>Acme</b>", "Ongoing", "", ""};
    report.progress.accounts = {1, 0, 2, 3};
    report.totals.as_of = "2024-05-31T08:30:00Z";
    report.totals.figures.push_back({"transactions", "quantity:<u>", "1234567.5", "1", "1234566.5"});
    report.explanations.figures.push_back({.figure = report.totals.figures.back()});
    report.failed.push_back({"<i>4711", "2024-05-31T08:30:00Z", "no </td> meter"});
    report.throughput = {.seconds = 3600, .began_at = 0, .as_of = 7200, .counts = {{"notes", {1, 0, 5}}}};
    return report;
}

}  // namespace

class ReportTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ReportTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(text_from_outside_is_escaped);
    CPPUNIT_TEST(commands_can_be_pasted);
    CPPUNIT_TEST(a_draft_says_so);
    CPPUNIT_TEST(figures_are_exact);
    CPPUNIT_TEST(money_has_two_digits);
    CPPUNIT_TEST(shares_add_up);
    CPPUNIT_TEST(records_of_the_service_are_told_beside_those_that_were_sent);
    CPPUNIT_TEST(a_browser_is_asked_not_to_translate_it);
    CPPUNIT_TEST(both_files_name_their_report);
    CPPUNIT_TEST(the_obstacle_to_signing_is_told);
    CPPUNIT_TEST(long_curves_are_drawn_with_all_that_came);
    CPPUNIT_TEST(a_short_migration_has_a_sentence_instead_of_flat_lines);
    CPPUNIT_TEST(the_comparison_of_accounts_is_told);
    CPPUNIT_TEST_SUITE_END();

    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, row.name, [row] {
                const report::Explanations found = explained(row);
                std::string verdicts;
                for (const auto& figure : found.figures) verdicts += figure.is_explained ? 'y' : 'n';
                CPPUNIT_ASSERT_EQUAL(row.explained, verdicts);
                CPPUNIT_ASSERT_EQUAL(row.lapsed, static_cast<long>(found.lapsed));
                CPPUNIT_ASSERT_EQUAL(row.explained.find('n') == std::string::npos, found.is_complete());
            });
        }
    }

public:
    void text_from_outside_is_escaped() {
        const std::string html = report::to_html(draft());
        for (const char* raw : {"<script", "<b>Acme", "<ACME>", "<i>4711", "</td> meter", "<u>"})
            CPPUNIT_ASSERT_MESSAGE(raw, html.find(raw) == std::string::npos);
        for (const char* safe :
             {"&lt;script&gt;alert(&#39;&amp;&quot;&#39;)", "&lt;ACME&gt;", "no &lt;/td&gt; meter"})
            CPPUNIT_ASSERT_MESSAGE(safe, html.find(safe) != std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string("a b c"), report::escaped("a\nb\x7f"
                                                                   "c"));
    }

    void commands_can_be_pasted() {
        report::Report report = draft();
        report.supplier.code = "A;id>/tmp/x;";
        const std::string quoted = "&#39;A;id&gt;/tmp/x;&#39;";
        const std::string html = report::to_html(report);
        CPPUNIT_ASSERT(html.find("data-importctl report " + quoted + " --signed-by") != std::string::npos);
        CPPUNIT_ASSERT(html.find("data-importctl account list " + quoted + " --state failed") !=
                       std::string::npos);
        report.explanations.figures.clear();
        report.scan = report::Scan{.differences = {{"notes", "records", "2", "1", "1"}}};
        CPPUNIT_ASSERT(report::obstacle(report)->find("data-importctl recount 'A;id>/tmp/x;' --yes") !=
                       std::string::npos);
    }

    void a_draft_says_so() {
        report::Report report = draft();
        CPPUNIT_ASSERT(report::to_html(report).find("DRAFT") != std::string::npos);
        CPPUNIT_ASSERT(report::to_json(report).find("\"draft\":true,\"to_be_signed_by\"") !=
                       std::string::npos);
        report.is_draft = false;
        CPPUNIT_ASSERT(report::to_html(report).find("DRAFT") == std::string::npos);
        CPPUNIT_ASSERT(report::to_html(report).find("report verify") != std::string::npos);
        CPPUNIT_ASSERT(report::to_json(report).find("\"draft\":false,\"signed_by\"") != std::string::npos);
    }

    void figures_are_exact() {
        const std::string html = report::to_html(draft());
        for (const char* text : {"1,234,567.5", "+1,234,566.5", "50.0 %", "notes <b>6</b>"})
            CPPUNIT_ASSERT_MESSAGE(text, html.find(text) != std::string::npos);
        for (const auto& [plain, shown] :
             {std::pair("0", "0"), std::pair("-999", "-999"), std::pair("1000", "1,000"),
              std::pair("-1234567.0001", "-1,234,567.0001")})
            CPPUNIT_ASSERT_EQUAL(std::string(shown), report::grouped(std::string_view(plain)));
    }

    void money_has_two_digits() {
        for (const auto& [plain, shown] :
             {std::pair("0", "0.00"), std::pair("-101", "-101.00"), std::pair("404811.4", "404,811.40"),
              std::pair("683.41", "683.41"), std::pair("0.125", "0.125")})
            CPPUNIT_ASSERT_EQUAL(std::string(shown), util::grouped_money(plain));
        report::Report report = draft();
        report.totals.figures = {{"transactions", "amount:CHARGE", "404811.4", "404912.4", "-101"},
                                 {"historical_statements", "gross_amount", "812.3", {}, {}},
                                 {"market_participant_invoices", "amount_total", "1250", {}, {}},
                                 {"energy_amounts", "quantity:KWH", "12.5", {}, {}}};
        report.explanations.figures.clear();
        report.explanations.accepted = {{.difference = {"4711",
                                                        "transactions",
                                                        {.records = 1, .amount = "683.41"},
                                                        {.records = 1, .amount = "682.4"}},
                                         .acceptance = {}},
                                        {.difference = {"4712",
                                                        "energy_amounts",
                                                        {.records = 1, .amount = "7"},
                                                        {.records = 1, .amount = "7.5"}},
                                         .acceptance = {}}};
        const std::string html = report::to_html(report);
        for (const char* text : {">404,811.40<", ">404,912.40<", "-101.00", ">812.30<", ">1,250<", ">12.5<",
                                 "683.41 → 682.40", "7 → 7.5"})
            CPPUNIT_ASSERT_MESSAGE(text, html.find(text) != std::string::npos);
    }

    void shares_add_up() {
        report::Report report = draft();
        const auto shown = [&](const store::AccountCounts& accounts) {
            report.progress.accounts = accounts;
            const std::string html = report::to_html(report);
            const std::size_t table = html.find("<h2>Accounts</h2>");
            std::string shares;
            for (std::size_t end = table; (end = html.find(" %", end + 1)) < html.find("<b>all</b>");)
                shares += html.substr(html.rfind('>', end) + 1, end - html.rfind('>', end));
            return shares;
        };
        CPPUNIT_ASSERT_EQUAL(std::string("98.0 0.3 0.7 1.0 "), shown({3, 2, 1, 294}));
        CPPUNIT_ASSERT_EQUAL(std::string("33.3 33.4 33.3 0.0 "), shown({0, 5, 5, 5}));
        // the share of imported accounts does not depend on the states of the other accounts
        CPPUNIT_ASSERT_EQUAL(std::string("96.9 0.8 0.7 1.6 "), shown({100, 45, 45, 6010}));
        CPPUNIT_ASSERT_EQUAL(std::string("96.9 0.0 0.0 3.1 "), shown({190, 0, 0, 6010}));
        CPPUNIT_ASSERT_EQUAL(std::string("99.9 &lt; 0.1 &lt; 0.1 &lt; 0.1 "), shown({1, 1, 1, 999'997}));
        CPPUNIT_ASSERT_EQUAL(std::string("99.9 0.0 0.0 0.1 "), shown({1, 0, 0, 999}));
        CPPUNIT_ASSERT_EQUAL(std::string("99.9 0.0 0.0 &lt; 0.1 "), shown({1, 0, 0, 9999}));
        CPPUNIT_ASSERT_EQUAL(std::string("68.8 &lt; 0.1 &lt; 0.1 31.2 "), shown({191'857, 12, 28, 423'698}));
        CPPUNIT_ASSERT_EQUAL(std::string("100.0 0.0 0.0 0.0 "), shown({0, 0, 0, 7}));
    }

    void records_of_the_service_are_told_beside_those_that_were_sent() {
        report::Report report = draft();
        report.progress.records = {{"notes", 691}, {"transactions", 5}};
        report.totals.figures = {{"notes", "records", "684", {}, {}},
                                 {"transactions", "records", "5", {}, {}}};
        report.explanations.figures.clear();
        const std::string html = report::to_html(report);
        CPPUNIT_ASSERT_MESSAGE(html, html.find("684<br><small>plus 7 that the service itself made</small>") !=
                                         std::string::npos);
        CPPUNIT_ASSERT_EQUAL(html.find(" that the service itself made<"),
                             html.rfind(" that the service itself made<"));
        const std::string json = report::to_json(report);
        CPPUNIT_ASSERT_MESSAGE(json, json.find("\"by_service\":7") != std::string::npos);
    }

    void a_browser_is_asked_not_to_translate_it() {
        const std::string html = report::to_html(draft());
        CPPUNIT_ASSERT(html.find("<html lang=\"en\" translate=\"no\">") != std::string::npos);
        CPPUNIT_ASSERT(html.find("<meta name=\"google\" content=\"notranslate\">") != std::string::npos);
    }

    void both_files_name_their_report() {
        const report::Report report = draft();
        CPPUNIT_ASSERT(report::id_of(report::to_html(report)) == report.id);
        CPPUNIT_ASSERT(report::id_of(report::to_json(report)) == report.id);
        for (const char* file : {"", "data-import-report:", "data-import-report:123",
                                 "data-import-report:zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"})
            CPPUNIT_ASSERT(!report::id_of(file));
    }

    void the_obstacle_to_signing_is_told() {
        report::Report report = draft();
        report.totals.figures.clear();
        CPPUNIT_ASSERT(report::obstacle(report)->find("has not declared") != std::string::npos);
        report = draft();
        CPPUNIT_ASSERT(report::obstacle(report)->find(
                           "not explained (transactions quantity:<u> 1 declared, 1,234,567.5 stored)") !=
                       std::string::npos);
        for (const char* kind : {"A", "B", "C", "D", "E", "F", "G"})
            report.explanations.figures.push_back({.figure = {kind, "records", "1", "2", "-1"}});
        CPPUNIT_ASSERT(report::obstacle(report)->find(
                           "F records 2 declared, 1 stored, G records 2 declared, 1 stored)") !=
                       std::string::npos);
        report.explanations.figures.resize(1);
        report.explanations.figures.front().is_explained = true;
        CPPUNIT_ASSERT(report::obstacle(report)->find("not read") != std::string::npos);
        CPPUNIT_ASSERT(!report::obstacle_of_totals(report));
        report.scan.emplace();
        CPPUNIT_ASSERT(!report::obstacle(report));
        report.scan->differences.push_back({"notes", "records", "2", "1", "1"});
        CPPUNIT_ASSERT(report::obstacle(report)->find("notes records 1 in the records, 2 in the totals") !=
                       std::string::npos);
    }

    void long_curves_are_drawn_with_all_that_came() {
        store::TimeSeries series{.seconds = 3600, .counts = {{"notes", std::vector<std::int64_t>(1000, 7)}}};
        const std::string svg = report::draw_curve(series, {"notes", "transactions"}, "Records");
        CPPUNIT_ASSERT(svg.find("in each 5 hours") != std::string::npos);
        CPPUNIT_ASSERT(svg.find("notes <b>7,000</b>") != std::string::npos);
        CPPUNIT_ASSERT(svg.find("transactions") == std::string::npos);
        CPPUNIT_ASSERT_EQUAL(std::string(), report::draw_curve(series, {"accounts"}, "Accounts"));
    }

    void a_short_migration_has_a_sentence_instead_of_flat_lines() {
        store::TimeSeries series{.seconds = 3600, .began_at = 7200, .counts = {{"notes", {1200}}}};
        CPPUNIT_ASSERT_EQUAL(std::string("<p>Records stored within one hour, from 1970-01-01 02:00 UTC on: "
                                         "notes <b>1,200</b>.</p>\n"),
                             report::draw_curve(series, {"notes"}, "Records stored"));
        series.counts["notes"] = {1200, 7};
        const std::string two = report::draw_curve(series, {"notes"}, "Records stored");
        CPPUNIT_ASSERT_MESSAGE(two, two.find("within 2 hours") != std::string::npos);
        CPPUNIT_ASSERT(two.find("<svg") == std::string::npos);
        series.counts["notes"] = {1200, 7, 1};
        CPPUNIT_ASSERT(report::draw_curve(series, {"notes"}, "Records stored").find("<svg") !=
                       std::string::npos);
    }

    void the_comparison_of_accounts_is_told() {
        report::Report report = draft();
        CPPUNIT_ASSERT(report::to_html(report).find("were not compared one by one") != std::string::npos);
        CPPUNIT_ASSERT(report::to_json(report).find(R"("account_comparison":null)") != std::string::npos);
        report.comparison = {.accounts = 1200,
                             .open = 1,
                             .accepted = 2,
                             .by = "<jane>",
                             .at = "2024-05-31T08:30:00Z",
                             .has_changed_since = true};
        const std::string html = report::to_html(report);
        for (const char* part :
             {"&lt;jane&gt; compared 1,200 accounts one by one with a file of the supplier",
              "1 difference that was not accepted, 2 differences accepted.",
              "The figures have changed since"})
            CPPUNIT_ASSERT_MESSAGE(part, html.find(part) != std::string::npos);
        CPPUNIT_ASSERT(html.find("Ongoing") == std::string::npos);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ReportTest);

}  // namespace data_import
