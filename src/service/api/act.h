// An act of an operator in the browser: a POST below /operator/acts/ that changes something, under the name
// of the person who has signed in at nginx. Only workers of the pool `operator` have these endpoints.
//
// The function `carry_out` of an act calls the functions that data-importctl calls. This file and act.cc do
// the work that all acts share: they check the person's rights, check that the request comes from the page
// itself, carry out a repeated act only once, do only what the dry run showed, and write the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/json/value.h"
#include "data/json/writer.h"
#include "data/schema/schema.h"
#include "data/store/api_keys.h"
#include "data/store/operator.h"
#include "data/store/operators.h"
#include "data/store/suppliers.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// The surroundings of an act, inside its transaction.
struct ActContext {
    const json::Value& body;
    database::Database& database;
    const store::OperatorRights& rights;
    std::string person;  ///< the name by which nginx has let the person in
    store::Operator by;  ///< the person's name and host, as histories store them
    bool is_dry;         ///< the request is a dry run: it only asks what the act would do
    database::Deadline deadline;

    [[nodiscard]] std::string text(std::string_view field) const {
        return std::string(body.at(field).text());
    }
    [[nodiscard]] std::optional<std::string> optional_text(std::string_view field) const;
    /// Returns the texts of an array.
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const;

    /// Refuses the act unless the person may act on this supplier or, if none is given, on all suppliers.
    void need_right_for(const std::optional<std::string>& import_supplier) const;
    /// Returns the supplier, and locks it against other acts until the transaction ends. Refuses the act if
    /// there is no such supplier, or the person may not act on it.
    [[nodiscard]] store::Supplier take_supplier(const std::string& code) const;
};

/// The time at which an outcome is told: before the act, after it, or again to a repeat. The answer for
/// repeats is stored, so it has no secret.
enum class Told { before, after, again };

/// The outcome of an act. Its answer is kept for a day, even if accounts are erased meanwhile, so `done` and
/// the figures name no account.
struct Outcome {
    std::string will;   ///< the effect, as a sentence that is told before the act
    std::string done;   ///< the effect, as a sentence that is told after the act
    std::string basis;  ///< all that the act rests on; if it has changed since the dry run, nothing is done
    std::optional<std::int64_t> audit_id = {};
    /// Writes the figures.
    std::function<void(json::Writer&, Told)> write = [](json::Writer&, Told) {};
};

/// Thrown if the person's rights or a rule forbid the act.
struct ActRefused {
    int status;  ///< of the answer: 403, 404 or 409
    std::string_view code;
    std::string detail;
    bool is_kept = true;  ///< the refusal is kept for repeats, and is in the audit history
};
[[nodiscard]] http::Reply reply_of(const ActRefused& refused);
/// Refuses the act with 409, because a rule forbids it.
[[noreturn]] void refuse_act(std::string detail);

/// Refuses the act with 400 if `wrong` says what is wrong with the field's text, such as `has a line break`.
void need_right(std::string_view field, const std::optional<std::string>& wrong);

struct Act {
    std::string_view name;  ///< the last segment of the act's address, such as `pause`
    /// Path of the act's endpoint, such as `local:/operator/acts/pause/`. nginx adds `local:`
    /// (nginx/operator.conf), so that no client can send the path itself.
    std::string_view path;
    std::string_view summary;
    schema::Object body;  ///< schema of the body, without the fields that all acts have
    std::function<Outcome(const ActContext&)> carry_out;
    std::string_view role = "operator";  ///< the least role that may do the act
    /// True: the act reads records from one snapshot. Reading them may take longer than the time limit of a
    /// request; the act is refused then.
    bool reads_records = false;
};

/// Returns all acts. Each of the next five functions returns the acts of one kind, which have their own file.
[[nodiscard]] std::vector<Act> all_acts();
[[nodiscard]] std::vector<Act> supplier_acts();
[[nodiscard]] std::vector<Act> account_acts();
[[nodiscard]] std::vector<Act> key_acts();
[[nodiscard]] std::vector<Act> proof_acts();
[[nodiscard]] std::vector<Act> reconcile_acts();

/// Returns whether the person may act on all suppliers of an API key. Only such keys are shown to the person.
[[nodiscard]] bool may_see(const store::OperatorRights& rights, const store::ApiKey& key);

/// Returns the name under which histories show acts of the person `operator_name`.
[[nodiscard]] std::string author_of(const std::string& operator_name);

/// Returns the rights of the person who sends the request. Refuses with 403 a person who is not in
/// the list of operators.
[[nodiscard]] store::OperatorRights need_operator(const http::Context& context, database::Database& database);

/// Returns the endpoint of an act. `most_in_a_minute` is the number of acts, of all kinds together, that one
/// person may do within a minute.
[[nodiscard]] http::Endpoint endpoint_of(const Act& act, std::size_t most_in_a_minute);

}  // namespace data_import::api
