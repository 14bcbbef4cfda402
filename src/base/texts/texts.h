// Prose and other texts. Each stands in a file of its own, `src/base/texts/*`, from which a rule of the
// Makefile makes a variable.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace data_import::texts {

/// The description in /v1/openapi.json, as Markdown.
extern const std::string_view openapi;
/// The examples in /v1/openapi.json (service/openapi/prose.h reads them), and the JSON of its
/// `components/headers`.
extern const std::string_view examples;
extern const std::string_view openapi_headers;

/// CSS of a report, for a screen and for paper.
extern const std::string_view report_style;

/// Manual pages, in the form that manual/page.h reads.
extern const std::string_view data_importctl_1;
extern const std::string_view data_import_load_1;
extern const std::string_view data_importd_8;
extern const std::string_view data_import_conf_5;
extern const std::string_view data_import_csv_5;
extern const std::string_view data_import_ndjson_5;

/// The help of a whole program, with places to fill: see command_line/help.cc.
extern const std::string_view data_importctl_help;
extern const std::string_view data_import_load_help;
extern const std::string_view data_importd_help;

/// Values for the places `@NAME@` of a text. The key is the NAME of a place, in capitals and underscores.
using Replacements = std::map<std::string, std::string, std::less<>>;

/// Fills the places of a text, `@NAME@`, with the values. Each line of a value is indented as its place is.
/// Throws std::logic_error for a place without a value.
[[nodiscard]] std::string filled(std::string_view text, const Replacements& places);

}  // namespace data_import::texts
