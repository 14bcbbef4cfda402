// Values that a resolver gets or returns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace data_import::graphql {

struct Member;

/// Holds null, a boolean, an integer, a string (an enum value is its name), a list, or an object with members
/// in order. Access to a part that the value does not have, such as the text of a list, throws
/// std::bad_variant_access.
class Datum {
public:
    using List = std::vector<Datum>;
    using Members = std::vector<Member>;

    Datum() = default;  ///< null
    Datum(bool truth);
    Datum(int number);
    Datum(std::int64_t number);
    Datum(std::string text);
    Datum(std::string_view text);
    Datum(const char* text);
    Datum(List items);
    Datum(Members members);

    template <typename Kind>
    [[nodiscard]] bool is() const {
        return std::holds_alternative<Kind>(held_);
    }
    [[nodiscard]] bool is_null() const { return is<std::monostate>(); }
    [[nodiscard]] bool boolean() const { return std::get<bool>(held_); }
    [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(held_); }
    [[nodiscard]] const std::string& text() const { return std::get<std::string>(held_); }
    [[nodiscard]] const List& list() const { return std::get<List>(held_); }
    [[nodiscard]] const Members& members() const { return std::get<Members>(held_); }

    /// Returns the member of an object with this name; nullptr if it has none. A member whose value is null
    /// is found, too.
    [[nodiscard]] const Datum* find(std::string_view name) const;

private:
    std::variant<std::monostate, bool, std::int64_t, std::string, List, Members> held_;
};

struct Member {
    std::string name;
    Datum value;
};

// Defined here, because the members of a variant have to be complete types.
inline Datum::Datum(bool truth) : held_(truth) {}
inline Datum::Datum(int number) : held_(std::int64_t{number}) {}
inline Datum::Datum(std::int64_t number) : held_(number) {}
inline Datum::Datum(std::string text) : held_(std::move(text)) {}
inline Datum::Datum(std::string_view text) : held_(std::string(text)) {}
inline Datum::Datum(const char* text) : held_(std::string(text)) {}
inline Datum::Datum(List items) : held_(std::move(items)) {}
inline Datum::Datum(Members members) : held_(std::move(members)) {}

inline const Datum* Datum::find(std::string_view name) const {
    for (const Member& member : members()) {
        if (member.name == name) return &member.value;
    }
    return nullptr;
}

}  // namespace data_import::graphql
