#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/paths.h"
#include "data/proof/account_totals.h"
#include "data/records/kinds.h"
#include "service/api/account_scoped.h"
#include "service/api/array_stream.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

constexpr std::string_view number_parameter = "external_account_number";

constexpr std::size_t longest_figure = 64;
constexpr std::string_view about_sum = "An exact sum as a decimal string, without unnecessary zeros.";

schema::Schema answer() {
    const auto sums = schema::object().may_each("", longest_figure, schema::text(1, 64), about_sum);
    schema::Object kinds = schema::object();
    for (const records::Kind& kind : records::kinds())
        kinds = kinds.may(
            kind.name,
            schema::object()
                .need("records", schema::integer(1), "Number of records of this kind in the account.")
                .need("sums", sums, "Exact sums by the name of the figure.")
                .need("fingerprint", schema::alphanumeric(32),
                      "Fingerprint of these records, in lower-case hexadecimal digits."),
            "Figures of this kind of records.");
    return schema::array(
        schema::object()
            .need("external_account_number", payload::external_account_number(),
                  payload::about::external_account_number)
            .need("kinds", kinds, "Figures of the account by kind. Kinds without records are left out."));
}

http::Run run(std::chrono::seconds timeout) {
    return [timeout](const http::Context& context, database::Database& database, http::Responder& responder) {
        proof::TotalsQuery query{.import_supplier = context.segments.at(0), .timeout_of_part = timeout};
        const auto number = context.query.values.find(number_parameter);
        if (number != context.query.values.end()) query.external_account_number = number->second;
        ArrayStream stream(responder);
        const auto add = [&](const records::AccountTotals& account) {
            json::Writer kinds;
            records::write_kinds(kinds, account);
            stream.begin_object();
            stream.member("external_account_number", account.external_account_number);
            stream.json("kinds", kinds.text());
            stream.end_object();
        };
        proof::with_snapshot(
            database,
            [&] {
                if (!proof::stream_account_totals(database, query, add))
                    throw http::Problem{Code::not_found, unknown_account};
            },
            context.request.request_id);
        stream.finish();
    };
}

}  // namespace

http::Endpoint account_control_totals(const Options& options) {
    return {
        .method = "GET",
        .path = payload::paths::account_control_totals,
        .summary =
            "Tell what each account of a supplier holds, with a fingerprint of it: the proof that everything "
            "arrived.",
        .tag = http::Tag::migration_progress,
        .supplier = http::SupplierIn::first_segment,
        .query = {{.name = number_parameter,
                   .description = "Only this account; 404 if the supplier has no account with this number.",
                   .is_text = true}},
        .answers =
            {{200,
              "The accounts in all states, ordered by their external account number. Each has, for each kind "
              "of which it has records, their number, exact sums as decimal strings, and a fingerprint. "
              "Repeats count once, and notes that the service pinned itself do not count. All figures are "
              "read from the records themselves, at one moment. The fingerprint of a set of records is the "
              "sum modulo 2^128 of their digests, as 32 lower-case hexadecimal digits. The digest of a "
              "record is the first 16 bytes, big-endian, of SHA-256 over its kind, U+000A, the external "
              "account number, U+000A, and the record as it was sent. The record is written as JSON with "
              "members sorted by name, without white space, with strings escaped as in RFC 8785, decimals as "
              "strings without exponent and without unnecessary zeros, datetimes in UTC with `Z`, null if "
              "null was sent, and without fields that were not sent.",
              answer()}},
        .run = run(options.listing_timeout)};
}

}  // namespace data_import::api
