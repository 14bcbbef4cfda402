#include "service/api/act.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/util/crypto.h"
#include "base/util/log.h"
#include "data/database/failures.h"
#include "data/store/access_events.h"
#include "data/store/records.h"
#include "service/api/act_rights.h"

namespace data_import::api {

namespace {

constexpr int conflict = 409;

std::string host_name() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

std::string sha256_hex(const std::string& text) {
    return util::to_hex(util::bytes_of(util::sha256(text)));
}

// Checks the headers Origin and Sec-Fetch-Site. Browsers set them, and no form or script of another site can
// change them.
void need_own_page(const http::Person& person) {
    const bool is_own = person.origin == "https://" + person.host &&
                        (person.fetch_site.empty() || person.fetch_site == "same-origin");
    if (is_own) return;
    throw http::Problem{Code::cross_site_request,
                        "An act has to come from the page of operators itself: the headers Origin and "
                        "Sec-Fetch-Site of this request say that it does not."};
}

[[noreturn]] void refuse_key(Code code) {
    throw http::validation_error({{.attr = "Idempotency-Key",
                                   .code = code,
                                   .detail = "The header must have a UUID that is made for this act, such as "
                                             "3f0c8f0e-5a54-4f5c-9c1d-1f6d2a1e7b90."}});
}

/// Returns the Idempotency-Key. Refuses a request whose key is missing or is not a UUID.
std::string need_key(const http::Request& request) {
    constexpr std::size_t length = 36;
    if (!request.idempotency_key) refuse_key(Code::required);
    const std::string& key = *request.idempotency_key;
    bool is_uuid = key.size() == length;
    for (std::size_t place = 0; is_uuid && place < length; ++place) {
        const bool is_dash = place == 8 || place == 13 || place == 18 || place == 23;
        is_uuid = is_dash ? key[place] == '-' : std::isxdigit(static_cast<unsigned char>(key[place])) != 0;
    }
    if (!is_uuid) refuse_key(Code::invalid);
    return key;
}

bool is_dry(const json::Value& body) {
    const auto told = body.find("dry_run");
    return told && told->boolean();
}

std::string answer_of(const Act& act, const Outcome& outcome, Told told) {
    const bool is_before = told == Told::before;
    json::Writer writer;
    writer.begin_object().key("act").string(act.name).key("dry_run").boolean(is_before);
    writer.key("sentence").string(is_before ? outcome.will : outcome.done);
    writer.key("basis").string(sha256_hex(std::string(act.name) + '\n' + outcome.basis));
    writer.key("audit_id");
    if (outcome.audit_id && !is_before)
        writer.integer(*outcome.audit_id);
    else
        writer.null();
    outcome.write(writer, told);
    return writer.end_object().take();
}

std::string refusal_of(const ActRefused& refused) {
    json::Writer writer;
    writer.begin_object().key("detail").string(refused.detail).key("code").string(refused.code);
    return writer.key("errors").begin_array().end_array().end_object().take();
}

/// Returns the refusal of an act that breaks a rule of the database. The message of such a rule is written
/// for people.
ActRefused refusal_by_rule(const database::Refused& refused) {
    return {conflict, "not_possible", refused.what()};
}

/// Returns whether a statement was refused because the snapshot of its transaction is too old. Since then,
/// another transaction has changed the same row, or has stored the answer to the same act.
bool is_of_old_snapshot(const database::Refused& refused) {
    return refused.sqlstate() == "40001" || refused.sqlstate() == "23505";
}

bool is_rule(const database::Refused& refused) {
    return refused.sqlstate().starts_with("DI");
}

/// Returns whether a statement has waited for a lock for as long as acts wait.
bool is_of_lock(const database::Refused& refused) {
    return refused.sqlstate() == "55P03";
}

/// Returns the subject of an act for the audit history: a supplier, several suppliers, or an API key, but
/// never an account.
std::string subject_of(const json::Value& body) {
    for (const char* field : {"import_supplier", "code", "id"}) {
        if (const auto found = body.find(field)) return std::string(found->text());
    }
    std::string subject;
    if (const auto codes = body.find("import_suppliers")) {
        for (const json::Value code : codes->items())
            (subject += subject.empty() ? "" : ", ") += std::string(code.text());
    }
    return subject;
}

/// One request for an act.
class ActRun {
public:
    ActRun(const Act& act, std::size_t most_in_a_minute, const http::Context& context,
           database::Database& database)
        : act_(act),
          context_(context),
          body_(context.body()),
          database_(database),
          is_dry_(is_dry(body_)),
          request_{.operator_name = name_of_person(context),
                   .key = is_dry_ ? std::nullopt : std::optional(need_key(context.request)),
                   .content = sha256_hex(std::string(act.name) + '\n' + context.request.body),
                   .most_in_a_minute = most_in_a_minute} {}

    http::Reply answer() {
        try {
            reply_ = answer_of_act();
        } catch (const http::Problem& problem) {
            log(std::to_string(codes::row_of(problem.code).status));
            throw;
        } catch (...) {
            log("unknown");
            throw;
        }
        log(std::to_string(reply_.status));
        return reply_;
    }

private:
    http::Reply answer_of_act() {
        try {
            attempt();
            return reply_;
        } catch (const ActRefused& refused) {
            return answer_to(refused);
        } catch (const database::Refused& refused) {
            if (is_of_lock(refused))
                throw http::Problem{
                    Code::throttled,
                    "Nothing was done: something else has locked the supplier or an account, such as another "
                    "act, an import, or the command account load. Try again later."};
            if (!is_rule(refused)) throw;
            return answer_to(refusal_by_rule(refused));
        } catch (const database::TimedOut&) {
            if (!act_.reads_records) throw;
            return answer_to(
                {conflict, "not_possible",
                 "Nothing was done: it would take longer than a request may. Ask an administrator for the "
                 "command beside the button, which takes its time.",
                 false});
        }
    }

    http::Reply answer_to(const ActRefused& refused) {
        if (!is_dry_ && is_known_ && refused.is_kept) keep(refused);
        return reply_of(refused);
    }

    /// Carries out the act in a transaction. Tries a second time if another act has committed changes that
    /// the snapshot of the transaction does not show.
    void attempt() {
        const auto work = [this] { carry_out(); };
        if (is_dry_) {
            database_.rehearse(work, context_.deadline);
            return;
        }
        try {
            database_.transaction(work, context_.deadline, context_.request.request_id);
        } catch (const database::Refused& refused) {
            if (!act_.reads_records || !is_of_old_snapshot(refused)) throw;
            database_.transaction(work, context_.deadline, context_.request.request_id);
        }
    }

    /// Adds a line for the act to the journal.
    void log(const std::string& status) const {
        if (is_dry_) return;
        util::log(util::Severity::notice, "an act on the page of operators",
                  {{"operator", request_.operator_name},
                   {"act", act_.name},
                   {"status", status},
                   {"request_id", context_.request.request_id}});
    }

    void carry_out() {
        if (act_.reads_records) store::begin_reading_records(database_, context_.deadline);
        const store::ActBeginning beginning = begin(database_, request_, context_.deadline);
        is_known_ = beginning.verdict != store::ActVerdict::unknown;
        need_answerable(beginning);
        const ActContext context{.body = body_,
                                 .database = database_,
                                 .rights = beginning.rights,
                                 .person = request_.operator_name,
                                 .by = {author_of(request_.operator_name), host_name()},
                                 .is_dry = is_dry_,
                                 .deadline = context_.deadline};
        need_rights(context);
        if (beginning.verdict == store::ActVerdict::done) {
            reply_ = {.status = beginning.status, .body = beginning.answer};
            return;
        }
        store::bound_lock_waits(database_, context_.deadline);
        const Outcome outcome = act_.carry_out(context);
        if (!is_dry_) need_same_basis(outcome);
        reply_ = {.body = answer_of(act_, outcome, is_dry_ ? Told::before : Told::after)};
        if (!is_dry_)
            store::end_act(database_, request_, reply_.status, answer_of(act_, outcome, Told::again),
                           context_.deadline);
    }

    /// Refuses the act, unless it may be carried out now, or was done before.
    void need_answerable(const store::ActBeginning& beginning) const {
        switch (beginning.verdict) {
            case store::ActVerdict::unknown:
                forbid_unknown(request_.operator_name);
            case store::ActVerdict::busy:
                throw http::Problem{
                    Code::throttled,
                    "Your act before this one has not ended. Wait for its end, and try again."};
            case store::ActVerdict::reused:
                throw http::Problem{Code::idempotency_key_reused};
            case store::ActVerdict::throttled:
                throw http::Problem{Code::throttled, "You have acted " +
                                                         std::to_string(request_.most_in_a_minute) +
                                                         " times within a minute, which is the limit "
                                                         "(operator_acts_a_minute): wait a minute."};
            case store::ActVerdict::done:
            case store::ActVerdict::fresh:
                return;
        }
    }

    /// Refuses a person who does not have the role, or names a supplier that the person may not act on. A
    /// repeat needs the same rights to get the kept answer.
    void need_rights(const ActContext& context) const {
        const store::OperatorRights& rights = context.rights;
        if (!rights.has_role(act_.role))
            forbid("Your role is " + rights.role + ", and this act needs " + std::string(act_.role) + ". " +
                   ask_for(request_.operator_name, act_.role, rights.import_suppliers));
        if (const auto code = context.optional_text("import_supplier")) context.need_right_for(*code);
        for (const std::string& code : context.texts("import_suppliers")) context.need_right_for(code);
    }

    void need_same_basis(const Outcome& outcome) const {
        const auto shown = body_.find("basis");
        if (!shown)
            throw http::validation_error(
                {{.attr = "basis",
                  .code = Code::required,
                  .detail = "This field must be the basis that a dry run of the act has answered."}});
        if (shown->text() == sha256_hex(std::string(act_.name) + '\n' + outcome.basis)) return;
        throw ActRefused{conflict, "changed_meanwhile",
                         "Something has changed since this was shown, so nothing was done. Look again: now " +
                             outcome.will + ".",
                         false};
    }

    /// Keeps a refusal for repeats, and adds it to the audit history. The sentence of the refusal is left
    /// out, because it may name an account.
    void keep(const ActRefused& refused) {
        const std::string subject = subject_of(body_);
        const std::string of = subject.empty() ? "" : " of " + subject;
        database_.transaction(
            [&] {
                const store::ActBeginning beginning = begin(database_, request_, context_.deadline);
                if (beginning.verdict != store::ActVerdict::fresh) return;
                store::record_action(
                    database_,
                    {.action = "act_refused",
                     .details = std::string(act_.name) + of + ": " + std::string(refused.code)},
                    {author_of(request_.operator_name), host_name()}, context_.deadline);
                store::end_act(database_, request_, refused.status,
                               refusal_of({refused.status, refused.code, "This act was refused before."}),
                               context_.deadline);
            },
            context_.deadline);
    }

    const Act& act_;
    const http::Context& context_;
    const json::Value body_;
    database::Database& database_;
    bool is_dry_;
    store::ActRequest request_;
    bool is_known_ = false;
    http::Reply reply_;
};

}  // namespace

http::Reply reply_of(const ActRefused& refused) {
    return {.status = refused.status, .body = refusal_of(refused)};
}

void refuse_act(std::string detail) {
    throw ActRefused{conflict, "not_possible", std::move(detail)};
}

void need_right(std::string_view field, const std::optional<std::string>& wrong) {
    if (wrong)
        throw http::validation_error(
            {{.attr = std::string(field), .code = Code::invalid, .detail = "This text " + *wrong + "."}});
}

std::string author_of(const std::string& operator_name) {
    return operator_name + " (page of operators)";
}

std::vector<Act> all_acts() {
    std::vector<Act> all;
    for (const auto& acts : {supplier_acts, account_acts, key_acts, proof_acts, reconcile_acts})
        std::ranges::move(acts(), std::back_inserter(all));
    return all;
}

http::Endpoint endpoint_of(const Act& act, std::size_t most_in_a_minute) {
    return {.method = "POST",
            .path = act.path,
            .summary = act.summary,
            .needs_token = false,
            .is_public = false,
            .body = act.body.may("dry_run", schema::boolean(), "Whether only to tell what the act would do.")
                        .may("basis", schema::text(1, 64), "The basis that a dry run has answered."),
            .run = [act, most_in_a_minute](const http::Context& context, database::Database& database,
                                           http::Responder& responder) {
                need_own_page(context.request.person.value_or(http::Person{}));
                responder.send(ActRun(act, most_in_a_minute, context, database).answer());
            }};
}

}  // namespace data_import::api
