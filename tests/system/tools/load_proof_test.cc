// Whole imports with data-import-load: the session that its manual describes, lines with faults, and clients
// and workers that are killed.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <Poco/Exception.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../../support/command.h"
#include "../../support/http.h"
#include "../../support/played_service.h"
#include "../../support/playground.h"
#include "../../support/processes.h"
#include "../../support/stack.h"
#include "../../support/world.h"
#include "data/json/reader.h"
#include "tools/manual/pages.h"

namespace data_import::tests {

namespace {

namespace fs = std::filesystem;

void require(int status, const CommandResult& result, const std::string& part = "") {
    const std::string all = result.output + result.errors;
    CPPUNIT_ASSERT_EQUAL_MESSAGE(all, status, result.status);
    CPPUNIT_ASSERT_MESSAGE(all + "\nlacks\n" + part, result.output.find(part) != std::string::npos);
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

int from_environment(const char* name, int usual) {
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : std::stoi(text);
}

std::string request_line(const std::string& path, const std::string& supplier, const std::string& account,
                         const std::string& members) {
    return R"({"path":"/v1/data-import/)" + path + R"(","body":{"import_supplier":")" + supplier +
           R"(","external_account_number":")" + account + "\"," + members + "}}";
}

std::string note(int number) {
    return R"("notes":[{"body":"Letter )" + std::to_string(number) + R"("}])";
}

std::string transaction(int number) {
    return R"("transactions":[{"type":"CHARGE","transaction_id":"T-)" + std::to_string(number) +
           R"(","transaction_date":"2024-03-05","amount":12.50,"reason":"R"}])";
}

std::string statement(int number) {
    return R"("statements":[{"statement_id":"S-)" + std::to_string(number) +
           R"(","bill_period_from_date":"2023-01-01","bill_period_to_date":"2023-12-31","gross_amount":86.4}])";
}

std::string energy_amount(int number) {
    return R"("energy_amount":{"malo_number":"50812345678","period_start_at":"2024-01-01T00:00:00Z",)"
           R"("period_end_at":"2024-02-01T00:00:00Z","product_identifier":"1-1:1.29.0",)"
           R"("product_identifier_type":"SRW","quantity":"245.123","quantity_unit":"KWH",)"
           R"("line_item_identifier":"1","cancelled":false,"edifact_reference_number":"EM-)" +
           std::to_string(number) + R"("})";
}

/// A fault of a line: `part` of the good line is replaced.
struct Fault {
    std::string part;
    std::string replacement;
};

const std::vector<Fault>& faults() {
    static const std::vector<Fault> all = {{"\"amount\":12.50,", ""},
                                           {"12.50", "12.505"},
                                           {"12.50", "123456789012"},
                                           {"CHARGE", "GIFT"},
                                           {"\"2024-03-05\"", "null"},
                                           {"2024-03-05", "2024-02-30"},
                                           {"\"reason\"", "\"colour\":\"red\",\"reason\""},
                                           {"\"R\"}", "\"R\",}"},
                                           {"transactions/create/", "transactions/create/?colour=red"},
                                           {"{\"path\"", "\"path\""}};
    return all;
}

/// A book of one supplier with a fault in every twentieth line, and runs of the client.
class FaultyBook {
public:
    FaultyBook(int accounts, int lines)
        : supplier_(world().take_fresh()), directory_(world().directory() / supplier_) {
        run_ctl(stack(), "supplier create " + supplier_ + " --name Book");
        fs::create_directories(directory_ / "book");
        make_accounts(accounts);
        std::ofstream book(file("book/1.ndjson"));
        for (int line = 1; line <= lines; ++line) book << text_of(line, account(line % accounts)) << '\n';
    }

    [[nodiscard]] static const Stack& stack() { return world().stack(); }

    [[nodiscard]] std::string file(const std::string& name) const { return (directory_ / name).string(); }
    [[nodiscard]] const std::string& supplier() const { return supplier_; }
    [[nodiscard]] std::string new_key() const {
        return run_ctl(stack(), "key create --organisation Book --supplier " + supplier_);
    }
    [[nodiscard]] std::size_t faulty_lines() const { return good_.size(); }

    [[nodiscard]] CommandResult load(const std::string& options) const {
        return run_command("cd " + shell_word(directory_.string()) + " && " + stack().value("LOAD") +
                           " --api-key-file key " + options);
    }

    /// Replaces each faulty line by its good one.
    void mend(const std::string& name) const {
        const std::vector<std::string> lines = lines_of(file(name));
        CPPUNIT_ASSERT_EQUAL(good_.size(), lines.size());
        std::ofstream mended(file(name));
        static const std::regex reason(
            R"re("reject_reason":"(\\.|[^"\\])*","reject_code":"[^"]*","reject_attr":"[^"]*",)re");
        for (const std::string& line : lines)
            mended << good_.at(std::regex_replace(line, reason, "")) << '\n';
    }

private:
    static std::string account(int number) { return "B" + std::to_string(100'000 + number).substr(1); }

    void make_accounts(int count) const {
        std::ofstream rows(file("accounts"));
        rows << "external_account_number,state,service_account_number,account_created_at,statement_from,"
                "statement_to\n";
        for (int number = 0; number < count; ++number)
            rows << account(number) << ",imported,,2024-01-01T00:00:00Z,2024-03-01,2024-03-31\n";
        rows.close();
        run_ctl(stack(), "account load " + supplier_ + " " + file("accounts"));
    }

    std::string text_of(int line, const std::string& account) {
        const bool is_faulty = line % 20 == 0;
        if (!is_faulty && line % 4 == 0) return request_line("notes/create/", supplier_, account, note(line));
        if (!is_faulty && line % 4 == 1)
            return request_line("historical-statements/create/", supplier_, account, statement(line));
        if (!is_faulty && line % 4 == 2)
            return request_line("energy-amount/create/", supplier_, account, energy_amount(line));
        const std::string good = request_line("transactions/create/", supplier_, account, transaction(line));
        if (!is_faulty) return good;
        const Fault& fault = faults()[good_.size() % faults().size()];
        const std::string faulty = replaced(good, fault.part, fault.replacement);
        CPPUNIT_ASSERT(faulty != good);
        good_[faulty] = good;
        return faulty;
    }

    std::string supplier_;
    fs::path directory_;
    std::map<std::string, std::string> good_;  ///< for each faulty line, the line without its fault
};

/// The findings of a report, each as status, code and attr. The key is the number of the line in the loaded
/// file that the finding is about. Findings about one line are in the order of the report.
using Findings = std::multimap<int, std::tuple<int, std::string, std::string>>;

Findings findings_of(const fs::path& report) {
    Findings findings;
    for (const std::string& line : lines_of(report)) {
        const json::Document document = json::read(line);
        const auto text = [&](std::string_view name) { return std::string(document.root().at(name).text()); };
        findings.emplace(std::stoi(text("line")),
                         std::tuple(std::stoi(text("status")), text("code"), text("attr")));
    }
    return findings;
}

std::string shown(const Findings& findings) {
    std::string text;
    for (const auto& [line, found] : findings)
        text += std::to_string(line) + ' ' + std::to_string(std::get<0>(found)) + ' ' + std::get<1>(found) +
                ' ' + std::get<2>(found) + '\n';
    return text;
}

/// The commands of data-import-load(1), "A COMPLETE SESSION", as a reader sees them.
std::vector<std::string> commands_of_session() {
    std::string page;
    for (const manual::Page& each : manual::pages({})) {
        if (each.file_name() == "data-import-load.1") page = each.source("2024-01-31");
    }
    const std::size_t begin = page.find(".SH \"A COMPLETE SESSION\"");
    page = page.substr(begin, page.find(".SH", begin + 1) - begin);
    std::vector<std::string> commands;
    const std::string opening = ".nf\n";
    for (std::size_t at = 0; (at = page.find(opening, at)) != std::string::npos;) {
        at += opening.size();
        const std::string lines = page.substr(at, page.find("\n.fi", at) - at);
        commands.push_back(replaced(replaced(lines, "\\-", "-"), "\\e", "\\"));
        CPPUNIT_ASSERT_MESSAGE(lines, lines.find("\\(") == std::string::npos);
    }
    return commands;
}

int times_in(const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++times;
    return times;
}

/// Stands between the client and a stack, and counts requests and lines.
class CountingRelay {
public:
    explicit CountingRelay(const Stack& stack) : stack_(stack) {}

    PlayedService::Reply answer(const PlayedService::Request& request) {
        const int lines = count(request);
        under_way_ += lines > 0 ? 1 : 0;
        const Answer answer = pass_on(request);
        under_way_ -= lines > 0 ? 1 : 0;
        count(answer, lines);
        PlayedService::Reply reply{.status = answer.status, .body = answer.body};
        if (const auto pause = answer.header("Retry-After")) reply.headers = {{"Retry-After", *pause}};
        return reply;
    }

    struct Counts {
        std::map<std::string, int> sent;  ///< by line: how often it was sent
        int most_lines = 0;               ///< of one request
        int unsettled = 0;                ///< lines whose answer makes the client send them again

        [[nodiscard]] int sent_again() const {
            int again = 0;
            for (const auto& [line, times] : sent) again += times - 1;
            return again;
        }
    };
    /// Whether a worker has taken a bulk request, or is about to.
    [[nodiscard]] bool is_busy() const { return under_way_ > 0; }
    [[nodiscard]] Counts counts() const {
        const std::lock_guard lock(mutex_);
        return counts_;
    }

private:
    int count(const PlayedService::Request& request) {
        if (!request.path.starts_with("/v1/data-import/bulk/")) return 0;
        std::istringstream text(request.plain);
        const std::lock_guard lock(mutex_);
        int lines = 0;
        for (std::string line; std::getline(text, line); ++lines) ++counts_.sent[line];
        counts_.most_lines = std::max(counts_.most_lines, lines);
        return lines;
    }

    void count(const Answer& answer, int lines) {
        const std::lock_guard lock(mutex_);
        if (answer.status != 200 && answer.status != 207) counts_.unsettled += lines;
        for (std::size_t at = 0; (at = answer.body.find("\"status\":5", at)) != std::string::npos; ++at)
            ++counts_.unsettled;
    }

    [[nodiscard]] Answer pass_on(const PlayedService::Request& request) const {
        HttpRequest passed{request.method, request.path, {{"Host", "localhost"}}, request.body};
        for (const char* const name : {"Authorization", "Content-Type", "Content-Encoding"}) {
            if (const auto header = request.headers.find(name); header != request.headers.end())
                passed.headers.emplace_back(name, header->second);
        }
        try {
            HttpConnection connection(stack_.port(), stack_.value("CA_FILE"));
            return connection.ask(passed);
        } catch (const Poco::Exception&) {
            Answer nothing;
            nothing.status = 502;
            return nothing;
        }
    }

    const Stack& stack_;
    mutable std::mutex mutex_;
    Counts counts_;
    std::atomic<int> under_way_ = 0;
};

}  // namespace

class LoadProofTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(LoadProofTest);
    CPPUNIT_TEST(the_session_of_the_manual_works_word_for_word);
    CPPUNIT_TEST(check_dry_run_and_run_find_the_same);
    CPPUNIT_TEST(killed_clients_and_workers_lose_and_double_nothing);
    CPPUNIT_TEST_SUITE_END();

public:
    /// Replaces only the address in the commands, because the test has no certificate for import.example.com.
    void the_session_of_the_manual_works_word_for_word() {
        const FaultyBook book(19, 200);
        std::ofstream(book.file("new-key")) << book.new_key() << '\n';
        std::ofstream(book.file("participants.csv"))
            << "code,code_type,name,role,energy\n"
               "9900123000019,BDEW,Northern Grid,NETWORK_OPERATOR,ELECTRICITY\n";
        std::ofstream(book.file("price-sheets.csv"))
            << "market_participant_code,price_sheet_type,document_number,active_from,external_id,"
               "article_prices.0.article_id,article_prices.0.price_cents\n"
               "9900123000019,Z32,PRICAT-1,2024-01-01T00:00:00Z,PS-1,1-01-6-001,1250.0000\n";
        const std::vector<std::string> commands = commands_of_session();
        CPPUNIT_ASSERT_EQUAL(std::size_t{9}, commands.size());
        const auto type = [&](std::size_t number) {
            return run_command("cd " + shell_word(book.file("")) +
                               " && PATH=" + shell_word(fs::canonical(build_directory()).string()) +
                               ":$PATH SSL_CERT_FILE=" + shell_word(FaultyBook::stack().value("CA_FILE")) +
                               " && export PATH SSL_CERT_FILE && " +
                               replaced(commands[number], "https://import.example.com",
                                        FaultyBook::stack().value("BASE_URL")) +
                               (number == 0 ? " <new-key" : ""));
        };
        require(0, type(0));
        require(1, type(1), "200 requests: 190 accepted, 9 refused, 1 malformed");
        CPPUNIT_ASSERT_EQUAL(std::size_t{10}, lines_of(book.file("report.ndjson")).size());
        const CommandResult participants_and_prices = type(2);
        require(0, participants_and_prices, "1 request with 1 CSV record: 1 accepted");
        CPPUNIT_ASSERT(participants_and_prices.output.rfind("CSV record: 1 accepted") >
                       participants_and_prices.output.find("CSV record: 1 accepted"));
        require(1, type(3), "200 requests: 190 accepted, 9 refused, 1 malformed");
        require(1, type(4), "200 requests: 190 accepted, 9 refused, 1 malformed");
        book.mend("rejects/1.ndjson");
        require(0, type(5), "10 requests: 10 accepted");
        // These commands read book/ and rejects/. A mended line in rejects/ counts in place of the faulty
        // line in book/.
        require(0, type(6), book.supplier() + ": EQUAL\n");
        const CommandResult verified = type(7);
        require(0, verified, "EQUAL: 19 accounts compared, 0 differ\n");
        CPPUNIT_ASSERT_EQUAL(std::string::npos, verified.errors.find("left out"));
        require(0, type(8));
        run_ctl(FaultyBook::stack(), "reconcile " + book.supplier() + " " + book.file("totals.csv"));
    }

    void check_dry_run_and_run_find_the_same() {
        const FaultyBook book(99, 2000);
        std::ofstream(book.file("key")) << book.new_key() << '\n';
        fs::permissions(book.file("key"), fs::perms::owner_read);
        require(1, book.load("--check --report checked book/"));
        require(1, book.load("--dry-run --report rehearsed book/"));
        const CommandResult different = book.load("--verify book/");
        require(1, different,
                "\nand 79 more, all of which --json prints\nDIFFERENT: 99 accounts compared, 99 differ\n");
        CPPUNIT_ASSERT_EQUAL(20, times_in(different.output, book.supplier() + ' '));
        CPPUNIT_ASSERT_EQUAL(
            99, times_in(book.load("--verify --json book/").output, R"("kind":"notes","files":{"records":)"));
        require(1, book.load("--report loaded --rejects rejects book/"));
        const Findings checked = findings_of(book.file("checked"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{100}, book.faulty_lines());
        CPPUNIT_ASSERT_EQUAL(book.faulty_lines(), checked.size());
        CPPUNIT_ASSERT_EQUAL(shown(checked), shown(findings_of(book.file("rehearsed"))));
        CPPUNIT_ASSERT_EQUAL(shown(checked), shown(findings_of(book.file("loaded"))));
        require(1, book.load("--verify book/"), "EQUAL: 99 accounts compared, 0 differ\n");
        book.mend("rejects");
        require(1, book.load("--verify book/ rejects"), "DIFFERENT: 99 accounts compared, ");
        require(0, book.load("rejects"));
        require(1, book.load("--verify book/ rejects"), "EQUAL: 99 accounts compared, 0 differ\n");
    }

    /// The environment variable LOAD_KILLS sets the number of kills of the client. The variable LOAD_SEED
    /// takes the seed that a failed run of this test has printed, and makes the kills come at the same
    /// moments as in that run.
    void killed_clients_and_workers_lose_and_double_nothing() {
        const int kills = from_environment("LOAD_KILLS", 20);
        const auto seed = static_cast<unsigned>(
            from_environment("LOAD_SEED", static_cast<int>(std::random_device{}() % 1'000'000)));
        const std::string told = "LOAD_SEED=" + std::to_string(seed);
        std::minstd_rand random(seed);
        Playground& playground = tests::playground();
        playground.prepare();
        const fs::path directory = world().directory() / world().take_fresh();
        fs::create_directory(directory);
        write_book(directory, lines_of_kill * kills);
        CountingRelay relay(*playground.stack());
        const PlayedService played([&](const auto& request) { return relay.answer(request); });
        const std::string command = (build_directory() / "data-import-load").string() + " --url " +
                                    played.url() +
                                    " --connections 4 --retries 100 --rate 2000 --api-key-file " +
                                    (directory / "key").string() + ' ' + (directory / "book.ndjson").string();
        int killed = 0;
        int killed_workers = 0;
        {
            std::atomic<bool> is_done = false;
            const std::jthread killing([&, worker_seed = static_cast<unsigned>(random())] {
                killed_workers = kill_workers(worker_seed, relay, is_done);
            });
            for (int time = 0; time < kills; ++time) {
                const int moment = std::uniform_int_distribution<>(50, 800)(random);
                killed += run_command("timeout --signal=KILL 0." + std::to_string(1000 + moment).substr(1) +
                                      ' ' + command)
                              .status == 137;
            }
            is_done = true;
        }
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, kills, killed);
        CPPUNIT_ASSERT_MESSAGE(told, killed_workers > 0);
        const CommandResult last = run_command(command);
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told + '\n' + last.output + last.errors, 0, last.status);
        const CommandResult verified =
            run_command(playground.stack()->value("LOAD") + " --verify --api-key-file " +
                        (directory / "key").string() + ' ' + (directory / "book.ndjson").string());
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, std::string("EQUAL: 50 accounts compared, 0 differ\n"),
                                     verified.output + (verified.status == 0 ? "" : verified.errors));
        const CountingRelay::Counts counts = relay.counts();
        CPPUNIT_ASSERT_EQUAL_MESSAGE(told, static_cast<std::size_t>(lines_of_kill * kills),
                                     counts.sent.size());
        const int most_in_flight = killed * 4 * counts.most_lines + counts.unsettled;
        CPPUNIT_ASSERT_MESSAGE(told + ": " + std::to_string(counts.sent_again()) +
                                   " lines were sent again, " + std::to_string(most_in_flight) +
                                   " were in flight",
                               counts.sent_again() <= most_in_flight);
        std::cout << counts.sent_again() << " of " << counts.sent.size() << " lines were sent again after "
                  << killed << " ends of the client and " << killed_workers << " of workers, which took "
                  << counts.unsettled << " lines with them; no request had more than " << counts.most_lines
                  << '\n';
    }

private:
    static constexpr int lines_of_kill = 1000;

    /// Creates an import supplier whose code is the name of `directory`. Writes a book of `lines` lines and
    /// an API key, both for this supplier, into `directory`.
    static void write_book(const fs::path& directory, int lines) {
        Playground& playground = tests::playground();
        const std::string supplier = directory.filename().string();
        run_ctl(*playground.stack(), "supplier create " + supplier + " --name Book");
        AdminSession session = playground.database();
        import_accounts(session, supplier, "B", 50);
        std::ofstream(directory / "key")
            << run_ctl(*playground.stack(), "key create --organisation Book --supplier " + supplier) << '\n';
        fs::permissions(directory / "key", fs::perms::owner_read);
        std::ofstream book(directory / "book.ndjson");
        for (int line = 0; line < lines; ++line) {
            const std::string account = "B" + std::to_string(100'001 + line % 50).substr(1);
            book << (line % 3 == 0
                         ? request_line("energy-amount/create/", supplier, account, energy_amount(line))
                         : request_line("notes/create/", supplier, account, note(line)))
                 << '\n';
        }
    }

    /// Kills workers until `is_done`. About every other time it kills one of the bulk pool while that pool
    /// works.
    static int kill_workers(unsigned seed, const CountingRelay& relay, const std::atomic<bool>& is_done) {
        std::minstd_rand random(seed);
        int kills = 0;
        while (!is_done) {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(std::uniform_int_distribution<>(100, 900)(random)));
            const bool is_bulk = random() % 2 == 0;
            if (is_bulk && !wait_until([&] { return relay.is_busy(); }, 1s)) continue;
            const Playground& playground = tests::playground();
            const std::vector<pid_t> workers = is_bulk ? playground.workers_of("bulk") : playground.workers();
            if (!workers.empty()) kills += kill(workers[random() % workers.size()], SIGKILL) == 0 ? 1 : 0;
        }
        return kills;
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(LoadProofTest);

}  // namespace data_import::tests
