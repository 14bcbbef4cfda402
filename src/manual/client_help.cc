#include "manual/client_help.h"

#include <cctype>
#include <sstream>
#include <stdexcept>

#include "client/options.h"

namespace data_import::manual {

namespace {

constexpr std::string_view indent = "    ";

std::string as_sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

}  // namespace

std::vector<ClientOption> client_options() {
    std::vector<ClientOption> options;
    std::istringstream lines(client::help_text());
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  --")) continue;
        const std::size_t gap = line.find("  ", 2);
        const std::size_t sentence = line.find_first_not_of(' ', gap);
        if (sentence == std::string::npos) throw std::logic_error("an option without a sentence: " + line);
        options.push_back({line.substr(2, gap - 2), as_sentence(line.substr(sentence))});
    }
    return options;
}

std::string client_example() {
    const std::string help = client::help_text();
    const std::string heading = "\nExample:\n";
    std::istringstream lines(help.substr(help.find(heading) + heading.size()));
    std::string example;
    for (std::string line; std::getline(lines, line) && line.starts_with(indent);) {
        example += (example.empty() ? "" : "\n") + line.substr(indent.size());
    }
    return example;
}

}  // namespace data_import::manual
