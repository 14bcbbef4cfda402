// Many requests as one, and its answer for each of them (contract, section 11).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/answer.h"
#include "client/schedule.h"

namespace data_import::client {

/// The service's answer for one line.
struct LineAnswer {
    int status = 0;
    Answer answer;
};

/// Answers by the place of the request in the bulk request, from 0. A request without one was accepted: the
/// service leaves out long answers of success.
using LineAnswers = std::map<std::size_t, LineAnswer>;

/// The address; its query asks for the answers that are needed.
[[nodiscard]] std::string bulk_path(const std::vector<const Job*>& jobs);

/// The requests as lines, packed with gzip.
[[nodiscard]] std::string pack_lines(const std::vector<const Job*>& jobs);

/// Nothing where the counts at the end of the answer are not those of `lines` lines and of what stands
/// before: then it does not come from the service, or was cut.
[[nodiscard]] std::optional<LineAnswers> read_line_answers(const std::string& body, std::size_t lines);

}  // namespace data_import::client
