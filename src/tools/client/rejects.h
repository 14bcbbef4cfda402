// The lines that were not accepted. They can be sent again once they are corrected.
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

/// One file with the lines as they were read. Or, in a directory, a file for each file of the run, of its
/// name and format, whose lines have the reason in front (rejection_names), with a hidden list of the refused
/// lines next to it. Not safe to use from several threads.
class Rejects {
public:
    /// Opens the files, and makes the directory. Throws std::runtime_error if a file cannot be written, is
    /// one that is loaded or would have the lines of two files, or if lines of all files cannot stand in one.
    explicit Rejects(const Options& options);
    /// Removes files that are empty.
    ~Rejects();
    Rejects(const Rejects&) = delete;
    Rejects& operator=(const Rejects&) = delete;

    /// Cuts the files to the sizes that append_sizes() has told, before anything is added. Without sizes the
    /// run resumes nothing: empties the files, and keeps their content by KeptFile::keep_old(). Throws
    /// std::runtime_error if a file has become shorter or cannot be kept.
    void begin(const std::vector<std::uint64_t>& sizes);
    /// Called before the lines of each file. Throws std::runtime_error if all rejects go into one file, and
    /// the header of this file is another one than that of the files before.
    void begin_file(std::size_t file, const Head& head);

    /// Keeps a line with its `faults`. Returns the line on which the first fault is found there; nothing if
    /// it is not kept.
    std::optional<std::uint64_t> add(const InputLine& line, const std::vector<Fault>& faults);

    void append_sizes(std::vector<std::uint64_t>& sizes) const;
    void sync();

private:
    struct Output {
        std::string name;
        KeptFile file;
        std::uint64_t lines = 0;
        KeptFile refused = {};  ///< in a directory, once a line is kept: their list (ReplacedLines)
    };

    void open(const std::string& name);
    void begin_list(Output& output, std::uint64_t size) const;
    void list(Output& output, const InputLine& line) const;
    [[nodiscard]] std::string text_of(const InputLine& line, std::size_t record, const Head& head,
                                      const std::vector<Fault>& faults) const;

    const std::vector<std::string> inputs_;
    const std::string directory_;  ///< empty for one file
    std::vector<Output> outputs_;
    std::vector<Head> heads_;  ///< of the inputs
    std::optional<std::string> common_head_;
};

}  // namespace data_import::client
