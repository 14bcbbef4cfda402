#include "base/net/chunks.h"

#include <Poco/Net/NetException.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace data_import::net {

namespace {

using Poco::Net::MessageException;

constexpr std::size_t max_line = 256;  // bytes of a line: a chunk's length with its extensions, or a trailer
constexpr std::size_t max_trailers = 100;
constexpr std::size_t longest_piece = std::size_t{16} << 10;
constexpr std::size_t max_size_digits = 8;  // hexadecimal digits of a chunk's length

class Chunks {
public:
    explicit Chunks(const ReadBytes& read) : read_(read) {}

    /// Reads the chunks and passes them on to `receive`. `admit` gets the length of each chunk before the
    /// chunk is read.
    void pass(const std::function<void(std::size_t)>& admit,
              const std::function<void(std::string_view)>& receive) {
        std::vector<char> piece(longest_piece);
        while (const std::size_t size = read_size()) {
            admit(size);
            for (std::size_t left = size; left > 0;) {
                const std::size_t count = read(piece.data(), std::min(left, piece.size()));
                receive({piece.data(), count});
                left -= count;
            }
            if (!read_line().empty()) throw MessageException("a chunk is longer than it says");
        }
        for (std::size_t count = 0; !read_line().empty(); ++count) {
            if (count == max_trailers) throw MessageException("too many trailers");
        }
    }

private:
    std::size_t read(char* buffer, std::size_t size) {
        const std::size_t count = read_(buffer, size);
        if (count == 0) throw MessageException("the answer was cut short");
        return count;
    }

    char read_byte() {
        char byte = 0;
        read(&byte, 1);
        return byte;
    }

    /// Reads a line, which has to end with CR LF, and returns it without CR LF.
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

    const ReadBytes& read_;
};

}  // namespace

std::string read_chunks(const ReadBytes& read, std::size_t max_bytes) {
    std::string body;
    Chunks(read).pass(
        [&](std::size_t size) {
            if (body.size() + size > max_bytes) throw MessageException("the answer is too long");
        },
        [&](std::string_view piece) { body += piece; });
    return body;
}

void pass_chunks(const ReadBytes& read, const std::function<void(std::string_view)>& receive) {
    Chunks(read).pass([](std::size_t) {}, receive);
}

}  // namespace data_import::net
