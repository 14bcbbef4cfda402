#include "tools/export/bulk_lines.h"

#include <utility>

#include "data/json/writer.h"

namespace data_import::exports {

namespace {

constexpr std::size_t most_items = 100;
constexpr std::size_t most_bytes = std::size_t{256} << 10U;  // most bytes of a line with several records

/// Returns `"name":"text"`.
std::string member(std::string_view name, std::string_view text) {
    std::string json = '"' + std::string(name) + "\":";
    json::append_string(json, text);
    return json;
}

/// Returns the text between the brackets of an object.
std::string_view inside(std::string_view object) {
    return object.substr(1, object.size() - 2);
}

}  // namespace

BulkLines::BulkLines(std::string_view import_supplier, Sink sink)
    : supplier_member_(member("import_supplier", import_supplier)), sink_(std::move(sink)) {}

void BulkLines::add(const payload::DeclaredImport& import, std::string_view external_account_number,
                    std::int64_t copy, std::string_view record) {
    if (has_room(import, external_account_number, copy, record.size())) {
        line_ += ',';
    } else {
        end();
        begin(import, external_account_number, copy);
    }
    line_ += import.field.empty() ? inside(record) : record;
    ++items_;
}

void BulkLines::end() {
    if (import_ == nullptr) return;
    line_ += import_->is_list ? "]}}\n" : "}}\n";
    sink_(line_);
    import_ = nullptr;
}

bool BulkLines::has_room(const payload::DeclaredImport& import, std::string_view external_account_number,
                         std::int64_t copy, std::size_t bytes) const {
    return import.is_list && import_ == &import && number_ == external_account_number && copy_ == copy &&
           items_ < most_items && line_.size() + bytes < most_bytes;
}

void BulkLines::begin(const payload::DeclaredImport& import, std::string_view external_account_number,
                      std::int64_t copy) {
    import_ = &import;
    number_ = external_account_number;
    copy_ = copy;
    items_ = 0;
    line_ = R"({"path":")" + std::string(import.path) + (copy > 1 ? "?check_previously_added=false" : "") +
            R"(","body":{)";
    if (!number_.empty()) line_ += supplier_member_ + ',' + member("external_account_number", number_) + ',';
    if (!import.field.empty()) line_ += '"' + std::string(import.field) + (import.is_list ? "\":[" : "\":");
}

}  // namespace data_import::exports
