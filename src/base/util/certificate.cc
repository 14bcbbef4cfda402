#include "base/util/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "base/util/failure.h"

namespace data_import::util {

namespace {

std::int64_t unix_time(const ASN1_TIME* time) {
    std::tm utc{};
    if (ASN1_TIME_to_tm(time, &utc) != 1) throw std::runtime_error("a time in a certificate is not valid");
    return timegm(&utc);
}

/// Returns whether the certificate has authority information access, method "CA Issuers" (RFC 5280, section
/// 4.2.2.1).
bool names_address_of_issuer(const X509* certificate) {
    const std::unique_ptr<AUTHORITY_INFO_ACCESS, decltype(&AUTHORITY_INFO_ACCESS_free)> access(
        static_cast<AUTHORITY_INFO_ACCESS*>(X509_get_ext_d2i(certificate, NID_info_access, nullptr, nullptr)),
        &AUTHORITY_INFO_ACCESS_free);
    for (int at = 0; at < sk_ACCESS_DESCRIPTION_num(access.get()); ++at) {
        if (OBJ_obj2nid(sk_ACCESS_DESCRIPTION_value(access.get(), at)->method) == NID_ad_ca_issuers)
            return true;
    }
    return false;
}

bool is_issuer_trusted(X509* certificate) {
    const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(), &X509_STORE_free);
    const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> search(X509_STORE_CTX_new(),
                                                                                 &X509_STORE_CTX_free);
    X509* found = nullptr;
    const bool is_found = store && search && X509_STORE_set_default_paths(store.get()) == 1 &&
                          X509_STORE_CTX_init(search.get(), store.get(), nullptr, nullptr) == 1 &&
                          X509_STORE_CTX_get1_issuer(&found, search.get(), certificate) == 1;
    X509_free(found);
    return is_found;
}

}  // namespace

Certificate Certificate::read(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"),
                                                                 &std::fclose);
    if (!stream) fail(file.string() + " cannot be read");
    std::shared_ptr<X509> certificate(PEM_read_X509(stream.get(), nullptr, nullptr, nullptr), &X509_free);
    if (!certificate) throw std::runtime_error(file.string() + " holds no certificate");
    return Certificate(std::move(certificate));
}

Certificate Certificate::of(const x509_st& certificate) {
    std::shared_ptr<X509> copy(X509_dup(&certificate), &X509_free);
    if (!copy) throw std::runtime_error("a certificate cannot be copied");
    return Certificate(std::move(copy));
}

std::int64_t Certificate::valid_from() const {
    return unix_time(X509_get0_notBefore(certificate_.get()));
}

std::int64_t Certificate::valid_until() const {
    return unix_time(X509_get0_notAfter(certificate_.get()));
}

bool Certificate::is_self_signed() const {
    return X509_NAME_cmp(X509_get_subject_name(certificate_.get()),
                         X509_get_issuer_name(certificate_.get())) == 0;
}

std::optional<std::string> Certificate::issuer_missing_in(const std::filesystem::path& file) const {
    X509* own = certificate_.get();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"),
                                                                 &std::fclose);
    if (!stream) fail(file.string() + " cannot be read");
    for (;;) {
        const std::unique_ptr<X509, decltype(&X509_free)> other(
            PEM_read_X509(stream.get(), nullptr, nullptr, nullptr), &X509_free);
        if (!other) break;
        if (X509_check_issued(other.get(), own) == X509_V_OK) return std::nullopt;
    }
    ERR_clear_error();  // removes the error that libcrypto reports at the end of the file
    if (!names_address_of_issuer(own) || is_issuer_trusted(own)) return std::nullopt;
    std::array<char, 256> name{};
    X509_NAME_oneline(X509_get_issuer_name(own), name.data(), static_cast<int>(name.size()));
    return std::string(name.data());
}

bool Certificate::is_for(const std::string& name) const {
    return X509_check_host(certificate_.get(), name.data(), name.size(), 0, nullptr) == 1 ||
           X509_check_ip_asc(certificate_.get(), name.c_str(), 0) == 1;
}

bool Certificate::operator==(const Certificate& other) const {
    return X509_cmp(certificate_.get(), other.certificate_.get()) == 0;
}

}  // namespace data_import::util
