// The common parts of all imports into accounts. A call of an import function carries out many requests of
// one kind together.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/database/array_binary.h"
#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// The account that a request imports into. Also the ids of the request and of its API key, which are stored
/// in each row of the import to show where the row comes from.
struct ImportTarget {
    std::string_view import_supplier;
    std::string_view external_account_number;
    std::string_view request_id;  ///< 32 hexadecimal digits
    std::string_view api_key_id;
};

/// Returns the key of an account, 32 hexadecimal digits: the first 16 bytes of a SHA-256 over the supplier's
/// code, U+001F, and the account's number. data_import.account_key (sql/schema/01-foundation.sql) computes
/// the same key.
[[nodiscard]] std::string account_key(std::string_view import_supplier,
                                      std::string_view external_account_number);

using Types = std::span<const database::ElementType>;

/// Rows that an import function gets as parameters, in one of two forms:
///   rows with owners   each row belongs to an owner: a request, or a row of another set; passed as an array
///                      of the owners, and an array for each field
///   rows of arrays     each request has one row, and each field of this row is an array
class RowSet {
public:
    using Field = std::optional<std::string_view>;

    explicit RowSet(Types fields) : has_owners_(true), columns_(fields.begin(), fields.end()) {}
    /// Makes a set for one request in the form "rows of arrays". The set has a single row, and each of
    /// `arrays` is a field of this row. The arrays may have different lengths.
    explicit RowSet(std::vector<database::ArrayBinary> arrays);
    /// Makes a set in the form "rows with owners". Each of `columns` has one field of all rows, so the
    /// columns have the same length. All rows belong to one owner. `owner` is the number, from 1, of a
    /// request in the call, or of a row in another set.
    RowSet(std::vector<database::ArrayBinary> columns, std::size_t owner)
        : has_owners_(true), owners_(columns.front().size(), owner), columns_(std::move(columns)) {}
    /// Makes a set in the form "rows with owners". Each of `columns` has one field of all rows, so the
    /// columns have the same length. `owners` has one number for each row: the number, from 1, of a request
    /// in the call, or of a row in another set.
    RowSet(std::vector<database::ArrayBinary> columns, std::vector<std::size_t> owners)
        : has_owners_(true), owners_(std::move(owners)), columns_(std::move(columns)) {}
    /// Adds a row with these fields; an empty optional becomes NULL. The row belongs to `owner`: the place,
    /// from 1, of a request in the call, or of a row in another set.
    void add(std::size_t owner, std::initializer_list<Field> fields);
    /// Adds all rows of `other`, which has the same fields. For rows with owners, adds `places` to each added
    /// owner. `places` is the number of owners in the call that stand before the owners of `other`.
    void append(const RowSet& other, std::size_t places);
    [[nodiscard]] std::size_t size() const { return columns_.front().size(); }
    /// Returns the number of parameters that take_parameters() appends.
    [[nodiscard]] std::size_t parameters() const { return columns_.size() + 1; }
    /// Appends the set to the parameters of a call.
    ///
    /// For rows with owners, appends an array of the owners, then an array for each field.
    ///
    /// For rows of arrays, appends an array of bounds, then the arrays. Each array has the elements of all
    /// requests, one request after another. The bounds are a 0 for each array, then for each request the
    /// place in each array at which its elements end. Example with 2 arrays and 2 requests: the first request
    /// has 3 elements in the first array and 1 in the second; the second request has 2 and 4. The bounds are
    /// 0 0 (start), 3 1 (end of the first request), 5 5 (end of the second).
    void take_parameters(std::vector<std::string>& parameters);

private:
    /// Form of the set. True: each row belongs to a request or to a row of another set, whose number is in
    /// `owners_`. False: each row has the arrays of one request, and `bounds_` has the ends of these arrays.
    bool has_owners_;
    std::vector<std::size_t> owners_;
    std::vector<std::size_t> bounds_;
    std::vector<database::ArrayBinary> columns_;
};

/// The types of the first four of Import::fields: account_key, import_supplier, request_id, api_key_id. Some
/// imports have further fields. Imports of documents have other fields.
inline constexpr std::array request_types = {database::ElementType::uuid, database::ElementType::text,
                                             database::ElementType::uuid, database::ElementType::bigint};

/// A function of sql/ that imports requests of one kind. Two requests in a call may be for the same account
/// only if their contents differ. The function's parameters are, in this order:
///
///   - a JSON array of Import::row of all requests, unless Import::row is empty;
///   - for each of `fields`, an array with an element for each request;
///   - the parameters that RowSet::take_parameters() makes of Import::rows, then those of Import::parts.
///
/// The rows of the answer are in the order of the requests. The first column is the place of the request,
/// from 1; the second column is the verdict on the request.
struct ImportFunction {
    std::string name;  ///< name of the prepared statement
    std::string sql;
    Types fields = request_types;                                ///< fields of the requests
    std::size_t most = std::numeric_limits<std::size_t>::max();  ///< the most requests in a call
};

/// Returns the SQL that calls an import function with this number of parameters. `answer` is the
/// SELECT list: the columns to read of the function's answer.
[[nodiscard]] std::string import_sql(std::string_view function, std::string_view answer,
                                     std::size_t parameters);

/// The import of one request.
struct Import {
    Import(const ImportFunction& carried_out_by, const ImportTarget& target);

    const ImportFunction* function;
    /// Values of the request's fields, in the order of ImportFunction::fields. The first value is the
    /// account's key.
    std::vector<std::string> fields;
    /// The row to store: a JSON object whose members are columns of the table. Empty: `function` has no
    /// parameter for such an object.
    std::string row = {};
    std::vector<RowSet> rows = {};  ///< sets of rows that belong to the request
    /// Sets of rows that belong to rows of the first set in `rows`, as line items belong to transactions.
    std::vector<RowSet> parts = {};
    /// The digest of the request's content. A call may have several requests for one account if these digests
    /// differ. Empty if a call may have only one request for each account.
    std::string content = {};
    bool retryable = true;  ///< the call may be sent again after an unknown outcome, as in database::Call
};

/// The schema of the import functions if nothing is distributed (shard_groups.h).
inline constexpr std::string_view own_schema = "data_import";
/// Changes a call of a function in the PostgreSQL schema data_import into a call of the function of the same
/// name in the PostgreSQL schema `schema`.
void call_in(std::string_view schema, database::Call& call);

/// Returns the call that carries out all of these imports. All imports need the same ImportFunction; the call
/// uses the function of this name in the PostgreSQL schema `schema` (shard_groups.h). The imports have to be
/// for different accounts, or to have different contents. The call does not wait for a locked account.
[[nodiscard]] database::Call together(std::span<const Import* const> imports,
                                      std::string_view schema = own_schema);

/// Divides imports into calls. Returns a list for each call, in the order of execution: the places in
/// `imports` of the call's imports. The imports of a call need the same function, and are for different
/// accounts or have different contents. A call has at most ImportFunction::most imports. Imports for one
/// account keep their order. If several accounts have imports of the same kinds in the same order, their
/// imports share calls.
[[nodiscard]] std::vector<std::vector<std::size_t>> shared_calls(std::span<const Import* const> imports);

/// Splits the rows of an import call by request, in the order of the requests.
[[nodiscard]] std::vector<database::Rows> by_request(const database::Rows& rows, std::size_t requests);

/// Locks the accounts with these keys until the transaction ends, without waiting. Returns the keys of the
/// accounts that another transaction has locked.
[[nodiscard]] database::Call lock_accounts(const std::vector<std::string_view>& keys,
                                           std::string_view schema = own_schema);

/// Returns whether another transaction had locked the account of this request. If so, the import call did not
/// wait, and stored nothing for the request.
[[nodiscard]] bool is_locked(const database::Rows& rows);

/// The outcome of an import (contract, section 2.1, steps 5 to 7): `done`, `repeated` (the account has it
/// already), or the reason why the account does not take it. Nothing was stored unless `done`.
enum class ImportVerdict {
    done,
    repeated,
    supplier_paused,
    supplier_complete,
    account_staged,
    account_in_progress,
    account_failed,
    account_not_found,
    account_locked,
};

/// Reads the verdict of a request; throws std::logic_error for an unknown one.
[[nodiscard]] ImportVerdict read_import_verdict(const database::Rows& rows);
[[nodiscard]] ImportVerdict parse_import_verdict(std::string_view text);

}  // namespace data_import::store
