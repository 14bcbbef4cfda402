#include "base/net/transport.h"

#include <Poco/Net/IPAddress.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/RejectCertificateHandler.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SSLManager.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/util/certificate.h"
#include "base/util/datetime.h"
#include "base/util/joined.h"
#include "base/util/text.h"

namespace data_import::net {

namespace poco = Poco::Net;

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using Deadline = steady_clock::time_point;

constexpr std::size_t max_proxy_answer = 8192;

Poco::Timespan time_left(Deadline deadline) {
    const auto left = std::chrono::duration_cast<microseconds>(deadline - steady_clock::now());
    if (left <= microseconds(0)) throw Poco::TimeoutException("connecting");
    return Poco::Timespan(left.count());
}

/// Returns the deadline of one address: each gets an equal part of the time that is left, so that the first
/// cannot use all of it up.
Deadline time_for_one(Deadline deadline, std::size_t addresses) {
    const auto now = steady_clock::now();
    return now + (deadline - now) / static_cast<long>(addresses);
}

poco::StreamSocket connect(const Server& server, Resolver& resolver, Deadline deadline) {
    const std::vector<poco::IPAddress> addresses = resolver.resolve(server.host, deadline);
    for (std::size_t index = 0;; ++index) {
        const std::size_t left = addresses.size() - index;
        try {
            poco::StreamSocket socket;
            socket.connect(poco::SocketAddress(addresses[index], server.port),
                           time_left(time_for_one(deadline, left)));
            socket.setNoDelay(true);
            return socket;
        } catch (const Poco::Exception&) {
            if (left == 1) throw;
        }
    }
}

/// Returns `the proxy HOST:PORT`.
std::string name_of_proxy(const Peer& peer) {
    return "the proxy " + authority_of(*peer.proxy);
}

/// Reads the proxy's answer byte by byte, so that the bytes after it are left for TLS.
std::string read_proxy_answer(poco::StreamSocket& socket, const Peer& peer) {
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
        char byte = 0;
        if (socket.receiveBytes(&byte, 1) != 1 || answer.size() == max_proxy_answer)
            throw NoTunnel(name_of_proxy(peer) + " gave no answer to CONNECT");
        answer += byte;
    }
    return answer;
}

/// Returns whether the answer has a status of 100 to 199, so that another answer follows. After 101 no answer
/// would follow. No proxy sends 101, because CONNECT does not ask for another protocol.
bool is_interim(std::string_view answer) {
    return answer.starts_with("HTTP/1.1 1") || answer.starts_with("HTTP/1.0 1");
}

std::string wish_for_user(const Peer& peer) {
    if (!peer.proxy_authorization.empty()) return " does not accept the user and the password";
    return " asks for a user and a password, as in http://USER:PASSWORD@" + authority_of(*peer.proxy);
}

void open_tunnel(poco::StreamSocket& socket, const Peer& peer) {
    const std::string authority = authority_of(peer.server);
    std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!peer.proxy_authorization.empty())
        request += "Proxy-Authorization: " + peer.proxy_authorization + "\r\n";
    request += "\r\n";
    if (socket.sendBytes(request.data(), static_cast<int>(request.size())) !=
        static_cast<int>(request.size()))
        throw NoTunnel(name_of_proxy(peer) + " accepted no request");
    std::string answer = read_proxy_answer(socket, peer);
    while (is_interim(answer)) answer = read_proxy_answer(socket, peer);
    const bool is_open = (answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.0 2"));
    if (is_open) return;
    const std::string status = util::is_utf8(answer) ? answer.substr(0, answer.find('\r')) : "";
    const std::string quoted = " (" + status.substr(0, 100) + ")";
    const bool wants_user = status.starts_with("HTTP/1.") && status.substr(8).starts_with(" 407");
    if (wants_user) throw ProxyDenied(name_of_proxy(peer) + wish_for_user(peer) + quoted);
    throw NoTunnel(name_of_proxy(peer) + " refused to connect to " + authority + quoted);
}

/// Opens a TCP connection to the peer's proxy or, without a proxy, to its server.
poco::StreamSocket connect(const Peer& peer, Resolver& resolver, Deadline deadline) {
    if (!peer.proxy) return connect(peer.server, resolver, deadline);
    try {
        return connect(*peer.proxy, resolver, deadline);
    } catch (const poco::NetException& error) {
        throw NoTunnel(name_of_proxy(peer) + ": " + error.displayText());
    }
}

bool has(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

struct Verification {
    int error = X509_V_OK;
    bool is_of_server = true;  ///< the error is about the server's own certificate
    std::shared_ptr<X509> server = nullptr;
    std::shared_ptr<X509> culprit = nullptr;
};

thread_local Verification verification;

std::shared_ptr<X509> shared(X509* certificate) {
    if (certificate == nullptr) return nullptr;
    X509_up_ref(certificate);
    return {certificate, &X509_free};
}

/// Notes what OpenSSL found wrong with a certificate, and leaves the decision to OpenSSL.
int note(int is_right, X509_STORE_CTX* store) {
    const bool is_of_server = X509_STORE_CTX_get_error_depth(store) == 0;
    X509* const certificate = X509_STORE_CTX_get_current_cert(store);
    if (is_of_server) verification.server = shared(certificate);
    if (is_right != 1) {
        verification.error = X509_STORE_CTX_get_error(store);
        verification.is_of_server = is_of_server;
        verification.culprit = shared(certificate);
    }
    return is_right;
}

/// Returns the name, escaped to one readable line.
std::string name_of(const X509_NAME* name) {
    const std::unique_ptr<BIO, int (*)(BIO*)> output(BIO_new(BIO_s_mem()), &BIO_free);
    constexpr unsigned long form = XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB);
    if (!output || X509_NAME_print_ex(output.get(), name, 0, form) < 0) return "?";
    char* text = nullptr;
    const long size = BIO_get_mem_data(output.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

std::string text_of(std::int64_t unix_time) {
    return util::to_text(util::Instant{unix_time * 1'000'000});
}

std::string subject() {
    return verification.is_of_server || !verification.culprit
               ? "the certificate"
               : "the certificate of its authority, " +
                     name_of(X509_get_subject_name(verification.culprit.get())) + ",";
}

std::string expired() {
    return subject() + " has expired: it was valid until " +
           text_of(util::Certificate::of(*verification.culprit).valid_until());
}

std::string not_yet_valid() {
    return subject() + " is not yet valid: it is from " +
           text_of(util::Certificate::of(*verification.culprit).valid_from()) +
           " on; is the clock of this host right?";
}

std::string unknown_authority() {
    const std::string sentence = "the certificate is of an unknown authority";
    if (!verification.culprit) return sentence;
    return sentence + ", " + name_of(X509_get_issuer_name(verification.culprit.get()));
}

/// Returns the DNS names and addresses that the certificate is for.
std::vector<std::string> names_of(const X509& certificate) {
    std::vector<std::string> names;
    const std::unique_ptr<GENERAL_NAMES, void (*)(GENERAL_NAMES*)> found(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
        &GENERAL_NAMES_free);
    for (int place = 0; place < sk_GENERAL_NAME_num(found.get()); ++place) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(found.get(), place);
        if (name->type == GEN_DNS) {
            const auto* const text = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
            names.emplace_back(text, static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
        } else if (name->type == GEN_IPADD) {
            const int size = ASN1_STRING_length(name->d.iPAddress);
            if (size != 4 && size != 16) continue;
            names.push_back(Poco::Net::IPAddress(ASN1_STRING_get0_data(name->d.iPAddress),
                                                 static_cast<poco_socklen_t>(size))
                                .toString());
        }
    }
    return names;
}

/// Makes each handshake of this context record what OpenSSL finds, in a variable of its thread. OpenSSL knows
/// why it rejects a certificate, but Poco does not pass the reason on.
void note_verification(SSL_CTX* context) {
    SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), note);
}

/// Forgets what OpenSSL has found in earlier handshakes of this thread.
void begin_verification() {
    verification = {};
}

/// Throws Untrusted or UnknownAuthority with a sentence on the findings of this thread's last handshake.
[[noreturn]] void throw_verification_problem() {
    switch (verification.error) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            throw Untrusted(expired());
        case X509_V_ERR_CERT_NOT_YET_VALID:
            throw Untrusted(not_yet_valid());
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_CERT_UNTRUSTED:
            throw UnknownAuthority(unknown_authority());
        default:
            throw Untrusted(subject() +
                            " does not hold: " + X509_verify_cert_error_string(verification.error));
    }
}

std::string name_problem(const std::string& host) {
    constexpr std::size_t most_names = 5;
    const std::string sentence = "the certificate is not for " + host;
    if (!verification.server) return sentence;
    std::vector<std::string> names = names_of(*verification.server);
    if (names.empty()) return sentence;
    const bool are_all = names.size() <= most_names;
    if (!are_all) names.resize(most_names);
    return sentence + ", but for " + util::joined(names) + (are_all ? "" : " and others");
}

/// Starts TLS. A handshake that was cut may succeed next time, so its exception passes through. All other
/// complaints of OpenSSL come from the set-up of the two sides, and become NoTls.
poco::StreamSocket start_tls(poco::StreamSocket& socket, const Peer& peer) {
    ERR_clear_error();  // errors of an earlier connection would be taken for errors of this one
    begin_verification();
    try {
        return poco::SecureStreamSocket::attach(socket, peer.server.host, peer.context);
    } catch (const poco::CertificateValidationException&) {
        throw Untrusted(name_problem(peer.server.host));
    } catch (const poco::SSLConnectionUnexpectedlyClosedException&) {
        throw;
    } catch (const poco::SSLException& error) {
        if (has(error.message(), "unexpected eof")) throw;
        if (has(error.message(), "certificate verify failed")) throw_verification_problem();
        throw NoTls("TLS handshake: " + error.message());
    }
}

/// Lets a watch shut a socket down at a deadline, unless finish() is called or the scope ends before.
class Watching {
public:
    Watching(Watchdog::Watch& watch, int socket, Deadline deadline) : watch_(watch) {
        watch_.forget();
        watch_.start(deadline);
        watch_.guard(socket);
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    ~Watching() { static_cast<void>(watch_.finish()); }

    bool finish() { return watch_.finish(); }

private:
    Watchdog::Watch& watch_;
};

}  // namespace

poco::Context::Ptr make_context(const std::filesystem::path& ca_file) {
    poco::Context::Params parameters;
    parameters.caLocation = ca_file.string();
    parameters.loadDefaultCAs = ca_file.empty();
    parameters.verificationMode = poco::Context::VERIFY_STRICT;
    parameters.cipherList = "HIGH:!aNULL";
    parameters.ecdhCurve = "X25519:P-256:P-384";
    try {
        poco::initializeSSL();
        poco::Context::Ptr context = new poco::Context(poco::Context::TLS_CLIENT_USE, parameters);
        note_verification(context->sslContext());
        context->requireMinimumProtocol(poco::Context::PROTO_TLSV1_2);
        // Poco asks this handler about certificates that OpenSSL has rejected, and the handler rejects all of
        // them.
        poco::SSLManager::instance().initializeClient(nullptr, new poco::RejectCertificateHandler(false),
                                                      context);
        return context;
    } catch (const Poco::Exception& error) {
        if (ca_file.empty()) throw NoTls("cannot set TLS up: " + error.displayText());
        throw NoTls("cannot use the certificates of " + ca_file.string() +
                    ": it must be a file in PEM format");
    }
}

poco::StreamSocket open_socket(const Peer& peer, Resolver& resolver, Watchdog::Watch& watch,
                               Deadline deadline) {
    poco::StreamSocket socket = connect(peer, resolver, deadline);
    Watching watching(watch, socket.impl()->sockfd(), deadline);
    try {
        if (peer.proxy) open_tunnel(socket, peer);
        if (peer.context) socket = start_tls(socket, peer);
        if (!watching.finish()) return socket;
    } catch (const std::exception&) {
        if (!watching.finish()) throw;
    }
    throw Poco::TimeoutException("handshake");
}

}  // namespace data_import::net
