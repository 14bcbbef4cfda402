#include "net/chunks.h"

#include <Poco/Net/NetException.h>

#include <charconv>
#include <string_view>

namespace data_import::net {

namespace {

using Poco::Net::MessageException;

constexpr std::size_t max_line = 256;  // a length with its extensions, or a trailer
constexpr std::size_t max_trailers = 100;
constexpr std::size_t max_size_digits = 8;  // hexadecimal

class Chunks {
public:
    Chunks(const std::function<int()>& next, std::size_t max_bytes) : next_(next), max_bytes_(max_bytes) {}

    std::string read() {
        std::string body;
        while (const std::size_t size = read_size()) {
            if (body.size() + size > max_bytes_) throw MessageException("the answer is too long");
            for (std::size_t count = 0; count < size; ++count) body += read_byte();
            if (!read_line().empty()) throw MessageException("a chunk is longer than it says");
        }
        for (std::size_t count = 0; !read_line().empty(); ++count) {
            if (count == max_trailers) throw MessageException("too many trailers");
        }
        return body;
    }

private:
    char read_byte() {
        const int byte = next_();
        if (byte < 0) throw MessageException("the answer was cut short");
        return static_cast<char>(byte);
    }

    /// Without CR LF, which has to end it.
    std::string read_line() {
        std::string line;
        for (char byte = read_byte(); byte != '\n'; byte = read_byte()) {
            line += byte;
            if (line.size() > max_line) throw MessageException("a line between chunks is too long");
        }
        if (!line.ends_with('\r')) throw MessageException("a line between chunks has no CR");
        line.pop_back();
        return line;
    }

    std::size_t read_size() {
        const std::string line = read_line();
        std::string_view digits(line);
        digits = digits.substr(0, digits.find_first_of("; \t"));
        std::size_t size = 0;
        const char* end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, size, 16);
        if (digits.size() > max_size_digits || error != std::errc() || stop != end)
            throw MessageException("the length of a chunk is no number");
        return size;
    }

    const std::function<int()>& next_;
    std::size_t max_bytes_;
};

}  // namespace

std::string read_chunks(const std::function<int()>& next, std::size_t max_bytes) {
    return Chunks(next, max_bytes).read();
}

}  // namespace data_import::net
