// A played service, and runs of data-import-load against it in a directory of their own.
#pragma once

#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/ServerSocket.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "command.h"

namespace data_import::tests {

/// Accepts lines whose body has a `number`, alone and in bulk requests, and answers them once under a key.
class PlayedImport {
public:
    /// A request, or a line of a bulk request.
    struct Arrival {
        std::string path;
        std::string key;  ///< Idempotency-Key
        int number = 0;
        int times = 0;  ///< number of arrivals of `number`, this one included
    };
    /// The status of the answer to an arrival instead of 201, or `cut`; negative if the line is stored all
    /// the same. May wait.
    using Plan = std::function<int(const Arrival& arrival)>;

    /// As a status: the connection ends without an answer.
    static constexpr int cut = 1;
    /// As a status: 201 for a transaction that is stored with other content.
    static constexpr int other_content = 2;
    /// Added to a status: the answer is a page of another server.
    static constexpr int foreign = 1000;

    explicit PlayedImport(Plan plan = {});
    ~PlayedImport();
    PlayedImport(const PlayedImport&) = delete;
    PlayedImport& operator=(const PlayedImport&) = delete;

    /// Forgets the answers, as after a day.
    void forget_keys();

    /// The number of times that each number was stored.
    [[nodiscard]] std::map<int, int> stored() const;
    /// All arrivals, in their order.
    [[nodiscard]] std::vector<Arrival> arrivals() const;

    /// Writes a file; its path.
    std::string add(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string path(const std::string& name) const { return (directory_ / name).string(); }
    [[nodiscard]] bool has(const std::string& name) const {
        return std::filesystem::exists(directory_ / name);
    }
    [[nodiscard]] std::string text_of(const std::string& name) const;

    /// Runs the client in the directory, with the address and the key. `before` stands before the command.
    [[nodiscard]] CommandResult load(const std::string& arguments, const std::string& before = "") const;
    /// The same, until `when` holds; then the client gets the signal.
    [[nodiscard]] CommandResult load_until(const std::function<bool()>& when, int signal,
                                           const std::string& arguments,
                                           const std::string& before = "") const;
    /// Runs the client in the directory, without address and key.
    [[nodiscard]] CommandResult run(const std::string& arguments, const std::string& before = "") const;

    /// Lines of requests, the newline included: a note, and a transaction that is added every time.
    [[nodiscard]] static std::string note(int number, const std::string& account = "1");
    [[nodiscard]] static std::string charge(int number, const std::string& account = "1");

private:
    class Handler;
    class Factory;
    struct Reply {
        int status;
        std::string body;
    };

    Reply answer(const std::string& path, const std::string& key, const std::string& body);
    Reply take_lines(const std::string& body);
    Reply take(const std::string& path, const std::string& key, const std::string& body);

    Plan plan_;
    std::filesystem::path directory_;
    mutable std::mutex mutex_;
    std::map<std::string, int> kept_;  ///< the number of each key
    std::map<int, int> stored_;
    std::vector<Arrival> arrivals_;
    std::map<int, int> times_;
    Poco::Net::ServerSocket socket_;
    std::unique_ptr<Poco::Net::HTTPServer> server_;
};

}  // namespace data_import::tests
