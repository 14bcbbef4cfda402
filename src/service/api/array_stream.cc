#include "service/api/array_stream.h"

#include "data/json/writer.h"

namespace data_import::api {

namespace {

constexpr std::size_t chunk_bytes = 32 * 1024;

}  // namespace

void ArrayStream::begin_object() {
    buffer_ += objects_++ == 0 ? "[{" : ",{";
    has_members_ = false;
}

void ArrayStream::member(std::string_view name, const std::optional<std::string_view>& value) {
    key(name);
    value ? data_import::json::append_string(buffer_, *value) : static_cast<void>(buffer_ += "null");
}

void ArrayStream::number(std::string_view name, std::string_view digits) {
    key(name);
    buffer_ += digits;
}

void ArrayStream::json(std::string_view name, std::string_view text) {
    key(name);
    buffer_ += text;
}

void ArrayStream::end_object() {
    buffer_ += '}';
    if (buffer_.size() >= chunk_bytes) flush();
}

void ArrayStream::finish() {
    buffer_ += objects_ == 0 ? "[]" : "]";
    flush();
    responder_.end();
}

void ArrayStream::key(std::string_view name) {
    if (has_members_) buffer_ += ',';
    has_members_ = true;
    ((buffer_ += '"') += name) += "\":";
}

void ArrayStream::flush() {
    if (!responder_.begun()) responder_.begin(200, "application/json", {});
    responder_.write(buffer_);
    buffer_.clear();
}

}  // namespace data_import::api
