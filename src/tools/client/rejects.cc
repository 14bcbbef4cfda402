#include "tools/client/rejects.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "data/json/extents.h"
#include "data/json/writer.h"
#include "tools/client/files_to_load.h"
#include "tools/client/replaced_lines.h"

namespace data_import::client {

namespace {

std::string directory_of(const std::string& name) {
    const bool is_one = name.ends_with('/') || (!name.empty() && std::filesystem::is_directory(name));
    return is_one ? name : std::string();
}

/// Returns why a record was rejected: a reason, a code and an attribute. They are the values of the members
/// or columns in `rejection_names`. `record` is the index of the record in the line, and `faults` are the
/// faults of all its records. If the record itself has no fault, the reason says that it was refused together
/// with another record.
std::vector<std::string> rejection_of(const InputLine& line, std::size_t record,
                                      const std::vector<Fault>& faults) {
    constexpr std::size_t most_told = 5;
    std::vector<Fault> own;
    std::ranges::copy_if(faults, std::back_inserter(own),
                         [&](const Fault& fault) { return !fault.record || *fault.record == record; });
    const bool is_at_fault = !own.empty();
    if (!is_at_fault) own.push_back(faults.front());
    std::string reason =
        is_at_fault ? "" : "refused together with line " + std::to_string(own.front().line) + ": ";
    for (std::size_t fault = 0; fault < std::min(own.size(), most_told); ++fault)
        reason += (fault > 0 ? " / " : "") + own[fault].detail;
    if (own.size() > most_told) reason += " / and " + std::to_string(own.size() - most_told) + " more";
    if (line.is_cut) reason += " / the line has no line end";
    return {printable(reason), own.front().code, own.front().attr};
}

std::string cell_of(std::string_view text) {
    std::string field = "\"";
    for (const char byte : text) (field += byte == '"' ? "\"" : "") += byte;
    return field + '"';
}

/// Returns the text of a JSON object after its opening bracket. Leaves out the members that an earlier run
/// has put in front of the others to say why the line was rejected (rejection_names).
std::string_view members_of(std::string_view text) {
    json::ExtentScanner scanner(text);
    static_cast<void>(scanner.take('{'));
    std::string_view rest = scanner.rest();
    for (const std::string_view name : rejection_names) {
        const auto key = scanner.string_literal();
        if (!key || !json::is_text(*key, name) || !scanner.take(':')) break;
        if (!scanner.value()) break;
        const bool has_more = scanner.take(',');
        rest = scanner.rest();
        if (!has_more) break;
    }
    return rest;
}

/// Returns whether new members can be put in front of the members that the line has. They can if the line
/// begins with a bracket and a name, or with `{}`.
bool takes_members(std::string_view line) {
    json::ExtentScanner scanner(line);
    return scanner.take('{') && (scanner.take('}') || scanner.string_literal());
}

}  // namespace

Rejects::Rejects(const Options& options)
    : inputs_(options.files), directory_(directory_of(options.rejects_file)), heads_(options.files.size()) {
    if (options.rejects_file.empty()) return;
    if (directory_.empty()) {
        open(options.rejects_file);
        common_head_ = common_head(inputs_, options.csv);
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    if (error) {
        throw std::runtime_error("cannot make the directory " + directory_ +
                                 " for rejects: " + error.message());
    }
    for (const std::string& input : inputs_) {
        const std::string name = std::filesystem::path(directory_) / rejects_name_of(input);
        const auto other = std::ranges::find(outputs_, name, &Output::name);
        if (other != outputs_.end())
            throw std::runtime_error(inputs_.at(std::size_t(other - outputs_.begin())) + " and " + input +
                                     " would have their rejects in the same file " + name);
        open(name);
    }
}

Rejects::~Rejects() {
    if (directory_.empty()) return;
    for (const Output& output : outputs_) {
        if (output.file.size() > 0) continue;
        ::unlink(output.name.c_str());
        ::unlink(refused_list_of(output.name).c_str());
    }
}

void Rejects::open(const std::string& name) {
    outputs_.push_back({name, KeptFile("rejects", name, inputs_)});
}

void Rejects::begin(const std::vector<std::uint64_t>& sizes) {
    if (sizes.empty()) {
        for (const Output& output : outputs_) output.file.keep_old();
    }
    auto size = sizes.begin();
    const auto next = [&] { return size == sizes.end() ? 0 : *size++; };
    for (Output& output : outputs_) {
        output.file.begin(next());
        output.lines = next();
    }
    if (directory_.empty()) return;
    for (Output& output : outputs_) begin_list(output, next());
}

/// Opens the list of refused lines that earlier runs have written for `output`, and cuts it to its first
/// `size` bytes. If `size` is 0, opens no list, because most files need none; list() makes one at the first
/// refused line. If the file of rejects is empty, too, removes a list that is left from another run.
void Rejects::begin_list(Output& output, std::uint64_t size) const {
    const std::string name = refused_list_of(output.name);
    if (size == 0 && output.file.size() == 0) ::unlink(name.c_str());
    if (size == 0) return;
    output.refused = KeptFile("rejects", name, inputs_);
    output.refused.begin(size);
}

void Rejects::list(Output& output, const InputLine& line) const {
    if (!output.refused) {
        output.refused = KeptFile("rejects", refused_list_of(output.name), inputs_);
        output.refused.begin(0);
    }
    for (std::size_t record = 0; record < std::max<std::size_t>(line.records.size(), 1); ++record)
        output.refused.add(line_mark(line.text_of_record(record)) + '\n');
}

void Rejects::append_sizes(std::vector<std::uint64_t>& sizes) const {
    for (const Output& output : outputs_) {
        sizes.push_back(output.file.size());
        sizes.push_back(output.lines);
    }
    if (directory_.empty()) return;
    for (const Output& output : outputs_) sizes.push_back(output.refused.size());
}

void Rejects::sync() {
    for (Output& output : outputs_) {
        output.file.sync();
        output.refused.sync();
    }
}

void Rejects::begin_file(std::size_t file, const Head& head) {
    heads_.at(file) = head;
    if (outputs_.empty() || !directory_.empty()) return;
    if (common_head_ && *common_head_ != head.text) refuse_common_head(inputs_.front(), inputs_.at(file));
    common_head_ = head.text;
}

std::string Rejects::text_of(const InputLine& line, std::size_t record, const Head& head,
                             const std::vector<Fault>& faults) const {
    const std::string_view text = line.text_of_record(record);
    if (directory_.empty() || (head.separator == '\0' && !takes_members(text))) return std::string(text);
    const std::vector<std::string> rejection = rejection_of(line, record, faults);
    if (head.separator != '\0') {
        std::string cells;
        for (const std::string& one : rejection) (cells += cell_of(one)) += head.separator;
        return cells.append(text);
    }
    json::Writer writer;
    writer.begin_object();
    for (std::size_t name = 0; name < rejection.size(); ++name)
        writer.key(rejection_names[name]).string(rejection[name]);
    std::string members = writer.end_object().take();
    members.pop_back();
    const std::string_view others = members_of(text);
    const std::size_t first = others.find_first_not_of(" \t");
    if (first != std::string_view::npos && others[first] != '}') members += ',';
    return members.append(others);
}

std::optional<std::uint64_t> Rejects::add(const InputLine& line, const std::vector<Fault>& faults) {
    if (outputs_.empty() || line.text.empty()) return std::nullopt;
    Output& output = outputs_.at(directory_.empty() ? 0 : line.file);
    const Head& head = heads_.at(line.file);
    std::string text;
    std::uint64_t first = 0;
    const auto lines = [](std::string_view of) {
        return static_cast<std::uint64_t>(std::ranges::count(of, '\n'));
    };
    if (output.lines == 0) text = directory_.empty() ? head.text : head.with_rejection();
    for (std::size_t record = 0; record < std::max<std::size_t>(line.records.size(), 1); ++record) {
        if (record == faults.front().record.value_or(0)) first = output.lines + lines(text) + 1;
        text += text_of(line, record, head, faults);
        if (!text.ends_with('\n')) text += '\n';
    }
    output.lines += lines(text);
    output.file.add(text);
    if (!directory_.empty()) list(output, line);
    return first;
}

}  // namespace data_import::client
