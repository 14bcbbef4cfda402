// Reads answers of a payment vendor: bodies in chunks, and the fields of their JSON that the service keeps.
// The input is read as a plain body and as chunks.
#include <Poco/Net/NetException.h>

#include <algorithm>
#include <string>

#include "base/net/chunks.h"
#include "base/util/text.h"
#include "data/json/reader.h"
#include "data/payment_vendors/client.h"
#include "input.h"

using namespace data_import;

namespace {

constexpr std::size_t max_bytes = 4096;

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

/// True if the text has 12 digits with at most three separators in each gap. The service must not keep these.
bool holds_long_number(std::string_view text) {
    constexpr std::size_t fewest_digits = 12;
    constexpr std::size_t widest_gap = 3;
    std::size_t digits = 0;
    std::size_t gap = 0;
    for (const char character : text) {
        if (is_digit(character)) {
            gap = 0;
            if (++digits >= fewest_digits) return true;
        } else if (std::string_view(" -._/").find(character) == std::string_view::npos ||
                   ++gap > widest_gap) {
            digits = gap = 0;
        }
    }
    return false;
}

void check_kept(const json::Value& value) {
    switch (value.type()) {
        case json::Type::string:
        case json::Type::number:
            tests::require(!holds_long_number(value.text()), "no long number is kept");
            return;
        case json::Type::array:
            for (const json::Value item : value.items()) check_kept(item);
            return;
        case json::Type::object:
            for (const auto& [name, member] : value.members()) {
                tests::require(!holds_long_number(name), "no long number is kept in a name");
                check_kept(member);
            }
            return;
        case json::Type::null:
        case json::Type::boolean:
            return;
    }
}

std::size_t shown_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char character) {
        return is_digit(character) || (character >= 'A' && character <= 'Z') ||
               (character >= 'a' && character <= 'z');
    }));
}

void check_details(const payment_vendors::Details& details) {
    tests::require(util::is_utf8(details.json), "what is kept is UTF-8");
    if (details.last_four) {
        tests::require(details.last_four->size() == 4 && std::ranges::all_of(*details.last_four, is_digit),
                       "the last four digits are four digits");
    }
    if (details.masked_account)
        tests::require(shown_in(*details.masked_account) <= 4, "of an account four characters are kept");
    const json::Document kept = json::read(details.json);
    tests::require(kept.root().is(json::Type::object), "what is kept is an object");
    check_kept(kept.root());
}

void judge(std::string_view body) {
    for (const int status : {200, 404, 429, 503}) {
        net::Exchange exchange;
        exchange.status = status;
        exchange.body = body;
        const payment_vendors::VendorAnswer answer = payment_vendors::judge(std::move(exchange));
        tests::require(
            (answer.verdict == payment_vendors::VendorVerdict::active) == answer.details.has_value(),
            "an active instruction has details, and no other");
        tests::require(status == 200 || !answer.details, "only 200 has details");
        if (answer.details) check_details(*answer.details);
    }
}

/// Returns the body that is in the chunks, and sets `taken` to the number of bytes that it read.
std::string unchunked(std::string_view bytes, std::size_t& taken) {
    taken = 0;
    return net::read_chunks(
        [&](char* buffer, std::size_t size) {
            // gives the bytes in pieces of different lengths, as a connection does
            const std::size_t piece = bytes.copy(buffer, std::min(size, 1 + taken % 7), taken);
            taken += piece;
            return piece;
        },
        max_bytes);
}

/// The body in chunks of `size` bytes.
std::string chunked(std::string_view body, std::size_t size) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string bytes;
    for (; !body.empty(); body.remove_prefix(std::min(size, body.size()))) {
        const std::string_view chunk = body.substr(0, size);
        (bytes += digits[chunk.size() >> 4U & 0xFU]) += digits[chunk.size() & 0xFU];
        bytes.append("\r\n").append(chunk).append("\r\n");
    }
    return bytes + "0\r\n\r\n";
}

void check_chunks(std::string_view input) {
    std::size_t taken = 0;
    try {
        const std::string body = unchunked(input, taken);
        tests::require(body.size() <= max_bytes && body.size() < taken, "a body is bounded");
        tests::require(input.substr(0, taken).ends_with("\r\n"), "nothing is read behind the trailers");
        judge(body);
    } catch (const Poco::Net::MessageException&) {
    }
    if (input.size() > max_bytes) return;
    const std::string sent = chunked(input, 1 + input.size() % 255);
    tests::require(unchunked(sent + "rest", taken) == input, "chunks are put together as they were cut");
    tests::require(taken == sent.size(), "chunks are read to their end, and no further");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = tests::input_text(data, size);
    check_chunks(input);
    judge(input);
    return 0;
}
