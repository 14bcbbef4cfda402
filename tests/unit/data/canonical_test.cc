// The canonical form of records and fingerprints, by the published vectors. Run from the top of the source
// tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/decimal_sum.h"
#include "data/database/binary_values.h"
#include "data/json/reader.h"
#include "data/records/fingerprint.h"
#include "data/records/kinds.h"
#include "data/schema/canonical.h"
#include "data/store/stored_record.h"

namespace data_import::tests {

namespace {

const json::Value vectors() {
    static const json::Document document = [] {
        std::ostringstream text;
        text << std::ifstream("tests/fingerprint-vectors.json").rdbuf();
        return json::read(text.str());
    }();
    return document.root();
}

std::string canonical_of(std::string_view kind, const std::string& record) {
    const json::Document document = json::read(record);
    const auto known = std::ranges::find(records::kinds(), kind, &records::Kind::name);
    std::string text;
    schema::append_canonical(text, known->record, document.root());
    return text;
}

std::string digested(const json::Value& vector) {
    const std::string_view kind = vector.at("kind").text();
    return records::digest_head(kind, vector.at("external_account_number").text()) +
           canonical_of(kind, std::string(vector.at("input").text()));
}

/// The binary form of a numeric: groups of four digits.
std::string numeric(int weight, int sign, const std::vector<int>& groups) {
    std::string bytes;
    const auto put = [&](int number) {
        bytes += static_cast<char>(number >> 8);
        bytes += static_cast<char>(number & 0xFF);
    };
    for (const int number : {static_cast<int>(groups.size()), weight, sign, 0}) put(number);
    for (const int group : groups) put(group);
    return bytes;
}

struct Numeric {
    std::string bytes;
    std::string text;
};

const std::vector<Numeric> numerics = {
    {numeric(0, 0, {}), "0"},
    {numeric(0, 0x4000, {}), "0"},
    {numeric(0, 0, {12, 5000}), "12.5"},
    {numeric(0, 0x4000, {1}), "-1"},
    {numeric(1, 0, {1}), "10000"},
    {numeric(2, 0, {1, 0, 20}), "100000020"},
    {numeric(1, 0, {123, 4567, 8900}), "1234567.89"},
    {numeric(-1, 0, {5000}), "0.5"},
    {numeric(-1, 0x4000, {1}), "-0.0001"},
    {numeric(-3, 0, {10}), "0.00000000001"},
    {numeric(0, 0xC000, {}), "NaN"},
};

void check_numeric(const Numeric& row) {
    std::string text;
    database::append_numeric(text, row.bytes);
    CPPUNIT_ASSERT_EQUAL(row.text, text);
}

}  // namespace

class CanonicalTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CanonicalTest);
    CPPUNIT_TEST(records_have_the_published_form);
    CPPUNIT_TEST(records_have_the_published_digest);
    CPPUNIT_TEST(sets_have_the_published_fingerprint);
    CPPUNIT_TEST(scalars_tell_integers_from_decimals);
    CPPUNIT_TEST(unknown_members_are_left_out);
    CPPUNIT_TEST(numerics_are_plain_decimals);
    CPPUNIT_TEST(instants_and_dates_are_those_of_postgresql);
    CPPUNIT_TEST(sums_do_not_depend_on_how_decimals_are_added);
    CPPUNIT_TEST_SUITE_END();

public:
    void records_have_the_published_form() {
        for (const json::Value vector : vectors().at("vectors").items()) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(
                std::string(vector.at("name").text()), std::string(vector.at("canonical").text()),
                canonical_of(vector.at("kind").text(), std::string(vector.at("input").text())));
        }
    }

    void records_have_the_published_digest() {
        for (const json::Value vector : vectors().at("vectors").items()) {
            records::Fingerprint fingerprint;
            fingerprint.add(digested(vector));
            CPPUNIT_ASSERT_EQUAL_MESSAGE(std::string(vector.at("name").text()),
                                         std::string(vector.at("digest").text()), fingerprint.to_text());
        }
    }

    void sets_have_the_published_fingerprint() {
        std::map<std::string_view, std::string> by_name;
        for (const json::Value vector : vectors().at("vectors").items())
            by_name.emplace(vector.at("name").text(), digested(vector));
        for (const json::Value sum : vectors().at("sums").items()) {
            records::Fingerprint fingerprint;
            for (const json::Value name : sum.at("of").items()) fingerprint.add(by_name.at(name.text()));
            CPPUNIT_ASSERT_EQUAL(std::string(sum.at("fingerprint").text()), fingerprint.to_text());
        }
    }

    void scalars_tell_integers_from_decimals() {
        const auto form_of = [](const std::string& scalar) {
            const std::string text =
                canonical_of("market_participant_invoices",
                             R"({"tax_amounts":[{"amount_paid_in_advance":)" + scalar + "}]}");
            const std::string head = R"({"tax_amounts":[{"amount_paid_in_advance":)";
            CPPUNIT_ASSERT_EQUAL(head, text.substr(0, head.size()));
            return text.substr(head.size(), text.size() - head.size() - 3);
        };
        for (const auto& [sent, form] : std::vector<std::pair<std::string, std::string>>{
                 {"10", "10"},
                 {"-0", "0"},
                 {"123456789012345678901234567890", "123456789012345678901234567890"},
                 {"10.0", "\"10\""},
                 {"1e1", "\"10\""},
                 {"-0.0", "\"0\""},
                 {"0e400", "\"0\""},
                 {"-0.00E-999", "\"0\""},
                 {"12.5000", "\"12.5\""},
                 {"5E-05", "\"0.00005\""},
                 {"\"10.0\"", "\"10.0\""},
                 {"true", "true"},
                 {"null", "null"}}) {
            CPPUNIT_ASSERT_EQUAL(form, form_of(sent));
        }
    }

    void unknown_members_are_left_out() {
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"body":"b"})"),
                             canonical_of("notes", R"({"x":1,"body":"b","created":2})"));
    }

    void numerics_are_plain_decimals() {
        for (const Numeric& row : numerics) check_numeric(row);
    }

    void instants_and_dates_are_those_of_postgresql() {
        const auto big_endian = [](std::int64_t number, std::size_t bytes) {
            std::string text(bytes, '\0');
            for (std::size_t place = bytes; place-- > 0; number >>= 8)
                text[place] = static_cast<char>(number & 0xFF);
            return text;
        };
        CPPUNIT_ASSERT_EQUAL(std::string("2000-01-01T00:00:00Z"),
                             util::to_text(database::binary_instant(big_endian(0, 8))));
        CPPUNIT_ASSERT_EQUAL(std::string("1999-12-31T23:59:59.75Z"),
                             util::to_text(database::binary_instant(big_endian(-250'000, 8))));
        std::string date;
        util::append_date(date, database::binary_date(big_endian(-1, 4)));
        CPPUNIT_ASSERT_EQUAL(std::string("1999-12-31"), date);
        CPPUNIT_ASSERT_EQUAL(std::int64_t{-5}, database::binary_integer(big_endian(-5, 2)));
        CPPUNIT_ASSERT_THROW(static_cast<void>(database::binary_integer("abc")), std::logic_error);
    }

    void sums_do_not_depend_on_how_decimals_are_added() {
        util::DecimalSum sum;
        for (const char* decimal : {"1", "0.25", "-3", "1.5", "-0.125", "1e3", "99999999999999999999", "0.5"})
            sum.add(decimal);
        CPPUNIT_ASSERT_EQUAL(std::string("100000000000000000999.125"), sum.to_text());
        CPPUNIT_ASSERT_THROW(sum.add("1.2.3"), std::invalid_argument);
        CPPUNIT_ASSERT_THROW(sum.add("-"), std::invalid_argument);
        CPPUNIT_ASSERT_THROW(sum.add("1."), std::invalid_argument);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CanonicalTest);

}  // namespace data_import::tests
