// The operators' data: everything, by the addresses of the local listener.
import { ask, Failure } from './http';
import type {
    AccountDetails,
    ApiKey,
    AuditLine,
    Booking,
    Circuit,
    Code,
    Consumer,
    ControlTotals,
    DoctorRun,
    Explanations,
    FailureGroup,
    FoundAccounts,
    OpenAccount,
    OpenAccounts,
    Outcome,
    Person,
    RefusalExamples,
    Refusals,
    RequestTrace,
    SeenRecords,
    Series,
    SignedReport,
    Source,
    Supplier,
} from './model';

// Addresses are relative, so that the company's sign-on may serve the page under any path.
const part = (text: string): string => encodeURIComponent(text);

/** The time-out for questions that look at every account. The service works on them as long. */
const longPatience = 60_000;

async function json<Answer>(address: string, signal: AbortSignal, patience?: number): Promise<Answer> {
    return (await (await ask(`../operator/${address}`, {}, signal, patience)).json()) as Answer;
}

async function accounts(address: string, signal: AbortSignal): Promise<OpenAccounts> {
    const answer = await json<{ most: number; accounts: OpenAccount[] }>(address, signal);
    return { items: answer.accounts, hasMore: answer.accounts.length === answer.most };
}

/** Makes JSON.parse keep all digits of a number, if the browser gives them. */
const numbersAsText = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;

/** People sign in only at a separate host name for operators, over TLS. */
const mayHaveSignedIn = location.protocol === 'https:';

async function person(signal: AbortSignal): Promise<Person> {
    try {
        return await json<Person>('acts/', signal);
    } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        if (failure.status === 403) return { name: '', role: 'viewer', import_suppliers: [], acts: [], refusal: failure.message };
        // acts are not available while their workers do not run
        throw [502, 503, 504].includes(failure.status) ? new Failure(failure.message, 404) : failure;
    }
}

async function act(name: string, body: Record<string, unknown>, key?: string): Promise<Outcome> {
    const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) };
    const sent = JSON.stringify(key === undefined ? { ...body, dry_run: true } : body);
    const answer = await ask(`../operator/acts/${name}/`, { method: 'POST', headers, body: sent }, undefined, longPatience);
    const outcome = (await answer.json()) as Outcome & SignedReport;
    return outcome.html_sha256 === undefined ? outcome : { ...outcome, report: outcome };
}

interface Details {
    external_account_number: string;
    state: string;
    service_account_number: string | null;
    account_created_at: string | null;
    failure_reason: string | null;
    staged_at: string;
    state_changed_at: string;
    statement_first_day: string | null;
    statement_last_day: string | null;
    records: Record<string, number>;
    history: { state: string; at: string; by: string; reason: string | null }[];
    held_since: string | null;
    actions: { action: string; at: string; by: string; records: string | null }[];
    documents: { count: number; locations: string[] };
    shows_records: boolean;
    last_refusals: NonNullable<AccountDetails['refusals']>;
    not_kept: NonNullable<AccountDetails['notKept']> | null;
    last_imports: { kind: string; records: number; imported_at: string; request_id: string; api_key_id: string }[];
}

/** Returns the steps of an account, and what operators have done to it. */
function historyOf({ history, actions }: Details): NonNullable<AccountDetails['history']> {
    const done = actions.map(({ action, at, by, records }) => ({
        state: action,
        at,
        by,
        reason: records === null ? null : `${records} records were taken out`,
    }));
    return [...history, ...done].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

export const operators: Source = {
    kind: 'operators',
    async suppliers(signal) {
        return (await json<{ import_suppliers: Supplier[] }>('suppliers/', signal)).import_suppliers;
    },
    async supplier(code, signal) {
        const answer = await json<{ import_suppliers: Supplier[] }>(`suppliers/${part(code)}/`, signal);
        const [supplier] = answer.import_suppliers;
        if (supplier === undefined) throw new Failure('There is no such import supplier.', 404);
        return supplier;
    },
    controlTotals: (code, signal) => json<ControlTotals>(`control-totals/${part(code)}/`, signal),
    failed: (code, reason, signal) =>
        accounts(`failed-accounts/${part(code)}/${reason === undefined ? '' : `?reason=${part(reason)}`}`, signal),
    async failureGroups(code, text, signal) {
        const of = code === undefined ? '' : `${part(code)}/`;
        const query = text === '' ? '' : `?text=${part(text)}`;
        const { most, reasons } = await json<{ most: number; reasons: FailureGroup[] }>(
            `failure-reasons/${of}${query}`,
            signal,
        );
        return { groups: reasons, hasMore: reasons.length === most };
    },
    throughputBySupplier: (signal) => json<Series>('throughput/', signal),
    inProgress: (code, signal) => accounts(`accounts-in-progress/${part(code)}/`, signal),
    throughput: (code, span, signal) => json<Series>(`throughput/${part(code)}/?span=${span}`, signal),
    refusals: (code, span, signal) => json<Refusals>(`refusals/${part(code)}/?span=${span}`, signal),
    async refusalExamples(code, signal) {
        return (await json<{ examples: RefusalExamples[] }>(`refusal-examples/${part(code)}/`, signal)).examples;
    },
    async account(code, number, signal) {
        const found = await json<Details>(`account/${part(code)}/${part(number)}/`, signal);
        const period =
            found.statement_first_day === null ? null : `${found.statement_first_day} to ${found.statement_last_day}`;
        return {
            external_account_number: found.external_account_number,
            state: found.state,
            service_account_number: found.service_account_number,
            failure_reason: found.failure_reason,
            facts: [
                ['Created on the platform', found.account_created_at, 'time'],
                ['Open statement period', period, 'text'],
                ['Reason of the failure', found.failure_reason, 'text'],
                ['On hold (no reset, no erasure) since', found.held_since, 'time'],
                ['In this state since', found.state_changed_at, 'time'],
                ['Known since', found.staged_at, 'time'],
            ],
            records: Object.entries(found.records).map(([kind, records]) => ({ kind, records })),
            history: historyOf(found),
            imports: found.last_imports,
            refusals: found.last_refusals,
            notKept: found.not_kept,
            documents: found.documents,
            showsRecords: found.shows_records,
            isHeld: found.held_since !== null,
        };
    },
    async accountsWithout(code, kind, signal) {
        const address = `accounts-without/${part(code)}/?kind=${part(kind)}`;
        const answer = await json<{ most: number; accounts: string[] }>(address, signal, longPatience);
        return { numbers: answer.accounts, hasMore: answer.accounts.length === answer.most };
    },
    explanations: (code, signal) => json<Explanations>(`explanations/${part(code)}/`, signal, longPatience),
    async records({ import_supplier, external_account_number }, kind, before, signal) {
        const query = before === null ? '' : `?before=${part(before)}`;
        const of = `${part(import_supplier)}/${part(external_account_number)}/${part(kind)}/`;
        const answer = await ask(`../operator/records/${of}${query}`, {}, signal);
        return JSON.parse(await answer.text(), numbersAsText) as SeenRecords;
    },
    async search(text, signal) {
        const found = await json<FoundAccounts & { most: number }>(`search/${part(text)}/`, signal);
        return { ...found, hasMore: found.beginning.length === found.most, notSearched: 0 };
    },
    request(id, account, signal) {
        const of =
            account === undefined ? '' : `${part(account.import_supplier)}/${part(account.external_account_number)}/`;
        return json<RequestTrace>(`request/${part(id)}/${of}`, signal);
    },
    async report(code, signal) {
        return (await ask(`../operator/report/${part(code)}/`, {}, signal, longPatience)).blob();
    },
    async doctor(signal) {
        return (await json<{ hosts: DoctorRun[] }>('doctor/', signal)).hosts;
    },
    async metrics(signal) {
        return (await ask('../metrics', {}, signal)).text();
    },
    async circuits(signal) {
        return (await json<{ circuits: Circuit[] }>('vendors/', signal)).circuits;
    },
    async consumers(signal) {
        return (await json<{ consumers: Consumer[] }>('consumers/', signal)).consumers;
    },
    async booked(code, signal) {
        return (await json<{ consumers: Booking[] }>(`booked/${part(code)}/`, signal)).consumers;
    },
    async codes(signal) {
        return (await json<{ codes: Code[] }>('errors.json', signal)).codes;
    },
    ...(mayHaveSignedIn && {
        person,
        act,
        async audit(signal: AbortSignal) {
            return (await json<{ events: AuditLine[] }>('acts/audit/', signal)).events;
        },
        async apiKeys(signal: AbortSignal) {
            return (await json<{ keys: ApiKey[] }>('acts/keys/', signal)).keys;
        },
    }),
};
