#include "tools/ctl/row_file.h"

#include "data/json/writer.h"
#include "tools/console/text_table.h"

namespace data_import::ctl {

void print_row_errors(const Context& context, const store::LoadErrors& errors) {
    if (!context.json()) {
        for (const auto& error : errors.first) {
            Context::print("line " + std::to_string(error.line) + ": " +
                           console::in_one_line(error.sentence) + "\n");
        }
        const std::uint64_t more = errors.count - errors.first.size();
        if (more > 0) Context::print("and " + std::to_string(more) + " more\n");
        return;
    }
    json::Writer writer;
    writer.begin_object()
        .key("error_count")
        .integer(static_cast<std::int64_t>(errors.count))
        .key("errors")
        .begin_array();
    for (const auto& error : errors.first) {
        writer.begin_object().key("line").integer(static_cast<std::int64_t>(error.line));
        writer.key("detail").string(error.sentence).end_object();
    }
    Context::print(writer.end_array().end_object().take() + "\n");
}

}  // namespace data_import::ctl
