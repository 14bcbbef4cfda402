// An action that needs the rights with which the program was started, at a moment when it has given them up
// for those of PostgreSQL's administrator (Context::database).
#pragma once

#include <sys/types.h>

#include <functional>

namespace data_import::ctl {

/// Forks at once, while the rights are still there; the child waits to be told. Make it before the database
/// is used.
class FirstUserAction {
public:
    /// Both are called in the child.
    FirstUserAction(const std::function<void()>& action, const std::function<void()>& undo);
    /// Undoes the action if it was done and `keep` was not called.
    ~FirstUserAction();
    FirstUserAction(const FirstUserAction&) = delete;
    FirstUserAction& operator=(const FirstUserAction&) = delete;

    /// Does the action; throws Failure with the text of its exception.
    void run();
    /// The action was right: nothing undoes it any more.
    void keep();

private:
    void tell(char word) const;
    void wait_for_end();

    int channel_ = -1;
    pid_t child_ = -1;
};

}  // namespace data_import::ctl
