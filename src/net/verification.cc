#include "net/verification.h"

#include <Poco/Net/IPAddress.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <vector>

#include "net/transport.h"
#include "util/certificate.h"
#include "util/datetime.h"
#include "util/joined.h"

namespace data_import::net {

namespace {

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

/// Leaves the decision to OpenSSL.
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

/// The name, escaped so that it is one readable line.
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

/// DNS names and addresses.
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

}  // namespace

void note_verification(ssl_ctx_st* context) {
    SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), note);
}

void begin_verification() {
    verification = {};
}

void throw_verification_problem() {
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

}  // namespace data_import::net
