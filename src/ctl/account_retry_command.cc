// account retry
#include "ctl/handlers.h"
#include "ctl/progress_line.h"
#include "json/writer.h"
#include "store/account_retry.h"

namespace data_import::ctl {

void retry_accounts(Context& context, const Invocation& invocation) {
    const store::RetryFilter filter{.import_supplier = invocation.argument("CODE"),
                                    .reason_like = invocation.option("--reason-like")};
    std::uint64_t staged = 0;
    {
        ProgressLine progress;
        progress.phase("staging failed accounts");
        staged = store::retry_failed_accounts(
            context.database(), filter, context.operator_name(),
            [&](std::uint64_t accounts, double share) { progress.rows_done(accounts, share); },
            Context::late());
    }
    if (context.json()) {
        json::Writer writer;
        writer.begin_object().key("staged").integer(static_cast<std::int64_t>(staged)).end_object();
        return Context::print(writer.take() + "\n");
    }
    Context::print(std::to_string(staged) + (staged == 1 ? " account" : " accounts") + " staged again\n");
}

}  // namespace data_import::ctl
