#include "ctl/number_lines.h"

#include <algorithm>
#include <string_view>

namespace data_import::ctl {

namespace {

constexpr std::size_t bytes_at_once = 64UL * 1024;
constexpr std::size_t longest_kept = 1024;  // a number has 128 characters
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

bool NumberLines::next() {
    while (read_line()) {
        ++line_;
        if (line_ == 1 && number_.starts_with(byte_order_mark)) number_.erase(0, byte_order_mark.size());
        if (number_.ends_with('\r')) number_.pop_back();
        if (!number_.empty()) return true;
    }
    return false;
}

bool NumberLines::read_line() {
    number_.clear();
    if (begin_ == buffer_.size() && !fill()) return false;
    for (;;) {
        const std::size_t end = std::min(buffer_.find('\n', begin_), buffer_.size());
        const std::size_t room = longest_kept - number_.size();
        number_.append(buffer_, begin_, std::min(end - begin_, room));
        const bool is_whole = end < buffer_.size();
        begin_ = is_whole ? end + 1 : end;
        if (is_whole || !fill()) return true;
    }
}

bool NumberLines::fill() {
    buffer_.resize(bytes_at_once);
    buffer_.resize(file_.read(buffer_.data(), buffer_.size()));
    begin_ = 0;
    bytes_read_ += buffer_.size();
    return !buffer_.empty();
}

}  // namespace data_import::ctl
