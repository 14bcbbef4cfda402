// account retry
#include "ctl/commands.h"
#include "ctl/progress_line.h"
#include "ctl/values.h"
#include "json/writer.h"
#include "store/account_steps.h"

namespace data_import::ctl {

namespace {

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

}  // namespace

std::vector<Command> account_retry_commands() {
    return {{{"account",
              "retry",
              {supplier_code},
              {{"--reason-like", "TEXT", check_reason,
                "Only accounts that failed for a reason with this text in it."}},
              "Stages failed accounts again, ten thousand in a transaction, and says how many; safe to "
              "repeat. TEXT "
              "is found\n"
              "anywhere in a reason, in capitals or not; no character of it has a special meaning.",
              "account retry ACME --reason-like \"meter unknown\""},
             retry_accounts}};
}

}  // namespace data_import::ctl
