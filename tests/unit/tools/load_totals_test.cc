// client: the totals of files, sorting texts that do not fit into memory, and reading an array piece by
// piece. Run from the top of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/sorted_texts.h"
#include "data/json/reader.h"
#include "tools/client/answer.h"
#include "tools/client/book.h"
#include "tools/client/import_request.h"

namespace data_import {

namespace {

constexpr std::size_t memory = std::size_t{64} << 10;

/// Lines whose records are added up.
class Book {
public:
    void add(const std::string& path, const std::string& number, const std::string& members) {
        const std::string line = R"({"path":"/v1/data-import/)" + path +
                                 R"(","body":{"import_supplier":"ACME","external_account_number":)" + number +
                                 "," + members + "}}";
        const client::ImportRequest request = client::parse_line(line);
        const json::Document body = json::read(std::string(request.body));
        records_.add(request, body.root(), lines_++);
    }

    /// Returns `ACCOUNT KIND=RECORDS FIGURE=SUM ...;` for each account and each kind of which it has records.
    std::string text() {
        texts_.sort();
        client::BookTotals totals(texts_);
        std::string text;
        while (const auto account = totals.next()) {
            for (std::size_t place = 0; place < account->totals.kinds.size(); ++place) {
                const records::KindTotals& kind = account->totals.kinds[place];
                if (kind.records == 0) continue;
                text += account->totals.external_account_number + " " +
                        std::string(records::kinds()[place].name) + "=" + std::to_string(kind.records);
                for (const auto& [figure, sum] : kind.sums) text += " " + figure + "=" + sum.to_text();
                text += ";";
                fingerprints_[account->totals.external_account_number + " " +
                              std::string(records::kinds()[place].name)] = kind.fingerprint.to_text();
            }
        }
        if (totals.repeats() > 0) text += std::to_string(totals.repeats()) + " repeats";
        if (totals.refused_lines() > 0)
            text += std::to_string(totals.refused_lines()) +
                    " refused: " + std::to_string(totals.first_refused_line());
        return text;
    }
    [[nodiscard]] std::string fingerprint(const std::string& place) const { return fingerprints_.at(place); }
    [[nodiscard]] std::uint64_t file_bytes() const { return texts_.file_bytes(); }

private:
    util::SortedTexts texts_{memory};
    client::BookRecords records_{texts_};
    std::uint64_t lines_ = 0;
    std::map<std::string, std::string> fingerprints_;
};

struct Sent {
    std::string path;
    std::string members;
};

struct Identity {
    std::string name;
    std::vector<Sent> lines;  ///< for account 1
    std::string expected;
};

Sent notes(const std::string& items) {
    return {"notes/create/", R"("notes":[)" + items + "]"};
}

Sent transactions(const std::string& id, const std::string& amount, const std::string& query = "") {
    return {"transactions/create/" + query,
            R"("transactions":[{"type":"CHARGE","transaction_id":")" + id +
                R"(","transaction_date":"2024-03-05","reason":"R","amount":)" + amount + "}]"};
}

std::string statement(const std::string& id, const std::string& behind) {
    return R"({"statement_id":")" + id +
           R"(","bill_period_from_date":"2023-01-01","bill_period_to_date":"2023-12-31")" + behind + "}";
}

Sent statements(const std::string& items) {
    return {"historical-statements/create/", R"("statements":[)" + items + "]"};
}

Sent delivery_note(const std::string& quantity, const std::string& at) {
    return {
        "delivery-note/create/",
        R"("delivery_note":{"malo_number":"12345678901","cancelled":false,"validation_status":true,)"
        R"("edifact_reference_number":"E","amounts":[{"period_start_at":")" +
            at + R"(","period_end_at":"2024-01-01T00:15:00Z","product_identifier":"1",)" +
            R"("product_identifier_type":"SRW","quantity":)" + quantity +
            R"(,"quantity_unit":"KWH","line_item_identifier":"1"},{"period_start_at":"2024-01-01T00:00:00Z",)" +
            R"("period_end_at":"2024-01-01T00:15:00Z","product_identifier":"1","product_identifier_type":"SRW",)" +
            R"("quantity":"2.5","quantity_unit":"KW","line_item_identifier":"1"}]})"};
}

Sent instruction(const std::string& reference, const std::string& type) {
    return {"payment-instruction/create/",
            R"("vendor":"V","reference":")" + reference + R"(","type":")" + type + "\""};
}

const std::string at_one = R"({"body":"a","created_at":"2024-01-01T01:00:00Z"})";
const std::string at_one_elsewhere = R"({"body":"a","created_at":"2024-01-01T02:00:00+01:00"})";
const std::string at_two = R"({"body":"a","created_at":"2024-01-01T02:00:00Z"})";
const std::string untimed = R"({"body":"a"})";

const std::vector<Identity> identities = {
    {"notes of one time are one", {notes(at_one), notes(at_one_elsewhere)}, "1 notes=1;1 repeats"},
    {"notes of two times are two", {notes(at_two + "," + at_one)}, "1 notes=2;"},
    {"a note without a time behind one with a time", {notes(at_two), notes(untimed)}, "1 notes=1;1 repeats"},
    {"a note without a time before one with a time", {notes(untimed), notes(at_two)}, "1 notes=2;"},
    {"between two times", {notes(at_two + "," + untimed + "," + at_one)}, "1 notes=2;1 repeats"},
    {"notes without a time", {notes(untimed + "," + untimed), notes(untimed)}, "1 notes=1;2 repeats"},
    {"a body and the same path",
     {notes(R"({"body":"a"},{"document_paths":[{"document_path":"a"}]},{"body":"b"})")},
     "1 notes=3;"},
    {"paths in their order",
     {notes(R"({"document_paths":[{"document_path":"a"},{"document_path":"b"}]})"),
      notes(R"({"document_paths":[{"document_path":"b"},{"document_path":"a"}]})"),
      notes(R"({"document_paths":[{"document_path":"a"},{"document_path":"b"}]})")},
     "1 notes=2;1 repeats"},
    {"a body tells notes apart, not its documents",
     {notes(R"({"body":"a","document_paths":[{"document_path":"a"}]})"), notes(untimed)},
     "1 notes=1;1 repeats"},
    {"the first transaction of an id counts",
     {transactions("1", "12.50"), transactions("1", "1"), transactions("2", "1e1")},
     "1 transactions=2 amount:CHARGE=22.5;1 repeats"},
    {"without a check it counts again",
     {transactions("1", "1"), transactions("1", "2", "?check_previously_added=false"),
      transactions("1", "4")},
     "1 transactions=2 amount:CHARGE=3;1 repeats"},
    {"what was added without a check is known",
     {transactions("1", "1", "?check_previously_added=FALSE"), transactions("1", "2")},
     "1 transactions=1 amount:CHARGE=1;1 repeats"},
    {"statements of the same content",
     {statements(statement("S", R"(,"gross_amount":1.10)")),
      statements(statement("S", R"(,"gross_amount":"1.1","is_annulled":false)"))},
     "1 historical_statements=1 gross_amount=1.1;1 repeats"},
    {"a statement of other content takes its line with it",
     {statements(statement("S", "")),
      statements(statement("T", "") + "," + statement("S", R"(,"number":"2")")),
      statements(statement("T", R"(,"gross_amount":2)"))},
     "1 historical_statements=2 gross_amount=2;1 refused: 1"},
    {"documents of the same content",
     {delivery_note("1.0", "2024-01-01T00:00:00Z"), delivery_note("\"1\"", "2024-01-01T01:00:00+01:00"),
      delivery_note("3", "2024-01-01T00:00:00Z")},
     "1 delivery_notes=2 amounts=4 quantity:KW=5 quantity:KWH=4;1 repeats"},
    {"instructions of one reference",
     {instruction("r", "CARD"), instruction("r", "SEPA"), instruction("s", "CARD")},
     "1 payment_instructions=2;1 repeats"},
    {"what no account has", {{"market-participant/import/", R"("code":1)"}}, ""},
};

void add_up(const Identity& row) {
    Book book;
    for (const Sent& line : row.lines) book.add(line.path, "\"1\"", line.members);
    CPPUNIT_ASSERT_EQUAL(row.expected, book.text());
}

struct Pieces {
    std::string text;
    std::string expected;  ///< the objects, each followed by `|`, or `broken` if the text is no array
};

const std::vector<Pieces> pieces = {
    {"[]", ""},
    {" [ ] \n", ""},
    {R"([{"a":1}])", R"({"a":1}|)"},
    {R"([{"a":"}]\"\\"}, {"b":[{}]} ])", R"({"a":"}]\"\\"}|{"b":[{}]}|)"},
    {"", "broken"},
    {"[", "broken"},
    {R"([{"a":1})", R"({"a":1}|broken)"},
    {R"([{"a":1},])", R"({"a":1}|broken)"},
    {R"([{"a":1}{}])", R"({"a":1}|broken)"},
    {R"([{"a":1}]])", R"({"a":1}|broken)"},
    {R"({"detail":"x"})", "broken"},
    {"[1]", "broken"},
};

std::string items_of(const std::string& text, std::size_t size) {
    std::string seen;
    client::ArrayItems items([&](const std::string& item) { seen += item + "|"; });
    try {
        for (std::size_t at = 0; at < text.size(); at += size) items.take(text.substr(at, size));
        items.finish();
    } catch (const std::runtime_error&) {
        seen += "broken";
    }
    return seen;
}

}  // namespace

class LoadTotalsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadTotalsTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(records_have_their_published_fingerprints);
    CPPUNIT_TEST(accounts_come_in_the_order_of_their_bytes);
    CPPUNIT_TEST(a_book_larger_than_memory_has_the_same_totals);
    CPPUNIT_TEST(texts_are_sorted_over_many_runs);
    CPPUNIT_TEST(the_file_is_bounded);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Identity& row : identities) tests::add_row(context, row.name, [row] { add_up(row); });
        for (const Pieces& row : pieces) {
            tests::add_row(context, "array " + row.text, [row] {
                for (const std::size_t size : {1, 3, 1000})
                    CPPUNIT_ASSERT_EQUAL(row.expected, items_of(row.text, size));
            });
        }
    }

    void records_have_their_published_fingerprints() {
        static const std::map<std::string_view, Sent> places = {
            {"notes", {"notes/create/", R"("notes":[])"}},
            {"transactions", {"transactions/create/", R"("transactions":[])"}},
            {"historical_statements", {"historical-statements/create/", R"("statements":[])"}},
            {"delivery_notes", {"delivery-note/create/", R"("delivery_note":)"}},
            {"energy_amounts", {"energy-amount/create/", R"("energy_amount":)"}},
            {"market_participant_invoices",
             {"market-participant-invoice/create/", R"("market_participant_invoice":)"}},
            {"payment_instructions", {"payment-instruction/create/", "{}"}}};
        std::ostringstream text;
        text << std::ifstream("tests/fingerprint-vectors.json").rdbuf();
        const json::Document published = json::read(text.str());
        for (const json::Value vector : published.root().at("vectors").items()) {
            const Sent& place = places.at(vector.at("kind").text());
            const std::string record(vector.at("input").text());
            std::string members = place.members;
            if (members.ends_with(']'))
                members.insert(members.size() - 1, record);
            else
                members = members == "{}" ? record.substr(1, record.size() - 2) : members + record;
            const std::string number(vector.at("external_account_number").text());
            Book book;
            book.add(place.path, "\"" + number + "\"", members);
            static_cast<void>(book.text());
            CPPUNIT_ASSERT_EQUAL_MESSAGE(
                std::string(vector.at("name").text()), std::string(vector.at("digest").text()),
                book.fingerprint(number + " " + std::string(vector.at("kind").text())));
        }
    }

    void accounts_come_in_the_order_of_their_bytes() {
        Book book;
        for (const char* number : {"\"ä\"", "\"a\"", "\"B\"", "\"a/1\"", "\"10\"", "\"1\"", "\"a\""})
            book.add("notes/create/", number, R"("notes":[{"body":"x"}])");
        CPPUNIT_ASSERT_EQUAL(
            std::string("1 notes=1;10 notes=1;B notes=1;a notes=1;a/1 notes=1;ä notes=1;1 repeats"),
            book.text());
    }

    void a_book_larger_than_memory_has_the_same_totals() {
        Book book;
        constexpr int accounts = 500;
        for (int line = 0; line < accounts * 4; ++line) {
            const Sent sent = transactions(std::to_string(line % 3), "0.01");
            book.add(sent.path, "\"" + std::to_string(1000 + line * 7 % accounts) + "\"", sent.members);
        }
        const std::string text = book.text();
        CPPUNIT_ASSERT(book.file_bytes() > memory);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(
            text.substr(0, 200), std::size_t{0},
            text.find("1000 transactions=3 amount:CHARGE=0.03;1001 transactions=3 amount:CHARGE=0.03;"));
        CPPUNIT_ASSERT(text.ends_with("1499 transactions=3 amount:CHARGE=0.03;500 repeats"));
    }

    void texts_are_sorted_over_many_runs() {
        std::minstd_rand random(7);
        std::vector<std::string> expected;
        util::SortedTexts texts(memory);
        for (int count = 0; count < 6000; ++count) {
            std::string text(random() % 200, '\0');
            for (char& byte : text) byte = static_cast<char>(random() % 256);
            if (count % 1000 == 0) text.resize(util::SortedTexts::longest, 'x');
            texts.add(text);
            expected.push_back(std::move(text));
        }
        std::ranges::sort(expected);
        texts.sort();
        CPPUNIT_ASSERT(texts.file_bytes() > 8 * memory);
        for (const std::string& text : expected) CPPUNIT_ASSERT(texts.next() == text);
        CPPUNIT_ASSERT(!texts.next());
        CPPUNIT_ASSERT(!texts.next());
    }

    void the_file_is_bounded() {
        util::SortedTexts texts(memory);
        const std::string text(util::SortedTexts::longest, 'x');
        CPPUNIT_ASSERT_THROW(texts.add(text + "x"), std::length_error);
        const auto fill = [&] {
            for (std::size_t count = 0; count < memory * (memory / 4096 + 2) / text.size(); ++count)
                texts.add(text);
        };
        CPPUNIT_ASSERT_THROW(fill(), std::runtime_error);
        CPPUNIT_ASSERT(texts.file_bytes() <= memory * (memory / 4096));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadTotalsTest);

}  // namespace data_import
