// Tables of cases: one named CppUnit test per row.
//
//     CPPUNIT_TEST_SUITE(DateTest);
//     CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
//     CPPUNIT_TEST_SUITE_END();
//     static void add_rows(TestSuiteBuilderContextType& context) {
//         for (const Row& row : rows) tests::add_row(context, row.text, [row] { CPPUNIT_ASSERT(...); });
//     }
#pragma once

#include <cppunit/TestCaller.h>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace data_import::tests {

/// Returns `text` for a test's name or a message: writes control characters and bytes outside ASCII as \xHH,
/// and cuts a long text.
inline std::string printable(std::string_view text) {
    constexpr std::size_t longest = 70;
    std::string shown;
    for (const char character : text.substr(0, longest)) {
        char escaped[8] = {character, '\0'};
        if (character < 0x20 || character == 0x7F) {
            std::snprintf(escaped, sizeof escaped, "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(character)));
        }
        shown += escaped;
    }
    return text.size() > longest ? shown + "..." : shown;
}

/// Adds a test with this name to the suite.
template <typename Context>
void add_row(Context& context, std::string_view name, std::function<void()> body) {
    auto* fixture = context.makeFixture();
    using Fixture = std::remove_pointer_t<decltype(fixture)>;
    context.addTest(
        new CppUnit::TestCaller<Fixture>(context.getTestNameFor(printable(name)), std::move(body), fixture));
}

}  // namespace data_import::tests
