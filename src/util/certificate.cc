#include "util/certificate.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "util/failure.h"

namespace data_import::util {

namespace {

std::int64_t unix_time(const ASN1_TIME* time) {
    std::tm utc{};
    if (ASN1_TIME_to_tm(time, &utc) != 1) throw std::runtime_error("a time in a certificate is not valid");
    return timegm(&utc);
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

bool Certificate::is_for(const std::string& name) const {
    return X509_check_host(certificate_.get(), name.data(), name.size(), 0, nullptr) == 1 ||
           X509_check_ip_asc(certificate_.get(), name.c_str(), 0) == 1;
}

bool Certificate::operator==(const Certificate& other) const {
    return X509_cmp(certificate_.get(), other.certificate_.get()) == 0;
}

}  // namespace data_import::util
