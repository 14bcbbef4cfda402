// One accepted connection of the vendor simulator: reads requests, and sends the bytes that the vendor's
// behaviour (behaviours.h) prescribes. These bytes need not be a valid answer.
#pragma once

#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace data_import::vendor_simulator {

/// Thrown to end a conversation: the behaviour is done, or the peer has gone.
struct Ended {};

/// The head of a request; a body is not read.
struct Request {
    std::string method;
    std::string target;
    std::map<std::string, std::string> headers;  ///< names in lower case
};

class Conversation {
public:
    /// `socket` is taken as it is, with TLS or without.
    explicit Conversation(Poco::Net::StreamSocket socket);

    /// Returns the next request. Throws Ended if the peer sends none, or something that is no HTTP request.
    [[nodiscard]] Request receive();

    void send(std::string_view bytes);
    /// Sends an answer with Content-Length and, if there is a body, its type.
    void reply(int status, std::string_view body, std::string_view type = "application/json",
               std::string_view more_headers = "");

    /// Throws Ended as soon as the peer closes or sends something.
    void wait(std::chrono::milliseconds time);
    [[noreturn]] void wait_until_gone();
    /// Sends the piece again and again, with pauses, until the peer has gone.
    [[noreturn]] void send_for_ever(std::string_view piece, std::chrono::milliseconds pause);

    /// Ends the connection properly, with close_notify if it uses TLS.
    [[noreturn]] void close();
    /// Ends the connection without close_notify of TLS.
    [[noreturn]] void cut();
    /// Ends the connection with an RST, as if the host had crashed.
    [[noreturn]] void reset();

private:
    bool fill();

    Poco::Net::StreamSocket socket_;
    std::string buffer_;
};

}  // namespace data_import::vendor_simulator
