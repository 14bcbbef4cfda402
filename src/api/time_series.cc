#include "api/time_series.h"

namespace data_import::api {

http::QueryParameter span_parameter() {
    return {.name = "span",
            .description =
                "How far back: the last hour by minutes, the last day by five minutes, or all that is "
                "kept by hours.",
            .choices = {"hour", "day", "all"}};
}

store::Span span_of(const http::Context& context) {
    const std::string_view word = context.choices.at("span");
    if (word == "hour") return store::Span::hour;
    return word == "day" ? store::Span::day : store::Span::all;
}

schema::Object series_answer(const schema::Object& counts, std::string_view about_counts) {
    return schema::object()
        .need("as_of", schema::datetime(),
              "When the figures were exact; lies in the last time, which is not over.")
        .need("began_at", schema::datetime(), "When the first time began.")
        .need("seconds", schema::integer(1), "In seconds: the length of each time.")
        .need("counts", counts, about_counts);
}

schema::Schema counts_by_time() {
    return schema::array(schema::integer(0));
}

}  // namespace data_import::api
