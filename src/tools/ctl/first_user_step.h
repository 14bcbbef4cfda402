// A step that needs the rights with which the program was started, at a moment when it has given them up for
// those of PostgreSQL's administrator (Context::database).
#pragma once

#include <sys/types.h>

#include <functional>

namespace data_import::ctl {

/// Forks at once, while the rights are still there; the child waits to be told. Make it before the database
/// is used.
class FirstUserStep {
public:
    /// Both are called in the child.
    FirstUserStep(const std::function<void()>& step, const std::function<void()>& undo);
    /// Undoes the step if it was done and `keep` was not called.
    ~FirstUserStep();
    FirstUserStep(const FirstUserStep&) = delete;
    FirstUserStep& operator=(const FirstUserStep&) = delete;

    /// Does the step; throws Failure with the text of its exception.
    void run();
    /// The step was right: nothing undoes it any more.
    void keep();

private:
    void tell(char word) const;
    void wait_for_end();

    int channel_ = -1;
    pid_t child_ = -1;
};

}  // namespace data_import::ctl
