#include "base/util/text_source.h"

#include <fcntl.h>
#include <poll.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/util/failure.h"
#include "base/util/gzip.h"

namespace data_import::util {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 17;
constexpr int largest_window = 24;  // logarithm to base 2 of the bytes that unpacking may take in memory
constexpr std::string_view gzip_mark = "\x1f\x8b";
constexpr std::string_view zstandard_mark = "\x28\xb5\x2f\xfd";

[[noreturn]] void fail_to_read(const std::string& name, int error = errno) {
    fail("cannot read " + name, error);
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw std::runtime_error("cannot unpack " + name + ": " + reason);
}

}  // namespace

FileDescriptor open_input(const std::string& name) {
    const bool standard_input = name == "-";
    // Standard input is duplicated, so that every descriptor is owned and closed in the same way.
    FileDescriptor input(standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                        : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.get() < 0) fail_to_read(standard_input ? "standard input" : name);
    return input;
}

class TextSource::Unpacker {
public:
    virtual ~Unpacker() = default;
    /// Takes from `packed` and fills `text`. Returns the number of bytes in `text`, which may be 0.
    [[nodiscard]] virtual std::size_t unpack(std::span<const char>& packed, std::span<char> text) = 0;
    /// Returns whether the file is complete if no more bytes follow.
    [[nodiscard]] virtual bool may_end() const = 0;
};

class TextSource::Gzip : public Unpacker {
public:
    explicit Gzip(std::string name) : name_(std::move(name)) {}

    std::size_t unpack(std::span<const char>& packed, std::span<char> text) override {
        try {
            return gunzip_.read(packed, text);
        } catch (const GzipError& error) {
            refuse(name_, error.what());
        }
    }

    bool may_end() const override { return gunzip_.may_end(); }

private:
    std::string name_;
    Gunzip gunzip_;
};

class TextSource::Zstandard : public Unpacker {
public:
    explicit Zstandard(std::string name) : name_(std::move(name)), stream_(ZSTD_createDStream()) {
        if (stream_ == nullptr) throw std::bad_alloc();
        ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window);
    }
    ~Zstandard() override { ZSTD_freeDStream(stream_); }
    Zstandard(const Zstandard&) = delete;
    Zstandard& operator=(const Zstandard&) = delete;

    std::size_t unpack(std::span<const char>& packed, std::span<char> text) override {
        ZSTD_inBuffer input{packed.data(), packed.size(), 0};
        ZSTD_outBuffer output{text.data(), text.size(), 0};
        const std::size_t result = ZSTD_decompressStream(stream_, &output, &input);
        if (ZSTD_isError(result) != 0) refuse(name_, reason_of(result));
        inside_ = result != 0;
        packed = packed.subspan(input.pos);
        return output.pos;
    }

    bool may_end() const override { return !inside_; }

private:
    static std::string reason_of(std::size_t result) {
        const std::string reason = ZSTD_getErrorName(result);
        return reason.find("memory") == std::string::npos
                   ? "the Zstandard data is broken (" + reason + ")"
                   : "it needs more than 16 MiB of memory; pack it without --long and --ultra";
    }

    std::string name_;
    ZSTD_DStream* stream_;
    bool inside_ = true;
};

TextSource::TextSource(FileDescriptor input, std::string name, int stop)
    : input_(std::move(input)), name_(std::move(name)), stop_(stop), buffer_(buffer_bytes) {}

TextSource::~TextSource() = default;
TextSource::TextSource(TextSource&&) noexcept = default;
TextSource& TextSource::operator=(TextSource&&) noexcept = default;

std::size_t TextSource::read(std::span<char> buffer) {
    try {
        return decoder_.read([this](std::span<char> bytes) { return unpack(bytes); }, buffer);
    } catch (const NoText& error) {
        throw std::runtime_error(name_ + " is " + error.what());
    }
}

std::string_view TextSource::look_ahead() {
    try {
        return decoder_.look_ahead([this](std::span<char> bytes) { return unpack(bytes); });
    } catch (const NoText& error) {
        throw std::runtime_error(name_ + " is " + error.what());
    }
}

std::size_t TextSource::unpack(std::span<char> buffer) {
    for (;;) {
        if (rest_.empty() && !fill()) {
            if (ended_ && unpacker_ && !unpacker_->may_end()) refuse(name_, "it ends before its end");
            return 0;
        }
        if (!unpacker_) {
            const std::size_t count = std::min(buffer.size(), rest_.size());
            std::memcpy(buffer.data(), rest_.data(), count);
            rest_ = rest_.subspan(count);
            return count;
        }
        const std::size_t count = unpacker_->unpack(rest_, buffer);
        if (count > 0) return count;
    }
}

/// Reads the next bytes of the file into `rest_`. Returns false at the end of the file and when stopped.
bool TextSource::fill() {
    std::size_t filled = 0;
    // The first bytes tell the file's format, and a pipe may bring them one by one.
    do {
        if (!wait_for_input()) return false;
        const ssize_t count = ::read(input_.get(), buffer_.data() + filled, buffer_.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_to_read(name_);
        ended_ = count == 0;
        filled += static_cast<std::size_t>(count);
    } while (!began_ && !ended_ && filled < zstandard_mark.size());
    taken_ += filled;
    rest_ = {buffer_.data(), filled};
    if (!began_) choose_unpacker();
    began_ = true;
    return filled > 0;
}

void TextSource::choose_unpacker() {
    const std::string_view begin(rest_.data(), rest_.size());
    if (begin.starts_with(gzip_mark))
        unpacker_ = std::make_unique<Gzip>(name_);
    else if (begin.starts_with(zstandard_mark))
        unpacker_ = std::make_unique<Zstandard>(name_);
}

bool TextSource::wait_for_input() {
    pollfd descriptors[] = {{input_.get(), POLLIN, 0}, {stop_, POLLIN, 0}};
    while (::poll(descriptors, 2, -1) < 0) {
        if (errno != EINTR) fail_to_read(name_);
    }
    was_stopped_ = descriptors[1].revents != 0;
    return !was_stopped_;
}

}  // namespace data_import::util
