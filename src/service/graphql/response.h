// Writes the answer as JSON (specification of October 2021, section 7). Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "data/json/writer.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"

namespace data_import::graphql {

/// A position in a document. Both numbers count from 1; columns count UTF-16 code units, as the reference
/// implementation does.
struct Location {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    [[nodiscard]] bool operator==(const Location& other) const = default;
};

/// Returns the position of the byte at `offset` of a UTF-8 text. Counting begins at the byte `from`, whose
/// position is `place`, and which must not be after `offset`. Lines end with LF, CR or CR LF.
[[nodiscard]] Location locate(std::string_view text, std::size_t offset, Location place = {},
                              std::size_t from = 0);

/// One step on the way to a value in the answer: a response key, or the index of an item of a list. `parent`
/// is the step before; null for the first.
struct PathSegment {
    const PathSegment* parent;
    std::variant<std::string_view, std::size_t> segment;
};

/// Collects the errors of an answer, as JSON.
class ErrorList {
public:
    explicit ErrorList(std::string_view document) : document_(document) { writer_.begin_array(); }

    /// Adds an error. `offset` is the position of the error in the document, in bytes; nothing if the error
    /// has no position. `place` is the path of the field that failed; nullptr if the error concerns no field.
    void add(const FieldError& error, std::optional<std::uint32_t> offset, const PathSegment* place);
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Returns the answer to a request that was not executed at all.
    [[nodiscard]] Response refused();
    /// Returns the answer with `data`, which is JSON. The errors, if there are any, stand before it.
    [[nodiscard]] Response executed(std::string_view data);

private:
    void write_path(const PathSegment& place);

    std::string_view document_;
    std::uint32_t last_offset_ = 0;  ///< offset of the last error; its location is `last_location_`
    Location last_location_;
    json::Writer writer_;
    std::size_t size_ = 0;
};

}  // namespace data_import::graphql
