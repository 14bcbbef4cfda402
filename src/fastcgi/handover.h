// The socket at which the workers of a pool leave connections that wait for their next request.
#pragma once

#include <vector>

#include "util/file_descriptor.h"

namespace data_import::fastcgi {

/// A place that all workers of a pool share. The master makes it before it forks and keeps it, so that what
/// was left there outlives every worker.
class Handover {
public:
    /// Throws std::runtime_error.
    Handover();

    /// Readable when connections were left here.
    [[nodiscard]] int get() const { return taken_from_.get(); }

    struct Left {
        std::vector<util::FileDescriptor> connections;  ///< in the order in which they were left
        bool is_all = false;                            ///< it is shut: nothing more will be left
    };

    /// Leaves as many of the first of `connections` as there is room for, none where it is shut; those are
    /// closed in this process and are gone from the list.
    void leave(std::vector<util::FileDescriptor>& connections) const;

    /// Takes what was left; nothing when another worker was faster.
    [[nodiscard]] Left take() const;

    /// For all processes: there is no room from now on; what lies here can still be taken.
    void shut() const;

    /// Closes this process's descriptors, and does nothing else.
    void close();

private:
    util::FileDescriptor left_at_;
    util::FileDescriptor taken_from_;
};

}  // namespace data_import::fastcgi
