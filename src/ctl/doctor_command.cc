// doctor
#include "doctor/doctor.h"

#include <algorithm>

#include "ctl/commands.h"

namespace data_import::ctl {

namespace {

void examine_installation(Context& context, const Invocation&) {
    const doctor::Findings findings = doctor::examine(context);
    doctor::keep(context, findings);
    Context::print(context.json() ? doctor::json_of(findings) : doctor::text_of(findings));
    const auto faults = std::ranges::count(findings, doctor::Health::fault, &doctor::Finding::health);
    if (faults == 0) return;
    throw Failure(std::to_string(faults) + (faults == 1 ? " fault; the line" : " faults; the lines") +
                  " behind -> " + (faults == 1 ? "says" : "say") + " what to do");
}

}  // namespace

std::vector<Command> doctor_commands() {
    return {{{"doctor",
              "",
              {},
              {},
              "Tells what is wrong with this installation, and the command that mends each fault.",
              "doctor"},
             examine_installation}};
}

}  // namespace data_import::ctl
