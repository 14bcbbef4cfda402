// Dates in the forms that people write.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/date_form.h"
#include "base/util/joined.h"

namespace data_import {

namespace {

struct Form {
    std::string text;
    bool is_form = true;
};

const std::vector<Form> forms = {
    {"DD.MM.YYYY"},         {"dd.mm.yyyy"},
    {"D.M.YYYY"},           {"D. M. YYYY"},
    {"DD/MM/YYYY"},         {"MM/DD/YYYY"},
    {"M/D/YYYY"},           {"DD-MM-YYYY"},
    {"YYYYMMDD"},           {"DDMMYYYY"},
    {"YYYY/MM/DD"},         {"YYYY-MM-DD"},
    {"YYYY.M.D"},           {"", false},
    {"DD.MM", false},       {"DD.MM.YY", false},
    {"DD.MM.YYYYY", false}, {"YYYY-DD-MM", false},
    {"DMYYYY", false},      {"DD.MM-YYYY", false},
    {"DD.MM.YYYY ", false}, {".DD.MM.YYYY", false},
    {"DDD.MM.YYYY", false}, {"DD.DD.YYYY", false},
    {"DDxMMxYYYY", false},  {"%d.%m.%Y", false},
    {"TT.MM.JJJJ", false},  {"DD.MM.YYYY HH:MM", false},
};

struct Row {
    std::string form;
    std::string text;
    std::string iso;  ///< empty: the text does not begin with a date of this form
};

const std::vector<Row> rows = {
    {"DD.MM.YYYY", "03.05.2024", "2024-05-03"},
    {"DD.MM.YYYY", "3.5.2024", ""},
    {"DD.MM.YYYY", "03.05.24", ""},
    {"DD.MM.YYYY", "03.05.20245", ""},
    {"DD.MM.YYYY", "2024-05-03", ""},
    {"DD.MM.YYYY", "03.05.2024T13:45:00Z", "2024-05-03T13:45:00Z"},
    {"DD.MM.YYYY", "31.02.2024", "2024-02-31"},
    {"DD.MM.YYYY", "", ""},
    {"D.M.YYYY", "3.5.2024", "2024-05-03"},
    {"D.M.YYYY", "13.12.2024", "2024-12-13"},
    {"D.M.YYYY", "03.05.2024", "2024-05-03"},
    {"D.M.YYYY", "003.5.2024", ""},
    {"D. M. YYYY", "3. 5. 2024", "2024-05-03"},
    {"MM/DD/YYYY", "05/03/2024", "2024-05-03"},
    {"DD/MM/YYYY", "05/03/2024", "2024-03-05"},
    {"M/D/YYYY", "5/13/2024", "2024-05-13"},
    {"YYYYMMDD", "20240503", "2024-05-03"},
    {"YYYYMMDD", "202405031", ""},
    {"YYYYMMDD", "2024053", ""},
    {"DDMMYYYY", "03052024", "2024-05-03"},
    {"YYYY/MM/DD", "2024/05/03 10:00:00Z", "2024-05-03 10:00:00Z"},
};

struct Likely {
    std::string text;
    std::string forms;
};

const std::vector<Likely> likely = {
    {"03.05.2024", "DD.MM.YYYY"},
    {"3.5.2024", "D.M.YYYY"},
    {"03.05.2024 13:45", "DD.MM.YYYY"},
    {"05/03/2024", "DD/MM/YYYY, MM/DD/YYYY"},
    {"05/13/2024", "MM/DD/YYYY"},
    {"5/3/2024", "D/M/YYYY, M/D/YYYY"},
    {"20240503", "YYYYMMDD"},
    {"2024-5-3", "YYYY-M-D"},
    {"2024-05-03", ""},
    {"20241399", ""},
    {"31.02.2024", ""},
    {"45415", ""},
    {"#NV", ""},
};

}  // namespace

class DateFormTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DateFormTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Form& row : forms) {
            tests::add_row(context, "form " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.is_form, util::DateForm::of(row.text).has_value());
            });
        }
        for (const Row& row : rows) {
            tests::add_row(context, row.text + " as " + row.form, [row] {
                CPPUNIT_ASSERT_EQUAL(row.iso, util::DateForm::of(row.form)->to_iso(row.text).value_or(""));
            });
        }
        for (const Likely& row : likely) {
            tests::add_row(context, "likely " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.forms, util::joined(util::likely_date_forms(row.text)));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DateFormTest);

}  // namespace data_import
