// The refusals of one worker, until they are stored in the import log. The log has counts of refusals by
// endpoint and error, and single refusals. A single refusal is an entry for one refused request, by which
// operators can tell the supplier what was wrong.
//
// The account's number is the only value of a payload that the log has. For an unknown field, the log has the
// place of the object with the field, and not the field's name. For an item in the answer's `errors`, the log
// has the item's sentence, which does not quote the value.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/limits.h"
#include "base/util/token_bucket.h"
#include "data/database/call.h"
#include "data/store/import_log.h"
#include "service/http/endpoint.h"
#include "service/http/problem.h"

namespace data_import::http {

/// Returns the import supplier that a refusal concerns. This is the supplier that the request names, if it is
/// in the token's scope. Otherwise it is the only supplier in the scope. Returns an empty text if the scope
/// has several, or if the endpoint or the token is not known. The view is valid as long as the context
/// exists.
[[nodiscard]] std::string_view supplier_of_refusal(const Endpoint* endpoint, const Context& context);

/// The account that a request's body names. The views point into the request's Context, and are valid as long
/// as the Context exists.
struct NamedAccount {
    std::string_view import_supplier;
    std::string_view external_account_number;
};
/// Returns the account that the body names, if its supplier is in the token's scope; otherwise nothing.
[[nodiscard]] std::optional<NamedAccount> named_account(const Endpoint* endpoint, const Context& context);
/// Returns the key of the account that the body names; nothing if the body names no account. The account's
/// supplier may be outside of the token's scope.
[[nodiscard]] std::optional<std::string> account_key_in_body(const Endpoint* endpoint,
                                                             const Context& context);

/// Returns the number of the account that the body names; nothing if it names none, or if its supplier is
/// outside of the token's scope. Returns nothing, too, for a number that may not be shown to people: one that
/// is longer than account numbers are, or that has characters that control text or its direction.
[[nodiscard]] std::optional<std::string> shown_account(const Endpoint* endpoint, const Context& context);

/// Returns the places in the payload for which the request was refused, at most `most`; none if it was
/// refused as a whole.
[[nodiscard]] std::vector<store::RefusedPlace> refused_places(const Endpoint* endpoint,
                                                              const Problem& problem, std::size_t most);

/// The refusals of one worker; not for use by several threads.
class RefusalLog {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The most kinds of refusals that are counted apart. Further ones count as one kind, with code `other`.
    static constexpr std::size_t most_kinds = 1000;
    /// The rate at which single refusals (entries for one refused request each) of one API key are kept:
    /// `most_at_once` at once, then `kept_in_second` in each second. Beyond this rate, a new entry replaces
    /// the oldest entry of the API key that waits to be stored. If none waits, the new refusal is only
    /// counted.
    static constexpr std::size_t most_at_once = util::limits::bulk_lines;
    static constexpr std::size_t kept_in_second = 50;
    /// The greatest number of single refusals of all API keys together that wait to be stored; so many take
    /// some 30 MB. When so many wait, a new one replaces the oldest one of the API key with the most, so that
    /// no organisation crowds out another.
    static constexpr std::size_t most_waiting = 20'000;
    /// The greatest number of single refusals that one flush() stores, taken from all API keys in turn. The
    /// database takes some 50 ms to store so many.
    static constexpr std::size_t most_flushed = 1000;
    /// The most faulty places in the payload that are kept of one refused request.
    static constexpr std::size_t most_places = 10;
    /// The greatest number of bulk requests of one API key for which the refused lines are counted between
    /// two flushes. For further bulk requests the refused lines are not counted.
    static constexpr std::size_t most_bulk_requests = 100;

    /// Notes a request that was answered with `problem`. `endpoint` is null if no endpoint has the request's
    /// path. A request counts once for each kind of error in it.
    void note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
              std::string_view request_id);

    /// Notes the items of a request that are stored already with other content. Such items are neither
    /// refused nor stored again. Each item is counted; `reply` has their number.
    void note_differing(const Endpoint& endpoint, std::string_view import_supplier, const Reply& reply,
                        std::string_view request_id);

    /// Keeps a refusal, which `note` has counted, for the history of the account that the body names. Keeps
    /// nothing if the body names no account whose supplier is in the token's scope. A line of a bulk request,
    /// with or without such an account, is counted among the refused lines of this bulk request.
    void keep(const Endpoint* endpoint, const Context& context, const Problem& problem,
              Time now = std::chrono::steady_clock::now());

    /// Returns the call that stores what was noted and is not stored yet, or a part of that. Returns nothing
    /// if there is nothing to store.
    [[nodiscard]] std::optional<database::Call> flush();
    /// Drops what the database call of the last `flush` has stored. Has to be called if this call was
    /// executed, or if its outcome is unknown. Must not be called after any other failure, so that the next
    /// `flush` returns the same counts again.
    ///
    /// Drops the counts in any case, and the single refusals only if `are_singles_kept`: the call has stored
    /// them. Otherwise the next `flush` returns these single refusals again. To store a single refusal a
    /// second time changes nothing.
    void stored(bool are_singles_kept);

private:
    struct OfKey {
        std::deque<store::AccountRefusal> waiting;
        std::size_t flushed = 0;  ///< number of refusals, from the first on, that the last `flush` contained
        util::TokenBucket room{most_at_once, kept_in_second};
        /// Number of this key's bulk requests whose refused lines are counted.
        std::size_t bulk_requests = 0;
    };

    void add(const store::RefusalKind& kind, const store::RefusalCount& count);
    void count_line(OfKey& of_key, const Context& context);
    [[nodiscard]] bool make_room(OfKey& of_key, Time now);
    [[nodiscard]] std::vector<store::AccountRefusal> next_singles();

    store::RefusalCounts counts_;
    /// The waiting refusals of each API key, by the key's id. API keys are few, because operators make them.
    std::map<std::string, OfKey, std::less<>> keys_;
    std::size_t waiting_ = 0;  ///< number of refusals in `OfKey::waiting` of all keys together
};

}  // namespace data_import::http
