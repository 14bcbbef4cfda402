// The sections of the handbook about the findings.
#include <algorithm>
#include <array>

#include "tools/doctor/doctor.h"

namespace data_import::doctor {

namespace {

struct Section {
    std::string_view subject;  ///< the text with which the subjects of the findings begin
    std::string_view place;    ///< page of the handbook, with a section of the page or without
};

constexpr std::array<Section, 30> sections{{
    {"service's session", "several-hosts.html#what-the-hosts-share"},
    {"service", "operation.html#start-reload-and-stop"},
    {"running service", "operation.html#start-reload-and-stop"},
    {"start at boot", "operation.html#start-reload-and-stop"},
    {"configuration", "operation.html#start-reload-and-stop"},
    {"pool", "monitoring.html#dataimportworkersmissing"},
    {"metrics", "monitoring.html#dataimportdown"},
    {"https", "monitoring.html#dataimportdown"},
    {"limits", "operation.html#start-reload-and-stop"},
    {"database host", "several-hosts.html#the-database"},
    {"database's clock", "several-hosts.html#what-the-hosts-share"},
    {"clock", "several-hosts.html#what-the-hosts-share"},
    {"database", "monitoring.html#dataimportdatabasedown"},
    {"PostgreSQL's log", "operation.html#postgresqls-log"},
    {"PostgreSQL", "operation.html#postgresql-for-many-accounts"},
    {"connection", "several-hosts.html#what-the-hosts-share"},
    {"network of the service", "operation.html#payment-vendors-and-other-drop-ins"},
    {"replication", "several-hosts.html#the-database"},
    {"durability", "backup.html#point-in-time-recovery"},
    {"disk space", "operation.html#postgresql-for-many-accounts"},
    {"roles", "installation.html#roles-of-the-database"},
    {"rights", "installation.html#roles-of-the-database"},
    {"migration", "upgrade.html"},
    {"control totals", "operation.html#whether-everything-has-arrived"},
    {"signing keys", "several-hosts.html#keys"},
    {"certificate", "tls.html"},
    {"consumer", "monitoring.html#dataimportconsumerstandsstill"},
    {"erasure", "after-migration.html"},
    {"acts of operators", "operators.html"},
    {"vendor", "operation.html#payment-vendors-and-other-drop-ins"},
}};

}  // namespace

std::string_view section_about(std::string_view subject) {
    const auto found = std::ranges::find_if(
        sections, [&](const Section& section) { return subject.starts_with(section.subject); });
    return found == sections.end() ? "" : found->place;
}

}  // namespace data_import::doctor
