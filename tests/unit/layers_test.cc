// The include directions of src/: upper folders include lower ones, never the reverse. This test program has
// to be started in the top folder of the source tree.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace data_import::tests {

namespace {

using Names = std::set<std::string>;

/// The allowed includes between wings, which are the folders directly in src/. The key is a wing, and the
/// value lists the wings whose headers a file of this wing may include. The files data-import-manual.cc and
/// precompiled.h are in no wing, and may include headers of all wings.
const std::map<std::string, Names>& wings() {
    static const std::map<std::string, Names> table = {
        {"base", {"base"}},
        {"data", {"base", "data"}},
        {"service", {"base", "data", "service"}},
        {"tools", {"base", "data", "tools"}},
    };
    return table;
}

/// The allowed includes inside a wing, which is a folder directly in src/. The key is a folder in a wing, and
/// the value lists the other folders of the same wing whose headers a file of this folder may include. The
/// programs of a wing stand directly in the wing, and may include headers of all its folders.
const std::map<std::string, Names>& allowed_folders() {
    static const std::map<std::string, Names> table = {
        {"base/util", {}},
        {"base/codes", {}},
        {"base/texts", {"util"}},
        {"base/command_line", {"texts", "util"}},
        {"base/config", {"command_line", "texts", "util"}},
        {"base/net", {"util"}},
        {"data/json", {}},
        {"data/database", {}},
        {"data/schema", {"json"}},
        {"data/payload", {"json", "schema"}},
        {"data/records", {"json", "payload", "schema"}},
        {"data/store", {"database", "json", "records", "schema"}},
        {"data/proof", {"database", "json", "records", "schema", "store"}},
        {"data/report", {"database", "json", "proof", "records", "store"}},
        {"data/keys", {"json"}},
        {"data/payment_vendors", {"json"}},
        {"service/sharing", {}},
        {"service/metrics", {"sharing"}},
        {"service/graphql", {}},
        {"service/auth", {}},
        {"service/http", {"auth", "metrics", "sharing"}},
        {"service/fastcgi", {"http", "metrics", "sharing"}},
        {"service/openapi", {"http"}},
        {"service/api", {"auth", "graphql", "http", "metrics", "openapi", "sharing"}},
        {"tools/console", {}},
        {"tools/export", {"console"}},
        {"tools/doctor", {"console"}},
        {"tools/ctl", {"console", "doctor", "export"}},
        {"tools/client", {}},
        {"tools/manual", {"client", "ctl"}},
    };
    return table;
}

struct SourceFile {
    std::string wing;    ///< folder directly in src/ that has the file, such as `data`; empty: src/ itself
    std::string folder;  ///< path of the file's folder below src/, such as `data/store` or `data`
    std::string name;    ///< path of the file below src/, such as `data/store/row.h`
    std::vector<std::string> own_includes;
    std::vector<std::string> system_includes;
    std::string text;
};

std::vector<std::string> matches(const std::string& text, const std::regex& form) {
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), form), end; match != end; ++match) {
        found.push_back((*match)[1]);
    }
    return found;
}

SourceFile read_source(const std::filesystem::path& path) {
    static const std::regex own("#include \"([^\"]+)\"");
    static const std::regex of_system("#include <([^>]+)>");
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string name = path.lexically_relative("src").generic_string();
    const auto behind_last = name.rfind('/');
    const std::string folder = behind_last == std::string::npos ? "" : name.substr(0, behind_last);
    return {folder.substr(0, folder.find('/')), folder,    name, matches(text.str(), own),
            matches(text.str(), of_system),     text.str()};
}

const std::vector<SourceFile>& sources() {
    static const std::vector<SourceFile> files = [] {
        std::vector<SourceFile> read;
        for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".h" || extension == ".cc") read.push_back(read_source(entry.path()));
        }
        return read;
    }();
    return files;
}

bool includes(const SourceFile& file, const std::string& header) {
    const auto& all = file.system_includes;
    return std::find(all.begin(), all.end(), header) != all.end();
}

}  // namespace

class LayersTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LayersTest);
    CPPUNIT_TEST(wings_include_only_those_below_them);
    CPPUNIT_TEST(folders_include_only_those_below_them);
    CPPUNIT_TEST(includes_name_wing_folder_and_file);
    CPPUNIT_TEST(only_the_exchange_knows_libfcgi);
    CPPUNIT_TEST(only_database_knows_libpq);
    CPPUNIT_TEST(only_store_and_database_speak_sql);
    CPPUNIT_TEST(none_uses_views);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        CPPUNIT_ASSERT_MESSAGE("run from the top of the source tree", !sources().empty());
    }

    void wings_include_only_those_below_them() {
        std::string wrong;
        for (const SourceFile& file : sources()) {
            if (file.wing.empty()) continue;
            const auto allowed = wings().find(file.wing);
            CPPUNIT_ASSERT_MESSAGE("a file outside the wings: " + file.name, allowed != wings().end());
            for (const std::string& header : file.own_includes) {
                if (!allowed->second.contains(header.substr(0, header.find('/'))))
                    wrong += '\n' + file.name + " includes " + header;
            }
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void folders_include_only_those_below_them() {
        std::string wrong;
        for (const SourceFile& file : sources()) {
            if (file.folder == file.wing) continue;
            const auto allowed = allowed_folders().find(file.folder);
            CPPUNIT_ASSERT_MESSAGE("a folder without a place: " + file.name,
                                   allowed != allowed_folders().end());
            for (const std::string& header : file.own_includes) {
                const std::string folder = header.substr(0, header.rfind('/'));
                const bool is_of_wing = folder.starts_with(file.wing + '/') && folder != file.folder;
                if (is_of_wing && !allowed->second.contains(folder.substr(file.wing.size() + 1)))
                    wrong += '\n' + file.name + " includes " + header;
            }
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void includes_name_wing_folder_and_file() {
        for (const SourceFile& file : sources()) {
            for (const std::string& header : file.own_includes) {
                CPPUNIT_ASSERT_MESSAGE(file.name + " includes " + header,
                                       std::filesystem::exists("src/" + header));
            }
        }
    }

    void only_the_exchange_knows_libfcgi() {
        for (const SourceFile& file : sources()) {
            const bool knows =
                includes(file, "fcgiapp.h") || includes(file, "fcgi_stdio.h") || includes(file, "fcgios.h");
            CPPUNIT_ASSERT_MESSAGE(file.name, !knows || file.name == "service/fastcgi/exchange.cc" ||
                                                  file.name == "service/fastcgi/exchange.h");
        }
    }

    void only_database_knows_libpq() {
        for (const SourceFile& file : sources()) {
            CPPUNIT_ASSERT_MESSAGE(file.name,
                                   !includes(file, "libpq-fe.h") || file.folder == "data/database");
        }
    }

    void only_store_and_database_speak_sql() {
        static const std::regex statement(
            R"re("\s*(SELECT |INSERT INTO|UPDATE [a-z_.]+ SET|DELETE FROM|COPY \())re");
        for (const SourceFile& file : sources()) {
            if (file.folder == "data/store" || file.folder == "data/database") continue;
            CPPUNIT_ASSERT_MESSAGE(file.name + " holds SQL", !std::regex_search(file.text, statement));
        }
    }

    // The clang of Debian 12, which builds the fuzzers, compiles neither the views of libstdc++ 12 nor the
    // algorithms that return a view.
    void none_uses_views() {
        static const std::regex view(
            "\\bviews::|\\branges::(subrange|(stable_)?partition|remove(_if)?|unique|"
            "rotate|search(_n)?|equal_range|find_end)\\b");
        for (const SourceFile& file : sources()) {
            CPPUNIT_ASSERT_MESSAGE(file.name + " uses views of <ranges>",
                                   !includes(file, "ranges") && !std::regex_search(file.text, view));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LayersTest);

}  // namespace data_import::tests
