// Does an action with the rights of the user who started the program, although the process itself has given
// up these rights and become PostgreSQL's administrator (Context::database).
#pragma once

#include <sys/types.h>

#include <functional>

namespace data_import::ctl {

/// A child process that does an action with the rights of the user who started the program. The constructor
/// has to be called before the database is used. The child waits until run() or the destructor is called.
///
/// The program gives up the rights of that user when it first uses the database, but the child keeps them.
class FirstUserAction {
public:
    /// Forks the child, which calls `action` in run(), and `undo` when the action is to be undone.
    FirstUserAction(const std::function<void()>& action, const std::function<void()>& undo);
    /// Undoes the action if it was done and `keep` was not called.
    ~FirstUserAction();
    FirstUserAction(const FirstUserAction&) = delete;
    FirstUserAction& operator=(const FirstUserAction&) = delete;

    /// Does the action. If it throws, throws Failure with the text of its exception.
    void run();
    /// Keeps the result of the action: the destructor no longer undoes it.
    void keep();

private:
    void tell(char word) const;
    void wait_for_end();

    int channel_ = -1;
    pid_t child_ = -1;
};

}  // namespace data_import::ctl
