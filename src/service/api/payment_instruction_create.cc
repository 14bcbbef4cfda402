#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/util/joined.h"
#include "base/util/log.h"
#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/payment_vendors/client.h"
#include "data/store/payment_instructions.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"
#include "service/http/dry_run.h"

namespace data_import::api {

namespace {

using http::Problem;
using metrics::VendorOutcome;
using payment_vendors::VendorVerdict;
using std::chrono::seconds;
using store::Admission;

/// If this many requests in a row about one instruction have failed, or more, the answer is
/// vendor_unavailable (contract, section 8).
constexpr std::int64_t unavailable_from = 6;
/// The last part of a request's time. It is kept for storing, so the vendor has to answer before it.
constexpr seconds time_to_store{1};
constexpr seconds probe_grace{5};  // time that a probe may take in addition to the vendor's time-out

http::Reply created(const std::string& service_account_number, std::string_view reference) {
    json::Writer writer;
    writer.begin_object().key("service_account_number").string(service_account_number);
    writer.key("reference").string(reference).end_object();
    return {.status = 201, .body = writer.take()};
}

Problem circuit_is_open(seconds retry_after) {
    return {Code::vendor_intermittent,
            "The payment vendor has not answered correctly for a while: repeat the request as it is, after "
            "Retry-After seconds.",
            {},
            {{"Retry-After", std::to_string(retry_after.count())}}};
}

Problem vendor_is_busy() {
    return {Code::vendor_intermittent,
            "Too many requests wait for this payment vendor, and it was not asked about this one: repeat the "
            "request as it is, after Retry-After seconds.",
            {},
            {{"Retry-After", "2"}}};
}

Problem rejected(VendorVerdict verdict) {
    const std::string detail = verdict == VendorVerdict::inactive
                                   ? "The payment vendor has this instruction, but it is not active."
                                   : "The payment vendor has no such instruction.";
    return {Code::vendor_rejected,
            detail,
            {{.attr = "reference", .code = Code::does_not_exist, .detail = detail}},
            {}};
}

Problem failed(std::int64_t in_a_row) {
    if (in_a_row < unavailable_from) return {Code::vendor_intermittent};
    return {Code::vendor_unavailable,
            "The payment vendor has not answered " + std::to_string(in_a_row) +
                " requests in a row about this instruction correctly: do not repeat the request as it is."};
}

VendorOutcome counted_as(const payment_vendors::VendorAnswer& answer) {
    switch (answer.verdict) {
        case VendorVerdict::active:
            return VendorOutcome::active;
        case VendorVerdict::unknown:
        case VendorVerdict::inactive:
            return VendorOutcome::rejected;
        case VendorVerdict::refused:
            return VendorOutcome::unusable;
        case VendorVerdict::failed:
            break;
    }
    return answer.timed_out ? VendorOutcome::timed_out : VendorOutcome::failed;
}

void log(const payment_vendors::Vendor& vendor, const payment_vendors::VendorAnswer& answer,
         std::string_view request_id) {
    if (answer.verdict != VendorVerdict::failed && answer.verdict != VendorVerdict::refused) return;
    const bool is_refused = answer.verdict == VendorVerdict::refused;
    util::log(is_refused ? util::Severity::error : util::Severity::warning,
              is_refused ? "a payment vendor cannot be used" : "a payment vendor did not answer correctly",
              {{"vendor", vendor.code},
               {"request_id", request_id},
               {"status", answer.status},
               {"calls", answer.calls},
               {"reason", answer.reason}});
}

/// Handles one request. `run` looks into the database and, if needed, asks the vendor. It returns the answer,
/// or the call that stores the instruction.
class Verification {
public:
    Verification(const http::Context& context, database::Database& database,
                 payment_vendors::Clients& clients, const PaymentVendors& options)
        : context_(context),
          database_(database),
          clients_(clients),
          options_(options),
          vendor_(*clients.find(context.body().at("vendor").text())),
          name_{context.access->organisation, context.body().at("vendor").text(),
                context.body().at("reference").text()} {}

    std::variant<http::Reply, database::Call> run() {
        // find_payment_instruction may make this request the probe of an open circuit. A dry run rolls this
        // change back, so that another request can be the probe.
        const store::PaymentInstructionLook look = store::read_payment_instruction_look(
            http::execute_call(context_, database_,
                               store::find_payment_instruction(import_target(context_), name_,
                                                               vendor_.total_timeout + probe_grace)));
        require_done(look.verdict);
        if (look.admission == Admission::stored || context_.is_dry)
            return created(look.service_account_number, name_.reference);
        if (look.admission == Admission::wait) {
            options_.count(VendorOutcome::circuit_open);
            throw circuit_is_open(look.retry_after);
        }
        // a probe is not refused here: while the circuit is open, no other request asks the vendor
        const auto asking = options_.begin_asking(name_.vendor);
        if (!asking && look.admission != Admission::probe) throw vendor_is_busy();
        payment_vendors::VendorAnswer answer = ask();
        log(vendor_, answer, context_.request.request_id);
        switch (answer.verdict) {
            case VendorVerdict::active:
                return import_of(std::move(*answer.details));
            case VendorVerdict::failed:
                throw failed(count_failure(answer, look.admission == Admission::probe));
            case VendorVerdict::refused:
                execute(store::payment_vendor_answered(name_));
                throw Problem{Code::vendor_unavailable};
            case VendorVerdict::unknown:
            case VendorVerdict::inactive:
                break;
        }
        execute(store::payment_vendor_answered(name_));
        throw rejected(answer.verdict);
    }

private:
    database::Rows execute(const database::Call& call) { return database_.execute(call, context_.deadline); }

    payment_vendors::VendorAnswer ask() {
        const payment_vendors::Question question{.reference = name_.reference,
                                                 .type = context_.body().at("type").text(),
                                                 .request_id = context_.request.request_id};
        return clients_.client_of(vendor_).ask(
            question, context_.deadline - time_to_store,
            [this](const payment_vendors::VendorAnswer& answer) { options_.count(counted_as(answer)); });
    }

    database::Call import_of(payment_vendors::Details details) {
        return store::import_payment_instruction(import_target(context_),
                                                 {.name = name_,
                                                  .type = context_.body().at("type").text(),
                                                  .status = "active",
                                                  .last_four = std::move(details.last_four),
                                                  .masked_account = std::move(details.masked_account),
                                                  .details = std::move(details.json)});
    }

    std::int64_t count_failure(const payment_vendors::VendorAnswer& answer, bool was_probe) {
        return store::read_failures_in_a_row(execute(store::payment_vendor_failed(
            name_, {context_.request.request_id, answer.timed_out, was_probe, answer.reason},
            options_.circuit)));
    }

    const http::Context& context_;
    database::Database& database_;
    payment_vendors::Clients& clients_;
    const PaymentVendors& options_;
    const payment_vendors::Vendor& vendor_;
    store::PaymentInstructionName name_;
};

schema::Schema payload_for(const std::shared_ptr<payment_vendors::Clients>& clients,
                           const std::vector<payment_vendors::Vendor>& vendors) {
    const auto is_known = [clients](std::string_view code) { return clients->find(code) != nullptr; };
    if (vendors.empty()) return payload::payment_instruction(is_known);
    return payload::payment_instruction(is_known,
                                        "one of: " + util::joined(vendors, &payment_vendors::Vendor::code));
}

schema::Schema answer() {
    return schema::object()
        .need("service_account_number", payload::service_account_number(),
              payload::about::service_account_number)
        .need("reference", schema::text(1, 512), "The instruction's reference, as it was sent.");
}

http::Ask ask(std::shared_ptr<payment_vendors::Clients> clients, const PaymentVendors& payment) {
    return
        [clients = std::move(clients), payment](const http::Context& context, database::Database& database) {
            return Verification(context, database, *clients, payment).run();
        };
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const auto imported = store::read_imported_payment_instruction(rows);
    require_done(imported.verdict);
    http::Reply reply = created(imported.service_account_number, context.body().at("reference").text());
    if (imported.verdict == store::ImportVerdict::done) reply.stored = 1;
    return reply;
}

}  // namespace

http::Endpoint payment_instruction_create(const Options& options) {
    const payload::DeclaredImport& declared = payload::import_of("payment_instructions");
    const auto clients =
        std::make_shared<payment_vendors::Clients>(options.payment.vendors, options.payment.max_answer_bytes);
    return {
        .method = "POST",
        .path = declared.path,
        .summary = "Add a payment instruction to an imported account, after its vendor has confirmed it.",
        .tag = http::Tag::account_data,
        .supplier = http::SupplierIn::body,
        .stores = declared.stores,
        .identity =
            "Two payment instructions of an account are the same if their `vendor` and "
            "`reference` are the same.",
        .body = payload_for(clients, options.payment.vendors),
        .answers = {{201,
                     "The account has the instruction, from this request or an earlier one. Its vendor has "
                     "confirmed it.",
                     answer()}},
        .rule_codes = {Code::does_not_exist},
        .problems = {Code::vendor_rejected, Code::vendor_unavailable, Code::vendor_intermittent},
        .ask = ask(clients, options.payment),
        .reply = reply};
}

}  // namespace data_import::api
