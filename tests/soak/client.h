// A supplier's client. It imports, reads, and repeats imports that are not acknowledged, as the contract
// requires of clients.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "contract.h"
#include "ledger.h"

namespace data_import::soak {

/// The data that all clients of a run share.
struct Run {
    const tests::Stack& stack;
    const Book& book;
    const Contract& contract;
    std::uint64_t seed = 0;
    /// True when the load is over: clients make no new imports, and repeat those that are not acknowledged
    /// yet.
    std::atomic<bool> settling = false;
    /// True when clients are to end at once, even if imports are not acknowledged yet.
    std::atomic<bool> giving_up = false;
    std::atomic<long> acknowledged = 0;
};

class Client {
public:
    /// `number` counts the clients of a run from 0. It decides the client's organisation, how long the client
    /// waits for an answer, and which imports the client makes.
    Client(Run& run, int number);

    /// Imports and reads until `Run::settling` is true. Then repeats the imports that are not acknowledged
    /// yet, until all are or `Run::giving_up` is true. Call it in a thread of its own.
    void work();
    /// Returns the ledger of the client. Call it after work().
    [[nodiscard]] Ledger take_ledger() { return std::move(ledger_); }

private:
    using Clock = std::chrono::steady_clock;

    /// An import that is not acknowledged yet.
    struct Pending {
        Import import;
        std::size_t entry;  ///< the place of the import in the ledger
        int attempts = 0;
        Clock::time_point due = {};
        bool was_sent = false;  ///< an attempt may have been executed
    };

    void act();
    void import_something();
    void repeat_something();
    void deliver(Pending pending);
    bool attempt(Pending& pending);
    void judge(Pending& pending, const tests::Answer& answer);
    void acknowledge(Pending& pending, const tests::Answer& answer);
    void refuse(Pending& pending, const tests::Answer& answer);
    void put_off(Pending& pending, const tests::Answer& answer);
    void repeat_acknowledged(const Import& import, const tests::Answer& first);
    void hang_up(Pending& pending);

    void read_something();
    void read(const std::string& target, const std::string& expected);
    void read_listing(const std::string& name, long accounts);
    void read_metrics();
    void obtain_token();

    [[nodiscard]] tests::Answer ask(const tests::HttpRequest& request);
    [[nodiscard]] tests::HttpRequest with_token(tests::HttpRequest request);
    [[nodiscard]] tests::Answer ask_without_token(const tests::HttpRequest& request);
    [[nodiscard]] tests::HttpConnection& connection();
    void note(const tests::HttpRequest& request, const tests::Answer& answer, Clock::duration took);
    void complain(const std::string& what, const tests::HttpRequest& request, const tests::Answer& answer);
    void pause(long least_milliseconds, long most_milliseconds);
    [[nodiscard]] const std::string& some_supplier();
    [[nodiscard]] const Organisation& organisation() const;
    [[nodiscard]] State& state_of(const Pending& pending) { return ledger_.entries.at(pending.entry).state; }

    Run& run_;
    const int number_;
    Author author_;  ///< makes the imports from the seed alone, so that faults do not change them
    Random random_;
    Ledger ledger_;
    std::map<std::string, int> recorded_;
    std::deque<Pending> backlog_;
    std::unique_ptr<tests::HttpConnection> connection_;
    std::string token_;
    std::string refresh_token_;
};

}  // namespace data_import::soak
