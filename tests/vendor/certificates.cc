#include "certificates.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace data_import::vendor_simulator {

namespace {

constexpr long day = 24L * 60 * 60;
constexpr const char* loopback_names = "DNS:localhost,DNS:vendor.test,IP:127.0.0.1";

template <auto Release>
struct Releaser {
    template <typename Object>
    void operator()(Object* object) const {
        Release(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Releaser<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Releaser<X509_EXTENSION_free>>;
using File = std::unique_ptr<std::FILE, Releaser<std::fclose>>;

void need(bool good, const std::string& what) {
    if (good) return;
    char reason[256] = "";
    ERR_error_string_n(ERR_get_error(), reason, sizeof reason);
    throw std::runtime_error(what + " failed: " + reason);
}

/// A subject's key and certificate.
struct Pair {
    Key key;
    Certificate certificate;
};

/// The contents of a certificate.
struct Contents {
    std::string subject;
    std::string names;  ///< subjectAltName; empty for an authority
    long valid_from = -day;
    long valid_until = 365 * day;  ///< in seconds from now, as `valid_from`
};

void set_subject(X509& certificate, const std::string& subject) {
    X509_NAME* name = X509_get_subject_name(&certificate);
    const auto* text = reinterpret_cast<const unsigned char*>(subject.c_str());
    need(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1, "naming a certificate");
}

/// Serial numbers are random: two certificates of one authority must not share one.
void set_serial(X509& certificate) {
    unsigned char bytes[8];
    need(RAND_bytes(bytes, sizeof bytes) == 1, "drawing a serial number");
    bytes[0] &= 0x7F;
    const std::unique_ptr<BIGNUM, Releaser<BN_free>> number(BN_bin2bn(bytes, sizeof bytes, nullptr));
    need(number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)) != nullptr,
         "setting a serial number");
}

void add_extension(X509& certificate, X509& issuer, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
    const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    need(extension && X509_add_ext(&certificate, extension.get(), -1) == 1, "adding an extension");
}

void add_extensions(X509& certificate, X509& issuer, const Contents& contents) {
    const bool is_authority = contents.names.empty();
    add_extension(certificate, issuer, NID_basic_constraints,
                  is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    add_extension(certificate, issuer, NID_key_usage,
                  is_authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
    add_extension(certificate, issuer, NID_subject_key_identifier, "hash");
    if (is_authority) return;
    add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth");
    add_extension(certificate, issuer, NID_subject_alt_name, contents.names);
}

/// Makes a key and a certificate. `issuer` signs it; without an issuer it is signed by its own key.
Pair make_pair(const Contents& contents, const Pair* issuer) {
    Pair pair{Key(EVP_EC_gen("P-256")), Certificate(X509_new())};
    need(pair.key && pair.certificate, "making a key");
    X509& certificate = *pair.certificate;
    X509& signer = issuer != nullptr ? *issuer->certificate : certificate;
    EVP_PKEY* key = issuer != nullptr ? issuer->key.get() : pair.key.get();
    X509_set_version(&certificate, X509_VERSION_3);
    set_serial(certificate);
    set_subject(certificate, contents.subject);
    X509_set_issuer_name(&certificate, X509_get_subject_name(&signer));
    X509_gmtime_adj(X509_getm_notBefore(&certificate), contents.valid_from);
    X509_gmtime_adj(X509_getm_notAfter(&certificate), contents.valid_until);
    X509_set_pubkey(&certificate, pair.key.get());
    add_extensions(certificate, signer, contents);
    need(X509_sign(&certificate, key, EVP_sha256()) > 0, "signing a certificate");
    return pair;
}

File create(const std::filesystem::path& path) {
    File file(std::fopen(path.c_str(), "w"));
    if (!file) throw std::runtime_error("cannot write " + path.string());
    return file;
}

void write_certificate(const std::filesystem::path& path, const Pair& pair) {
    const File file = create(path);
    need(PEM_write_X509(file.get(), pair.certificate.get()) == 1, "writing a certificate");
    std::filesystem::permissions(path, std::filesystem::perms(0644));
}

void write_key(const std::filesystem::path& path, const Pair& pair) {
    const File file = create(path);
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    need(PEM_write_PrivateKey(file.get(), pair.key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
         "writing a key");
}

void write_identity(const Identity& identity, const Pair& pair) {
    write_certificate(identity.certificate, pair);
    write_key(identity.key, pair);
}

}  // namespace

Certificates::Certificates(std::filesystem::path directory) : directory_(std::move(directory)) {
    std::filesystem::create_directories(directory_);
    const Pair trusted = make_pair({.subject = "vendor simulator authority", .names = ""}, nullptr);
    const Pair unknown = make_pair({.subject = "unknown authority", .names = ""}, nullptr);
    write_certificate(authority(), trusted);
    const auto write = [&](const std::string& name, const Contents& contents, const Pair* issuer) {
        write_identity(identity(name), make_pair(contents, issuer));
    };
    const std::string subject = "vendor simulator";
    write("good", {.subject = subject, .names = loopback_names}, &trusted);
    write("expired",
          {.subject = subject, .names = loopback_names, .valid_from = -9 * day, .valid_until = -2 * day},
          &trusted);
    write("not_yet_valid", {.subject = subject, .names = loopback_names, .valid_from = 2 * day}, &trusted);
    write("wrong_name", {.subject = subject, .names = "DNS:another-vendor.test"}, &trusted);
    write("unknown_authority", {.subject = subject, .names = loopback_names}, &unknown);
    write("self_signed", {.subject = subject, .names = loopback_names}, nullptr);
}

Identity Certificates::identity(const std::string& name) const {
    return {directory_ / (name + ".pem"), directory_ / (name + ".key")};
}

}  // namespace data_import::vendor_simulator
