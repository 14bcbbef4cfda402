// The reason why a certificate does not hold: OpenSSL knows it, and Poco does not tell it.
#pragma once

#include <string>

struct ssl_ctx_st;

namespace data_import::net {

/// From now on each handshake of this context records its findings for its thread.
void note_verification(ssl_ctx_st* context);

/// Forgets the findings of this thread.
void begin_verification();

/// Throws Untrusted or UnknownAuthority with a sentence on the findings of this thread's last handshake.
[[noreturn]] void throw_verification_problem();

/// `the certificate is not for HOST, but for A`, by the certificate of the last handshake of this thread.
[[nodiscard]] std::string name_problem(const std::string& host);

}  // namespace data_import::net
