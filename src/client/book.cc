#include "client/book.h"

#include <ostream>

#include "client/check_run.h"

namespace data_import::client {

bool Book::read(const Stop& stop) {
    check_files(options_, summary_, stop,
                [this](const ImportRequest& request, const json::Value& body, std::uint64_t sequence) {
                    records_.add(request, body, sequence);
                });
    if (stop.requested()) return false;
    texts_.sort();
    totals_.emplace(texts_);
    return true;
}

bool Book::tell(std::ostream& errors) const {
    errors << program << ": " << grouped(records_.count()) << " records, " << grouped(totals_->repeats())
           << " of them repeats";
    if (texts_.file_bytes() > 0)
        errors << "; " << grouped((texts_.file_bytes() >> 20U) + 1) << " MiB in a temporary file";
    errors << '\n';
    if (!summary_.all_accepted())
        errors << program << ": left out what the service would refuse: "
               << summary_.to_text(std::chrono::steady_clock::now() - begin_);
    if (totals_->refused_lines() > 0)
        errors
            << program << ": left out what the service would refuse: " << grouped(totals_->refused_lines())
            << (totals_->refused_lines() == 1 ? " line" : " lines")
            << " with a statement_id that an earlier line has with other content, one of them for the "
               "account "
            << printable(totals_->refused_account()) << '\n';
    errors << std::flush;
    return summary_.all_accepted() && totals_->refused_lines() == 0;
}

}  // namespace data_import::client
