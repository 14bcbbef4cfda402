// Writes each line that was not accepted into a file of rejects. Once somebody has corrected the lines in
// the file, the file can be loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/client/input.h"
#include "tools/client/kept_file.h"
#include "tools/client/options.h"
#include "tools/client/summary.h"

namespace data_import::client {

/// Writes the lines that were not accepted into one file, or into a directory. One file gets all the lines
/// exactly as they were read. A directory gets one file of rejects for each file to load, with the name and
/// format of that file. Each line then has the reason in front (rejection_names), and a hidden list of the
/// refused lines stands next to the file of rejects (ReplacedLines). Not safe to use from several threads.
class Rejects {
public:
    /// Makes the directory, and opens the files. Throws std::runtime_error if a file cannot be written or is
    /// one of the files to load, if two inputs would have the same file in the directory, or if inputs with
    /// different headers would share one file.
    explicit Rejects(const Options& options);
    /// Removes from the directory each file of rejects that is empty, and the list of refused lines next to
    /// it.
    ~Rejects();
    Rejects(const Rejects&) = delete;
    Rejects& operator=(const Rejects&) = delete;

    /// Cuts the files to the sizes that append_sizes() gave in an earlier run. If there are no sizes, because
    /// no earlier run is resumed, copies the files (KeptFile::keep_old()) and empties them. Has to be called
    /// before anything is added. Throws std::runtime_error if a file has become shorter or cannot be copied.
    void begin(const std::vector<std::uint64_t>& sizes);
    /// Notes the head of a file to load. Has to be called before the lines of the file. Throws
    /// std::runtime_error if all rejects go into one file, and this file to load has another header than the
    /// files before it.
    void begin_file(std::size_t file, const Head& head);

    /// Writes a line that was not accepted and, if the rejects go into a directory, its `faults`. Returns
    /// where the record with the first fault stands: a line number in the file of rejects. Returns nothing if
    /// the line is not written.
    std::optional<std::uint64_t> add(const InputLine& line, const std::vector<Fault>& faults);

    void append_sizes(std::vector<std::uint64_t>& sizes) const;
    void sync();

private:
    struct Output {
        std::string name;
        KeptFile file;
        std::uint64_t lines = 0;
        /// The list of refused lines next to `file` (refused_list_of()). A later run reads the list. The list
        /// is made at the first refused line, and only if the rejects go into a directory.
        KeptFile refused = {};
    };

    void open(const std::string& name);
    void begin_list(Output& output, std::uint64_t size) const;
    void list(Output& output, const InputLine& line) const;
    [[nodiscard]] std::string text_of(const InputLine& line, std::size_t record, const Head& head,
                                      const std::vector<Fault>& faults) const;

    const std::vector<std::string> inputs_;
    const std::string directory_;  ///< directory of the rejects; empty if all rejects go into one file
    std::vector<Output> outputs_;
    std::vector<Head> heads_;  ///< CSV header of each file to load, by the number of the file
    std::optional<std::string> common_head_;
};

}  // namespace data_import::client
