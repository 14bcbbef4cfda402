// ctl: the doctor's findings about the units of systemd.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../table.h"
#include "tools/doctor/doctor.h"

namespace data_import {

namespace {

struct Unit {
    std::string name;
    std::string shown;
    std::string said;  ///< text that the only finding has to contain; empty: there must be no finding
};

const std::vector<Unit> units = {
    {"nothing shown", "", ""},
    {"running", "ActiveState=active\nSubState=running\nResult=success\nNRestarts=0\n", ""},
    {"running after a restart", "ActiveState=active\nSubState=running\nResult=success\nNRestarts=7\n", ""},
    {"starting", "ActiveState=activating\nSubState=start\nResult=success\nNRestarts=0\n", ""},
    {"stopped, for the next connection starts it",
     "ActiveState=inactive\nSubState=dead\nResult=success\nNRestarts=0\n", ""},
    {"a first start that failed",
     "ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nNRestarts=0\n",
     "does not run: systemd starts it again and again; its last message: x.conf:1: wrong"},
    {"one more start", "ActiveState=activating\nSubState=start-pre\nResult=success\nNRestarts=12\n",
     "does not run: systemd starts it again and again; its last message: x.conf:1: wrong"},
    {"failed", "ActiveState=failed\nSubState=failed\nResult=exit-code\nNRestarts=0\n",
     "does not run: it failed (exit-code); its last message: x.conf:1: wrong"},
};

struct Network {
    std::string name;
    std::string shown;
    std::string conninfo;
    std::string said;  ///< text that the only finding has to contain; empty: there must be no finding
    std::string remedy = {};
};

const std::string package =
    "PrivateNetwork=yes\nRestrictAddressFamilies=AF_UNIX\nIPAddressAllow=\nIPAddressDeny=0.0.0.0/0 ::/0\n";
const std::string families = "PrivateNetwork=no\nRestrictAddressFamilies=AF_INET6 AF_INET AF_UNIX\n";

std::string allowing(const std::string& networks) {
    return families + "IPAddressAllow=" + networks + "\nIPAddressDeny=0.0.0.0/0 ::/0\n";
}

const std::string away = "host=db.example hostaddr=192.0.2.10 user=data-import dbname=data-import";
const std::string not_allowed =
    "`database` names 192.0.2.10, which IPAddressAllow= of the unit does not allow";
const std::string no_network = "the service has no access to the network";
const std::string drop_in = "/etc/systemd/system/data-import.service.d/remote-database.conf";

const std::vector<Network> networks = {
    {"no unit", "", away, ""},
    {"a database by its socket", package, "host=/run/postgresql dbname=data-import", ""},
    {"a database by the default socket", package, "dbname=data-import", ""},
    {"the package's unit", package, away, no_network, "examples/remote-database.conf " + drop_in},
    {"a database on this machine by TCP", package, "host=127.0.0.1 dbname=data-import", no_network, drop_in},
    {"a drop-in without the families", "PrivateNetwork=no\nRestrictAddressFamilies=AF_UNIX\nIPAddressDeny=\n",
     away, no_network, drop_in},
    {"its address", allowing("192.0.2.10/32"), away, ""},
    {"another address", allowing("192.0.2.11/32"), away, not_allowed, "editor " + drop_in},
    {"its network", allowing("198.51.100.0/24 192.0.2.0/24"), away, ""},
    {"half of its network", allowing("192.0.2.0/29"), away, not_allowed, "systemctl daemon-reload"},
    {"everything", allowing("0.0.0.0/0 ::/0"), away, ""},
    {"no address", allowing(""), away, not_allowed},
    {"nothing denied", families + "IPAddressAllow=\nIPAddressDeny=\n", away, ""},
    {"a name alone", allowing("192.0.2.11/32"), "host=db.example dbname=data-import", ""},
    {"IPv6", allowing("2001:db8::/32"), "host=2001:db8::5 dbname=data-import", ""},
    {"another network of IPv6", allowing("2001:db9::/32"), "host=2001:db8::5 dbname=data-import",
     "`database` names 2001:db8::5"},
    {"one of two hosts", allowing("192.0.2.10/32"), "host=192.0.2.10,192.0.2.12 dbname=data-import",
     "`database` names 192.0.2.12, which"},
};

void check(const std::string& said, const std::string& remedy, const doctor::Findings& findings) {
    CPPUNIT_ASSERT_EQUAL(said.empty() ? std::size_t{0} : std::size_t{1}, findings.size());
    if (said.empty()) return;
    CPPUNIT_ASSERT(findings.front().health == doctor::Health::fault);
    CPPUNIT_ASSERT_MESSAGE(findings.front().text, findings.front().text.find(said) != std::string::npos);
    CPPUNIT_ASSERT_MESSAGE(findings.front().remedy,
                           findings.front().remedy.find(remedy) != std::string::npos);
}

}  // namespace

class DoctorUnitChecksTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(DoctorUnitChecksTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_units);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_units(TestSuiteBuilderContextType& context) {
        for (const Unit& row : units) {
            tests::add_row(context, "the service: " + row.name, [row] {
                check(row.said, "journalctl -u data-import",
                      doctor::judge_unit(row.shown, "x.conf:1: wrong"));
            });
        }
        for (const Network& row : networks) {
            tests::add_row(context, "the unit's network: " + row.name, [row] {
                check(row.said, row.remedy, doctor::judge_network(row.shown, row.conninfo));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(DoctorUnitChecksTest);

}  // namespace data_import
