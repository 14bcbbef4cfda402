// The faults of a file's rows.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "console/context.h"
#include "ctl/command.h"
#include "store/account_load.h"

namespace data_import::ctl {

/// The most errors of a file that are printed.
inline constexpr std::size_t most_row_errors = 100;

/// `verdict` tells the consequence: `nothing was stored`.
class RowsRefused : public Failure {
public:
    RowsRefused(const std::string& verdict, const std::string& file, store::LoadErrors errors)
        : Failure(verdict + ": " + std::to_string(errors.count) +
                  (errors.count == 1 ? " error in " : " errors in ") + file +
                  "; correct these lines and call it again"),
          errors_(std::move(errors)) {}
    [[nodiscard]] const store::LoadErrors& errors() const { return errors_; }

private:
    store::LoadErrors errors_;
};

/// Prints the first of them, line by line, and how many more there are.
void print_row_errors(const Context& context, const store::LoadErrors& errors);

}  // namespace data_import::ctl
