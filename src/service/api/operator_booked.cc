// Figures that consumers have booked of a supplier, compared with stored and declared ones.
#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/proof/account_totals.h"
#include "data/store/bookings.h"
#include "data/store/shared_json.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

void answer_booked(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& code = context.segments.at(0);
    std::vector<store::Booking> bookings;
    store::ControlTotals totals;
    proof::with_snapshot(database, [&] {
        bookings = store::read_bookings(database.execute(store::find_bookings(code), context.deadline));
        if (bookings.empty()) return;
        totals =
            store::read_control_totals(database.execute(store::find_control_totals(code), context.deadline));
    });
    json::Writer writer;
    writer.begin_object().key("consumers").begin_array();
    for (const store::Booking& one : bookings) {
        store::write_booking(writer.begin_object(), one, store::beside(totals, one));
        writer.end_object();
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

http::Endpoint operator_booked() {
    return for_operators("local:/operator/booked/{import_supplier}/",
                         "Return what consumers have booked of a supplier, beside what is stored.",
                         answer_booked);
}

}  // namespace data_import::api
