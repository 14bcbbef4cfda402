#include "import.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "data/json/reader.h"
#include "data/payload/imports.h"
#include "data/records/kinds.h"
#include "recipes.h"

namespace data_import::soak {

namespace {

std::string filled(std::string_view text, std::span<const std::pair<std::string, std::string>> values) {
    std::string result(text);
    for (const auto& [name, value] : values) {
        for (std::size_t at = 0; (at = result.find(name, at)) != std::string::npos; at += value.size())
            result.replace(at, name.size(), value);
    }
    return result;
}

std::string items_of(const Recipe& recipe, long count) {
    std::string items;
    for (long number = 0; number < count; ++number) {
        if (number > 0) items += ',';
        const std::pair<std::string, std::string> values[] = {{"{n}", std::to_string(number)}};
        items += filled(recipe.item, values);
    }
    return items;
}

const Recipe& choose(Random& random) {
    long all = 0;
    for (const Recipe& recipe : all_recipes()) all += recipe.weight;
    long left = draw(random, 1, all);
    for (const Recipe& recipe : all_recipes()) {
        if ((left -= recipe.weight) <= 0) return recipe;
    }
    return all_recipes().front();
}

Place place_of(const Book& book, std::size_t organisation, Where where, Random& random) {
    if (where == Where::nowhere) return {};
    const std::size_t owner =
        where == Where::foreign ? (organisation + 1) % book.organisations.size() : organisation;
    const std::string& supplier = one_of(random, book.organisations.at(owner).suppliers);
    if (where == Where::staged) return {supplier, staged_account(draw(random, 1, Book::staged))};
    if (where == Where::own && draw(random, 1, 8) == 1)
        return {supplier, removable_account(supplier, draw(random, 1, Book::removable))};
    return {supplier, imported_account(supplier, draw(random, 1, Book::imported))};
}

}  // namespace

long elements_of(const json::Value& value) {
    long elements = 0;
    if (value.is(json::Type::array)) {
        elements += static_cast<long>(value.size());
        for (const json::Value item : value.items()) elements += elements_of(item);
    } else if (value.is(json::Type::object)) {
        for (const auto& [name, member] : value.members()) elements += elements_of(member);
    }
    return elements;
}

long draw(Random& random, long least, long most) {
    return least + static_cast<long>(random() % static_cast<std::uint64_t>(most - least + 1));
}

tests::HttpRequest post(std::string_view target, std::string body) {
    return {"POST",
            std::string(target),
            {{"Host", "localhost"}, {"Content-Type", "application/json"}},
            std::move(body)};
}

Author::Author(const Book& book, std::size_t organisation, std::string name, std::uint64_t seed)
    : book_(book), organisation_(organisation), name_(std::move(name)), random_(seed) {}

std::vector<Kind> all_kinds() {
    std::vector<Kind> all;
    for (const records::Kind& kind : records::kinds()) all.push_back(kind.name);
    all.insert(all.end(), {moved_dates, "market_participants", "price_sheets"});
    return all;
}

Import Author::next() {
    const Recipe& recipe = choose(random_);
    const long items = draw(random_, 1, recipe.most_items);
    const std::string number = std::to_string(++count_);
    Import made{.id = "soak-" + name_ + '-' + number,
                .kind = recipe.kind,
                .place = place_of(book_, organisation_, recipe.where, random_),
                .request = {},
                .retryable = recipe.retryable,
                .moves_dates = recipe.moves_dates,
                .hopeless = recipe.hopeless,
                .refusal = recipe.refusal};
    const std::pair<std::string, std::string> values[] = {
        {"{items}", items_of(recipe, items)},
        {"{id}", made.id},
        {"{code}", "2" + name_ + std::string(9 - number.size(), '0') + number},
        {"{participant}", Book::participant}};
    const std::string account = recipe.where == Where::nowhere
                                    ? ""
                                    : R"("import_supplier":")" + made.place.supplier +
                                          R"(","external_account_number":")" + made.place.account + R"(",)";
    const payload::DeclaredImport& import = payload::import_of(recipe.kind);
    made.request = post(std::string(import.path) + std::string(recipe.query),
                        '{' + account + filled(recipe.content, values) + '}');
    const json::Document body = json::read(made.request.body);
    made.records = import.is_list ? static_cast<long>(body.root().at(import.field).size()) : 1;
    made.details = elements_of(body.root()) - (import.is_list ? made.records : 0);
    if (recipe.needs_key || (recipe.retryable && draw(random_, 1, 4) == 1))
        made.request.headers.emplace_back("Idempotency-Key", '"' + made.id + '"');
    return made;
}

}  // namespace data_import::soak
