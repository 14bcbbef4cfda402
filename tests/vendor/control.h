// The interface by which tests ask and control the simulator, over plain HTTP.
#pragma once

#include "conversation.h"
#include "tallies.h"

namespace data_import::vendor_simulator {

/// GET /totals, /calls/REFERENCE, /listeners/NAME; PUT /switches/NAME/BEHAVIOUR[/ARGUMENT]. Anything else is
/// 404.
void serve_control(Conversation& conversation, const Request& request, Tallies& tallies);

}  // namespace data_import::vendor_simulator
