#include "playground.h"

#include <cppunit/TestAssert.h>

#include <Poco/Exception.h>

#include <algorithm>
#include <set>
#include <thread>

#include "processes.h"
#include "world.h"

namespace data_import::tests {

namespace {

// The workers read the keys anew as often as they can, so that a test that makes a new token need not wait.
const std::vector<std::string> settings = {"access_refresh = 1", "import_workers = 6"};
const std::vector<std::string> other_pools = {"bulk_workers = 1", "listing_workers = 2", "vendor_workers = 4",
                                              "health_workers = 1"};

}  // namespace

Playground& playground() {
    static Playground playground;
    return playground;
}

Playground::Playground() : stack_(settings) {}

void Playground::prepare() {
    prepared_ = std::chrono::steady_clock::now();
    mend();
    configure(settings, import_workers);
    AdminSession session = database();
    make_supplier(session);
    const std::string prefix = "P" + std::to_string(++accounts_) + '-';
    import_accounts(session, "ACME", prefix, 1);
    account_ = prefix + "00001";
}

/// The service keeps the share of an organisation for two seconds after its last request.
void Playground::forget_demands() const {
    std::this_thread::sleep_until(prepared_ + 2100ms);
}

/// Repairs the damage of the test before.
void Playground::mend() {
    if (is_running(master()) && status_of("/readyz") == 200) return;
    stack_.bring_up();
}

void Playground::make_supplier(AdminSession& session) {
    if (session.count("SELECT count(*) FROM data_import.import_supplier WHERE code = 'ACME'") > 0) return;
    run_ctl(*stack_, "supplier create ACME --name Acme");
    token_ = token_for(*stack_, "Acme", "ACME");
}

void Playground::configure(std::vector<std::string> other_settings, std::size_t count) {
    const std::vector<pid_t> before = workers();
    other_settings.insert(other_settings.end(), other_pools.begin(), other_pools.end());
    stack_.configure(other_settings);
    CPPUNIT_ASSERT_MESSAGE("SIGHUP did not replace the workers",
                           wait_until([&] { return replaced(before, count + other_workers); }, 60s));
}

Answer Playground::post_note(const std::string& body) {
    try {
        return ask(*stack_, notes_request(token_, "ACME", account_, {{body}}));
    } catch (const Poco::Exception&) {
        return {};
    }
}

int Playground::status_of(const std::string& path) {
    try {
        return ask(*stack_, get_request(path)).status;
    } catch (const Poco::Exception&) {
        return 0;
    }
}

Load::Options Playground::load(int clients, bool repeat) const {
    return {.token = token_, .supplier = "ACME", .account = account_, .clients = clients, .repeat = repeat};
}

void Playground::check_stored(const Load& load, bool nothing_else) {
    const auto rows = database().rows(
        "SELECT body FROM data_import.note WHERE account_key = data_import.account_key('ACME', $1)",
        {account_});
    std::multiset<std::string> stored;
    for (const auto& row : rows) stored.insert(row.at(0));
    for (const std::string& body : load.acknowledged()) {
        CPPUNIT_ASSERT_EQUAL_MESSAGE("copies of " + body, std::size_t{1}, stored.count(body));
    }
    const std::set<std::string> different(stored.begin(), stored.end());
    CPPUNIT_ASSERT_EQUAL_MESSAGE("some note is stored twice", different.size(), stored.size());
    if (nothing_else)
        CPPUNIT_ASSERT_EQUAL_MESSAGE("notes without an answer", load.acknowledged().size(), stored.size());
}

std::vector<pid_t> Playground::workers() const {
    std::vector<pid_t> found = children_of(master());
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<pid_t> Playground::workers_of(const std::string& pool) const {
    std::vector<pid_t> found = workers();
    std::erase_if(found, [&](pid_t worker) { return !has_socket(worker, '/' + pool + ".sock"); });
    return found;
}

bool Playground::replaced(const std::vector<pid_t>& before, std::size_t count) const {
    const std::vector<pid_t> now = workers();
    return now.size() == count &&
           std::find_first_of(now.begin(), now.end(), before.begin(), before.end()) == now.end();
}

}  // namespace data_import::tests
