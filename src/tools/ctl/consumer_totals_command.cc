// The commands `consumer declare | accept`.
#include "base/util/limits.h"
#include "data/json/reader.h"
#include "data/json/writer.h"
#include "data/proof/account_totals.h"
#include "data/store/access_events.h"
#include "data/store/bookings.h"
#include "data/store/consumers.h"
#include "data/store/shared_json.h"
#include "tools/console/text_table.h"
#include "tools/ctl/booked.h"
#include "tools/ctl/columns.h"
#include "tools/ctl/command.h"
#include "tools/ctl/known_supplier.h"
#include "tools/ctl/supplier_completion.h"
#include "tools/ctl/text_file.h"
#include "tools/ctl/values.h"

namespace data_import::ctl {

namespace {

constexpr std::string_view lock_not_available = "55P03";

/// The totals of a supplier and the bookings of one of its consumers, at one moment.
struct Proof {
    store::ControlTotals totals;
    store::Booking booking;
};

std::string read_all(const std::string& name) {
    constexpr std::size_t chunk_bytes = 65536;
    TextFile file(name);
    std::string text;
    for (std::string chunk(chunk_bytes, '\0');;) {
        const std::size_t size = file.read(chunk.data(), chunk.size());
        if (size == 0) return text;
        text.append(chunk, 0, size);
        if (text.size() > util::limits::body)
            throw Failure(in_one_line(shown_name(name)) +
                          " is longer than 10 MiB; it has to hold the totals of " + "one import supplier");
    }
}

/// Returns the JSON text of a file. Throws Failure if it is not one JSON value, or has a key twice, which the
/// database would not notice.
std::string read_totals(const std::string& name) {
    std::string text = read_all(name);
    try {
        static_cast<void>(json::read(text));
    } catch (const json::SyntaxError& error) {
        std::string reason = error.what();
        if (reason.ends_with('.')) reason.pop_back();
        throw Failure(in_one_line(shown_name(name)) +
                      " is not JSON that can be declared: " + in_one_line(reason));
    }
    return text;
}

void need_consumer(Context& context, const std::string& name) {
    if (!store::find_consumer(context.database(), name, Context::soon()))
        throw Failure("there is no consumer " + in_one_line(name) + "; " + std::string(program_name) +
                      " consumer list shows the existing ones");
}

/// Reads totals and bookings in one snapshot. Throws Failure if the consumer does not take the supplier's
/// accounts.
Proof find_proof(Context& context, const std::string& consumer, const std::string& code) {
    database::Database& database = context.database();
    std::optional<Proof> proof;
    proof::with_snapshot(database, [&] {
        const auto ask = [&](const database::Call& call) { return database.execute(call, Context::soon()); };
        for (store::Booking& one : store::read_bookings(ask(store::find_bookings(code)))) {
            if (one.consumer == consumer)
                proof = {store::read_control_totals(ask(store::find_control_totals(code))), std::move(one)};
        }
    });
    if (!proof)
        throw Failure("consumer " + in_one_line(consumer) + " does not take accounts of import supplier " +
                      code);
    return *std::move(proof);
}

std::string json_of(const std::string& code, const Proof& proof) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(code);
    store::write_booking(writer, proof.booking, store::beside(proof.totals, proof.booking));
    return writer.end_object().take() + "\n";
}

void print_proof(const Context& context, const std::string& code, const Proof& proof) {
    if (context.json()) return Context::print(json_of(code, proof));
    Context::print(three_columns_text(proof.totals, proof.booking) + "\n" +
                   property_list({{"control totals", totals_text(proof.totals)},
                                  {"booked by " + proof.booking.consumer, booking_text(proof.booking)}}));
}

void declare_booked(Context& context, const Invocation& invocation) {
    const std::string& consumer = invocation.argument("NAME");
    const std::string totals =
        read_totals(invocation.argument("FILE"));  // as the user who has called the command
    const std::string code = need_supplier(context, invocation.argument("CODE")).code;
    need_consumer(context, consumer);
    try {
        store::declare_booked(context.database(), consumer, code, totals, context.operator_name(),
                              Context::soon());
    } catch (const database::Refused& refused) {
        throw Failure(refused.sqlstate() == lock_not_available
                          ? "another declaration of this consumer is being made; repeat the command"
                          : in_one_line(refused.what()));
    }
    print_proof(context, code, find_proof(context, consumer, code));
}

void accept_booked(Context& context, const Invocation& invocation) {
    const std::string& consumer = invocation.argument("NAME");
    const std::string code = need_supplier(context, invocation.argument("CODE")).code;
    const std::string reason = invocation.option("--reason").value();
    need_consumer(context, consumer);
    const Proof proof = find_proof(context, consumer, code);
    if (!proof.booking.has_differences())
        throw Failure("there is nothing to accept: " +
                      (proof.booking.is_declared()
                           ? "what " + in_one_line(consumer) + " has booked of " + code + " is what is stored"
                           : in_one_line(consumer) + " has not declared what it has booked of " + code));
    context.database().transaction(
        [&] {
            store::accept_booked(context.database(), code, proof.booking, reason, context.acting_operator(),
                                 Context::soon());
        },
        Context::soon());
    print_proof(context, code, find_proof(context, consumer, code));
}

}  // namespace

std::vector<Command> consumer_totals_commands() {
    const Argument name{"NAME", check_consumer_name};
    return {
        command(
            "consumer declare", {name, supplier_code, {"FILE", check_file}}, {}, declare_booked,
            "Declares what the platform has booked of an import supplier. FILE has JSON in the form of the "
            "PUT of control totals (contract, section 12.3); if it is -, it is read from standard input. "
            "Prints for each figure what the supplier has declared, what is stored and what is booked. "
            "platform.declare_totals does the same in SQL.",
            "billing ACME booked.json"),
        command("consumer accept", {name, supplier_code},
                {{"--reason", "TEXT", check_reason,
                  "Why the platform has booked other figures. Reports and the audit history keep it: name no "
                  "person.",
                  true}},
                accept_booked,
                "Accepts the present differences between what is stored of an import supplier and what a "
                "consumer has declared to have booked. Each holds as long as both figures stay as they are. "
                "The signed report tells the reason.",
                "billing ACME --reason \"two payments are booked by hand\"")};
}

}  // namespace data_import::ctl
