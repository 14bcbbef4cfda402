// Refused requests as commands show them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/writer.h"
#include "data/store/import_log.h"

namespace data_import::ctl {

/// Returns the code that tells the reason: `item_code` if there is one, else the code of the answer.
[[nodiscard]] const std::string& telling_code(const store::RefusalKind& kind);

/// Returns the meaning of a code; empty for an unknown one.
[[nodiscard]] std::string_view meaning_of(std::string_view code);

/// Returns the sentence of the latest refusal of this kind; the meaning of its code if no sentence was kept.
[[nodiscard]] std::string sentence_of(const store::LoggedRefusal& refusal);

/// Writes an object with all of the refusal's members, and a sentence for people in `detail`.
void write_refusal(json::Writer& writer, const store::LoggedRefusal& refusal);

/// Returns the text with an indent, for the lines below the first line of a refusal. A long text takes
/// several lines.
[[nodiscard]] std::string indented(const std::string& text);

/// Describes refused requests of accounts, each in several lines, with a sentence for each code; empty for
/// none.
[[nodiscard]] std::string describe(const std::vector<store::KeptRefusal>& refusals);

/// Adds up the counts of several suppliers. `parts` must not be empty. The sum names no supplier, and has the
/// earliest `since`.
[[nodiscard]] store::KeptPart together(const std::vector<store::KeptPart>& parts);

/// Returns a text that says how many refusals of a supplier were counted but not kept. The text names the
/// command that finds them in the systemd journal. The command finds the refusals of account `number`;
/// without `number`, the refusals of unknown accounts.
[[nodiscard]] std::string describe(const store::KeptPart& part, const std::optional<std::string>& number);

/// Writes the refusals as an array.
void write_refusals(json::Writer& writer, const std::vector<store::KeptRefusal>& refusals);

}  // namespace data_import::ctl
