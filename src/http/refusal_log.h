// The refusals of one worker, counted by kind until they go into the import log, and the last ones of each
// account: what operators tell suppliers. It holds no content of payloads: of a field that the interface does
// not know, only the place around it is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/call.h"
#include "http/endpoint.h"
#include "http/problem.h"
#include "store/import_log.h"

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

/// Its number for people; nothing for one that is no account's number and could be of any length.
[[nodiscard]] std::optional<std::string> shown_account(const Endpoint* endpoint, const Context& context);

/// The places in the payload that the request was refused for, at most so many; none where it was refused as
/// a whole.
[[nodiscard]] std::vector<store::RefusedPlace> refused_places(const Endpoint* endpoint,
                                                              const Problem& problem, std::size_t most);

/// One worker's; not for use by several threads.
class RefusalLog {
public:
    /// Kinds that are kept apart; what comes on top is counted as one kind, with code `other`.
    static constexpr std::size_t most_kinds = 1000;
    /// How many single refusals one flush brings at most, and how many of them of one API key (its last
    /// ones). All others are only counted.
    static constexpr std::size_t most_kept = 200;
    static constexpr std::size_t most_kept_of_key = 50;
    /// Items of one of them.
    static constexpr std::size_t most_places = 10;

    /// A request that was answered with `problem`; `endpoint` is null where its address has none. A request
    /// counts once for each kind of error in it.
    void note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
              std::string_view request_id);

    /// A request that was answered with `reply`, which tells of items that are stored with other content: not
    /// refused, but not taken, either. Each of them counts.
    void note_differing(const Endpoint& endpoint, std::string_view import_supplier, const Reply& reply,
                        std::string_view request_id);

    /// Keeps the request that was given to `note`, for the history of the account that it names, if any.
    void keep(const Endpoint* endpoint, const Context& context, const Problem& problem);

    /// The call that stores what was noted and is not `stored` yet; nothing where there is nothing.
    [[nodiscard]] std::optional<database::Call> flush();
    /// The call of the last `flush` has been executed, or may have been: its counts are not brought again.
    /// Where it failed, leave this out: the next `flush` brings the same again. Single refusals are brought
    /// again until they are kept; to store them twice changes nothing.
    void stored(bool are_singles_kept);

private:
    using Kinds = std::map<store::RefusalKind, store::RefusalCount>;

    static void add(Kinds& kinds, const store::RefusalKind& kind, const store::RefusalCount& count);

    Kinds noted_;
    Kinds in_flight_;  ///< of the last `flush`, until `stored`
    /// By API key; those of the last `flush` among them, until they are kept.
    std::map<std::string, std::deque<store::AccountRefusal>, std::less<>> kept_;
    std::size_t kept_count_ = 0;
};

}  // namespace data_import::http
