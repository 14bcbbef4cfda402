#include "answer_reader.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

namespace data_import::bench {

namespace {

constexpr std::size_t longest_line = 32 * 1024;
constexpr std::size_t beginning_bytes = 256;

bool is(std::string_view one, const char* other) {
    return ::strcasecmp(std::string(one).c_str(), other) == 0;
}

}  // namespace

void AnswerReader::feed(std::string_view bytes) {
    while (!bytes.empty() && !is_complete() && !is_broken())
        bytes = part_ == Part::counted || part_ == Part::chunk ? feed_body(bytes) : feed_line(bytes);
}

std::string_view AnswerReader::feed_line(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    if (line_.size() > longest_line) part_ = Part::broken;
    if (end == std::string_view::npos) return {};
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    take_line();
    line_.clear();
    return bytes.substr(end + 1);
}

std::string_view AnswerReader::feed_body(std::string_view bytes) {
    const std::size_t taken = std::min(bytes.size(), left_);
    if (beginning_.size() < beginning_bytes)
        beginning_.append(bytes.substr(0, std::min(taken, beginning_bytes - beginning_.size())));
    left_ -= taken;
    if (left_ == 0) part_ = part_ == Part::counted ? Part::complete : Part::chunk_size;
    return bytes.substr(taken);
}

void AnswerReader::take_line() {
    if (part_ == Part::head) {
        take_head_line();
    } else if (part_ == Part::chunk_size) {
        take_chunk_size();
    } else if (line_.empty()) {
        part_ = Part::complete;
    }
}

void AnswerReader::take_head_line() {
    if (line_.empty()) return end_head();
    if (status_ == 0) {
        if (line_.size() < 12 || line_.compare(0, 7, "HTTP/1.") != 0)
            part_ = Part::broken;
        else
            status_ = std::atoi(line_.c_str() + 9);
        return;
    }
    const std::size_t colon = line_.find(':');
    if (colon == std::string::npos) return;
    const std::string_view line = line_;
    const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    take_header(line.substr(0, colon), line.substr(value));
}

void AnswerReader::take_header(std::string_view name, std::string_view value) {
    if (is(name, "Content-Length")) left_ = std::strtoull(value.data(), nullptr, 10);
    if (is(name, "Transfer-Encoding")) is_chunked_ = is(value, "chunked");
    if (is(name, "Connection")) keeps_ = !is(value, "close");
}

void AnswerReader::end_head() {
    if (is_chunked_) {
        part_ = Part::chunk_size;
    } else {
        part_ = left_ == 0 ? Part::complete : Part::counted;
    }
}

void AnswerReader::take_chunk_size() {
    const std::size_t size = std::strtoull(line_.c_str(), nullptr, 16);
    left_ = size + 2;
    part_ = size == 0 ? Part::trailer : Part::chunk;
}

}  // namespace data_import::bench
