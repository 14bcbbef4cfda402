// One CppUnit test per line of tests/cases/notes/hostile.table: bodies for the notes endpoint that have to be
// refused, and bodies that only just pass. The head of the table describes the form of its lines.
#include <cppunit/TestCase.h>
#include <cppunit/TestSuite.h>
#include <cppunit/extensions/TestFactory.h>
#include <cppunit/extensions/TestFactoryRegistry.h>

#include <Poco/Exception.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "../support/answer_check.h"
#include "../support/case_file.h"
#include "../support/json_match.h"
#include "../support/world.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string name;
    std::string body;
    int status = 0;
    std::string code;  ///< code of the expected error; empty if the service accepts the body
    std::vector<ExpectedError> errors;
    std::optional<std::size_t> error_count;  ///< given instead of `errors`
};

std::string in_request(const std::string& notes) {
    return R"({"import_supplier": "ACME", "external_account_number": "{{account}}", "notes": )" + notes + '}';
}

/// Returns the whole body of a request that `text` describes. The first word of `text` names a part of the
/// body (the head of the table lists these words). The rest of `text` is the content of that part. All other
/// parts are those of a good request.
std::string whole_body(const std::string& text) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string form = text.substr(0, blank);
    const std::string rest = text.substr(std::min(blank + 1, text.size()));
    if (form == "note") return in_request('[' + rest + ']');
    if (form == "notes") return in_request(rest);
    if (form == "top") return '{' + rest + R"(, "notes": [{"body": "x"}]})";
    if (form == "body") return rest;
    throw std::runtime_error("a line begins with note, notes, top or body: " + text);
}

ExpectedError expected_error(std::string text) {
    if (text.front() == '.') text = "notes.0" + text;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error("an error is ATTR:CODE: " + text);
    const std::string attr = text.substr(0, colon);
    return {attr == "\"\"" ? "" : attr, text.substr(colon + 1)};
}

void read_expectation(const std::string& text, Row& row) {
    std::istringstream words(text);
    words >> row.status;
    for (std::string word; words >> word;) {
        if (word.front() == '#') {
            row.error_count = std::stoul(word.substr(1));
        } else if (word.find(':') == std::string::npos) {
            row.code = word;
        } else {
            row.errors.push_back(expected_error(word));
        }
    }
    if (row.code.empty() && row.status == 400) row.code = "validation_error";
}

std::vector<Row> read_rows(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("cannot read " + file.string());
    std::vector<Row> rows;
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t arrow = line.rfind(" => ");
        if (arrow == std::string::npos)
            throw std::runtime_error("a line without => in " + file.string() + ": " + line);
        Row row;
        row.name = "notes/hostile.table:" + std::to_string(number) + ": " +
                   line.substr(0, std::min<std::size_t>(arrow, 90));
        row.body = whole_body(line.substr(0, arrow));
        read_expectation(line.substr(arrow + 4), row);
        rows.push_back(std::move(row));
    }
    return rows;
}

class RowTest : public CppUnit::TestCase {
public:
    explicit RowTest(Row row) : TestCase(row.name), row_(std::move(row)) {}

    void runTest() override {
        try {
            run();
        } catch (const Poco::Exception& reason) {
            CPPUNIT_FAIL(reason.displayText());
        } catch (const std::runtime_error& reason) {
            CPPUNIT_FAIL(reason.what());
        }
    }

private:
    void run() {
        World& world = tests::world();
        const long before = world.stored_rows();
        const Answer answer = ask(world);
        check_any_answer(answer);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row_.status, answer.status);
        if (row_.status >= 400) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE("the request was refused but stored", before, world.stored_rows());
            check_refusal(answer);
        }
    }

    Answer ask(World& world) {
        Variables variables(world);
        HttpConnection connection(world.stack().port(), world.stack().value("CA_FILE"));
        return connection.ask({"POST",
                               "/v1/data-import/notes/create/",
                               {{"Host", "localhost"},
                                {"Authorization", "Token " + *world.shared("token")},
                                {"Content-Type", "application/json"},
                                {"Connection", "close"}},
                               variables.expand(row_.body)});
    }

    void check_refusal(const Answer& answer) const {
        const ErrorBody body = parse_error_body(answer.body);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row_.code, body.code);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row_.error_count.value_or(row_.errors.size()),
                                     body.errors.size());
        for (std::size_t index = 0; index < row_.errors.size(); ++index) {
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row_.errors[index].attr, body.errors[index].attr);
            CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), row_.errors[index].code, body.errors[index].code);
        }
    }

    Row row_;
};

class HostileSuite : public CppUnit::TestFactory {
public:
    CppUnit::Test* makeTest() override {
        auto suite = std::make_unique<CppUnit::TestSuite>("hostile");
        for (Row& row : read_rows(cases_directory() / "notes/hostile.table"))
            suite->addTest(new RowTest(std::move(row)));
        return suite.release();
    }
};

HostileSuite suite;
const bool registered = [] {
    CppUnit::TestFactoryRegistry::getRegistry().registerFactory(&suite);
    return true;
}();

}  // namespace

}  // namespace data_import::tests
