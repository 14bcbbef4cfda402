// Declarations of what consumers have booked: the rules of platform.declare_totals, which are those of the
// PUT of control totals.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>
#include <libpq-fe.h>

#include <memory>
#include <set>
#include <string>

#include "../../runner.h"
#include "../../support/command.h"
#include "../../support/database.h"
#include "../../support/world.h"
#include "data/records/kinds.h"

namespace data_import::tests {

namespace {

const std::string prefix = "the totals are not taken: ";
const std::string wrong_sum =
    "has to be a number, or a decimal string like \"-12.50\" without exponent, plus sign and white space";
const std::string wrong_count = "has to be an integer, written as a number without fraction";
const std::string kinds =
    "delivery_notes, energy_amounts, historical_statements, market_participant_invoices, notes, "
    "payment_instructions, transactions";

struct Wrong {
    const char* totals;
    std::string sentence;
};

const Wrong wrong_totals[] = {
    {"null",
     "they have to be a JSON object like {\"accounts\": 1, \"kinds\": {\"notes\": {\"records\": 2}}}"},
    {"[]", "they have to be a JSON object like {\"accounts\": 1, \"kinds\": {\"notes\": {\"records\": 2}}}"},
    {"{}", "they need at least one figure: accounts, records or a sum"},
    {R"({"kinds": {}})", "they need at least one figure: accounts, records or a sum"},
    {R"({"kinds": {"notes": {}}})", "they need at least one figure: accounts, records or a sum"},
    {R"({"kinds": {"notes": {"sums": {}}}})", "they need at least one figure: accounts, records or a sum"},
    {R"({"acounts": 1})", "acounts is not known; allowed: accounts, kinds"},
    {R"({"accounts": -1})", "accounts has to be at least 0"},
    {R"({"accounts": 1.0})", "accounts " + wrong_count},
    {R"({"accounts": "1"})", "accounts " + wrong_count},
    {R"({"accounts": null})", "accounts " + wrong_count},
    {R"({"accounts": true})", "accounts " + wrong_count},
    {R"({"accounts": 9223372036854775808})", "accounts has to be at most 9223372036854775807"},
    {R"({"kinds": []})", "kinds has to be an object of kinds: " + kinds},
    {R"({"kinds": null, "accounts": 1})", "kinds has to be an object of kinds: " + kinds},
    {R"({"kinds": {"note": {"records": 1}}})", "kinds.note is not known; allowed: " + kinds},
    {R"({"kinds": {"notes": 1}})", "kinds.notes has to be an object with records, sums or both"},
    {R"({"kinds": {"notes": {"record": 1}}})", "kinds.notes.record is not known; allowed: records, sums"},
    {R"({"kinds": {"notes": {"records": 1e-1}}})", "kinds.notes.records " + wrong_count},
    {R"({"kinds": {"notes": {"sums": 1}}})", "kinds.notes.sums has to be an object of sums"},
    {R"({"kinds": {"notes": {"sums": {"amount": 1}}}})",
     "kinds.notes.sums.amount is not known; the kind has no sums"},
    {R"({"kinds": {"transactions": {"sums": {"amount:DEBIT": 1}}}})",
     "kinds.transactions.sums.amount:DEBIT is not known; allowed: amount:CHARGE, amount:CREDIT, "
     "amount:PAYMENT, amount:REPAYMENT, amount:SUPPLY_CHARGE"},
    {R"({"kinds": {"energy_amounts": {"sums": {"quantity:": 1}}}})",
     "kinds.energy_amounts.sums.quantity: is not known; allowed: quantity:UNIT with a unit of 1 to 16 "
     "characters"},
    {R"({"kinds": {"delivery_notes": {"sums": {"quantity:12345678901234567": 1}}}})",
     "kinds.delivery_notes.sums.quantity:12345678901234567 is not known; allowed: amounts, quantity:UNIT "
     "with a unit of 1 to 16 characters"},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "1e3"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "+1"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": " 1"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "1\n"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "1."}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": ".5"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "NaN"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "Infinity"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "٣"}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": null}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": [1]}}}})",
     "kinds.historical_statements.sums.gross_amount " + wrong_sum},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": 1e28}}}})",
     "kinds.historical_statements.sums.gross_amount has to have at most 28 digits before the decimal point"},
    {R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "-0.00000000001"}}}})",
     "kinds.historical_statements.sums.gross_amount has to have at most 10 digits after the decimal point; "
     "zeros at the end do not count"},
    {R"({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1})",
     "a is not known; allowed: accounts, kinds; b is not known; allowed: accounts, kinds; c is not known; "
     "allowed: accounts, kinds; d is not known; allowed: accounts, kinds; e is not known; allowed: accounts, "
     "kinds; 2 more"},
};

const char* const right_totals[] = {
    R"({"accounts": 9223372036854775807})",
    R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "-0007.1000000000000"}}}})",
    R"({"kinds": {"historical_statements": {"sums": {"gross_amount": 125e-1}}}})",
    R"({"kinds": {"historical_statements": {"sums": {"gross_amount": "9999999999999999999999999999.9999999999"}}}})",
    R"({"kinds": {"energy_amounts": {"sums": {"quantity:1234567890123456": 1}}}})",
    R"({"kinds": {"energy_amounts": {"sums": {"quantity:ä😀": 1, "quantity::": "-1"}}}})",
};

/// A supplier, and a consumer of the same name that takes its accounts.
class Declaring {
public:
    Declaring() {
        run_ctl(world().stack(), "supplier create " + name_ + " --name X");
        run_ctl(world().stack(), "consumer add " + name_ + " --supplier " + name_);
    }
    ~Declaring() {
        static_cast<void>(run_command(world().stack().value("CTL") + " consumer remove " + name_));
    }
    Declaring(const Declaring&) = delete;
    Declaring& operator=(const Declaring&) = delete;

    /// The SQLSTATE, a blank and the message; empty if the declaration is accepted.
    [[nodiscard]] std::string refusal(const std::string& totals, const std::string& role = "postgres") const {
        const Session session(PQconnectdb(world().stack().value("DATABASE_URL").c_str()), PQfinish);
        run(session, "SET ROLE \"" + role + "\"");
        const char* const values[] = {name_.c_str(), totals.c_str()};
        const Result result(
            PQexecParams(session.get(), "SELECT platform.declare_totals($1, $1, $2::text::jsonb)", 2, nullptr,
                         values, nullptr, nullptr, 0),
            PQclear);
        if (PQresultStatus(result.get()) == PGRES_TUPLES_OK) return "";
        return std::string(PQresultErrorField(result.get(), PG_DIAG_SQLSTATE)) + " " +
               PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
    }
    [[nodiscard]] int declarations() const {
        return static_cast<int>(world().database().count(
            "SELECT count(*) FROM data_import.booked_declaration WHERE consumer = $1", {name_}));
    }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    using Session = std::unique_ptr<PGconn, void (*)(PGconn*)>;
    using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

    static void run(const Session& session, const std::string& sql) {
        const Result result(PQexec(session.get(), sql.c_str()), PQclear);
        if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
            throw std::runtime_error(PQerrorMessage(session.get()));
    }

    std::string name_ = world().take_fresh();
};

}  // namespace

class BookedTotalsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BookedTotalsTest);
    CPPUNIT_TEST(what_is_wrong_is_told_and_not_kept);
    CPPUNIT_TEST(what_the_put_takes_is_taken);
    CPPUNIT_TEST(sums_are_those_of_the_kinds);
    CPPUNIT_TEST(only_the_platform_declares);
    CPPUNIT_TEST_SUITE_END();

public:
    void what_is_wrong_is_told_and_not_kept() {
        const Declaring declaring;
        for (const auto& [totals, sentence] : wrong_totals)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(totals, "DI014 " + prefix + sentence, declaring.refusal(totals));
        const std::string long_totals = R"({"kinds": {"energy_amounts": {"sums": {"quantity:K": ")" +
                                        std::string(11'000'000, '0') + "\"}}}}";
        CPPUNIT_ASSERT_EQUAL("DI014 " + prefix + "they have to be of at most 10 MiB",
                             declaring.refusal(long_totals));
        CPPUNIT_ASSERT_EQUAL(0, declaring.declarations());
    }

    void what_the_put_takes_is_taken() {
        const Declaring declaring;
        for (const char* totals : right_totals)
            CPPUNIT_ASSERT_EQUAL_MESSAGE(totals, std::string(), declaring.refusal(totals));
        CPPUNIT_ASSERT_EQUAL(static_cast<int>(std::size(right_totals)), declaring.declarations());
    }

    void sums_are_those_of_the_kinds() {
        std::set<std::string> wanted;
        for (const records::Kind& kind : records::kinds()) {
            const auto sums = records::sums_of(kind);
            for (const std::string& sum : sums) wanted.insert(std::string(kind.name) + " " + sum);
            if (sums.empty()) wanted.insert(std::string(kind.name));
        }
        std::set<std::string> known;
        for (const auto& row : world().database().rows(
                 "SELECT concat_ws(' ', kind, figure) FROM data_import.declarable_sums()"))
            known.insert(row.at(0));
        CPPUNIT_ASSERT(wanted == known);
    }

    void only_the_platform_declares() {
        const Declaring declaring;
        const std::string totals = R"({"accounts": 0})";
        CPPUNIT_ASSERT_EQUAL(std::string(), declaring.refusal(totals, "data-import-platform"));
        for (const char* role : {"data-import", "data-import-reader"})
            CPPUNIT_ASSERT_EQUAL_MESSAGE(role, std::string("42501"),
                                         declaring.refusal(totals, role).substr(0, 5));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BookedTotalsTest);

}  // namespace data_import::tests
