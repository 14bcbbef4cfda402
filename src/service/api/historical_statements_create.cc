#include "base/util/crypto.h"
#include "data/database/rows.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/store/columns.h"
#include "data/store/historical_statements.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

store::Import import(const http::Context& context) {
    static const schema::Object declared = payload::historical_statement();
    const json::Value statements = context.body().at("statements");
    std::vector<database::ArrayBinary> columns = store::columns_of(declared, statements).columns;
    database::ArrayBinary& digests = columns.emplace_back(database::ElementType::uuid);
    for (const json::Value statement : statements.items())
        digests.add(util::uuid_digest(payload::content_of_historical_statement(statement)));
    return store::import_historical_statements(import_target(context), std::move(columns));
}

void require_no_difference(const std::vector<std::size_t>& differing, const json::Value& statements) {
    if (differing.empty()) return;
    std::vector<schema::Violation> violations;
    for (const std::size_t place : differing) {
        if (violations.size() == schema::max_violations) break;
        violations.push_back(
            schema::violation_of("statements." + std::to_string(place) + ".statement_id",
                                 Code::historical_statement_already_exists,
                                 "The account has a statement with this statement_id and other content.",
                                 statements.item(place).at("statement_id")));
    }
    throw http::validation_error(std::move(violations));
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    static const schema::Schema request = payload::historical_statements();
    const auto imported = store::read_imported_historical_statements(rows);
    require_done(imported.verdict);
    require_no_difference(imported.differing, context.body().at("statements"));
    http::Reply reply = echo(request, context);
    reply.stored = imported.stored;
    return reply;
}

}  // namespace

http::Endpoint historical_statements_create() {
    const payload::DeclaredImport& declared = payload::import_of("historical_statements");
    return {.method = "POST",
            .path = declared.path,
            .summary =
                "Add statements from before the migration to an imported account. Statements that it has "
                "already are not added again.",
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .stores = declared.stores,
            .identity =
                "Two statements of an account are the same if their `statement_id` is the same. One that the "
                "account has with other content is refused.",
            .body = declared.body,
            .answers = {{.status = 201,
                         .description = "All statements are stored. The body is the request as validated.",
                         .body = payload::historical_statements()}},
            .rule_codes = {Code::period_end_before_start, Code::duplicate,
                           Code::historical_statement_already_exists},
            .import = import,
            .reply = reply};
}

}  // namespace data_import::api
