// Where the workers of a pool leave connections that wait for their next request.
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

    /// Leaves as many of the first of `connections` as there is room for; those are closed in this process
    /// and are gone from the list. Once it is shut all are closed: nginx sends there no more.
    void leave(std::vector<util::FileDescriptor>& connections) const;

    /// Takes what was left, in that order; nothing when another worker was faster.
    [[nodiscard]] std::vector<util::FileDescriptor> take() const;

    /// For all processes: whoever leaves something from now on closes it; what lies here can still be taken.
    void shut() const;

    /// Closes this process's descriptors, and does nothing else.
    void close();

private:
    util::FileDescriptor left_at_;
    util::FileDescriptor taken_from_;
};

}  // namespace data_import::fastcgi
