// Acts on suppliers: pause, resume, planned-end, acknowledge, create-supplier.
#include "data/store/supplier_acts.h"
#include "base/util/limits.h"
#include "base/util/stored_text.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "service/api/act.h"

namespace data_import::api {

namespace {

schema::Object of_supplier() {
    return schema::object().need("import_supplier", payload::supplier_code(),
                                 payload::about::import_supplier);
}

Outcome set_status(const ActContext& context, const std::string& status) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    if (supplier.status == status) {
        const std::string by = supplier.status_by ? ", set by " + *supplier.status_by : "";
        refuse_act("Import supplier " + supplier.code + " is " + status + " already" + by + ".");
    }
    const bool pauses = status == "Paused";
    const std::string effect = pauses ? "its imports are refused until it goes on" : "it takes imports again";
    return {
        .will = (pauses ? "pauses " : "resumes ") + supplier.code + ", which is " + supplier.status + ": " +
                effect,
        .done = supplier.code + " is " + status + ": " + effect,
        .basis = supplier.code + '\n' + supplier.status + '\n' + supplier.status_since,
        .audit_id = store::set_status(context.database, supplier, status, "", context.by, context.deadline),
        .write = [status](json::Writer& writer, Told) { writer.key("status").string(status); }};
}

Outcome pause(const ActContext& context) {
    return set_status(context, "Paused");
}

Outcome resume(const ActContext& context) {
    return set_status(context, "Ongoing");
}

Outcome plan_end(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const auto day = context.optional_text("planned_end");
    const std::string before = supplier.planned_end.value_or("none");
    const std::string text =
        day ? "the planned end of " + supplier.code + " is " + *day : supplier.code + " has no planned end";
    return {.will = day ? "sets the planned end of " + supplier.code + " to " + *day + "; before: " + before
                        : "removes the planned end of " + supplier.code + "; before: " + before,
            .done = text,
            .basis = supplier.code + '\n' + before + '\n' + day.value_or("none"),
            .audit_id = store::plan_end(context.database, supplier.code, day, context.by, context.deadline),
            .write = [day](json::Writer& writer, Told) { writer.key("planned_end").string_or_null(day); }};
}

void write_figures(json::Writer& writer, const store::Acknowledgement& figures) {
    writer.key("failed").integer(figures.failed).key("refused").integer(figures.refused);
}

Outcome take_acknowledgement_back(const ActContext& context, const std::string& code) {
    return {
        .will = "takes the acknowledgement of " + code + " back: its figures need attention again",
        .done = "the acknowledgement of " + code + " is taken back",
        .basis = code + "\noff",
        .audit_id = store::acknowledge(context.database, code, std::nullopt, context.by, context.deadline),
        .write = [](json::Writer& writer, Told) { write_figures(writer, {}); }};
}

// Leaves the number of refusals out of the basis, because that number grows all the time.
Outcome acknowledge(const ActContext& context) {
    const store::Supplier supplier = context.take_supplier(context.text("import_supplier"));
    const auto off = context.body.find("off");
    const bool is_off = off && off->boolean();
    const auto reason = context.optional_text("reason");
    if (reason.has_value() == is_off)
        throw http::validation_error({{.attr = "reason",
                                       .code = Code::required,
                                       .detail = "Either reason, or off as true, has to be sent."}});
    if (is_off) return take_acknowledgement_back(context, supplier.code);
    auto figures = store::figures_to_acknowledge(context.database, supplier.code, context.deadline);
    if (!figures)
        refuse_act("There is nothing to acknowledge: no account of " + supplier.code +
                   " has failed, and no request was refused in the last hour.");
    figures->reason = *reason;
    const std::string text = store::acknowledged_text(*figures);
    return {.will = "acknowledges " + text + " of " + supplier.code +
                    ": they need no attention until their number grows",
            .done = "acknowledged of " + supplier.code + ": " + text,
            .basis = supplier.code + '\n' + std::to_string(figures->failed),
            .audit_id =
                store::acknowledge(context.database, supplier.code, figures, context.by, context.deadline),
            .write = [known = *figures](json::Writer& writer, Told) { write_figures(writer, known); }};
}

Outcome create_supplier(const ActContext& context) {
    context.need_right_for(std::nullopt);
    const store::Supplier supplier{.code = context.text("code"),
                                   .name = context.text("name"),
                                   .status = "Ongoing",
                                   .document_root = context.optional_text("document_root").value_or(""),
                                   .created_at = {}};
    need_right("code", util::check_stored_name(supplier.code, util::limits::supplier_code));
    need_right("name", util::check_line(supplier.name, util::limits::label));
    const auto audit_id = store::add_supplier(context.database, supplier, context.by, context.deadline);
    if (!audit_id) refuse_act("There is an import supplier " + supplier.code + " already.");
    return {.will = "creates the import supplier " + supplier.code + " (" + supplier.name + ")",
            .done = "import supplier " + supplier.code + " is created; next, create an API key for it",
            .basis = supplier.code + '\n' + supplier.name + '\n' + supplier.document_root,
            .audit_id = audit_id,
            .write = [code = supplier.code](json::Writer& writer, Told) { writer.key("code").string(code); }};
}

}  // namespace

std::vector<Act> supplier_acts() {
    const schema::Schema reason = schema::text(1, util::limits::reason);
    return {
        {.name = "pause",
         .path = "local:/operator/acts/pause/",
         .summary = "Refuse the imports of a supplier until it goes on.",
         .body = of_supplier(),
         .carry_out = pause},
        {.name = "resume",
         .path = "local:/operator/acts/resume/",
         .summary = "Let a supplier import again.",
         .body = of_supplier(),
         .carry_out = resume},
        {.name = "planned-end",
         .path = "local:/operator/acts/planned-end/",
         .summary = "Set the last planned day of a supplier's migration.",
         .body = of_supplier().need("planned_end", schema::nullable(schema::date()), "null: none."),
         .carry_out = plan_end},
        {.name = "acknowledge",
         .path = "local:/operator/acts/acknowledge/",
         .summary = "Acknowledge the failed accounts and refusals of a supplier.",
         .body = of_supplier()
                     .may("reason", reason, "Why nobody has to look at them.")
                     .may("off", schema::boolean(), "Takes the acknowledgement back."),
         .carry_out = acknowledge},
        {.name = "create-supplier",
         .path = "local:/operator/acts/create-supplier/",
         .summary = "Create an import supplier.",
         .body = schema::object()
                     .need("code", payload::supplier_code(), payload::about::import_supplier)
                     .need("name", schema::text(1, util::limits::label), "Name for people.")
                     .may("document_root", schema::document_path(), "Folder of its documents."),
         .carry_out = create_supplier},
    };
}

}  // namespace data_import::api
