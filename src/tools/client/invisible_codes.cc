#include "tools/client/invisible_codes.h"

#include "base/util/invisible.h"
#include "data/schema/code_texts.h"
#include "data/schema/shown.h"
#include "tools/client/faults.h"

namespace data_import::client {

std::vector<LineWarning> invisible_codes(const InputLine& line, const schema::Schema& declared,
                                         const json::Value& body) {
    std::vector<LineWarning> warnings;
    schema::each_code_text(declared, body, [&](const std::string& path, std::string_view text) {
        const auto found = util::find_invisible(text);
        if (!found) return;
        warnings.push_back(
            {line_of(line, path), invisible_character, path, schema::shown(text) + " " + to_text(*found)});
    });
    return warnings;
}

}  // namespace data_import::client
