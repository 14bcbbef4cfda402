// A TLS connection to the service on loopback that never blocks.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/util/file_descriptor.h"

namespace data_import::bench {

struct SessionDeleter {
    void operator()(SSL_SESSION* session) const { ::SSL_SESSION_free(session); }
};
using Session = std::unique_ptr<SSL_SESSION, SessionDeleter>;

struct Place {
    std::uint16_t port = 0;
    std::string source = "127.0.0.1";  ///< the address that the server sees
    int receive_buffer = 0;            ///< size of the kernel's buffer in bytes; 0: as usual
};

enum class Step {
    done,   ///< the call succeeded, and the next call may succeed at once
    later,  ///< try again when epoll reports an event
    broken  ///< the peer is gone, or never was there
};

class Connection {
public:
    /// Makes all later connections check the server's certificate against this file.
    static void trust(const std::string& ca_file);
    /// Resumes the TLS session of an earlier connection, which saves work; `session` is null without one.
    Connection(const Place& place, SSL_SESSION* session);

    [[nodiscard]] int descriptor() const { return socket_.get(); }
    [[nodiscard]] Step open();
    /// Sends as many of `bytes`, from the first on, as the connection takes now. Adds the number of the bytes
    /// that were sent to `written`.
    [[nodiscard]] Step write(std::string_view bytes, std::size_t& written);
    /// Sets `bytes` to the bytes that have arrived, `most` at most. The view is valid until the next call.
    [[nodiscard]] Step read(std::size_t most, std::string_view& bytes);
    /// Returns the newest TLS session of this connection, for the constructor of a later connection.
    [[nodiscard]] Session session() const { return Session(::SSL_get1_session(tls_.get())); }

private:
    struct TlsDeleter {
        void operator()(SSL* tls) const;
    };
    [[nodiscard]] Step step_of(int result) const;

    util::FileDescriptor socket_;
    std::unique_ptr<SSL, TlsDeleter> tls_;
};

}  // namespace data_import::bench
