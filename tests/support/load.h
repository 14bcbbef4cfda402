// Clients that post notes as fast as they are answered, and remember the acknowledged ones.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http.h"
#include "stack.h"

namespace data_import::tests {

/// A note for the notes endpoint; without `created_at` it is created now.
struct SentNote {
    std::string body;
    std::string created_at = {};
};

/// A request that posts notes to an account of a supplier, on a connection that is kept.
[[nodiscard]] HttpRequest notes_request(const std::string& token, const std::string& supplier,
                                        const std::string& account, const std::vector<SentNote>& notes);

[[nodiscard]] HttpRequest get_request(const std::string& target, const std::string& token = "");

/// Sends one request on a connection of its own, over TLS.
[[nodiscard]] Answer ask(const Stack& stack, const HttpRequest& request);

/// Threads that each post one new note after another until stopped.
class Load {
public:
    /// If `repeat` is set, clients repeat a request that fails with 502, 503 or 504, as the interface asks
    /// them to.
    struct Options {
        std::string token;
        std::string supplier = "ACME";
        std::string account;
        int clients = 8;
        bool repeat = false;
        std::size_t padding = 0;  ///< characters at the end of each note
    };

    Load(const Stack& stack, Options options);
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    void stop();

    /// Call acknowledged(), failures(), examples() and failed() after stop().
    [[nodiscard]] const std::vector<std::string>& acknowledged() const { return acknowledged_; }
    /// The number of answers other than 201 by status, and of requests without an answer as status 0;
    /// examples() has one of each.
    [[nodiscard]] const std::map<int, int>& failures() const { return failures_; }
    [[nodiscard]] std::string examples() const;
    [[nodiscard]] int failed() const;

    [[nodiscard]] int answered() const { return answered_; }

private:
    void run_client(int number);
    bool post(std::unique_ptr<HttpConnection>& connection, const std::string& body);

    const Stack& stack_;
    const Options options_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> answered_ = 0;
    std::mutex mutex_;
    std::vector<std::string> acknowledged_;
    std::map<int, int> failures_;
    std::map<int, Answer> first_failures_;
    std::vector<std::thread> clients_;
};

}  // namespace data_import::tests
