// The interface by which tests ask and control the simulator, over plain HTTP.
#pragma once

#include "conversation.h"
#include "tallies.h"

namespace data_import::vendor_simulator {

/// Answers GET /totals, /calls/REFERENCE and /listeners/NAME, and PUT /switches/NAME/BEHAVIOUR[/ARGUMENT];
/// 404 for anything else.
void serve_control(Conversation& conversation, const Request& request, Tallies& tallies);

}  // namespace data_import::vendor_simulator
