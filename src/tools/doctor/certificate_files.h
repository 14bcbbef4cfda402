// The certificates of the site: their files, and the one that nginx shows.
#pragma once

#include "base/util/certificate.h"
#include "tools/console/nginx_site.h"
#include "tools/doctor/doctor.h"

namespace data_import::doctor {

/// Finds certificates that are missing, expire, are not trusted or are for other names, and keys that others
/// can read.
[[nodiscard]] Findings check_certificate_files(const Context& context, const console::SiteFacts& facts);

/// Returns a finding if nginx shows clients a certificate that is in none of the site's certificate files.
/// `shown` is the certificate that nginx shows; `facts` names the files. Returns nothing if a file has
/// `shown`, or if the site names no certificate files.
[[nodiscard]] Findings check_shown_certificate(const console::SiteFacts& facts,
                                               const util::Certificate& shown);

}  // namespace data_import::doctor
