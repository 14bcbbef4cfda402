#include "played_import.h"

#include <cstdlib>
#include <stdexcept>

#include "data/json/reader.h"

namespace data_import::tests {

namespace {

std::string line_of(const std::string& path, int number, const std::string& account) {
    return R"({"path": ")" + path + R"(", "body": {"import_supplier": "ACME", "external_account_number": ")" +
           account + R"(", "number": )" + std::to_string(number) + "}}\n";
}

PlayedService::Reply played(int status) {
    return PlayedService::refused(status, status == 409 ? "request_in_progress" : "played");
}

}  // namespace

PlayedImport::PlayedImport(Plan plan)
    : PlayedService([this](const Request& request) { return answer(request); }), plan_(std::move(plan)) {}

void PlayedImport::forget_keys() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
}

std::map<int, int> PlayedImport::stored() const {
    const std::lock_guard lock(mutex_);
    return stored_;
}

std::vector<PlayedImport::Arrival> PlayedImport::arrivals() const {
    const std::lock_guard lock(mutex_);
    return arrivals_;
}

PlayedService::Reply PlayedImport::answer(const Request& request) {
    if (request.path == "/v1/graphql/") return token();
    if (!request.path.starts_with("/v1/data-import/bulk/"))
        return take(request.path, request.key, request.plain);
    return answer_lines(request.plain, [this](const std::string& line) { return take_line(line); });
}

PlayedService::Reply PlayedImport::take_line(const std::string& line) {
    const json::Document document = json::read(line);
    const std::size_t begin = line.find(R"("body":)") + 7;
    return take(std::string(document.root().at("path").text()), "",
                line.substr(begin, line.size() - begin - 1));
}

PlayedService::Reply PlayedImport::take(const std::string& path, const std::string& key,
                                        const std::string& body) {
    const json::Document document = json::read(body);
    const auto number = document.root().find("number");
    Arrival arrival{path, key, number ? std::stoi(std::string(number->text())) : 0};
    {
        const std::lock_guard lock(mutex_);
        arrival.times = ++times_[arrival.number];
        arrivals_.push_back(arrival);
        if (const auto kept = kept_.find(key); kept != kept_.end())
            return kept->second == arrival.number ? Reply{} : played(422);
    }
    const auto store = [&] {
        const std::lock_guard lock(mutex_);
        ++stored_[arrival.number];
        if (!key.empty()) kept_[key] = arrival.number;
    };
    const int status = plan_ ? plan_(arrival) : 0;
    if (status <= 0) store();
    if (std::abs(status) == cut) throw std::runtime_error("the connection is to end");
    if (status > foreign) return {status - foreign, "<html>This is not here</html>", "text/html"};
    if (status == other_content)
        return {.body = R"({"results": [{"status": "TRANSACTION_ALREADY_EXISTS", "differs": true, )"
                        R"("transaction_data": {"transaction_id": "T-)" +
                        std::to_string(arrival.number) + "\"}}]}"};
    return status == 0 ? Reply{} : played(std::abs(status));
}

std::string PlayedImport::note(int number, const std::string& account) {
    return line_of("/v1/data-import/notes/create/", number, account);
}

std::string PlayedImport::charge(int number, const std::string& account) {
    return line_of("/v1/data-import/transactions/create/?check_previously_added=false", number, account);
}

}  // namespace data_import::tests
