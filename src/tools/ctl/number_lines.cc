#include "tools/ctl/number_lines.h"

#include <algorithm>

#include "base/util/limits.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t bytes_at_once = 64UL * 1024;
/// The most bytes of a line that are kept: a valid number is never longer.
constexpr std::size_t longest_kept = 8 * util::limits::external_account_number;

}  // namespace

bool NumberLines::next() {
    while (read_line()) {
        ++line_;
        if (!number_.empty()) return true;
    }
    return false;
}

bool NumberLines::read_line() {
    number_.clear();
    if (begin_ == buffer_.size() && !fill()) return false;
    for (;;) {
        const std::size_t end = std::min(buffer_.find_first_of("\r\n", begin_), buffer_.size());
        const std::size_t room = longest_kept - number_.size();
        number_.append(buffer_, begin_, std::min(end - begin_, room));
        begin_ = end;
        if (end < buffer_.size()) break;
        is_cut_ = !fill();
        if (is_cut_) return true;
    }
    const bool is_return = buffer_[begin_++] == '\r';
    if (is_return && (begin_ < buffer_.size() || fill()) && buffer_[begin_] == '\n') ++begin_;
    return true;
}

bool NumberLines::fill() {
    buffer_.resize(bytes_at_once);
    buffer_.resize(file_.read(buffer_.data(), buffer_.size()));
    begin_ = 0;
    return !buffer_.empty();
}

}  // namespace data_import::ctl
