// Booked figures compared with held and declared ones.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "data/store/bookings.h"

namespace data_import {

namespace {

using store::BookedFigure;
using store::Booking;
using store::ControlTotals;

ControlTotals totals() {
    ControlTotals totals;
    totals.figures = {
        {.kind = "accounts", .figure = "accounts", .held = "2", .declared = "3", .difference = "-1"},
        {.kind = "notes", .figure = "records", .held = "5", .declared = {}, .difference = {}},
        {.kind = "transactions", .figure = "records", .held = "2", .declared = "2", .difference = {}},
        {.kind = "transactions",
         .figure = "amount:CHARGE",
         .held = "12.5",
         .declared = {},
         .difference = {}}};
    return totals;
}

BookedFigure booked(const char* kind, const char* figure, const char* value,
                    const std::optional<std::string>& held, const std::optional<std::string>& difference) {
    return {.kind = kind,
            .figure = figure,
            .held = held,
            .booked = value,
            .difference = difference,
            .acceptance = {}};
}

Booking booking() {
    return {.consumer = "crm",
            .is_ready = true,
            .declared_at = "2026-11-28T12:00:00Z",
            .declared_by = "crm",
            .undeclared_kinds = {"historical_statements"},
            .figures = {booked("energy_amounts", "quantity:KWH", "1", {}, "1"),
                        booked("notes", "records", "5", "5", {}),
                        booked("transactions", "amount:CREDIT", "0", {}, {})}};
}

std::string text_of(const std::vector<store::FigureToTheEnd>& figures) {
    std::string text;
    for (const auto& one : figures)
        text += one.kind + " " + one.figure + " " + one.declared.value_or("-") + " " +
                one.held.value_or("-") + " " + one.booked.value_or("-") + " " +
                one.booked_difference.value_or("-") + "\n";
    return text;
}

}  // namespace

class BookingsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(BookingsTest);
    CPPUNIT_TEST(figures_stand_in_the_order_of_control_totals);
    CPPUNIT_TEST(a_verdict_tells_what_it_does_not_cover);
    CPPUNIT_TEST(a_difference_is_explained_by_its_own_acceptance);
    CPPUNIT_TEST_SUITE_END();

public:
    void figures_stand_in_the_order_of_control_totals() {
        CPPUNIT_ASSERT_EQUAL(std::string("accounts accounts 3 2 - -\n"
                                         "energy_amounts quantity:KWH - - 1 1\n"
                                         "notes records - 5 5 -\n"
                                         "transactions records 2 2 - -\n"
                                         "transactions amount:CHARGE - 12.5 - -\n"
                                         "transactions amount:CREDIT - - 0 -\n"),
                             text_of(store::beside(totals(), booking())));
        CPPUNIT_ASSERT_EQUAL(std::size_t{4}, store::beside(totals(), Booking{}).size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, store::beside(ControlTotals{}, booking()).size());
    }

    void a_verdict_tells_what_it_does_not_cover() {
        CPPUNIT_ASSERT_EQUAL(std::string("DIFFERENT (3 of 4 kinds declared)"),
                             booking().verdict_with_coverage());
        CPPUNIT_ASSERT_EQUAL(std::string("UNDECLARED"), Booking{}.verdict_with_coverage());
        Booking accounts{.consumer = "crm", .declared_at = "2026-11-28T12:00:00Z"};
        accounts.figures = {booked("accounts", "accounts", "2", "2", {})};
        accounts.undeclared_kinds = {"notes"};
        CPPUNIT_ASSERT_EQUAL(std::string("EQUAL (0 of 1 kinds declared)"), accounts.verdict_with_coverage());
    }

    void a_difference_is_explained_by_its_own_acceptance() {
        Booking one = booking();
        CPPUNIT_ASSERT(!one.is_explained());
        one.figures[1].acceptance = store::Acceptance{"root", "2026-11-28T12:00:00Z", "of an equal figure"};
        CPPUNIT_ASSERT(!one.is_explained());
        one.figures[0].acceptance = store::Acceptance{"root", "2026-11-28T12:00:00Z", "kept on paper"};
        CPPUNIT_ASSERT(one.is_explained());
        CPPUNIT_ASSERT(one.has_differences());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(BookingsTest);

}  // namespace data_import
