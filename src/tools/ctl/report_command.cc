// The commands `report | report verify`.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

#include "base/util/crypto.h"
#include "base/util/failure.h"
#include "base/util/file_descriptor.h"
#include "base/util/temporary_file.h"
#include "data/proof/account_totals.h"
#include "data/report/report.h"
#include "data/store/access_events.h"
#include "tools/console/text_table.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/first_user_action.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/progress_line.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::size_t chunk_bytes = 1024UL * 1024;
constexpr std::size_t longest_file = 64UL * 1024 * 1024;
constexpr mode_t mode_of_files = 0640;  // not readable for everybody, because reports have account numbers

/// A file that is written in two stages: hold() keeps the content in a temporary file, and write() copies it
/// to the path.
///
/// A child process calls write(), because this process gives up the right to write to the path before it
/// knows the content.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path path)
        : path_(std::move(path)), content_(util::make_temporary_file()) {}

    void hold(const std::string& content) {
        for (std::size_t done = 0; done < content.size();) {
            const ssize_t count = pwrite(content_.get(), content.data() + done, content.size() - done,
                                         static_cast<off_t>(done));
            if (count < 0 && errno != EINTR) util::fail_to_write_temporary_file();
            done += count < 0 ? 0 : static_cast<std::size_t>(count);
        }
    }

    /// Writes the file. Throws Failure if it exists.
    void write() const {
        const util::FileDescriptor file(
            open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of_files));
        if (!file) util::fail<Failure>(path_.string() + " cannot be written");
        try {
            copy_to(file.get());
        } catch (...) {
            remove();
            throw;
        }
    }
    void remove() const { unlink(path_.c_str()); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    void copy_to(int file) const {
        off_t place = 0;
        for (ssize_t count = 1; count != 0;) {
            count = sendfile(file, content_.get(), &place, chunk_bytes);
            if (count < 0 && errno != EINTR) util::fail<Failure>(path_.string() + " cannot be written");
        }
        if (fsync(file) != 0) util::fail<Failure>(path_.string() + " cannot be written");
    }

    std::filesystem::path path_;
    util::FileDescriptor content_;
};

/// The two files of a report. Both are written, or none.
struct Files {
    OutputFile html;
    OutputFile json;

    Files(const std::filesystem::path& directory, const std::string& stem)
        : html(directory / (stem + ".html")), json(directory / (stem + ".json")) {}

    void write() const {
        html.write();
        try {
            json.write();
        } catch (...) {
            html.remove();
            throw;
        }
    }
    void remove() const {
        html.remove();
        json.remove();
    }
};

std::string sha256_of(const std::string& content) {
    return util::to_hex(util::bytes_of(util::sha256(content)));
}

void require_directory(const std::filesystem::path& directory) {
    std::error_code failure;
    if (!std::filesystem::is_directory(directory, failure))
        throw Failure(directory.string() + " is not a directory; choose an existing one with --output");
}

report::Report take_report(Context& context, const Invocation& invocation) {
    const std::string& code = invocation.argument("CODE");
    const bool is_draft = invocation.has("--draft");
    need_accounts(context, code);
    auto report = report::take(
        context.database(), {.import_supplier = code,
                             .reading = is_draft ? report::Reading::always : report::Reading::where_signable,
                             .deadline = Context::late()});
    if (!report) fail_unknown_supplier(context, code);
    report->is_draft = is_draft;
    report->signer = invocation.option("--signed-by");
    report->by = context.acting_operator();
    if (is_draft) return *std::move(report);
    if (const auto reason = report::obstacle(*report))
        throw Failure("the report on " + code + " cannot be signed: " + *reason +
                      "; --draft writes one that is not signed");
    return *std::move(report);
}

void print_files(const Context& context, const store::SignedReport& report, bool is_draft,
                 const Files& files) {
    if (!context.json())
        return Context::print((is_draft ? "draft of the report on " : "report on ") + report.import_supplier +
                              (is_draft ? "" : ", signed by " + in_one_line(report.signed_by)) + ":\n" +
                              files.html.path().string() + "  SHA-256 " + report.html_sha256 + "\n" +
                              files.json.path().string() + "  SHA-256 " + report.json_sha256 + "\n");
    Context::print(object({{"id", report.id},
                           {"draft", is_draft},
                           {"html", files.html.path().string()},
                           {"html_sha256", report.html_sha256},
                           {"json", files.json.path().string()},
                           {"json_sha256", report.json_sha256}}));
}

/// Returns the bytes of a file; for `-`, those of standard input.
std::string read_all(const std::string& name) {
    errno = 0;
    std::ifstream file;
    if (name != "-") file.open(name, std::ios::binary);
    std::istream& input = name == "-" ? std::cin : file;
    std::string content;
    std::vector<char> chunk(chunk_bytes);
    while (input) {
        input.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
        content.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
        if (content.size() > longest_file) throw Failure(name + " is larger than any report");
    }
    if (input.bad() || (name != "-" && !file.is_open())) util::fail<Failure>(name + " cannot be read");
    return content;
}

std::string signed_text(const store::SignedReport& report) {
    return "the report on " + report.import_supplier + " that " + in_one_line(report.signed_by) +
           " signed at " + minute_of(report.signed_at) + " (" + report.by.system_user + " on " +
           report.by.host + ")";
}

void print_verdict(const Context& context, const std::string& verdict,
                   const std::optional<store::SignedReport>& report) {
    if (!context.json()) return;
    Context::print(!report ? object({{"verdict", verdict}})
                           : object({{"verdict", verdict},
                                     {"id", report->id},
                                     {"import_supplier", report->import_supplier},
                                     {"as_of", report->as_of},
                                     {"signed_by", report->signed_by},
                                     {"signed_at", report->signed_at},
                                     {"system_user", report->by.system_user},
                                     {"host", report->by.host}}));
}

void make_report(Context& context, const Invocation& invocation) {
    const std::filesystem::path directory = invocation.option("--output").value_or(".");
    require_directory(directory);
    const bool is_draft = invocation.has("--draft");
    Files files(directory, report::file_stem(invocation.argument("CODE"), is_draft));
    FirstUserAction writing([&files] { files.write(); }, [&files] { files.remove(); });
    database::Database& database = context.database();
    ProgressLine progress;
    progress.phase("reading the records");
    store::SignedReport made;
    proof::with_snapshot(database, [&] {
        database.execute_script("SET LOCAL statement_timeout = 0", Context::late());
        const report::Report report = take_report(context, invocation);
        const std::string html = report::to_html(report);
        const std::string json = report::to_json(report);
        made = report::signed_report(report, html, json);
        if (!is_draft) store::record_signed_report(database, made, Context::late());
        files.html.hold(html);
        files.json.hold(json);
        writing.run();
    });
    writing.keep();
    print_files(context, made, is_draft, files);
}

void verify_report(Context& context, const Invocation& invocation) {
    const std::string& name = invocation.argument("FILE");
    const std::string content = read_all(name);
    const std::string sha256 = sha256_of(content);
    database::Database& database = context.database();
    if (const auto report = store::find_signed_file(database, sha256, Context::soon())) {
        print_verdict(context, "SIGNED", report);
        if (!context.json())
            Context::print(in_one_line(name) + " is " +
                           (sha256 == report->html_sha256 ? "the HTML of " : "the JSON of ") +
                           signed_text(*report) + "\n");
        return;
    }
    const auto id = report::id_of(content);
    const auto original = id ? store::find_signed_report(database, *id, Context::soon()) : std::nullopt;
    print_verdict(context, original ? "CHANGED" : "UNKNOWN", original);
    if (original)
        throw Failure(name + " was changed: it is not " + signed_text(*original) +
                      "; take it from where it was kept");
    throw Failure(name + " is unknown: no report with its SHA-256, " + sha256 + ", was ever signed here");
}

}  // namespace

std::vector<Command> report_commands() {
    return {
        command(
            "report", {supplier_code},
            {{"--signed-by", "NAME", check_name, "The person who signs the report; also named in a draft.",
              true},
             {"--draft", "", nullptr,
              "Writes a draft even if the report would be refused. It is not signed and says so on every "
              "page."},
             {"--output", "DIR", check_file, "The directory for the files; the current one if left out."}},
            make_report,
            "Writes a report on a supplier's migration, as HTML for people and as JSON for programs, and "
            "adds the SHA-256 of both to the audit history. All figures are of one moment. The command reads "
            "every record, which takes a long time if there are many. Lists of accounts have the first " +
                std::to_string(report::most_listed) +
                ". The command is refused, with exit status 1, while the supplier has not declared its "
                "totals, while accepted differences of accounts (reconcile --accept) do not explain "
                "all differences, while a consumer that has declared what the platform has booked has not "
                "taken "
                "everything or has booked other totals (consumer accept), or if the records do not add up to "
                "the "
                "stored totals.",
            "ACME --signed-by \"Jane Doe\" --output /srv/reports"),
        command("report verify", {{"FILE", check_file}}, {}, verify_report,
                "Checks whether a file belongs to a signed report, byte by byte. The exit status is 1 if it "
                "was changed or never signed. If FILE is -, it is read from standard input.",
                "ACME-20240531T083000Z.html")};
}

}  // namespace data_import::ctl
