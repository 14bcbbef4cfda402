// The suppliers' data, by the public addresses: exactly the part that the token may see. The token is kept only in memory,
// and the API key is not kept.
import { folded } from './failures';
import { ask, askForItems, Failure } from './http';
import type {
    AccountDetails,
    AccountName,
    Code,
    ControlTotals,
    FoundAccounts,
    Kind,
    OpenAccounts,
    Refusals,
    RequestTrace,
    Series,
    Source,
    Span,
    Supplier,
} from './model';

/** The most suppliers of which a search asks for a number. */
const mostAsked = 20;

interface Tokens {
    token: string;
    refreshToken: string;
}

interface GraphqlAnswer {
    data?: { obtainToken: Tokens | null } | null;
    errors?: { message: string; extensions?: { code?: string } }[];
}

const mutation = 'mutation($input: ObtainTokenInput!) { obtainToken(input: $input) { token refreshToken } }';

async function obtain(input: { APIKey: string } | { refreshToken: string }): Promise<Tokens> {
    const answer = await ask('../v1/graphql/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ query: mutation, variables: { input } }),
    });
    const { data, errors } = (await answer.json()) as GraphqlAnswer;
    if (data?.obtainToken) return data.obtainToken;
    const code = errors?.[0]?.extensions?.code ?? '';
    const sentence = errors?.[0]?.message ?? 'The service gave no token.';
    throw new Failure(sentence, code === 'authentication_failed' ? 401 : 400, code);
}

/** A viewer who has signed in. */
export class Session implements Source {
    readonly kind = 'suppliers';
    #tokens: Tokens;
    #refreshing: Promise<void> | undefined;

    private constructor(
        tokens: Tokens,
        private readonly onEnd: () => void,
    ) {
        this.#tokens = tokens;
    }

    /** Signs in. Throws Failure, with status 401 for a wrong key. `onEnd` is called when the token is no longer accepted. */
    static async begin(apiKey: string, onEnd: () => void): Promise<Session> {
        return new Session(await obtain({ APIKey: apiKey }), onEnd);
    }

    // Requests that find the token expired at the same time wait for one refresh.
    async #refresh(): Promise<void> {
        this.#refreshing ??= obtain({ refreshToken: this.#tokens.refreshToken })
            .then((tokens) => {
                this.#tokens = tokens;
            })
            .finally(() => {
                this.#refreshing = undefined;
            });
        return this.#refreshing;
    }

    async #ask(address: string, signal: AbortSignal): Promise<Response> {
        const headers = (): RequestInit => ({ headers: { Authorization: `Token ${this.#tokens.token}` } });
        try {
            try {
                return await ask(`../v1/${address}`, headers(), signal);
            } catch (reason) {
                if (!(reason instanceof Failure) || reason.code !== 'token_expired') throw reason;
                await this.#refresh();
                return await ask(`../v1/${address}`, headers(), signal);
            }
        } catch (reason) {
            if (reason instanceof Failure && reason.status === 401) this.onEnd();
            throw reason;
        }
    }

    async #json<Answer>(address: string, signal: AbortSignal): Promise<Answer> {
        return (await (await this.#ask(address, signal)).json()) as Answer;
    }

    async #suppliers(query: string, signal: AbortSignal): Promise<Supplier[]> {
        const address = `data-import/import-suppliers/${query}`;
        return (await this.#json<{ import_suppliers: Supplier[] }>(address, signal)).import_suppliers;
    }

    // Sends one request for all suppliers, because the requests that a token may have in flight are needed for imports.
    suppliers(signal: AbortSignal): Promise<Supplier[]> {
        return this.#suppliers('', signal);
    }

    async supplier(code: string, signal: AbortSignal): Promise<Supplier> {
        return (await this.#suppliers(`?import_supplier=${encodeURIComponent(code)}`, signal))[0]!;
    }

    throughput(code: string, span: Span, signal: AbortSignal): Promise<Series> {
        return this.#json(`data-import/throughput/${encodeURIComponent(code)}/?span=${span}`, signal);
    }

    refusals(code: string, span: Span, signal: AbortSignal): Promise<Refusals> {
        return this.#json(`data-import/refusals/${encodeURIComponent(code)}/?span=${span}`, signal);
    }

    /**
     * Traces a request. Suppliers see only the last request of each kind of refusals. Asks for the first suppliers, one after
     * the other.
     */
    async request(id: string, _account: AccountName | undefined, signal: AbortSignal): Promise<RequestTrace> {
        const counted: RequestTrace['counted'] = [];
        for (const { code } of (await this.suppliers(signal)).slice(0, mostAsked)) {
            const { kinds } = await this.refusals(code, 'all', signal);
            for (const { last_at, sample_request_id, ...kind } of kinds)
                if (sample_request_id === id) counted.push({ import_supplier: code, at: last_at, ...kind });
        }
        return { request_id: id, refused: [], counted, refused_lines: null };
    }

    controlTotals(code: string, signal: AbortSignal): Promise<ControlTotals> {
        return this.#json(`data-import/control-totals/${encodeURIComponent(code)}/`, signal);
    }

    async failed(code: string, reason: string | undefined, signal: AbortSignal): Promise<OpenAccounts> {
        interface Failed {
            external_account_number: string;
            reason: string | null;
            failed_at: string;
            attempts: number;
        }
        const address = `data-import/failed-account-import-processes/${encodeURIComponent(code)}/`;
        const { items, hasMore } = await askForItems<Failed>(await this.#ask(address, signal));
        const accounts = items
            .map(({ failed_at, ...account }) => ({ ...account, since: failed_at }))
            .filter((one) => reason === undefined || folded(one.reason ?? '') === reason);
        return { items: accounts, hasMore };
    }

    // Searches only the suppliers' own account numbers. Asks one question after the other, because the requests that a token may
    // have in flight are needed for imports.
    async search(text: string, signal: AbortSignal): Promise<FoundAccounts> {
        const suppliers = await this.suppliers(signal);
        const notSearched = Math.max(0, suppliers.length - mostAsked);
        const found: FoundAccounts = { accounts: [], beginning: [], hasMore: false, notSearched };
        for (const { code } of suppliers.slice(0, mostAsked)) {
            try {
                await this.#json(
                    `data-import/account-transfer-status/${encodeURIComponent(code)}/${encodeURIComponent(text)}/`,
                    signal,
                );
                found.accounts.push({ import_supplier: code, external_account_number: text });
            } catch (reason) {
                if (!(reason instanceof Failure) || !reason.isNotAvailable) throw reason;
            }
        }
        return found;
    }

    async account(code: string, number: string, signal: AbortSignal): Promise<AccountDetails> {
        interface Totals {
            kinds: Record<string, Kind & { fingerprint?: string }>;
        }
        const place = `${encodeURIComponent(code)}/`;
        const wanted = encodeURIComponent(number);
        const status = await this.#json<{ status: string; service_account_number: string }>(
            `data-import/account-transfer-status/${place}${wanted}/`,
            signal,
        );
        let totals: Totals[] | undefined;
        try {
            totals = await this.#json<Totals[]>(
                `data-import/account-control-totals/${place}?external_account_number=${wanted}`,
                signal,
            );
        } catch (reason) {
            if (!(reason instanceof Failure) || !reason.isNotAvailable) throw reason;
        }
        const kinds = totals?.[0]?.kinds;
        return {
            external_account_number: number,
            state: status.status,
            service_account_number: status.service_account_number === '' ? null : status.service_account_number,
            facts: [],
            records:
                kinds === undefined
                    ? undefined
                    : Object.entries(kinds).map(([kind, { records = 0, ...rest }]) => ({ kind, records, ...rest })),
        };
    }

    async codes(signal: AbortSignal): Promise<Code[]> {
        return (await this.#json<{ codes: Code[] }>('errors.json', signal)).codes;
    }
}
