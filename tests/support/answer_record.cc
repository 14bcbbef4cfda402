#include "answer_record.h"

#include <cstdlib>
#include <fstream>

#include "data/json/writer.h"

namespace data_import::tests {

void record_answer(const HttpRequest& request, const Answer& answer) {
    const char* file = std::getenv("ANSWERS");
    if (file == nullptr || request.method == "HEAD") return;
    json::Writer line;
    line.begin_object().key("method").string(request.method).key("path").string(request.target);
    line.key("request").string(request.body).key("status").integer(answer.status);
    line.key("answer").string(answer.body).end_object();
    std::ofstream(file, std::ios::app) << line.take() << '\n';
}

}  // namespace data_import::tests
