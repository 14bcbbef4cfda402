#include "service/http/query.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/util/joined.h"
#include "base/util/text.h"
#include "data/schema/shown.h"
#include "service/http/problem.h"

namespace data_import::http {

namespace {

constexpr std::size_t max_unknown_name = 256;

/// The most parameters that are read. No endpoint has so many, so a query with more has unknown or duplicate
/// parameters, and is refused.
constexpr std::size_t most_parameters = 128;

std::optional<bool> parse_boolean(std::string_view value) {
    const std::string word = util::lowered(value);
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    return std::nullopt;
}

std::optional<std::int64_t> parse_number(std::string_view digits) {
    constexpr std::size_t most_digits = 18;
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
    explicit QueryReader(const std::vector<QueryParameter>& parameters) : parameters_(parameters) {
        for (const QueryParameter& parameter : parameters) {
            if (auto value = default_of(parameter)) query_.values[parameter.name] = *std::move(value);
        }
    }

    Query read(const SentQuery& sent) {
        for (const auto& [name, value] : sent) take(name, value);
        return std::move(query_);
    }

private:
    void take(const std::string& name, const std::string& value) {
        const auto known = std::ranges::find(parameters_, name, &QueryParameter::name);
        if (!seen_.insert(name).second) {
            if (known != parameters_.end())
                add(name, Code::invalid, "This parameter must be sent only once.");
        } else if (known == parameters_.end()) {
            refuse_unknown(name);
        } else if (!known->choices.empty()) {
            take_choice(*known, value);
        } else if (known->range) {
            take_number(*known, value);
        } else if (known->is_text) {
            query_.values[known->name] = value;
        } else if (const std::optional<bool> truth = parse_boolean(value)) {
            query_.values[known->name] = *truth ? "true" : "false";
        } else {
            add(name, Code::invalid, "This parameter must be true, false, 1 or 0.", schema::shown(value));
        }
    }

    void take_choice(const QueryParameter& parameter, std::string_view value) {
        const auto chosen = std::ranges::find(parameter.choices, value);
        if (chosen != parameter.choices.end()) {
            query_.values[parameter.name] = *chosen;
            return;
        }
        add(parameter.name, Code::invalid_choice,
            "This parameter must be one of: " + util::joined(parameter.choices) + ".", schema::shown(value));
    }

    void take_number(const QueryParameter& parameter, std::string_view value) {
        const auto [min, max, default_value] = *parameter.range;
        const std::optional<std::int64_t> number = parse_number(value);
        if (number && *number >= min && *number <= max) {
            query_.values[parameter.name] = std::to_string(*number);
            return;
        }
        const Code code = !number ? Code::invalid : *number < min ? Code::min_value : Code::max_value;
        add(parameter.name, code,
            "This parameter must be a whole number from " + std::to_string(min) + " to " +
                std::to_string(max) + ".",
            schema::shown(value));
    }

    void refuse_unknown(const std::string& name) {
        add(name, Code::unknown_field,
            parameters_.empty() ? "This address takes no parameters."
                                : "This parameter is unknown here. Known parameters are: " +
                                      util::joined(parameters_, &QueryParameter::name) + ".");
    }

    void add(std::string_view name, Code code, std::string detail, std::string sent = {}) {
        if (query_.violations.size() >= schema::max_violations) return;
        query_.violations.push_back({.attr = std::string(util::first_code_points(name, max_unknown_name)),
                                     .code = code,
                                     .detail = std::move(detail),
                                     .sent = std::move(sent)});
    }

    const std::vector<QueryParameter>& parameters_;
    std::set<std::string, std::less<>> seen_;
    Query query_ = {};
};

}  // namespace

std::optional<std::string> default_of(const QueryParameter& parameter) {
    if (parameter.is_text) return std::nullopt;
    if (parameter.range) return std::to_string(parameter.range->default_value);
    if (!parameter.choices.empty()) return std::string(parameter.choices.front());
    return parameter.default_value ? "true" : "false";
}

SentQuery decode_query(std::string_view text) {
    std::optional<SentQuery> sent = util::decode_query(text, most_parameters);
    if (!sent)
        throw Problem{Code::bad_request, "The query is not valid: its percent-encoding is no UTF-8 text."};
    return *std::move(sent);
}

bool has_parameter(const SentQuery& query, std::string_view name) {
    return std::ranges::find(query, name, &util::NamedValue::name) != query.end();
}

std::optional<bool> find_boolean(const SentQuery& query, std::string_view name) {
    const auto sent = std::ranges::find(query, name, &util::NamedValue::name);
    return sent == query.end() ? std::nullopt : parse_boolean(sent->value);
}

Query read_query(const SentQuery& sent, const std::vector<QueryParameter>& parameters) {
    return QueryReader(parameters).read(sent);
}

}  // namespace data_import::http
