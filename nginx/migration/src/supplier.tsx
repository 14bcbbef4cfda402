// One supplier: how fast it goes, what was refused, whether everything arrived, and which accounts want somebody.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Chart } from './chart';
import { EstimatedEnd, LastImport } from './overview';
import { count, countOf, decimal, duration, share, words } from './format';
import { type Live, useLive, useNow } from './live';
import type { Code, ControlTotals, OpenAccount, OpenAccounts, Refusals, Series, Source, Span, Supplier } from './model';
import { addressOf } from './route';
import {
    allOf,
    Choice,
    type Column,
    figureName,
    Funnel,
    Notice,
    Section,
    Status,
    Table,
    Tile,
    Time,
    Until,
    VerdictMark,
} from './parts';

const spanNames: Record<Span, string> = { hour: 'Last hour', day: 'Last day', all: 'All' };
const pauses: Record<Span, number> = { hour: 2000, day: 10_000, all: 60_000 };

export const kinds = [
    'notes',
    'transactions',
    'historical_statements',
    'delivery_notes',
    'energy_amounts',
    'market_participant_invoices',
    'payment_instructions',
] as const;

const onlyAccounts = ({ counts, ...series }: Series): Series => ({
    ...series,
    counts: counts['accounts'] === undefined ? {} : { accounts: counts['accounts'] },
});
const withoutAccounts = ({ counts: { accounts: _, ...counts }, ...series }: Series): Series => ({ ...series, counts });

function SpanChoice({ value, onChange }: { value: Span; onChange: (span: Span) => void }) {
    return <Choice name="How far back" words={spanNames} value={value} onChange={onChange} />;
}

const accountOrder = ['accounts'] as const;

function Throughput({ source, code }: { source: Source; code: string }) {
    const [span, setSpan] = useState<Span>('hour');
    const throughput = source.throughput!;
    const live = useLive(`throughput ${code} ${span}`, pauses[span], (signal) => throughput(code, span, signal));
    const records = useMemo(() => live.value && withoutAccounts(live.value), [live.value]);
    const accounts = useMemo(() => live.value && onlyAccounts(live.value), [live.value]);
    const nothing = span === 'all' ? 'Nothing has been imported yet.' : 'Nothing was imported in this time.';
    return (
        <Section title="Throughput" tools={<SpanChoice value={span} onChange={setSpan} />}>
            <Until live={live} notAvailable="The curve is not available.">
                {() => (
                    <div class="columns wide-first">
                        <div>
                            <h3>Records by kind</h3>
                            <Chart
                                name={`records of ${code}`}
                                series={records!}
                                unit="records per minute"
                                isRate
                                nameOf={words}
                                order={kinds}
                                empty={nothing}
                            />
                        </div>
                        <div>
                            <h3>Accounts</h3>
                            <Chart
                                name={`accounts of ${code}`}
                                series={accounts!}
                                unit="accounts imported per minute"
                                isRate
                                nameOf={words}
                                order={accountOrder}
                                empty={nothing}
                            />
                        </div>
                    </div>
                )}
            </Until>
        </Section>
    );
}

/** The rate since this page is open, for those whom nobody tells more. */
function OwnThroughput({ supplier }: { supplier: Supplier }) {
    const { last_minute, last_hour, last_day } = supplier.rates;
    const rows = [
        { name: 'last minute', minutes: 1, ...last_minute },
        { name: 'last hour', minutes: 60, ...last_hour },
        { name: 'last day', minutes: 1440, ...last_day },
    ];
    const columns: Column<(typeof rows)[number]>[] = [
        { name: 'time', show: (row) => row.name, cell: (row) => row.name },
        { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
        {
            name: 'records per minute',
            show: (row) => count(Math.round(row.records / row.minutes)),
            cell: (row) => Math.round(row.records / row.minutes),
            isNumber: true,
        },
        { name: 'accounts', show: (row) => count(row.accounts), cell: (row) => row.accounts, isNumber: true },
    ];
    return (
        <Section title="Throughput">
            <Table name="throughput" columns={columns} rows={rows} empty="" />
        </Section>
    );
}

const none: readonly string[] = [];
const same = (text: string): string => text;

function RefusalTable({ refusals, codes }: { refusals: Refusals; codes: Map<string, Code> }) {
    const codeOf = (row: Refusals['kinds'][number]): string => row.item_code || row.code;
    const columns: Column<Refusals['kinds'][number]>[] = [
        {
            name: 'code',
            show: (row) => {
                const known = codes.get(codeOf(row));
                return (
                    <>
                        <code>{codeOf(row)}</code>
                        {known !== undefined && (
                            <small>
                                {known.meaning} {known.action}
                            </small>
                        )}
                    </>
                );
            },
            cell: codeOf,
        },
        { name: 'place', show: (row) => <code>{row.attr || '–'}</code>, cell: (row) => row.attr },
        {
            name: 'endpoint',
            show: (row) => <code>{row.endpoint.replace('/v1/data-import/', '') || '–'}</code>,
            cell: (row) => row.endpoint,
        },
        { name: 'count', show: (row) => count(row.count), cell: (row) => row.count, isNumber: true },
        { name: 'last', show: (row) => <Time at={row.last_at} />, cell: (row) => row.last_at },
        { name: 'example: request id', show: (row) => <code class="id">{row.sample_request_id}</code>, cell: (row) => row.sample_request_id },
    ];
    return (
        <Table
            name="refusals"
            columns={columns}
            rows={refusals.kinds}
            empty="No request was refused in this time."
        />
    );
}

function RefusalsSection({ source, code }: { source: Source; code: string }) {
    const [span, setSpan] = useState<Span>('hour');
    const refusals = source.refusals!;
    const live = useLive(`refusals ${code} ${span}`, pauses[span], (signal) => refusals(code, span, signal));
    const codeList = useLive('codes', 3_600_000, (signal) => source.codes(signal));
    const codes = useMemo(() => new Map((codeList.value ?? []).map((one) => [one.code, one])), [codeList.value]);
    return (
        <Section title="Refusals" tools={<SpanChoice value={span} onChange={setSpan} />}>
            <Until live={live} notAvailable="The refusals are not available.">
                {(value) => (
                    <>
                        <Chart
                            name={`refusals of ${code}`}
                            series={value}
                            unit={`refusals in each ${duration(value.seconds * 1000)}`}
                            nameOf={same}
                            order={none}
                            empty="No request was refused in this time."
                        />
                        {value.kinds.length > 0 && (
                            <>
                                <p class="dim">
                                    Kinds of refusals, the latest first; a request counts once for each kind of error in it, and the
                                    counts are those of whole days (UTC).
                                </p>
                                <RefusalTable refusals={value} codes={codes} />
                            </>
                        )}
                    </>
                )}
            </Until>
        </Section>
    );
}

interface Figure {
    kind: string;
    figure: string;
    declared: string | undefined;
    held: string | undefined;
    difference: string | undefined;
}

/** Every figure that is held or declared, as what it is: `records`, or one of the sums. */
function figuresOf(totals: ControlTotals): Figure[] {
    const differences = new Map(totals.differences.map((one) => [`${one.kind} ${one.figure}`, one.difference]));
    const figure = (kind: string, name: string, declared?: string, held?: string): Figure => ({
        kind,
        figure: name,
        declared,
        held,
        difference: differences.get(`${kind} ${name}`),
    });
    const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));
    const declaredKinds = totals.declared?.kinds ?? {};
    const names = [...new Set([...kinds, ...Object.keys(totals.kinds), ...Object.keys(declaredKinds)])];
    return [
        figure('accounts', 'accounts', text(totals.declared?.accounts), String(allOf(totals.accounts))),
        ...names
            .filter((name) => totals.kinds[name] !== undefined || declaredKinds[name] !== undefined)
            .flatMap((name) => {
                const held = totals.kinds[name];
                const declared = declaredKinds[name];
                const sums = [...new Set([...Object.keys(held?.sums ?? {}), ...Object.keys(declared?.sums ?? {})])].sort();
                return [
                    figure(name, 'records', text(declared?.records), text(held?.records ?? 0)),
                    ...sums.map((sum) => figure(name, sum, declared?.sums?.[sum], held?.sums?.[sum] ?? '0')),
                ];
            }),
    ];
}

function Totals({ source, code }: { source: Source; code: string }) {
    const live = useLive(`totals ${code}`, 4000, (signal) => source.controlTotals(code, signal));
    const number = (value: string | undefined): ComponentChildren =>
        value === undefined ? <span class="dim">–</span> : decimal(value);
    const columns: Column<Figure>[] = [
        { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
        { name: 'figure', show: (row) => figureName(row.figure).name, cell: (row) => row.figure },
        { name: 'unit', show: (row) => figureName(row.figure).unit, cell: (row) => figureName(row.figure).unit },
        { name: 'declared', show: (row) => number(row.declared), cell: (row) => row.declared ?? null, isNumber: true },
        { name: 'held', show: (row) => number(row.held), cell: (row) => row.held ?? null, isNumber: true },
        {
            name: 'difference',
            show: (row) => {
                if (row.difference !== undefined)
                    return (
                        <span class="different">
                            <span aria-hidden="true">≠ </span>
                            {!row.difference.startsWith('-') && '+'}
                            {decimal(row.difference)}
                        </span>
                    );
                return row.declared === undefined ? <span class="dim">–</span> : <span class="equal">✓ equal</span>;
            },
            cell: (row) => row.difference ?? (row.declared === undefined ? null : '0'),
            isNumber: true,
        },
    ];
    return (
        <Section title="Control totals" tools={<VerdictMark verdict={live.value?.verdict} />}>
            <Until live={live} notAvailable="Control totals are not available: this version of the service does not have them.">
                {(totals) => (
                    <>
                        {totals.verdict === 'UNDECLARED' && (
                            <Notice>
                                Nothing to compare with yet: the supplier declares what it has with{' '}
                                <code>PUT /v1/data-import/control-totals/{code}/</code>.
                            </Notice>
                        )}
                        <Table
                            name="control totals"
                            columns={columns}
                            rows={figuresOf(totals)}
                            empty=""
                            rowClass={(row) => (row.difference === undefined ? undefined : 'is-different')}
                        />
                        <p class="dim">
                            As of <Time at={totals.as_of} />. The difference is what is held minus what was declared.
                        </p>
                    </>
                )}
            </Until>
        </Section>
    );
}

function accountLink(code: string, number: string) {
    return (
        <a href={addressOf({ view: 'account', code, number })} title={number}>
            {number}
        </a>
    );
}

function byReason(accounts: OpenAccount[]): [string, number][] {
    const reasons = new Map<string, number>();
    for (const { reason } of accounts) reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1);
    return [...reasons].sort((one, other) => other[1] - one[1]);
}

function Failed({ live, code }: { live: Live<OpenAccounts>; code: string }) {
    const columns: Column<OpenAccount>[] = [
        {
            name: 'account',
            show: (row) => accountLink(code, row.external_account_number),
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        { name: 'reason', show: (row) => row.reason || <span class="dim">none was given</span>, cell: (row) => row.reason },
        { name: 'failed', show: (row) => <Time at={row.since} />, cell: (row) => row.since },
        ...(live.value?.items.some((row) => row.attempts !== undefined) === true
            ? [{ name: 'attempts', show: (row: OpenAccount) => row.attempts, cell: (row: OpenAccount) => row.attempts ?? null, isNumber: true }]
            : []),
    ];
    return (
        <Section title="Failed accounts">
            <Until live={live} notAvailable="The list of failed accounts is not available: this version of the service does not tell it.">
                {({ items, hasMore }) => {
                    const reasons = byReason(items);
                    return (
                        <>
                            {reasons.length > 1 && (
                                <ul class="reasons">
                                    {reasons.slice(0, 5).map(([reason, accounts]) => (
                                        <li key={reason}>
                                            <b>{count(accounts)}</b> {reason || 'without a reason'}
                                        </li>
                                    ))}
                                </ul>
                            )}
                            <Table name="failed accounts" columns={columns} rows={items} empty="No account has failed." />
                            {hasMore && <p class="dim">These are {countOf(items.length, 'account')}; there may be more.</p>}
                        </>
                    );
                }}
            </Until>
        </Section>
    );
}

function InProgress({ live, code, now }: { live: Live<OpenAccounts>; code: string; now: Date }) {
    const age = (row: OpenAccount): number => now.getTime() - Date.parse(row.since);
    const long = 3_600_000;
    const columns: Column<OpenAccount>[] = [
        {
            name: 'account',
            show: (row) => accountLink(code, row.external_account_number),
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        { name: 'in progress since', show: (row) => <Time at={row.since} />, cell: (row) => row.since },
        {
            name: 'for',
            show: (row) => (
                <span class={age(row) > long ? 'warn' : undefined}>
                    {duration(age(row))}
                    {age(row) > long && ' – stuck?'}
                </span>
            ),
            cell: (row) => Math.round(age(row) / 1000),
        },
    ];
    return (
        <Section title="Accounts in progress">
            <Until live={live} notAvailable="The list of accounts in progress is not available.">
                {({ items, hasMore }) => (
                    <>
                        <Table name="accounts in progress" columns={columns} rows={items} empty="No account is in progress." />
                        {hasMore && <p class="dim">These are the {countOf(items.length, 'account')} that have been in progress for longest.</p>}
                    </>
                )}
            </Until>
        </Section>
    );
}

function Records({ supplier }: { supplier: Supplier }) {
    const columns: Column<[string, number]>[] = [
        { name: 'kind', show: ([kind]) => words(kind), cell: ([kind]) => kind },
        { name: 'records', show: ([, records]) => count(records), cell: ([, records]) => records, isNumber: true },
    ];
    return (
        <Section title="Records held">
            <Table name="records" columns={columns} rows={Object.entries(supplier.records)} empty="" />
        </Section>
    );
}

export function SupplierView({ source, code }: { source: Source; code: string }) {
    const live = useLive('suppliers', 2000, (signal) => source.suppliers(signal));
    const now = useNow();
    const failed = useLive(`failed ${code}`, 5000, (signal) => source.failed(code, signal));
    const inProgress = useLive(
        `in progress ${code}`,
        2000,
        source.inProgress === undefined ? undefined : (signal) => source.inProgress!(code, signal),
    );
    return (
        <Until live={live} notAvailable="The list of suppliers is not available: this version of the service does not tell it.">
            {(suppliers) => {
                const supplier = suppliers.find((one) => one.code === code);
                if (supplier === undefined)
                    return (
                        <Notice kind="failure">
                            There is no import supplier {code}
                            {source.kind === 'suppliers' && ' for this API key'}. <a href="#/">All suppliers</a>
                        </Notice>
                    );
                const all = allOf(supplier.accounts);
                return (
                    <>
                        <div class="title">
                            <h2>{supplier.name}</h2>
                            <code>{supplier.code}</code>
                            <Status status={supplier.status} />
                            <VerdictMark verdict={supplier.verdict} />
                        </div>
                        <div class="summary">
                            <dl class="tiles">
                                <Tile name="Imported" note={<>{count(supplier.accounts.imported)} of {countOf(all, 'account')}</>}>
                                    {share(supplier.accounts.imported, all)}
                                </Tile>
                                <Tile name="Records in the last minute" note={countOf(supplier.rates.last_minute.accounts, 'account')}>
                                    {count(supplier.rates.last_minute.records)}
                                </Tile>
                                <Tile name="Estimated end">
                                    <EstimatedEnd of={supplier} now={now} />
                                </Tile>
                                <Tile name="Last import">
                                    <LastImport at={supplier.last_import_at} now={now} />
                                </Tile>
                            </dl>
                            <Funnel accounts={supplier.accounts} />
                        </div>
                        {source.throughput === undefined ? (
                            <OwnThroughput supplier={supplier} />
                        ) : (
                            <Throughput source={source} code={code} />
                        )}
                        <div class="columns">
                            <Totals source={source} code={code} />
                            <Records supplier={supplier} />
                        </div>
                        {source.refusals !== undefined && <RefusalsSection source={source} code={code} />}
                        <div class="columns">
                            <Failed live={failed} code={code} />
                            {source.inProgress !== undefined && <InProgress live={inProgress} code={code} now={now} />}
                        </div>
                    </>
                );
            }}
        </Until>
    );
}
