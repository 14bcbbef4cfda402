// Reads HTTP/1.1 answers piece by piece and keeps only the status and the beginning of the body.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::bench {

class AnswerReader {
public:
    /// Takes the next bytes of the connection. After bytes that are no HTTP answer is_broken() is true.
    void feed(std::string_view bytes);

    [[nodiscard]] bool has_begun() const { return part_ != Part::head || !line_.empty(); }
    [[nodiscard]] bool is_complete() const { return part_ == Part::complete; }
    [[nodiscard]] bool is_broken() const { return part_ == Part::broken; }
    [[nodiscard]] int status() const { return status_; }
    /// Whether the server will take another request on this connection.
    [[nodiscard]] bool keeps_connection() const { return keeps_; }
    /// The first bytes of the body.
    [[nodiscard]] const std::string& beginning() const { return beginning_; }

private:
    enum class Part { head, counted, chunk_size, chunk, trailer, complete, broken };

    std::string_view feed_line(std::string_view bytes);
    std::string_view feed_body(std::string_view bytes);
    void take_line();
    void take_head_line();
    void take_header(std::string_view name, std::string_view value);
    void end_head();
    void take_chunk_size();

    Part part_ = Part::head;
    std::string line_;
    std::string beginning_;
    int status_ = 0;
    bool keeps_ = true;
    bool is_chunked_ = false;
    std::size_t left_ = 0;  ///< missing bytes of the body, or of the chunk and the line break after it
};

}  // namespace data_import::bench
