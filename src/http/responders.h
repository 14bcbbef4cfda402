// Responders that stand between an endpoint and the transport.
#pragma once

#include <optional>
#include <stdexcept>

#include "http/request.h"

namespace data_import::http {

/// Remembers status and size of the answer.
class RecordingResponder : public Responder {
public:
    explicit RecordingResponder(Responder& target) : target_(target) {}

    void send(const Reply& reply) override {
        status_ = reply.status;
        bytes_ = reply.body.size();
        target_.send(reply);
    }
    void begin(int status, std::string_view content_type, const Headers& headers) override {
        status_ = status;
        target_.begin(status, content_type, headers);
    }
    void write(std::string_view bytes) override {
        bytes_ += bytes.size();
        target_.write(bytes);
    }
    void end() override { target_.end(); }
    [[nodiscard]] bool begun() const override { return target_.begun(); }
    [[nodiscard]] bool is_abandoned() const override { return target_.is_abandoned(); }
    [[nodiscard]] int status() const { return status_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    Responder& target_;
    int status_ = 0;
    std::size_t bytes_ = 0;
};

/// Holds an answer back until what it says is committed.
class HeldAnswer : public Responder {
public:
    void send(const Reply& reply) override { reply_ = reply; }
    void begin(int, std::string_view, const Headers&) override { refuse_stream(); }
    void write(std::string_view) override { refuse_stream(); }
    void end() override { refuse_stream(); }
    [[nodiscard]] bool begun() const override { return reply_.has_value(); }
    [[nodiscard]] const Reply& reply() const { return reply_.value(); }

private:
    [[noreturn]] static void refuse_stream() {
        throw std::logic_error("an answer to a POST cannot be a stream");
    }

    std::optional<Reply> reply_;
};

}  // namespace data_import::http
