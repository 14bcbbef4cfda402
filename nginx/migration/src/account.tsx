// One account, by its number at the supplier.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count, decimal, words } from './format';
import { useLive } from './live';
import type { AccountDetails, Source } from './model';
import { addressOf } from './route';
import { type Column, figureName, Notice, RequestId, Section, Table, Time, Until, whyAndWhere } from './parts';

const meanings: Record<string, string> = {
    staged: 'The account is known; no attempt to create it is running.',
    in_progress: 'An attempt to create the account is running.',
    failed: 'The last attempt to create the account failed.',
    imported: 'The account has been created on the platform.',
    UNKNOWN: 'The account is staged, or its last attempt failed: it has not been created.',
    IN_PROGRESS: 'An attempt to create the account is running.',
    COMPLETED: 'The account has been created on the platform.',
};

type Records = NonNullable<AccountDetails['records']>[number];
type Step = NonNullable<AccountDetails['history']>[number];
type Refusal = NonNullable<AccountDetails['refusals']>[number];
type Import = NonNullable<AccountDetails['imports']>[number];

const stepColumns: Column<Step>[] = [
    { name: 'what', show: (row) => words(row.state), cell: (row) => row.state },
    { name: 'when', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'by', show: (row) => row.by, cell: (row) => row.by },
    { name: 'reason', show: (row) => row.reason ?? <span class="dim">–</span>, cell: (row) => row.reason },
];

/** The account that a table is about. */
interface Of {
    code: string;
    number: string;
}

const importColumns = (of: Of): Column<Import>[] => [
    { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
    { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
    { name: 'imported', show: (row) => <Time at={row.imported_at} />, cell: (row) => row.imported_at },
    { name: 'request id', show: (row) => <RequestId id={row.request_id} {...of} />, cell: (row) => row.request_id },
    { name: 'API key', show: (row) => row.api_key_id, cell: (row) => row.api_key_id, isNumber: true },
];

const refusalColumns = (of: Of): Column<Refusal>[] => [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    whyAndWhere(),
    {
        name: 'endpoint',
        show: (row) => <code>{row.endpoint.replace('/v1/data-import/', '')}</code>,
        cell: (row) => row.endpoint,
    },
    { name: 'request id', show: (row) => <RequestId id={row.request_id} {...of} />, cell: (row) => row.request_id },
];

const documentColumns: Column<string>[] = [
    { name: 'place in the document bucket', show: (row) => <code>{row}</code>, cell: (row) => row },
];

function Documents({ documents }: { documents: NonNullable<AccountDetails['documents']> }) {
    const { count: all, locations } = documents;
    return (
        <Section title="Documents">
            <Table
                name="documents of an account"
                columns={documentColumns}
                rows={locations}
                empty="No note and no statement of this account refers to a document."
            />
            {all > locations.length && (
                <p class="dim">These are the first {count(locations.length)} of {count(all)} documents.</p>
            )}
        </Section>
    );
}

function recordColumns(hasSums: boolean): Column<Records>[] {
    const sums = (row: Records): [string, string][] => Object.entries(row.sums ?? {});
    return [
        { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
        { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
        ...(hasSums
            ? [
                  {
                      name: 'sums',
                      show: (row: Records) => (
                          <ul class="sums">
                              {sums(row).map(([figure, value]) => (
                                  <li key={figure}>
                                      {figureName(figure).name}: <b>{decimal(value)}</b>
                                  </li>
                              ))}
                          </ul>
                      ),
                      cell: (row: Records) =>
                          sums(row)
                              .map(([figure, value]) => `${figure}=${value}`)
                              .join(' '),
                  },
                  {
                      name: 'fingerprint',
                      show: (row: Records) => <code class="id">{row.fingerprint}</code>,
                      cell: (row: Records) => row.fingerprint ?? null,
                  },
              ]
            : []),
    ];
}

function Details({ account, code }: { account: AccountDetails; code: string }) {
    const { records, history, imports, refusals, documents } = account;
    const of = { code, number: account.external_account_number };
    return (
        <>
            <div class="summary">
                <dl class="facts">
                    <dt>State</dt>
                    <dd>
                        <span class={`mark account-${account.state.toLowerCase()}`}>{words(account.state)}</span>{' '}
                        <span class="dim">{meanings[account.state]}</span>
                    </dd>
                    <dt>Number on the platform</dt>
                    <dd>{account.service_account_number ?? <span class="dim">none yet</span>}</dd>
                    {account.facts.map(
                        ([name, value, type]) =>
                            value !== null && [
                                <dt key={name}>{name}</dt>,
                                <dd key={`${name} value`}>{type === 'time' ? <Time at={value} /> : value}</dd>,
                            ],
                    )}
                </dl>
            </div>
            <div class="columns">
                <Section title="Records">
                    {records === undefined ? (
                        <Notice>
                            The counts of single accounts are not available: this version of the service does not tell
                            them.
                        </Notice>
                    ) : (
                        <Table
                            name="records of an account"
                            columns={recordColumns(records.some((row) => row.sums !== undefined))}
                            rows={records}
                            empty="Nothing has been imported into this account."
                        />
                    )}
                </Section>
                {history !== undefined && (
                    <Section title="History">
                        <Table
                            name="history of an account"
                            columns={stepColumns}
                            rows={history}
                            empty="There is no history."
                        />
                    </Section>
                )}
            </div>
            {refusals !== undefined && refusals.length > 0 && (
                <Section title="Last refusals">
                    <Table name="last refusals of an account" columns={refusalColumns(of)} rows={refusals} empty="" />
                </Section>
            )}
            {imports !== undefined && (
                <Section title="Last imports">
                    <Table
                        name="last imports of an account"
                        columns={importColumns(of)}
                        rows={imports}
                        empty="Nothing has been imported into this account."
                    />
                </Section>
            )}
            {documents !== undefined && <Documents documents={documents} />}
        </>
    );
}

/** The way to one account, and below it the account's details or `beside`, the other findings. */
export function AccountView({
    source,
    code,
    number,
    beside,
}: {
    source: Source;
    code?: string;
    number?: string;
    beside?: ComponentChildren;
}) {
    const suppliers = useLive('suppliers', 30_000, (signal) => source.suppliers(signal));
    const [wanted, setWanted] = useState({ code: code ?? '', number: number ?? '' });
    useEffect(() => setWanted({ code: code ?? '', number: number ?? '' }), [code, number]);
    const isComplete = code !== undefined && number !== undefined;
    const live = useLive(
        `account ${code} ${number}`,
        2000,
        isComplete ? (signal) => source.account(code, number, signal) : undefined,
    );
    const known = suppliers.value ?? [];
    const isForAll = source.search !== undefined;
    const chosen = wanted.code || (isForAll ? '' : (known[0]?.code ?? ''));
    const search = (event: Event): void => {
        event.preventDefault();
        const text = wanted.number.trim();
        if (text === '') return;
        if (chosen !== '') location.hash = addressOf({ view: 'account', code: chosen, number: text });
        else if (isForAll && /^[0-9a-f]{32}$/.test(text)) location.hash = addressOf({ view: 'request', id: text });
        else if (isForAll) location.hash = addressOf({ view: 'search', text });
    };
    return (
        <>
            <Section title="Account">
                <form class="search" onSubmit={search}>
                    <label>
                        Supplier
                        <select
                            value={chosen}
                            onInput={(event) => setWanted({ ...wanted, code: event.currentTarget.value })}
                        >
                            {isForAll && <option value="">All suppliers</option>}
                            {known.map((one) => (
                                <option key={one.code} value={one.code}>
                                    {one.name} ({one.code})
                                </option>
                            ))}
                        </select>
                    </label>
                    <label>
                        {chosen === '' && isForAll
                            ? 'Account number at the supplier or on the platform, or request id'
                            : 'External account number'}
                        <input
                            required
                            maxLength={128}
                            autoComplete="off"
                            spellcheck={false}
                            value={wanted.number}
                            onInput={(event) => setWanted({ ...wanted, number: event.currentTarget.value })}
                        />
                    </label>
                    <button type="submit">Look it up</button>
                </form>
            </Section>
            {beside ?? (isComplete ? (
                <Until
                    live={live}
                    notAvailable={`There is no account ${number} of ${code}. The number is that of the supplier's own system, exactly as it was staged.`}
                >
                    {(account) => <Details account={account} code={code} />}
                </Until>
            ) : (
                <Notice>
                    Enter an account's number to see its state, its history and what has been imported
                    into it.
                </Notice>
            ))}
        </>
    );
}
