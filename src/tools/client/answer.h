// Bulk requests, and the content of the service's answers.
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

/// A result item of a transaction that the account has with other content.
struct DifferingItem {
    std::size_t place = 0;  ///< in the request, from 0
    std::string transaction_id;
};

struct ImportAnswer {
    std::string code;                              ///< top-level code of an error, or empty
    std::string detail;                            ///< its sentence
    std::vector<ErrorItem> errors;                 ///< items of `errors`
    std::map<std::string, std::uint64_t> records;  ///< result items by their `status`
    std::vector<DifferingItem> differing = {};     ///< result items that are stored with other content
    std::uint64_t moved = 0;  ///< result items whose date was moved into the statement period
};

/// Reads the body of an answer; nothing if it is no JSON, and so not from the service.
[[nodiscard]] std::optional<ImportAnswer> read_answer(const std::string& body);
[[nodiscard]] ImportAnswer answer_of(const json::Value& body);
/// Does the same for a long answer of success. Never holds more of it than one result item.
[[nodiscard]] std::optional<ImportAnswer> skim_answer(const std::string& body);
/// Most bytes of an answer that is read whole. A longer one is skimmed, because its parts would take a
/// multiple of its memory.
inline constexpr std::size_t longest_read = std::size_t{1} << 20;

/// The service's answer for one line.
struct LineAnswer {
    int status = 0;
    ImportAnswer answer;
};

/// Answers by the place of the request in the bulk request, from 0. A request without an answer was accepted:
/// the service leaves out long answers of success.
using LineAnswers = std::map<std::size_t, LineAnswer>;

/// Returns the address. Its query asks for the answers that are needed.
[[nodiscard]] std::string bulk_path(const std::vector<const Job*>& jobs);

/// Writes the requests as lines, and packs them with gzip.
[[nodiscard]] std::string pack_lines(const std::vector<const Job*>& jobs);

/// Reads the answers to a bulk request. Nothing if the counts at the end of the answer do not fit `lines`
/// lines and the rest of the answer: then it is not from the service, or was cut.
[[nodiscard]] std::optional<LineAnswers> read_line_answers(const std::string& body, std::size_t lines);

/// Passes the objects of an array on one by one, and never holds more than one of them.
class ArrayItems {
public:
    /// Most bytes of an object.
    static constexpr std::size_t longest = std::size_t{16} << 20;

    /// `each` gets the text of an object, whose brackets are closed and which is not checked otherwise.
    explicit ArrayItems(std::function<void(const std::string&)> each) : each_(std::move(each)) {}

    /// Throws std::runtime_error for a text that is no array of objects, and passes on exceptions of `each`.
    void take(std::string_view piece);
    /// Has to be called at the end. Throws std::runtime_error if the array has not ended.
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
