// A JSON array of objects that comes in pieces, of any length.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace data_import::client {

/// Passes the objects on one by one, without ever holding more than one of them.
class ArrayItems {
public:
    /// Bytes of an object.
    static constexpr std::size_t longest = std::size_t{16} << 20;

    /// `each` gets the text of an object: closed by its brackets, not checked otherwise.
    explicit ArrayItems(std::function<void(const std::string&)> each) : each_(std::move(each)) {}

    /// Throws std::runtime_error for a text that is no array of objects, and passes on exceptions of `each`.
    void take(std::string_view piece);
    /// To be called at the end. Throws std::runtime_error where the array has not ended.
    void finish() const;

private:
    enum class Place { before, item_or_end, item, comma_or_end, next_item, behind };

    void take(char byte);
    void take_of_item(char byte);

    std::function<void(const std::string&)> each_;
    Place place_ = Place::before;
    std::string item_;
    std::size_t depth_ = 0;
    bool in_string_ = false;
    bool is_escaped_ = false;
};

}  // namespace data_import::client
