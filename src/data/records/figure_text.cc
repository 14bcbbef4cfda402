#include "data/records/figure_text.h"

#include "base/util/readable.h"

namespace data_import::records {

namespace {

// amount_total is in the currency's minor unit, so it is not written as money.
bool is_money(std::string_view figure) {
    return figure == "amount" || figure.starts_with("amount:") || figure == "gross_amount";
}

}  // namespace

std::string figure_text(std::string_view figure, std::string_view decimal) {
    return is_money(figure) ? util::grouped_money(decimal) : util::grouped(decimal);
}

}  // namespace data_import::records
