#include "console/acting_operator.h"

#include <unistd.h>

#include <array>

namespace data_import::console {

store::Operator acting_operator(const Context& context) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return {.system_user = context.operator_name(), .host = host.data()};
}

}  // namespace data_import::console
