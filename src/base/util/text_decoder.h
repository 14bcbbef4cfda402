// Reads text of UTF-8 or UTF-16 as UTF-8.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data_import::util {

/// The bytes are not text, or in an encoding that is not read. `what()` completes the sentence `FILE is ...`.
class NoText : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Drops a byte order mark, and turns UTF-16 into UTF-8. UTF-16 is known by its mark or by the zeros in its
/// first two characters. UTF-8 passes through unchecked. A broken or incomplete character of UTF-16 becomes
/// bytes that are not UTF-8.
class TextDecoder {
public:
    /// Fills at least one byte, and returns how many; 0 at the end.
    using Source = std::function<std::size_t(std::span<char>)>;

    /// Fills at least one byte of `text`, and returns how many; 0 at the end. The first call throws NoText
    /// if the bytes are no text, or in an encoding that is not read. Exceptions of `source` pass through.
    [[nodiscard]] std::size_t read(const Source& source, std::span<char> text);

    /// Returns the text that read() will give next, up to the end of the first line that is not blank, or
    /// some 64 KiB if that line is longer. To be called before the first read() only. Throws as read() does.
    [[nodiscard]] std::string_view look_ahead(const Source& source);

    /// Returns whether the bytes of the text differ from those of the source.
    [[nodiscard]] bool changes_bytes() const { return is_utf16() || has_mark_; }
    [[nodiscard]] bool is_utf16() const { return converter_ != nullptr; }

private:
    struct Closer {
        void operator()(void* converter) const;
    };

    void begin(const Source& source);
    void find_encoding();
    void open_converter(const char* encoding);
    [[nodiscard]] bool read_more(const Source& source);
    void decode(std::string_view bytes);
    void end_text();

    std::unique_ptr<void, Closer> converter_;  ///< converter of iconv for UTF-16; null for UTF-8
    bool began_ = false;
    bool ended_ = false;
    bool has_mark_ = false;
    std::string ready_;      ///< text that was not returned yet
    std::size_t given_ = 0;  ///< bytes of `ready_` that were returned
    std::string undecoded_;  ///< first bytes of a UTF-16 character whose rest is still to come
};

/// Returns words for the format of a file that begins with `begin`, such as `a zip archive ...`. Returns
/// nothing if the file may be text.
[[nodiscard]] std::optional<std::string_view> known_format(std::string_view begin);

}  // namespace data_import::util
