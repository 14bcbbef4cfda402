// Measures the check of the Authorization header: the CPU time for a token that a worker has seen before, and
// for a token that it has not seen.
//
//     token-check CONFIGURATION API_KEY_ID
//
// Reads the signing keys and the database that the configuration file CONFIGURATION names. Makes tokens for
// the API key with the number API_KEY_ID. Prints one line with two CPU times: of the check of a new token,
// and of the check of a token that was seen before.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "base/config/settings.h"
#include "data/database/database.h"
#include "service/auth/authenticator.h"

namespace {

using namespace data_import;

constexpr int rounds = 9;  // the median of the rounds is printed
constexpr int new_tokens = 5000;
constexpr int repetitions = 100'000;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Bench {
public:
    Bench(const config::Settings& settings, std::string api_key_id)
        : settings_(settings),
          api_key_id_(std::move(api_key_id)),
          ring_(keys::KeyRing::load(settings.keys_directory)),
          database_({.conninfo = settings.database, .application_name = "token-check"}) {}

    void run() {
        std::vector<double> fresh;
        std::vector<double> seen;
        for (int round = 0; round < rounds; ++round) measure(fresh, seen);
        std::printf("tokens      CPU us/check: new %.2f, seen before %.2f\n", median(fresh), median(seen));
    }

private:
    void measure(std::vector<double>& fresh, std::vector<double>& seen) {
        auth::Authenticator authenticator(settings_.keys_directory, std::chrono::seconds(9));
        check(authenticator, header(-1));  // makes the authenticator read keys and scopes
        std::vector<std::optional<std::string>> headers;
        for (int number = 0; number < new_tokens; ++number) headers.push_back(header(number));
        double began = cpu_seconds();
        for (const auto& one : headers) check(authenticator, one);
        fresh.push_back((cpu_seconds() - began) / new_tokens);
        began = cpu_seconds();
        for (int number = 0; number < repetitions; ++number)
            check(authenticator, headers[static_cast<std::size_t>(number) * 7 % headers.size()]);
        seen.push_back((cpu_seconds() - began) / repetitions);
    }

    /// A token for each number; the tokens differ in their time of expiry.
    std::optional<std::string> header(int number) const {
        return "Token " +
               keys::issue_token(ring_, {api_key_id_, "Benchmark"}, std::chrono::seconds(3600 + number));
    }

    void check(auth::Authenticator& authenticator, const std::optional<std::string>& header) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        if (authenticator.authenticate(header, database_, deadline).access->id != api_key_id_)
            std::terminate();
    }

    /// Returns microseconds.
    static double median(std::vector<double> seconds) {
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2] * 1e6;
    }

    const config::Settings& settings_;
    std::string api_key_id_;
    keys::KeyRing ring_;
    database::Database database_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: token-check CONFIGURATION API_KEY_ID\n");
        return 2;
    }
    try {
        const config::Settings settings = config::load(argv[1]);
        Bench(settings, argv[2]).run();
        return 0;
    } catch (const auth::Denied& denied) {
        std::fprintf(stderr, "token-check: %s\n", denied.detail.c_str());
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "token-check: %s\n", failure.what());
    }
    return 1;
}
