#include "tools/client/check_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/codes/codes.h"
#include "base/util/datetime.h"
#include "base/util/limits.h"
#include "base/util/nearest_word.h"
#include "base/util/path_slips.h"
#include "base/util/query_text.h"
#include "base/util/text.h"
#include "data/json/reader.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/payload/paths.h"
#include "data/schema/schema.h"
#include "data/schema/shown.h"
#include "tools/client/input.h"
#include "tools/client/invisible_codes.h"
#include "tools/client/ledger.h"
#include "tools/client/run_line.h"
#include "tools/client/stop.h"
#include "tools/client/summary.h"

namespace data_import::client {

namespace {

Outcome refused(Code code, std::string detail) {
    const codes::CodeRow& row = codes::row_of(code);
    Outcome outcome = unasked(Fate::refused, row.name, std::move(detail));
    outcome.status = row.status;
    return outcome;
}

Outcome refused(const std::vector<schema::Violation>& violations) {
    Outcome outcome = refused(Code::validation_error, "");
    for (const schema::Violation& violation : violations) {
        outcome.answer.errors.push_back(
            {violation.attr, std::string(codes::name_of(violation.code)), violation.told()});
    }
    return outcome;
}

/// Returns whether the import takes a parameter of this name. Only transactions take parameters; all of them
/// are booleans.
bool takes_parameter(const ImportRequest& request, std::string_view name) {
    return request.address() == payload::import_of("transactions").path &&
           (name == "check_previously_added" || name == "force_add_to_current_statement");
}

bool is_boolean(std::string_view value) {
    const std::string word = util::lowered(value);
    return word == "true" || word == "false" || word == "1" || word == "0";
}

/// Returns the faults of the query, as the service reports them.
std::vector<schema::Violation> check_query(const ImportRequest& request) {
    std::vector<schema::Violation> violations;
    std::set<std::string> seen;
    const auto parameters = util::decode_query(util::query_of(request.path));
    for (const auto& [name, value] : parameters.value_or(std::vector<util::NamedValue>())) {
        if (!takes_parameter(request, name))
            violations.push_back({name, Code::unknown_field, "This parameter is not known here."});
        else if (!seen.insert(name).second)
            violations.push_back({name, Code::invalid, "This parameter must be sent once only."});
        else if (!is_boolean(value))
            violations.push_back({.attr = name,
                                  .code = Code::invalid,
                                  .detail = "This parameter must be true, false, 1 or 0.",
                                  .sent = schema::shown(value)});
    }
    return violations;
}

/// Returns the faults that the service would find while it stores the records, except those that depend on
/// what is stored already.
std::vector<schema::Violation> check_stored(const ImportRequest& request, const json::Value& body) {
    std::vector<schema::Violation> violations;
    if (request.address() == payload::import_of("notes").path) {
        for (const std::size_t place : payload::unpinned_before_creation(body.at("notes"), util::now()))
            violations.push_back(schema::violation_of("notes." + std::to_string(place) + ".unpin_at",
                                                      Code::note_unpin_at_earlier_than_creation_date,
                                                      std::string(payload::unpinned_too_early),
                                                      body.at("notes").item(place).at("unpin_at")));
    }
    if (request.address() == payload::import_of("price_sheets").path) {
        for (const std::size_t place : payload::differing_price_sheets(body.at("price_sheets")))
            violations.push_back(
                schema::violation_of("price_sheets." + std::to_string(place) + ".external_id",
                                     Code::duplicate, std::string(payload::price_sheet_differs),
                                     body.at("price_sheets").item(place).at("external_id")));
    }
    return violations;
}

/// Returns the sentence that no import has this path. If the path has only a slip, such as a missing slash,
/// returns the sentence that the service answers to this slip.
std::string no_import_at(std::string_view address) {
    std::vector<std::string> paths;
    for (const payload::DeclaredImport& import : payload::imports()) paths.emplace_back(import.path);
    if (std::string slip = util::slip_in_path(paths, address); !slip.empty()) return slip;
    const auto meant = util::nearest_path(address, paths);
    return "There is no import at this path." + (meant ? " Did you mean " + *meant + "?" : std::string());
}

using Look = std::function<void(const json::Value& body)>;
using LookAtAll = std::function<void(const payload::DeclaredImport& import, const json::Value& body)>;

/// Returns the outcome that a request would have at the service. Calls `look` with the body if the request is
/// accepted. Calls `look_at_all` with the import and the body, even if the request is refused in the end.
/// Does not call `look_at_all` if no import has the path, the body is too large, or the body is not JSON.
Outcome check_request(const ImportRequest& request, const LookAtAll& look_at_all, const Look& look) {
    const payload::DeclaredImport* const import = payload::find_import(request.address());
    if (import == nullptr) return refused(Code::not_found, no_import_at(request.address()));
    if (request.body.size() > util::limits::body)
        return refused(Code::payload_too_large,
                       "The body is larger than " + std::to_string(util::limits::body >> 20U) + " MiB.");
    try {
        const json::Document body = json::read(std::string(request.body));
        look_at_all(*import, body.root());
        auto violations = check_query(request);
        std::ranges::move(schema::check(import->body, body.root(), schema::UnknownFields::refuse),
                          std::back_inserter(violations));
        if (violations.empty()) violations = check_stored(request, body.root());
        if (!violations.empty()) return refused(violations);
        look(body.root());
    } catch (const json::SyntaxError& error) {
        return refused(Code::parse_error, error.what());
    }
    return unasked(Fate::accepted, "", "");
}

Outcome check_line(const InputLine& line, const LookAtAll& look_at_all, const Accepted& accepted) {
    try {
        const ImportRequest request = parse_line(line);
        return check_request(request, look_at_all,
                             [&](const json::Value& body) { accepted(request, body, line); });
    } catch (const MalformedLine& error) {
        return malformed(line, error.what());
    }
}

}  // namespace

Outcome check_request(const ImportRequest& request) {
    return check_request(
        request, [](const payload::DeclaredImport&, const json::Value&) {}, [](const json::Value&) {});
}

void check_files(const Options& options, Summary& summary, const Stop& stop, const CheckedLines& lines) {
    Ledger ledger(options, summary);
    const RunLine progress(summary, options);
    ledger.begin(nullptr);
    Input input(options.files, stop.descriptor(), options.csv);
    std::optional<std::size_t> file;
    const auto next = [&] { return options.check ? input.next_or_fault() : input.next(); };
    while (auto line = next()) {
        if (line->file != file && !line->ends_file) ledger.begin_file(line->file, input.head());
        file = line->file;
        line->import = import_of(*line);
        if (lines.is_passed_over && lines.is_passed_over(*line)) {
            summary.skip(*line);
            continue;
        }
        const auto warn = [&](const payload::DeclaredImport& import, const json::Value& body) {
            if (options.check)
                std::ranges::move(invisible_codes(*line, import.body, body),
                                  std::back_inserter(line->warnings));
        };
        const Outcome outcome = check_line(*line, warn, lines.accepted);
        if (lines.left_out && outcome.fate != Fate::accepted) lines.left_out(*line);
        ledger.settle(*line, outcome);
        if (stop.requested()) return;
    }
    if (!stop.requested()) summary.set_empty_files(input.empty_files());
}

int tell_of_stop(const Stop& stop, std::ostream& errors) {
    errors << program << ": stopped: " << stop.reason() << '\n';
    return ended_early;
}

int check(const Options& options, std::ostream& output, std::ostream& errors) {
    const auto begin = std::chrono::steady_clock::now();
    Summary summary(options.files);
    Stop stop;
    const Interruption interruption(stop);
    check_files(options, summary, stop,
                {.accepted = [](const ImportRequest&, const json::Value&, const InputLine&) {}});
    if (stop.requested()) summary.set_stopped(stop.reason());
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    output << (options.json ? summary.to_json(elapsed) : summary.to_text(elapsed)) << std::flush;
    if (stop.requested()) return tell_of_stop(stop, errors);
    return summary.all_accepted() && output ? 0 : 1;
}

}  // namespace data_import::client
