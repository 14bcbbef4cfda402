// The include directions of src/: data goes down through the folders, nothing calls back up. Run from the top
// of the source tree.
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

using Folders = std::set<std::string>;

/// The folders from which the files of a folder may include, besides their own; programs/ may include
/// everything.
const std::map<std::string, Folders>& allowed_includes() {
    static const std::map<std::string, Folders> table = {
        {"util", {}},
        {"codes", {}},
        {"texts", {}},
        {"command_line", {"texts", "util"}},
        {"config", {"command_line", "texts", "util"}},
        {"json", {"util"}},
        {"sharing", {"util"}},
        {"metrics", {"sharing", "util"}},
        {"database", {"util"}},
        {"graphql", {"json", "util"}},
        {"schema", {"codes", "database", "json", "util"}},
        {"payload", {"codes", "json", "schema", "util"}},
        {"records", {"payload", "schema", "json", "util"}},
        {"store", {"database", "records", "schema", "json", "util"}},
        {"proof", {"database", "records", "schema", "store", "json", "util"}},
        {"report", {"database", "proof", "records", "store", "json", "texts", "util"}},
        {"net", {"util"}},
        {"vendor", {"net", "json", "config", "util"}},
        {"auth", {"database", "json", "store", "util"}},
        {"http", {"database", "auth", "codes", "schema", "sharing", "json", "metrics", "store", "util"}},
        {"fastcgi", {"http", "config", "metrics", "sharing", "util"}},
        {"openapi", {"codes", "http", "json", "schema", "texts", "util"}},
        {"api",
         {"openapi", "proof", "report", "database", "http", "auth", "codes", "graphql", "payload", "records",
          "schema", "store", "json", "vendor", "metrics", "sharing", "util"}},
        {"console", {"command_line", "database", "proof", "store", "config", "util"}},
        {"export", {"console", "database", "proof", "records", "payload", "store", "json", "util"}},
        {"doctor", {"console", "database", "store", "config", "auth", "json", "vendor", "metrics", "util"}},
        {"ctl",
         {"command_line", "console", "doctor", "export", "database", "codes", "proof", "records", "report",
          "store", "config", "auth", "json", "vendor", "metrics", "texts", "util"}},
        {"client", {"command_line", "net", "codes", "payload", "records", "schema", "json", "texts", "util"}},
        {"manual", {"client", "codes", "command_line", "config", "ctl", "metrics", "texts", "util"}},
    };
    return table;
}

struct SourceFile {
    std::string folder;
    std::string name;  ///< folder and file
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
    const std::string folder = path.parent_path().filename().string();
    return {folder, folder + '/' + path.filename().string(), matches(text.str(), own),
            matches(text.str(), of_system), text.str()};
}

const std::vector<SourceFile>& sources() {
    static const std::vector<SourceFile> files = [] {
        std::vector<SourceFile> read;
        for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
            if (entry.path().parent_path() == "src") continue;  // precompiled.h, which holds no code
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
    CPPUNIT_TEST(folders_include_only_those_below_them);
    CPPUNIT_TEST(includes_name_folder_and_file);
    CPPUNIT_TEST(only_the_exchange_knows_libfcgi);
    CPPUNIT_TEST(only_database_knows_libpq);
    CPPUNIT_TEST(only_store_and_database_speak_sql);
    CPPUNIT_TEST(none_uses_views);
    CPPUNIT_TEST_SUITE_END();

public:
    void setUp() override {
        CPPUNIT_ASSERT_MESSAGE("run from the top of the source tree", !sources().empty());
    }

    void folders_include_only_those_below_them() {
        std::string wrong;
        for (const SourceFile& file : sources()) {
            if (file.folder == "programs") continue;
            const auto allowed = allowed_includes().find(file.folder);
            CPPUNIT_ASSERT_MESSAGE("a folder without a place: " + file.name,
                                   allowed != allowed_includes().end());
            for (const std::string& header : file.own_includes) {
                const std::string folder = header.substr(0, header.find('/'));
                if (folder != file.folder && !allowed->second.contains(folder))
                    wrong += '\n' + file.name + " includes " + header;
            }
        }
        CPPUNIT_ASSERT_MESSAGE(wrong, wrong.empty());
    }

    void includes_name_folder_and_file() {
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
            CPPUNIT_ASSERT_MESSAGE(
                file.name, !knows || file.name == "fastcgi/exchange.cc" || file.name == "fastcgi/exchange.h");
        }
    }

    void only_database_knows_libpq() {
        for (const SourceFile& file : sources()) {
            CPPUNIT_ASSERT_MESSAGE(file.name, !includes(file, "libpq-fe.h") || file.folder == "database");
        }
    }

    void only_store_and_database_speak_sql() {
        static const std::regex statement(
            R"re("\s*(SELECT |INSERT INTO|UPDATE [a-z_.]+ SET|DELETE FROM|COPY \())re");
        for (const SourceFile& file : sources()) {
            if (file.folder == "store" || file.folder == "database") continue;
            CPPUNIT_ASSERT_MESSAGE(file.name + " holds SQL", !std::regex_search(file.text, statement));
        }
    }

    // The clang of Debian 12 builds the fuzzers; it does not compile the views of libstdc++ 12, nor the
    // algorithms that return one.
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
