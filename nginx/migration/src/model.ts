// The service's answers, as this page needs them.

export const states = ['staged', 'in_progress', 'failed', 'imported'] as const;
export type State = (typeof states)[number];
export type Accounts = Record<State, number>;

export const allOf = (accounts: Accounts): number => states.reduce((sum, state) => sum + accounts[state], 0);

export interface Arrivals {
    accounts: number;
    records: number;
}

export type Verdict = 'EQUAL' | 'DIFFERENT' | 'UNDECLARED';

export interface Kind {
    records?: number;
    sums?: Record<string, string>;
}

export interface ControlTotals {
    as_of: string;
    accounts: Accounts;
    kinds: Record<string, Kind>;
    declared: { accounts?: number; kinds?: Record<string, Kind> } | null;
    differences: { kind: string; figure: string; declared: string; held: string; difference: string }[];
    undeclared_kinds: string[];
    verdict: Verdict;
}

/** A supplier, as the list of suppliers tells it. */
export interface Supplier {
    code: string;
    name: string;
    status: 'Ongoing' | 'Paused' | 'Complete';
    status_since: string;
    status_by?: string | null; // the operator who has set it
    as_of: string;
    accounts: Accounts;
    records: Record<string, number>;
    differing_transactions: number; // sent again with other content
    rates: { last_minute: Arrivals; last_hour: Arrivals };
    last_import_at: string | null;
    estimated_end_at: string | null; // estimated for the accounts that are staged or in progress
    stands_still_since: string | null; // nothing has come since then, although accounts are staged or in progress
    verdict: Verdict;
    refused_last_hour: number;
    oldest_in_progress: { external_account_number: string; since: string } | null;
    booked_verdict?: Verdict; // on the figures that consumers have booked; DIFFERENT: they differ, and nobody has accepted that
    signed_at?: string | null; // when the last report was signed
    has_changed_since_signed?: boolean; // the figures differ from those of the last signed report
    planned_end?: string | null; // YYYY-MM-DD, in UTC
    attention?: number; // the number of failures, or of refusals in an hour, from which on somebody has to look
    /** Set if its accounts are being or were erased. `accounts` of the supplier counts those that are left. */
    erasure?: { began_at: string; by: string; ended_at: string | null; accounts: number; records: number } | null;
    /** Figures that an operator has acknowledged. The acknowledgement of a figure ends when the figure grows. */
    acknowledged?: { failed: number; refused: number; reason: string; by: string; at: string } | null;
}

export const spans = ['hour', 'day', 'all'] as const;
export type Span = (typeof spans)[number];

/** One number for each time of `seconds`; the last time is not over. */
export interface Series {
    as_of: string;
    began_at: string;
    seconds: number;
    counts: Record<string, number[]>;
}

export interface RefusalKind {
    endpoint: string;
    status: number;
    code: string;
    item_code: string;
    attr: string;
    count: number;
    sample_request_id: string;
    last_at: string;
    detail?: string; // the sentence of the last refusal, without the value; empty: it was not kept
}

/** Accounts whose requests were refused, for one kind of refusals. */
export interface RefusalExamples extends Pick<RefusalKind, 'endpoint' | 'code' | 'item_code' | 'attr'> {
    external_account_numbers: string[];
}

export interface Refusals extends Series {
    kinds: RefusalKind[];
}

export interface OpenAccount {
    external_account_number: string;
    since: string;
    reason: string | null;
    attempts?: number;
}

export interface OpenAccounts {
    items: OpenAccount[];
    hasMore: boolean;
}

export interface FailureGroups {
    groups: FailureGroup[];
    /** There are more groups, or the groups have more accounts than are counted. */
    hasMore: boolean;
}

/** Failed accounts of a supplier whose reasons differ only in their digits. */
export interface FailureGroup {
    import_supplier: string;
    reason: string; // the reason with N in place of every number; empty: no reason was given
    accounts: number;
    sample: string; // the reason of one of them, as it was given
}

/** One reason of a refusal. `detail` is a sentence without the value that was sent; there is none if it was not kept. */
export interface Place {
    code: string;
    attr: string;
    detail?: string | null;
}

export interface AccountDetails {
    external_account_number: string;
    state: string;
    service_account_number: string | null;
    failure_reason?: string | null;
    facts: [string, string | null, 'text' | 'time'][];
    records: { kind: string; records: number; sums?: Record<string, string>; fingerprint?: string }[] | undefined;
    history?: { state: string; at: string; by: string; reason: string | null }[];
    refusals?: {
        at: string;
        endpoint: string;
        status: number;
        code: string;
        request_id: string;
        detail?: string | null;
        places: Place[];
    }[];
    /** Its supplier's counts, if refusals of this account may be missing here. */
    notKept?: PartlyKept | null;
    documents?: { count: number; locations: string[] };
    isHeld?: boolean; // the account can be neither reset nor erased
    imports?: { kind: string; records: number; imported_at: string; request_id: string; api_key_id: string }[];
    /** Whether the viewer may look at the records themselves. */
    showsRecords?: boolean;
}

/** A record as it was sent, with every number as text. */
export interface SeenRecord {
    imported_at: string;
    request_id: string;
    api_key_id: string;
    moved_to: string | null; // the stored date, where it is not the one that was sent
    record: unknown;
}

/** The newest records first; `before` leads to the older ones. */
export interface SeenRecords {
    records: SeenRecord[];
    before: string | null;
}

/** The first accounts that have no records of a kind. */
export interface AccountsWithout {
    numbers: string[];
    hasMore: boolean;
}

export interface Explanations {
    figures: { kind: string; figure: string; explained: boolean }[];
    accepted: {
        count: number;
        lapsed: number;
        accounts: {
            external_account_number: string;
            kind: string;
            declared: { records: number; amount: string | null };
            held: { records: number; amount: string | null };
            by: string;
            at: string;
            reason: string;
        }[];
    };
}

export interface AccountName {
    import_supplier: string;
    external_account_number: string;
}

/** Accounts of all suppliers whose number, at the supplier or on the platform, is or begins with the searched text. */
export interface FoundAccounts {
    accounts: AccountName[];
    beginning: AccountName[];
    /** More numbers may begin with the searched text. */
    hasMore: boolean;
    /** The suppliers that were not searched. */
    notSearched: number;
    /** The account that was perhaps meant, if none has this number. */
    meant?: AccountName[];
    /** The suppliers whose account of this number was erased. */
    erased?: { import_supplier: string; at: string; by: string }[];
    /** Refused requests for unknown accounts of this number, the latest first. */
    refused?: RefusedUnknown[];
    /** The suppliers for which more requests were refused than are kept. */
    partly_kept?: PartlyKept[];
}

/** How many requests of a supplier were refused since the day `since`, and how many of these refusals are kept. */
export interface PartlyKept {
    import_supplier: string;
    since: string;
    refusals: number;
    kept: number;
}

export interface RefusedUnknown extends AccountName {
    at: string;
    endpoint: string;
    status: number;
    code: string;
    request_id: string;
    detail?: string | null;
}

export interface RequestTrace {
    request_id: string;
    refused: {
        import_supplier: string;
        external_account_number: string | null; // null: not known here, and not to be shown
        is_known: boolean;
        at: string;
        line: number;
        endpoint: string;
        status: number;
        code: string;
        detail?: string | null;
        places: Place[];
    }[];
    counted: {
        import_supplier: string;
        at: string;
        endpoint: string;
        status: number;
        code: string;
        item_code: string;
        attr: string;
        detail?: string;
    }[];
    /** The number of refused lines of a bulk request; null if the question was about one account. */
    refused_lines: number | null;
    /** The stored records; only if the question was about one account. */
    stored?: { kind: string; records: number; imported_at: string; api_key_id: string }[];
}

export interface DoctorRun {
    host: string;
    system_user: string;
    at: string;
    findings: { health: 'ok' | 'warning' | 'fault' | 'unseen'; subject: string; finding: string; remedy: string | null }[];
}

export interface Code {
    code: string;
    status: number | null;
    meaning: string;
    action: string;
}

export interface Circuit {
    vendor: string;
    organisation: string;
    failures: number;
    time_outs: number;
    open_until: string | null;
    changed_at: string;
}

/** A program of the platform that takes what is new, and how far it is with one supplier. */
export interface Consumer {
    consumer: string;
    ready: boolean; // false: `consumer add` has not finished
    import_supplier: string | null; // empty: market participants; null: nothing has come yet
    waiting: number;
    oldest_waiting_since: string | null;
    accounts_taken: number;
    records_taken: number;
    taken_at: string | null;
}

/** A figure as the supplier declared it, as it is stored, and as the platform booked it; null if unknown. */
export interface BookedFigure {
    kind: string;
    figure: string;
    declared: string | null;
    held: string | null;
    booked: string | null;
    difference: string | null; // booked minus held, if they differ
    accepted: { by: string; at: string; reason: string } | null;
}

/** The figures that a consumer says it has booked for a supplier. */
export interface Booking {
    consumer: string;
    ready: boolean;
    not_taken: number; // accounts with news
    declared_at: string | null;
    declared_by: string | null;
    verdict: Verdict;
    explained: boolean; // all differences are accepted
    undeclared_kinds: string[];
    figures: BookedFigure[];
}

/** Somebody who has signed in, and what this person may do. */
export interface Person {
    name: string;
    role: 'viewer' | 'operator' | 'signer';
    import_suppliers: string[] | null; // null: all
    acts: string[];
    refusal?: string; // the reason why this person may do nothing
}

/** The outcome of an act, or of its dry run. */
export interface Outcome {
    sentence: string;
    basis: string; // a digest of what the act rests on
    audit_id: number | null;
    api_key?: string | null;
    mail?: string | null;
    report?: SignedReport;
    differences?: Difference[] | null | string;
}

interface CountedRecords {
    records: number;
    amount: string | null;
}

/** An account whose records of a kind differ from the supplier's file. */
export interface Difference {
    external_account_number: string;
    kind: string;
    declared: CountedRecords | null;
    held: CountedRecords | null;
    accepted: { by: string; at: string; reason: string } | null;
}

/** A signed report. The service sends the files only once. */
export interface SignedReport {
    file: string; // their name without its end
    html: string | null;
    html_sha256: string;
    json: string | null;
    json_sha256: string;
}

/** A line of the audit history. */
export interface AuditLine {
    id: number | null;
    at: string;
    action: string;
    by: string;
    host: string | null;
    import_supplier: string | null;
    external_account_number: string | null;
    details: string | null;
    api_key_id: number | string | null;
}

export interface ApiKey {
    id: string;
    organisation: string;
    import_suppliers: string[];
    created_at: string;
    created_by: string | null;
    revoked_at: string | null;
    last_used_on: string | null;
}

/**
 * A kind of viewer, and functions that get the data that it may see. An undefined function: this viewer may not see the data.
 */
export interface Source {
    readonly kind: 'suppliers' | 'operators';
    suppliers(signal: AbortSignal): Promise<Supplier[]>;
    /** Throws Failure 404 if there is no such supplier, or the viewer may not see it. */
    supplier(code: string, signal: AbortSignal): Promise<Supplier>;
    controlTotals(code: string, signal: AbortSignal): Promise<ControlTotals>;
    /** The failed accounts of one group of reasons, or all. */
    failed(code: string, reason: string | undefined, signal: AbortSignal): Promise<OpenAccounts>;
    /** The groups of one supplier or of all, the largest first. If `text` is not empty, only reasons that contain it. */
    failureGroups?(code: string | undefined, text: string, signal: AbortSignal): Promise<FailureGroups>;
    /** Records of the last hour by supplier. */
    throughputBySupplier?(signal: AbortSignal): Promise<Series>;
    inProgress?(code: string, signal: AbortSignal): Promise<OpenAccounts>;
    throughput(code: string, span: Span, signal: AbortSignal): Promise<Series>;
    refusals(code: string, span: Span, signal: AbortSignal): Promise<Refusals>;
    refusalExamples?(code: string, signal: AbortSignal): Promise<RefusalExamples[]>;
    account(code: string, number: string, signal: AbortSignal): Promise<AccountDetails>;
    /** The last records of a kind, or those before a cursor. The service writes each look into the audit history. */
    records?(
        account: AccountName,
        kind: string,
        before: string | null,
        signal: AbortSignal,
    ): Promise<SeenRecords>;
    accountsWithout?(code: string, kind: string, signal: AbortSignal): Promise<AccountsWithout>;
    explanations?(code: string, signal: AbortSignal): Promise<Explanations>;
    search(text: string, signal: AbortSignal): Promise<FoundAccounts>;
    request?(id: string, account: AccountName | undefined, signal: AbortSignal): Promise<RequestTrace>;
    /** A draft of the report, as a document. */
    report?(code: string, signal: AbortSignal): Promise<Blob>;
    doctor?(signal: AbortSignal): Promise<DoctorRun[]>;
    metrics?(signal: AbortSignal): Promise<string>;
    circuits?(signal: AbortSignal): Promise<Circuit[]>;
    consumers?(signal: AbortSignal): Promise<Consumer[]>;
    /** The consumers that take the supplier. */
    booked?(code: string, signal: AbortSignal): Promise<Booking[]>;
    codes(signal: AbortSignal): Promise<Code[]>;
    /** Throws Failure 404 if acts are not available here. */
    person?(signal: AbortSignal): Promise<Person>;
    /** Does the act, once for each key; without a key, says what the act would do. */
    act?(name: string, body: Record<string, unknown>, key?: string): Promise<Outcome>;
    /** The last lines of the audit history, the newest first. */
    audit?(signal: AbortSignal): Promise<AuditLine[]>;
    apiKeys?(signal: AbortSignal): Promise<ApiKey[]>;
}
