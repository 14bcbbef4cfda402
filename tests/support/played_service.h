// A fake of the service in the test program. Runs data-import-load against the fake in a new directory.
#pragma once

#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/ServerSocket.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "command.h"

namespace data_import::tests {

class PlayedService {
public:
    struct Request {
        std::string method;
        std::string path;  ///< with its query
        std::string token;
        std::string key;    ///< Idempotency-Key
        std::string body;   ///< as sent
        std::string plain;  ///< `body`, unpacked
        std::map<std::string, std::string> headers;
    };
    struct Reply {
        int status = 201;
        std::string body = "[]";
        std::string type = "application/json";
        std::map<std::string, std::string> headers = {};
    };
    /// Answers a request. Several threads call the function at the same time. If it throws, the connection
    /// ends without an answer.
    using Answer = std::function<Reply(const Request&)>;

    explicit PlayedService(Answer answer);
    ~PlayedService();
    PlayedService(const PlayedService&) = delete;
    PlayedService& operator=(const PlayedService&) = delete;

    /// Writes a file, and returns its path.
    std::string add(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string path(const std::string& name) const { return (directory_ / name).string(); }
    [[nodiscard]] bool has(const std::string& name) const {
        return std::filesystem::exists(directory_ / name);
    }
    [[nodiscard]] std::string text_of(const std::string& name) const;
    [[nodiscard]] std::string url() const;

    /// Runs data-import-load with `arguments` in this fake's directory, with the fake's address and the file
    /// `key` as options. `before` is shell text in front of the command, for example `timeout 5`; an empty
    /// text puts nothing there.
    [[nodiscard]] CommandResult load(const std::string& arguments, const std::string& before = "") const;
    /// Runs data-import-load as load() does, and sends it `signal` when `when` returns true, or after 30
    /// seconds. Returns when data-import-load has ended.
    [[nodiscard]] CommandResult load_until(const std::function<bool()>& when, int signal,
                                           const std::string& arguments,
                                           const std::string& before = "") const;
    /// Runs data-import-load in this fake's directory with `arguments` only: run() does not add the fake's
    /// address and the file of the API key. `before` is shell text in front of the command.
    [[nodiscard]] CommandResult run(const std::string& arguments, const std::string& before = "") const;

    /// The API key in the file `key`, until a test writes another one.
    static constexpr const char* api_key = "dik_played";

    [[nodiscard]] static Reply token(const std::string& token = "played", int lifetime = 3600);
    /// Returns an answer with an error body like the service's; `code` is the body's `code`. The statuses
    /// 409, 429 and 503 have `Retry-After: 0`.
    [[nodiscard]] static Reply refused(int status, const std::string& code = "played");
    /// Answers a bulk request with the replies to its lines.
    [[nodiscard]] static Reply answer_lines(const std::string& lines,
                                            const std::function<Reply(const std::string& line)>& take);

protected:
    /// Stops the server, and waits for the last answer.
    void stop();

private:
    class Handler;
    class Factory;

    std::filesystem::path directory_;
    Poco::Net::ServerSocket socket_;
    std::unique_ptr<Poco::Net::HTTPServer> server_;
};

}  // namespace data_import::tests
