// The operators' search for accounts by number, and for requests by id.
import { useEffect } from 'preact/hooks';
import { AccountView } from './account';
import { count, words } from './format';
import { useLive } from './live';
import type { AccountName, RequestTrace, Source } from './model';
import { AccountLink, type Column, Notice, Section, Table, Time, Until, whyAndWhere } from './parts';
import { addressOf } from './route';

const accountColumns: Column<AccountName>[] = [
    { name: 'supplier', show: (row) => row.import_supplier, cell: (row) => row.import_supplier },
    {
        name: 'account',
        show: (row) => <AccountLink code={row.import_supplier} number={row.external_account_number} />,
        cell: (row) => row.external_account_number,
        isAccount: true,
    },
];

/** Goes on to the account where there is only one. */
export function SearchView({ source, text }: { source: Source; text: string }) {
    const live = useLive(`search ${text}`, 10_000, (signal) => source.search!(text, signal));
    const only = live.value?.length === 1 ? live.value[0] : undefined;
    useEffect(() => {
        if (only === undefined) return;
        const { import_supplier: code, external_account_number: number } = only;
        location.replace(addressOf({ view: 'account', code, number }));
    }, [only]);
    const found = (
        <Until live={live} notAvailable="Nothing is found by this text.">
            {(accounts) => (
                <Section title={`Accounts with the number ${text}`}>
                    <Table
                        name="accounts found"
                        columns={accountColumns}
                        rows={accounts}
                        empty="No supplier has an account of this number, and the platform has given it to none."
                    />
                </Section>
            )}
        </Until>
    );
    return <AccountView source={source} number={text} beside={found} />;
}

type Refused = RequestTrace['refused'][number];
type Counted = RequestTrace['counted'][number];
type Stored = NonNullable<RequestTrace['stored']>[number];

const refusedColumns: Column<Refused>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'line', show: (row) => (row.line === 0 ? '–' : count(row.line)), cell: (row) => row.line, isNumber: true },
    { name: 'supplier', show: (row) => row.import_supplier, cell: (row) => row.import_supplier },
    {
        name: 'account',
        show: (row) => <AccountLink code={row.import_supplier} number={row.external_account_number} />,
        cell: (row) => row.external_account_number,
        isAccount: true,
    },
    { name: 'status', show: (row) => row.status, cell: (row) => row.status, isNumber: true },
    whyAndWhere(),
];

const countedColumns: Column<Counted>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'supplier', show: (row) => row.import_supplier || '–', cell: (row) => row.import_supplier },
    { name: 'status', show: (row) => row.status, cell: (row) => row.status, isNumber: true },
    { name: 'code', show: (row) => <code>{row.item_code || row.code}</code>, cell: (row) => row.item_code || row.code },
    { name: 'place', show: (row) => <code>{row.attr || '–'}</code>, cell: (row) => row.attr },
    { name: 'endpoint', show: (row) => <code>{row.endpoint || '–'}</code>, cell: (row) => row.endpoint },
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
                In the account <AccountLink code={code} number={number} /> of {code}.
            </p>
            <Table
                name="records of a request"
                columns={storedColumns}
                rows={trace.stored ?? []}
                empty="This request has stored nothing in this account that is still there."
            />
        </Section>
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
            <Until live={live} notAvailable="This is no id of a request: it has 32 hexadecimal digits.">
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
                            {trace.refused.length > 0 ? (
                                <Table
                                    name="refusals of a request"
                                    columns={refusedColumns}
                                    rows={trace.refused}
                                    empty=""
                                />
                            ) : (
                                <Table
                                    name="refusals of a request"
                                    columns={countedColumns}
                                    rows={trace.counted}
                                    empty="It is not among the refusals that are kept."
                                />
                            )}
                        </Section>
                        {account === undefined && (
                            <Notice>
                                What it has stored is told beside each account, under its last imports; without an account,{' '}
                                <code>data-importctl request show {id}</code> looks through all records.
                            </Notice>
                        )}
                    </>
                )}
            </Until>
        </>
    );
}
