// An act of an operator in the browser: a POST below /operator/acts/ that changes something, under the name
// of the person who has signed in at nginx. Only workers of the pool `operator` have these endpoints.
//
// `carry_out` calls the functions that data-importctl calls; here stands what all acts have in common: the
// person's rights, that only the page itself can ask, that a repeat acts once, that an act does what was said
// before, and the answer.
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
    store::Operator by;  ///< the same for histories
    bool is_dry;         ///< only what the act would do is asked
    database::Deadline deadline;

    [[nodiscard]] std::string text(std::string_view field) const {
        return std::string(body.at(field).text());
    }
    [[nodiscard]] std::optional<std::string> optional_text(std::string_view field) const;
    /// Returns the texts of an array.
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const;

    /// Refuses the act unless the person may act on this supplier; without one, on all.
    void need_right_for(const std::optional<std::string>& import_supplier) const;
    /// Returns the supplier, on which nobody else acts until the transaction ends. Refuses the act if there
    /// is none, or the person may not act on it.
    [[nodiscard]] store::Supplier take_supplier(const std::string& code) const;
};

/// The moment at which an outcome is told: before the act, after it, or to a repeat. What repeats get is
/// kept, and has no secret.
enum class Told { before, after, again };

/// The outcome of an act. What is kept of it for a day outlives an erasure: `done` and the figures name no
/// account.
struct Outcome {
    std::string will;   ///< the effect, as a sentence before the act
    std::string done;   ///< ... and after it
    std::string basis;  ///< all that the act rests on: if it differs from what was shown, nothing is done
    std::optional<std::int64_t> audit_id = {};
    /// Writes the figures.
    std::function<void(json::Writer&, Told)> write = [](json::Writer&, Told) {};
};

/// An act is against a rule.
struct ActRefused {
    int status;  ///< of the answer: 403 or 409
    std::string_view code;
    std::string detail;
    bool is_kept = true;  ///< a repeat gets the same answer, and the audit history has it
};
[[nodiscard]] http::Reply reply_of(const ActRefused& refused);
/// Refuses with 409: a rule is against it.
[[noreturn]] void refuse_act(std::string detail);

/// Refuses with 400 if something is wrong with the text of a field, such as `has a line break`.
void need_right(std::string_view field, const std::optional<std::string>& wrong);

struct Act {
    std::string_view name;  ///< `pause`: the last segment of its address
    std::string_view path;  ///< `local:/operator/acts/pause/`
    std::string_view summary;
    schema::Object body;  ///< without the fields of all acts
    std::function<Outcome(const ActContext&)> carry_out;
    std::string_view role = "operator";  ///< the least role that may do it
    bool reads_records = false;          ///< it takes figures of one moment, and may need all its time for it
};

/// Returns all acts. Each kind stands in a file of its own.
[[nodiscard]] std::vector<Act> all_acts();
[[nodiscard]] std::vector<Act> supplier_acts();
[[nodiscard]] std::vector<Act> account_acts();
[[nodiscard]] std::vector<Act> key_acts();
[[nodiscard]] std::vector<Act> proof_acts();
[[nodiscard]] std::vector<Act> reconcile_acts();

/// Returns whether the person may act on all suppliers of a key. Other keys are not shown.
[[nodiscard]] bool may_see(const store::OperatorRights& rights, const store::ApiKey& key);

/// Returns the name of a person in histories.
[[nodiscard]] std::string author_of(const std::string& operator_name);

/// Reads who asks, and what the person may do; refuses with 403 whoever is not known.
[[nodiscard]] store::OperatorRights need_operator(const http::Context& context, database::Database& database);

/// Returns the endpoint of an act.
[[nodiscard]] http::Endpoint endpoint_of(const Act& act, std::size_t most_in_a_minute);

}  // namespace data_import::api
