// One search for everything: accounts by number, requests by id, suppliers, reasons of failures.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Command } from './command';
import { shownReason } from './failures';
import { count, countOf, words } from './format';
import { useLive, useNow } from './live';
import type { AccountName, FailureGroup, FailureGroups, FoundAccounts, RequestTrace, Source, Supplier } from './model';
import { AccountLink, Code, type Column, Section, Sentence, SupplierLink, Table, Time, Until, whyAndWhere } from './parts';
import { addressOf } from './route';
import { FareMark } from './state';
import { Erased, InJournals, Meant, NeverStaged, OnlyCounted, RefusedOfUnknown } from './unknown';

const requestId = /^[0-9a-f]{32}$/i;

/** The search field in the head of every view; the key `/` leads to it. */
export function SearchField({ text }: { text: string }) {
    const [wanted, setWanted] = useState(text);
    const field = useRef<HTMLInputElement>(null);
    useEffect(() => setWanted(text), [text]);
    useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
            const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
            if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            field.current?.select();
            field.current?.focus();
        };
        document.addEventListener('keydown', onKey);
        return () => document.removeEventListener('keydown', onKey);
    }, []);
    const search = (event: Event): void => {
        event.preventDefault();
        const found = wanted.trim();
        const id = found.replaceAll('-', '').toLowerCase();
        if (requestId.test(id)) location.hash = addressOf({ view: 'request', id });
        else if (found !== '') location.hash = addressOf({ view: 'search', text: found });
    };
    return (
        <form class="search" role="search" onSubmit={search}>
            <input
                ref={field}
                type="search"
                aria-label="Search for an account, a request, a supplier or a reason"
                placeholder="Number, request id, supplier, reason"
                maxLength={128}
                autoComplete="off"
                spellcheck={false}
                value={wanted}
                onInput={(event) => setWanted(event.currentTarget.value)}
            />
            <kbd aria-hidden="true">/</kbd>
            <button type="submit" class="hidden" tabIndex={-1}>
                Search
            </button>
        </form>
    );
}

const accountColumns: Column<AccountName>[] = [
    {
        name: 'account',
        show: (row) => <AccountLink code={row.import_supplier} number={row.external_account_number} />,
        cell: (row) => row.external_account_number,
        isAccount: true,
    },
    { name: 'supplier', show: (row) => <SupplierLink code={row.import_supplier} />, cell: (row) => row.import_supplier },
];

interface Findings {
    text: string;
    found: FoundAccounts;
    suppliers: Supplier[];
    failures: FailureGroups;
}

/** Returns the address of the only finding; undefined if there are several or none. */
function onlyAddress({ text, found, suppliers, failures: { groups } }: Findings): string | undefined {
    const { accounts, beginning, refused = [] } = found;
    if (refused.length > 0) return undefined;
    const only = accounts[0];
    if (only !== undefined && accounts.length + beginning.length + suppliers.length + groups.length === 1)
        return addressOf({ view: 'account', code: only.import_supplier, number: only.external_account_number });
    const supplier = suppliers.find((one) => one.code === text);
    if (supplier !== undefined && accounts.length + beginning.length + groups.length === 0)
        return addressOf({ view: 'supplier', code: supplier.code });
    return undefined;
}

const failedOf = (groups: FailureGroup[]): number => groups.reduce((sum, one) => sum + one.accounts, 0);

/** Says in a sentence what was found, and the next command. */
function Conclusion({ source, text, found, suppliers, failures }: Findings & { source: Source }) {
    const { accounts, beginning, refused = [], erased = [], notSearched } = found;
    const atLeast = (hasMore: boolean): string => (hasMore ? 'at least ' : '');
    const things = [
        accounts.length > 0 && `${countOf(accounts.length, 'account has', 'accounts have')} this number`,
        beginning.length > 0 &&
            `${atLeast(found.hasMore)}${countOf(beginning.length, 'number begins', 'numbers begin')} with it`,
        suppliers.length > 0 && `${countOf(suppliers.length, 'supplier has', 'suppliers have')} it in the name`,
        failures.groups.length > 0 &&
            `${atLeast(failures.hasMore)}${countOf(failedOf(failures.groups), 'account has', 'accounts have')} failed for a reason with it`,
    ].filter((one) => one !== false);
    if (things.length + refused.length + erased.length > 0)
        return (
            <>
                {things.length > 0 && (
                    <p>
                        <b>{text}</b>: {things.join(', ')}.
                    </p>
                )}
                <Erased number={text} erased={erased} />
                {beginning.length === 0 && <Meant meant={found.meant} />}
                <NeverStaged number={text} refused={refused} />
                {refused.length > 0 && (
                    <OnlyCounted
                        number={text}
                        shares={found.partly_kept?.filter((share) =>
                            refused.some((one) => one.import_supplier === share.import_supplier),
                        )}
                    />
                )}
            </>
        );
    return (
        <>
            <p>
                <b>{text}</b>:{' '}
                {source.kind === 'operators'
                    ? 'no account has this number or one that begins with it (upper and lower case are different), no refusal of it is kept, and no supplier and no reason of a failure has it.'
                    : 'no account has this number, and no supplier has it in the name.'}
                {notSearched > 0 && ` The accounts of ${countOf(notSearched, 'supplier')} were not searched.`}
            </p>
            <Meant meant={found.meant} />
            <OnlyCounted number={text} shares={found.partly_kept} />
        </>
    );
}

function Found(all: Findings & { source: Source }) {
    const { found, suppliers, failures } = all;
    const now = useNow();
    const address = onlyAddress(all);
    useEffect(() => {
        if (address !== undefined) location.replace(address);
    }, [address]);
    const supplierColumns: Column<Supplier>[] = [
        {
            name: 'supplier',
            show: (row) => <a href={addressOf({ view: 'supplier', code: row.code })}>{row.name}</a>,
            cell: (row) => row.code,
        },
        { name: 'code', show: (row) => <Code text={row.code} />, cell: (row) => row.code },
        { name: 'state', show: (row) => <FareMark of={row} now={now} />, cell: (row) => row.status },
    ];
    const accounts = [...found.accounts, ...found.beginning];
    return (
        <>
            <div class="answer" role="status">
                <Conclusion {...all} />
            </div>
            {accounts.length > 0 && (
                <Section title="Accounts">
                    <Table name="accounts found" columns={accountColumns} rows={accounts} empty="" />
                </Section>
            )}
            <RefusedOfUnknown refused={found.refused ?? []} />
            {suppliers.length > 0 && (
                <Section title="Suppliers">
                    <Table name="suppliers found" columns={supplierColumns} rows={suppliers} empty="" />
                </Section>
            )}
            {failures.groups.length > 0 && (
                <Section title="Reasons of failures">
                    <Table name="reasons found" columns={reasonColumns} rows={failures.groups} empty="" />
                </Section>
            )}
        </>
    );
}

const reasonColumns: Column<FailureGroup>[] = [
    { name: 'reason', show: shownReason, cell: shownReason },
    {
        name: 'supplier',
        show: (row) => <SupplierLink code={row.import_supplier} />,
        cell: (row) => row.import_supplier,
    },
    { name: 'accounts', show: (row) => count(row.accounts), cell: (row) => row.accounts, isNumber: true },
];

export function SearchView({ source, text }: { source: Source; text: string }) {
    const live = useLive(`search ${text}`, 10_000, async (signal) => {
        const wanted = text.toLowerCase();
        const [found, suppliers, failures] = await Promise.all([
            source.search(text, signal),
            source.suppliers(signal),
            source.failureGroups?.(undefined, text, signal) ?? { groups: [], hasMore: false },
        ]);
        const named = suppliers.filter((one) => [one.code, one.name].some((name) => name.toLowerCase().includes(wanted)));
        return { found, suppliers: named, failures };
    });
    return (
        <Until live={live} notAvailable="Nothing can be searched for: this version of the service does not do it.">
            {(value) => <Found source={source} text={text} {...value} />}
        </Until>
    );
}

type Refused = RequestTrace['refused'][number];
type Counted = RequestTrace['counted'][number];
type Stored = NonNullable<RequestTrace['stored']>[number];

const tracedColumns: Column<Refused>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'line', show: (row) => (row.line === 0 ? '–' : count(row.line)), cell: (row) => row.line, isNumber: true },
    { name: 'supplier', show: (row) => <SupplierLink code={row.import_supplier} />, cell: (row) => row.import_supplier },
    {
        name: 'account',
        show: (row) =>
            row.external_account_number === null ? (
                <span class="dim">not known here</span>
            ) : (
                <>
                    <AccountLink code={row.import_supplier} number={row.external_account_number} />
                    {!row.is_known && <span class="dim"> not known here</span>}
                </>
            ),
        cell: (row) => row.external_account_number,
        isAccount: true,
    },
    { name: 'status', show: (row) => row.status, cell: (row) => row.status, isNumber: true },
    whyAndWhere(),
];

const countedColumns: Column<Counted>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'supplier', show: (row) => (row.import_supplier === '' ? '–' : <SupplierLink code={row.import_supplier} />), cell: (row) => row.import_supplier },
    { name: 'status', show: (row) => row.status, cell: (row) => row.status, isNumber: true },
    {
        name: 'why',
        isText: true,
        show: (row) => (
            <>
                <Code text={row.item_code || row.code} />
                {row.detail && (
                    <small>
                        <Sentence text={row.detail} />
                    </small>
                )}
            </>
        ),
        cell: (row) => [row.item_code || row.code, row.detail].filter(Boolean).join(': '),
    },
    { name: 'place', show: (row) => <Code text={row.attr || '–'} />, cell: (row) => row.attr },
    { name: 'endpoint', show: (row) => <Code text={row.endpoint || '–'} />, cell: (row) => row.endpoint },
];

const storedColumns: Column<Stored>[] = [
    { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
    { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
    { name: 'imported', show: (row) => <Time at={row.imported_at} />, cell: (row) => row.imported_at },
    { name: 'API key', show: (row) => row.api_key_id, cell: (row) => row.api_key_id, isNumber: true },
];

function Stored({ trace, code, number }: { trace: RequestTrace; code: string; number: string }) {
    return (
        <Section title="Stored">
            <p class="dim">
                In the account <AccountLink code={code} number={number} /> of <SupplierLink code={code} />.
            </p>
            <Table
                name="records of a request"
                columns={storedColumns}
                rows={trace.stored ?? []}
                empty="This account has no records now that came with this request."
            />
        </Section>
    );
}

/** The largest number of refused lines that the service shows of a request. */
const mostLines = 1000;

/** Returns whether a refused request may have stored something: other lines of a bulk request may have. */
const mayHaveStored = ({ refused, counted, refused_lines }: RequestTrace): boolean =>
    refused.every((one) => one.line > 0) &&
    (refused_lines !== null || counted.every((one) => one.status < 400 || one.endpoint.endsWith('/bulk/')));

/** Tells how many refused lines of a bulk request are not shown. */
function MissingLines({ trace: { request_id, refused, refused_lines } }: { trace: RequestTrace }) {
    if (refused_lines === null || refused_lines <= refused.length) return null;
    return (
        <p class="next">
            {count(refused.length)} of {count(refused_lines)} refused lines are {refused.length < mostLines ? 'kept' : 'shown'}.{' '}
            <InJournals fields={`REQUEST_ID=${request_id}`} />
        </p>
    );
}

export function RequestView({
    source,
    id,
    code,
    number,
}: {
    source: Source;
    id: string;
    code?: string;
    number?: string;
}) {
    const account =
        code === undefined || number === undefined
            ? undefined
            : { import_supplier: code, external_account_number: number };
    const live = useLive(`request ${id} ${code} ${number}`, 5000, (signal) => source.request!(id, account, signal));
    return (
        <>
            <div class="title">
                <h2>Request</h2>
                <code>{id}</code>
            </div>
            <Until live={live} notAvailable="This is not the id of a request. Such an id has 32 hexadecimal digits.">
                {(trace) => (
                    <>
                        {account !== undefined && (
                            <Stored
                                trace={trace}
                                code={account.import_supplier}
                                number={account.external_account_number}
                            />
                        )}
                        <Section title="Refused">
                            <MissingLines trace={trace} />
                            {trace.refused.length > 0 ? (
                                <Table
                                    name="refusals of a request"
                                    columns={tracedColumns}
                                    rows={trace.refused}
                                    empty=""
                                />
                            ) : (
                                <Table
                                    name="refusals of a request"
                                    columns={countedColumns}
                                    rows={trace.counted}
                                    empty={
                                        source.kind === 'operators'
                                            ? 'It is not among the refusals that are kept.'
                                            : 'Only the last request of each kind of refusals can be shown, and it is none of them.'
                                    }
                                />
                            )}
                        </Section>
                        {account === undefined && source.kind === 'operators' && mayHaveStored(trace) && (
                            <p class="answer">
                                What this request stored is listed under “Last imports” of each account. This
                                command searches all records for it: <Command text={`data-importctl request show ${id}`} />
                            </p>
                        )}
                    </>
                )}
            </Until>
        </>
    );
}
