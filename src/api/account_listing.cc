#include "api/endpoints.h"
#include "database/database.h"
#include "json/writer.h"

namespace data_import::api {

namespace {

struct Listing {
    store::Listed listed;
    std::string_view path;
    std::string_view summary;
};

const Listing& listing_of(store::Listed listed);
schema::Schema answer(store::Listed listed);
http::Run run(store::Listed listed, std::chrono::seconds timeout);

}  // namespace

http::Endpoint account_listing(store::Listed listed, const Options& options) {
    return {.method = "GET",
            .path = listing_of(listed).path,
            .summary = listing_of(listed).summary,
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers = {{200, "The accounts, ordered by their external account number.", answer(listed)}},
            .run = run(listed, options.listing_timeout)};
}

namespace {

constexpr std::size_t chunk_bytes = 32 * 1024;

const Listing& listing_of(store::Listed listed) {
    static constexpr Listing listings[] = {
        {store::Listed::all, "/v1/data-import/all-account-import-processes/{import_supplier}/",
         "List all accounts of a supplier, pending and imported."},
        {store::Listed::pending, "/v1/data-import/pending-account-import-processes/{import_supplier}/",
         "List the accounts of a supplier that are staged and not imported."},
        {store::Listed::imported, "/v1/data-import/imported-account-import-processes/{import_supplier}/",
         "List the accounts of a supplier that have been imported."},
    };
    for (const Listing& listing : listings) {
        if (listing.listed == listed) return listing;
    }
    throw std::logic_error("a listing without a path");
}

// Specification 2.13 and 4.10: what a pending account does not have is null.
schema::Schema answer(store::Listed listed) {
    const auto or_null = [listed](const schema::Schema& value) {
        return listed == store::Listed::imported ? value : schema::nullable(value);
    };
    return schema::array(schema::object()
                             .need("external_account_number", schema::text(1, 128))
                             .need("service_account_number", or_null(schema::text(1, 64)))
                             .need("account_created_at", or_null(schema::datetime())));
}

/// Writes the array in chunks. The answer begins with the first chunk, so that a failure before it is still
/// answered as an error.
class ArrayStream {
public:
    explicit ArrayStream(http::Responder& responder) : responder_(responder) {}

    void add(const store::ListedAccount& account) {
        buffer_ += count_++ == 0 ? '[' : ',';
        buffer_ += R"({"external_account_number":)";
        json::append_string(buffer_, account.external_account_number);
        append_optional(R"(,"service_account_number":)", account.service_account_number);
        append_optional(R"(,"account_created_at":)", account.account_created_at);
        buffer_ += '}';
        if (buffer_.size() >= chunk_bytes) flush();
    }

    void finish() {
        buffer_ += count_ == 0 ? "[]" : "]";
        flush();
        responder_.end();
    }

private:
    void append_optional(std::string_view key, const std::optional<std::string_view>& value) {
        buffer_ += key;
        value ? json::append_string(buffer_, *value) : static_cast<void>(buffer_ += "null");
    }

    void flush() {
        if (!responder_.begun()) responder_.begin(200, "application/json", {});
        responder_.write(buffer_);
        buffer_.clear();
    }

    http::Responder& responder_;
    std::string buffer_;
    std::size_t count_ = 0;
};

http::Run run(store::Listed listed, std::chrono::seconds timeout) {
    return [listed, timeout](const http::Context& context, database::Database& database,
                             http::Responder& responder) {
        ArrayStream stream(responder);
        store::list_accounts(
            database, context.segments.at(0), listed,
            [&](const store::ListedAccount& account) { stream.add(account); },
            std::chrono::steady_clock::now() + timeout);
        stream.finish();
    };
}

}  // namespace

}  // namespace data_import::api
