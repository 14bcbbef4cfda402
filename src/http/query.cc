#include "http/query.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "http/problem.h"
#include "util/joined.h"
#include "util/text.h"

namespace data_import::http {

namespace {

/// In `attr` the name of an unknown parameter is cut to so many code points.
constexpr std::size_t max_unknown_name = 256;

std::string_view take_until(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

std::optional<bool> parse_boolean(std::string_view encoded) {
    const std::optional<std::string> decoded = util::percent_decode(encoded);
    const std::string word = decoded ? util::lowered(*decoded) : std::string();
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    return std::nullopt;
}

std::optional<std::int64_t> parse_number(std::string_view encoded) {
    constexpr std::size_t most_digits = 18;
    const std::string digits = util::percent_decode(encoded).value_or("");
    const bool is_number =
        !digits.empty() && digits.size() <= most_digits &&
        std::ranges::all_of(digits, [](char digit) { return digit >= '0' && digit <= '9'; });
    if (!is_number) return std::nullopt;
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

class QueryReader {
public:
    QueryReader(const std::vector<QueryParameter>& parameters, schema::UnknownFields unknown)
        : parameters_(parameters), unknown_(unknown) {
        for (const QueryParameter& parameter : parameters) {
            if (parameter.range) {
                query_.numbers[parameter.name] = parameter.range->default_value;
            } else if (!parameter.choices.empty()) {
                query_.choices[parameter.name] = parameter.choices.front();
            } else if (!parameter.is_text) {
                query_.values[parameter.name] = parameter.default_value;
            }
        }
    }

    Query read(std::string_view text) {
        while (!text.empty()) {
            std::string_view value = take_until(text, '&');
            if (value.empty()) continue;
            const std::optional<std::string> name = util::percent_decode(take_until(value, '='));
            if (!name) {
                throw Problem{Code::bad_request,
                              "The query is not valid: its percent-encoding is no UTF-8 text."};
            }
            take(*name, value);
        }
        return std::move(query_);
    }

private:
    void take(const std::string& name, std::string_view value) {
        const auto known = std::ranges::find(parameters_, name, &QueryParameter::name);
        if (!seen_.insert(name).second) {
            if (known != parameters_.end())
                add(name, Code::invalid, "This parameter must be sent once only.");
        } else if (known == parameters_.end()) {
            refuse_unknown(name);
        } else if (!known->choices.empty()) {
            take_choice(*known, value);
        } else if (known->range) {
            take_number(*known, value);
        } else if (known->is_text) {
            take_text(*known, value);
        } else if (const std::optional<bool> truth = parse_boolean(value)) {
            query_.values[known->name] = *truth;
        } else {
            add(name, Code::invalid, "This parameter must be true, false, 1 or 0.");
        }
    }

    void take_choice(const QueryParameter& parameter, std::string_view value) {
        const auto chosen = std::ranges::find(parameter.choices, util::percent_decode(value).value_or(""));
        if (chosen != parameter.choices.end()) {
            query_.choices[parameter.name] = *chosen;
            return;
        }
        add(parameter.name, Code::invalid_choice,
            "This parameter must be one of: " + util::joined(parameter.choices) + ".");
    }

    void take_number(const QueryParameter& parameter, std::string_view value) {
        const auto [min, max, default_value] = *parameter.range;
        const std::optional<std::int64_t> number = parse_number(value);
        if (number && *number >= min && *number <= max) {
            query_.numbers[parameter.name] = *number;
            return;
        }
        const Code code = !number ? Code::invalid : *number < min ? Code::min_value : Code::max_value;
        add(parameter.name, code,
            "This parameter must be a whole number from " + std::to_string(min) + " to " +
                std::to_string(max) + ".");
    }

    void take_text(const QueryParameter& parameter, std::string_view value) {
        if (const std::optional<std::string> text = util::percent_decode(value)) {
            query_.texts[parameter.name] = *text;
        } else {
            add(parameter.name, Code::invalid, "This parameter must be percent-encoded UTF-8 text.");
        }
    }

    void refuse_unknown(const std::string& name) {
        if (unknown_ == schema::UnknownFields::ignore) return;
        add(name, Code::unknown_field,
            parameters_.empty() ? "This address takes no parameters."
                                : "This parameter is not known here; known are: " +
                                      util::joined(parameters_, &QueryParameter::name) + ".");
    }

    void add(std::string_view name, Code code, std::string detail) {
        if (query_.violations.size() >= schema::max_violations) return;
        query_.violations.push_back({.attr = std::string(util::first_code_points(name, max_unknown_name)),
                                     .code = code,
                                     .detail = std::move(detail)});
    }

    const std::vector<QueryParameter>& parameters_;
    schema::UnknownFields unknown_;
    std::set<std::string, std::less<>> seen_;
    Query query_ = {};
};

}  // namespace

std::optional<std::string_view> find_parameter(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        std::string_view value = take_until(text, '&');
        if (util::percent_decode(take_until(value, '=')) == name) return value;
    }
    return std::nullopt;
}

std::optional<bool> find_boolean(std::string_view text, std::string_view name) {
    const auto value = find_parameter(text, name);
    return value ? parse_boolean(*value) : std::nullopt;
}

Query read_query(std::string_view text, const std::vector<QueryParameter>& parameters,
                 schema::UnknownFields unknown) {
    return QueryReader(parameters, unknown).read(text);
}

}  // namespace data_import::http
