// The refusals of one worker, counted by kind until they go into the import log, and single ones of accounts:
// what operators tell suppliers. It holds no content of payloads but numbers of accounts: of a field that the
// interface does not know, only the place around it is kept, and of an item its sentence without the value.
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

/// Whom a refusal concerns: the import supplier that the request names where its token may touch it, else the
/// only one that the token may touch; empty where neither is known. The view is valid as long as the context.
[[nodiscard]] std::string_view supplier_of_refusal(const Endpoint* endpoint, const Context& context);

/// The account that a request into accounts names, as its body has it, where its token may touch its
/// supplier; the views are valid as long as the context.
struct NamedAccount {
    std::string_view import_supplier;
    std::string_view external_account_number;
};
[[nodiscard]] std::optional<NamedAccount> named_account(const Endpoint* endpoint, const Context& context);
/// The key of the account in the body, whoever may touch it.
[[nodiscard]] std::optional<std::string> account_key_in_body(const Endpoint* endpoint,
                                                             const Context& context);

/// Its number for people; nothing for one that is no account's number and could be of any length.
[[nodiscard]] std::optional<std::string> shown_account(const Endpoint* endpoint, const Context& context);

/// The places in the payload that the request was refused for, at most so many; none where it was refused as
/// a whole.
[[nodiscard]] std::vector<store::RefusedPlace> refused_places(const Endpoint* endpoint,
                                                              const Problem& problem, std::size_t most);

/// One worker's; not for use by several threads.
class RefusalLog {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Kinds that are kept apart; what comes on top is counted as one kind, with code `other`.
    static constexpr std::size_t most_kinds = 1000;
    /// How many single refusals of one API key are kept: all of a bulk request at once, and afterwards so
    /// many a second. Of those on top, which are only counted, the last ones push out others that wait.
    static constexpr std::size_t most_at_once = util::limits::bulk_lines;
    static constexpr std::size_t kept_in_second = 50;
    /// How many may wait for the database, of all keys: some 30 MB. One more pushes out one of the key that
    /// has most of them, so that no organisation crowds out another's.
    static constexpr std::size_t most_waiting = 20'000;
    /// How many one flush brings, of all keys in turn: some 50 ms of the database.
    static constexpr std::size_t most_flushed = 1000;
    /// Items of one of them.
    static constexpr std::size_t most_places = 10;
    /// Bulk requests of an API key whose lines are counted between two flushes.
    static constexpr std::size_t most_bulk_requests = 100;

    /// A request that was answered with `problem`; `endpoint` is null where its address has none. A request
    /// counts once for each kind of error in it.
    void note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
              std::string_view request_id);

    /// A request that was answered with `reply`, which tells of items that are stored with other content: not
    /// refused, but not taken, either. Each of them counts.
    void note_differing(const Endpoint& endpoint, std::string_view import_supplier, const Reply& reply,
                        std::string_view request_id);

    /// Keeps the request that was given to `note`, for the history of the account that it names, if any, and
    /// counts it among the lines of its bulk request.
    void keep(const Endpoint* endpoint, const Context& context, const Problem& problem,
              Time now = std::chrono::steady_clock::now());

    /// The call that stores what was noted and is not `stored` yet, or a part of it; nothing if there is
    /// nothing.
    [[nodiscard]] std::optional<database::Call> flush();
    /// The call of the last `flush` has been executed, or may have been: its counts are not brought again.
    /// Where it failed, leave this out: the next `flush` brings the same again. Single refusals are brought
    /// again until they are kept; to store them twice changes nothing.
    void stored(bool are_singles_kept);

private:
    struct OfKey {
        std::deque<store::AccountRefusal> waiting;
        std::size_t flushed = 0;  ///< the first ones, which the last `flush` has brought
        util::TokenBucket room{most_at_once, kept_in_second};
        std::size_t bulk_requests = 0;  ///< whose lines are counted
    };

    void add(const store::RefusalKind& kind, const store::RefusalCount& count);
    void count_line(OfKey& of_key, const Context& context);
    [[nodiscard]] bool make_room(OfKey& of_key, Time now);
    [[nodiscard]] std::vector<store::AccountRefusal> next_singles();

    store::RefusalCounts counts_;
    std::map<std::string, OfKey, std::less<>> keys_;  ///< by id; as many as operators have made
    std::size_t waiting_ = 0;                         ///< of all keys
};

}  // namespace data_import::http
