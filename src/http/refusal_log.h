// What one worker refused, counted by kind until it goes into the import log: what operators tell suppliers.
// It holds no content of payloads: of a field that the interface does not know, only the place around it is
// kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "database/call.h"
#include "http/endpoint.h"
#include "http/problem.h"
#include "store/import_log.h"

namespace data_import::http {

/// Whom a refusal concerns: the import supplier that the request names where its token may touch it, else the
/// only one that the token may touch; empty where neither is known. The view is valid as long as the context.
[[nodiscard]] std::string_view supplier_of_refusal(const Endpoint* endpoint, const Context& context);

/// One worker's; not for use by several threads.
class RefusalLog {
public:
    /// Kinds that are kept apart; what comes on top is counted as one kind, with code `other`.
    static constexpr std::size_t most_kinds = 1000;

    /// A request that was answered with `problem`; `endpoint` is null where its address has none. A request
    /// counts once for each kind of error in it.
    void note(const Endpoint* endpoint, std::string_view import_supplier, const Problem& problem,
              std::string_view request_id);

    /// A request that was answered with `reply`, which tells of items that are stored with other content: not
    /// refused, but not taken, either. Each of them counts.
    void note_differing(const Endpoint& endpoint, std::string_view import_supplier, const Reply& reply,
                        std::string_view request_id);

    /// The call that stores what was noted and is not `stored` yet; nothing where there is nothing.
    [[nodiscard]] std::optional<database::Call> flush();
    /// The call of the last `flush` has been executed. Where it failed, leave this out: the next `flush`
    /// brings the same again.
    void stored();

private:
    using Kinds = std::map<store::RefusalKind, store::RefusalCount>;

    static void add(Kinds& kinds, const store::RefusalKind& kind, const store::RefusalCount& count);

    Kinds noted_;
    Kinds in_flight_;  ///< of the last `flush`, until `stored`
};

}  // namespace data_import::http
