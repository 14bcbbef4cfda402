// A fake of the service for tests of data-import-load. Each line that a test sends has a number in its body,
// and the fake keeps how often it has stored each number.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "played_service.h"

namespace data_import::tests {

/// Accepts lines whose body has a `number`, alone and in bulk requests. Stores a line only once if it comes
/// again under the same Idempotency-Key.
class PlayedImport : public PlayedService {
public:
    /// A request, or a line of a bulk request.
    struct Arrival {
        std::string path;
        std::string key;  ///< Idempotency-Key
        int number = 0;
        int times = 0;  ///< how often a line with this `number` has arrived, this time included
    };
    /// Returns how PlayedImport answers an arrival. The function may wait before it returns.
    ///   0                              stores the line and answers 201
    ///   a status, or a constant below  answers with that and does not store the line
    ///   a negative status, or -cut     answers with the status or the cut, although it stores the line
    using Plan = std::function<int(const Arrival& arrival)>;

    /// If a Plan returns this instead of a status, the connection ends without an answer.
    static constexpr int cut = 1;
    /// If a Plan returns this instead of a status, the answer is 201, and its body says that the transaction
    /// is stored already with other content.
    static constexpr int other_content = 2;
    /// If a Plan returns the sum of this and a status, the answer has the status, and its body is an HTML
    /// page, as from another server.
    static constexpr int foreign = 1000;

    explicit PlayedImport(Plan plan = {});
    ~PlayedImport() { stop(); }

    /// Forgets the kept answers, as after a day.
    void forget_keys();

    /// Returns how often each line was stored, by the number in the line's body.
    [[nodiscard]] std::map<int, int> stored() const;
    /// All arrivals, in their order.
    [[nodiscard]] std::vector<Arrival> arrivals() const;

    /// note() and charge() return a line with a request, newline included. The request of charge()
    /// has `check_previously_added=false`, so the real service does not recognise repeats of this request.
    [[nodiscard]] static std::string note(int number, const std::string& account = "1");
    [[nodiscard]] static std::string charge(int number, const std::string& account = "1");

private:
    Reply answer(const Request& request);
    Reply take_line(const std::string& line);
    Reply take(const std::string& path, const std::string& key, const std::string& body);

    Plan plan_;
    mutable std::mutex mutex_;
    std::map<std::string, int> kept_;  ///< by Idempotency-Key: the `number` of the line stored under the key
    std::map<int, int> stored_;
    std::vector<Arrival> arrivals_;
    std::map<int, int> times_;
};

}  // namespace data_import::tests
