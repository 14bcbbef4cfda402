// Writes bulk requests, and reads the service's answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "tools/client/schedule.h"

namespace data_import::client {

/// One item of `errors` (contract, section 3.1).
struct ErrorItem {
    std::string attr;
    std::string code;
    std::string detail;
};

/// A transaction of the request that is already stored in the account, but with other content.
struct DifferingItem {
    std::size_t place = 0;  ///< place of the transaction in the request, from 0
    std::string transaction_id;
};

struct ImportAnswer {
    std::string code;               ///< top-level code of an error, or empty
    std::string detail;             ///< sentence of an error, or empty
    std::vector<ErrorItem> errors;  ///< items of the answer's member `errors`
    /// Number of result items by their `status`. For items that are stored with other content, the key is the
    /// status with ` with other content` after it.
    std::map<std::string, std::uint64_t> records;
    std::vector<DifferingItem> differing = {};  ///< transactions that are stored with other content
    std::uint64_t moved = 0;  ///< number of result items whose date was moved into the statement period
};

/// Reads the body of an answer. Returns nothing if the body is not JSON, and so not from the service.
[[nodiscard]] std::optional<ImportAnswer> read_answer(const std::string& body);
[[nodiscard]] ImportAnswer answer_of(const json::Value& body);
/// Reads a long successful answer as read_answer() does, but parses only one result item at a time.
[[nodiscard]] std::optional<ImportAnswer> skim_answer(const std::string& body);
/// The longest answer, in bytes, that is read by read_answer(). A longer one is skimmed, because a parsed
/// answer takes several times the memory of its text.
inline constexpr std::size_t longest_read = std::size_t{1} << 20;

/// The service's answer for one line.
struct LineAnswer {
    int status = 0;
    ImportAnswer answer;
};

/// The service's answers to the lines of a bulk request. The key is the place of the line in the bulk
/// request, from 0. A line without an answer was accepted, because the service can leave out answers of
/// success.
using LineAnswers = std::map<std::size_t, LineAnswer>;

/// Returns the path of a bulk request whose lines are `jobs`. The query is `results=errors` if all lines are
/// documents, or if there is only one line and its body is longer than longest_read. The service then leaves
/// out the answers of accepted lines. Otherwise the query is `results=all`.
[[nodiscard]] std::string bulk_path(const std::vector<const Job*>& jobs);

/// Writes the requests as lines, and packs them with gzip.
[[nodiscard]] std::string pack_lines(const std::vector<const Job*>& jobs);

/// Reads the answer to a bulk request of `lines` lines. Returns nothing if the text has another form, or if
/// the counts in its last line are wrong: it is then not from the service, or was cut off.
[[nodiscard]] std::optional<LineAnswers> read_line_answers(const std::string& body, std::size_t lines);

/// Splits the text of a JSON array into its objects, and keeps only one of them in memory.
class ArrayItems {
public:
    /// The most bytes that an object may have.
    static constexpr std::size_t longest = std::size_t{16} << 20;

    /// `each` is called with the text of each object. The text is not checked, except that all its brackets
    /// are closed.
    explicit ArrayItems(std::function<void(const std::string&)> each) : each_(std::move(each)) {}

    /// Takes the next piece of the JSON text. Throws std::runtime_error if the text is no array of objects.
    /// Passes on what the constructor's parameter `each` throws.
    void take(std::string_view piece);
    /// Has to be called after the last piece. Throws std::runtime_error if the array has not ended.
    void finish() const;

private:
    enum class Expected { before, item_or_end, item, comma_or_end, next_item, nothing };

    void take(char byte);
    void take_of_item(char byte);

    std::function<void(const std::string&)> each_;
    Expected expected_ = Expected::before;
    std::string item_;
    std::size_t depth_ = 0;
    bool in_string_ = false;
    bool is_escaped_ = false;
};

}  // namespace data_import::client
