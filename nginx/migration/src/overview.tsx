// All suppliers at a glance: together, and each by itself, the worst first.
import { useEffect, useState } from 'preact/hooks';
import { ActButton } from './acting';
import { createSupplier } from './acts';
import { Consumers } from './consumers';
import { useFile } from './files';
import { age, type Cell, count, countOf, duration, words } from './format';
import { useLive, useNow } from './live';
import { type Accounts, allOf, type Series, type Source, states, type Supplier } from './model';
import { addressOf } from './route';
import { AboutImported, Ago, Choice, Code, type Column, Funnel, importedShare, Notice, Section, Table, Tile, Time, Until, VerdictMark } from './parts';
import { Spark } from './spark';
import {
    type Fare,
    FareMark,
    fareOf,
    gravityOf,
    isExpectedLate,
    isLate,
    isSigned,
    lookOf,
    needsAttention,
    plannedDay,
} from './state';

const fileColumns: [string, (supplier: Supplier) => Cell | undefined][] = [
    ['code', (one) => one.code],
    ['name', (one) => one.name],
    ['status', (one) => one.status],
    ['as of (UTC)', (one) => one.as_of],
    ...states.map((state): (typeof fileColumns)[number] => [words(state), (one) => one.accounts[state]]),
    ['accounts imported in the last minute', (one) => one.rates.last_minute.accounts],
    ['records stored in the last minute', (one) => one.rates.last_minute.records],
    ['records stored in the last hour', (one) => one.rates.last_hour.records],
    ['planned end', (one) => one.planned_end],
    ['estimated end (UTC)', (one) => one.estimated_end_at],
    ['stands still since (UTC)', (one) => one.stands_still_since],
    ['last import (UTC)', (one) => one.last_import_at],
    ['control totals', (one) => one.verdict],
    ['signed (UTC)', (one) => one.signed_at],
    ['changed since signed', (one) => (one.signed_at == null ? null : String(one.has_changed_since_signed))],
    ['refusals of the last hour', (one) => one.refused_last_hour],
    ['oldest account in progress', (one) => one.oldest_in_progress?.external_account_number],
    ['in progress since (UTC)', (one) => one.oldest_in_progress?.since],
];

const file = (suppliers: Supplier[]): Cell[][] => [
    fileColumns.map(([name]) => name),
    ...suppliers.map((supplier) => fileColumns.map(([, cell]) => cell(supplier) ?? null)),
];

/** The planned end, and whether it is kept. */
export function PlannedEnd({ of, now }: { of: Supplier; now: Date }) {
    if (of.planned_end == null) return null;
    const word = isLate(of, now) ? ', late' : isExpectedLate(of) ? ', expected late' : '';
    return (
        <small class={word === '' ? 'dim' : 'warn'}>
            planned for {plannedDay(of)}
            {word}
        </small>
    );
}

/** The estimate and what it leaves out, or the reason why there is none. */
export function EstimatedEnd({ of, now }: { of: Supplier; now: Date }) {
    const { imported, failed } = of.accounts;
    if (of.estimated_end_at !== null)
        return (
            <>
                <Time at={of.estimated_end_at} isToCome />{' '}
                <span class="dim">
                    in {duration(Date.parse(of.estimated_end_at) - now.getTime())}
                    {failed > 0 && `, without ${countOf(failed, 'failed', 'failed')}`}
                </span>
            </>
        );
    if (of.stands_still_since !== null)
        return <span class="warn">has stood still for {age(of.stands_still_since, now)}</span>;
    if (allOf(of.accounts) === 0) return <span class="dim">no accounts yet</span>;
    if (imported === allOf(of.accounts)) return <>all accounts imported</>;
    if (imported + failed === allOf(of.accounts))
        return <span class="warn">{countOf(failed, 'failed', 'failed')}, all others are imported</span>;
    if (of.status !== 'Ongoing') return <span class="dim">{of.status.toLowerCase()}</span>;
    return <span class="dim">no account imported in the last ten minutes</span>;
}

export function LastImport({ at, now }: { at: string | null; now: Date }) {
    if (at === null) return <span class="dim">nothing yet</span>;
    return (
        <>
            <Time at={at} /> <span class="dim nowrap">{duration(now.getTime() - Date.parse(at))} ago</span>
        </>
    );
}

/** The records of each minute of the last hour: of one supplier, or of all. The last minute is not over. */
function minutesOf(series: Series | undefined, code?: string): number[] {
    if (series === undefined) return [];
    const chosen = code === undefined ? Object.values(series.counts) : [series.counts[code] ?? []];
    const length = Math.max(0, ...Object.values(series.counts).map((one) => one.length));
    const minutes = Array.from({ length }, (_, place) => chosen.reduce((sum, one) => sum + (one[place] ?? 0), 0));
    return minutes.slice(0, -1);
}

/** Tells when the last supplier will be done, and which suppliers have no estimated end. */
function EndOfAll({ suppliers, now }: { suppliers: Supplier[]; now: Date }) {
    const ends = suppliers.flatMap((one) => (one.estimated_end_at === null ? [] : [one.estimated_end_at]));
    const last = ends.sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1);
    const isOpen = (one: Supplier): boolean => one.accounts.staged + one.accounts.in_progress > 0;
    const endless = suppliers.filter((one) => isOpen(one) && one.estimated_end_at === null).length;
    const failed = suppliers.reduce((sum, one) => sum + one.accounts.failed, 0);
    const without = [endless > 0 && countOf(endless, 'supplier'), failed > 0 && countOf(failed, 'failed account')].filter(
        (one) => one !== false,
    );
    if (last === undefined && endless === 0 && failed > 0)
        return <span class="warn">{countOf(failed, 'failed', 'failed')}, all others are imported</span>;
    if (suppliers.every((one) => allOf(one.accounts) === 0)) return <span class="dim">no accounts yet</span>;
    return (
        <>
            {last === undefined ? (
                endless > 0 ? 'not in sight' : 'all accounts imported'
            ) : (
                <>
                    <Time at={last} isToCome /> <span class="dim">in {duration(Date.parse(last) - now.getTime())}</span>
                </>
            )}
            {last !== undefined && without.length > 0 && <span class="dim">{without.join(' and ')} not included</span>}
        </>
    );
}

/** The figures of all suppliers together. */
function Strip({ suppliers, series, now }: { suppliers: Supplier[]; series: Series | undefined; now: Date }) {
    const sum = (figure: (one: Supplier) => number): number =>
        suppliers.reduce((known, one) => known + figure(one), 0);
    const accounts = Object.fromEntries(states.map((state) => [state, sum((one) => one.accounts[state])])) as Accounts;
    const all = allOf(accounts);
    const wanting = suppliers.filter((one) => needsAttention(fareOf(one, now))).length;
    const minutes = minutesOf(series);
    return (
        <div class="summary">
            <dl class="tiles">
                <Tile
                    name="Accounts imported"
                    note={`${count(accounts.imported)} of ${countOf(all, 'account')} of ${countOf(suppliers.length, 'supplier')}`}
                >
                    {importedShare(accounts)}
                </Tile>
                <Tile
                    name="Records in the last minute"
                    note={`${countOf(
                        sum((one) => one.rates.last_hour.records),
                        'record',
                    )} in the last hour`}
                >
                    {count(sum((one) => one.rates.last_minute.records))} {minutes.length > 1 && <Spark values={minutes} />}
                </Tile>
                <Tile name="Estimated end">
                    <EndOfAll suppliers={suppliers} now={now} />
                </Tile>
                <Tile
                    name="Need attention"
                    note={`${countOf(
                        sum((one) => one.refused_last_hour),
                        'refusal',
                    )} in the last hour`}
                >
                    {wanting === 0 ? <span class="equal">none</span> : countOf(wanting, 'supplier')}
                </Tile>
            </dl>
            <Funnel accounts={accounts} />
            <AboutImported />
        </div>
    );
}

function Card({ supplier, now }: { supplier: Supplier; now: Date }) {
    const all = allOf(supplier.accounts);
    const { last_minute, last_hour } = supplier.rates;
    const oldest = supplier.oldest_in_progress;
    return (
        <article class="card" aria-label={`${supplier.name} (${supplier.code})`}>
            <header>
                <h3 title={supplier.name}>
                    <a href={addressOf({ view: 'supplier', code: supplier.code })}>{supplier.name}</a>
                </h3>
                <code class="dim">{supplier.code}</code>
            </header>
            <FareMark of={supplier} now={now} />
            <p class="done">
                <span class="figure">{importedShare(supplier.accounts)}</span> of {countOf(all, 'account')}{' '}
                imported
            </p>
            <Funnel accounts={supplier.accounts} />
            <dl class="facts">
                <dt>Estimated end</dt>
                <dd>
                    <EstimatedEnd of={supplier} now={now} /> <PlannedEnd of={supplier} now={now} />
                </dd>
                <dt>Last minute</dt>
                <dd>
                    {countOf(last_minute.records, 'record')}, {countOf(last_minute.accounts, 'account')} imported
                </dd>
                <dt>Last hour</dt>
                <dd>
                    {countOf(last_hour.records, 'record')}, {countOf(last_hour.accounts, 'account')} imported
                </dd>
                <dt>Last import</dt>
                <dd>
                    <LastImport at={supplier.last_import_at} now={now} />
                </dd>
                <dt>Control totals</dt>
                <dd>
                    <VerdictMark verdict={supplier.verdict} isExplained={isSigned(supplier) || undefined} />
                </dd>
                <dt>Refusals, last hour</dt>
                <dd class={lookOf(supplier, 'refused')}>{count(supplier.refused_last_hour)}</dd>
                <dt>Oldest in progress</dt>
                <dd>
                    {oldest === null ? (
                        <span class="dim">none</span>
                    ) : (
                        <>
                            <a
                                href={addressOf({
                                    view: 'account',
                                    code: supplier.code,
                                    number: oldest.external_account_number,
                                })}
                            >
                                {oldest.external_account_number}
                            </a>{' '}
                            <span class="dim nowrap">for {duration(now.getTime() - Date.parse(oldest.since))}</span>
                        </>
                    )}
                </dd>
            </dl>
        </article>
    );
}

const number = (at: string | null): number => (at === null ? 0 : Date.parse(at));

function tableColumns(series: Series | undefined, now: Date): Column<Supplier>[] {
    return [
        {
            name: 'supplier',
            show: (one) => (
                <>
                    <a href={addressOf({ view: 'supplier', code: one.code })} title={one.name}>
                        {one.name}
                    </a>
                    <small>
                        <Code text={one.code} />
                    </small>
                </>
            ),
            cell: (one) => one.code,
            sort: (one) => one.name,
        },
        {
            name: 'state',
            show: (one) => <FareMark of={one} now={now} />,
            cell: (one) => fareOf(one, now).words,
            sort: (one) => gravityOf(one, now),
        },
        {
            name: 'imported',
            show: (one) => (
                <>
                    {importedShare(one.accounts)}
                    <small>of {count(allOf(one.accounts))}</small>
                </>
            ),
            cell: (one) => one.accounts.imported,
            isNumber: true,
            sort: (one) => one.accounts.imported / Math.max(1, allOf(one.accounts)),
        },
        {
            name: 'failed',
            show: (one) => <span class={lookOf(one, 'failed')}>{count(one.accounts.failed)}</span>,
            cell: (one) => one.accounts.failed,
            isNumber: true,
            sort: (one) => one.accounts.failed,
        },
        {
            name: 'refused / h',
            show: (one) => <span class={lookOf(one, 'refused')}>{count(one.refused_last_hour)}</span>,
            cell: (one) => one.refused_last_hour,
            isNumber: true,
            sort: (one) => one.refused_last_hour,
        },
        {
            name: 'records / h',
            show: (one) => (
                <>
                    <b>{count(one.rates.last_hour.records)}</b>
                    {one.rates.last_hour.records > 0 && series !== undefined && (
                        <Spark values={minutesOf(series, one.code)} />
                    )}
                </>
            ),
            cell: (one) => one.rates.last_hour.records,
            isNumber: true,
            sort: (one) => one.rates.last_hour.records,
        },
        {
            name: 'estimated end',
            show: (one) => (
                <>
                    {one.estimated_end_at === null ? <span class="dim">–</span> : <Time at={one.estimated_end_at} isToCome />}
                    <PlannedEnd of={one} now={now} />
                </>
            ),
            cell: (one) => one.estimated_end_at,
            sort: (one) => number(one.estimated_end_at),
        },
        {
            name: 'last import',
            show: (one) =>
                one.last_import_at === null ? <span class="dim">–</span> : <Ago at={one.last_import_at} now={now} />,
            cell: (one) => one.last_import_at,
            sort: (one) => number(one.last_import_at),
        },
        {
            name: 'control totals',
            show: (one) =>
                one.verdict === 'UNDECLARED' ? (
                    <span class="dim">undeclared</span>
                ) : (
                    <VerdictMark verdict={one.verdict} isExplained={isSigned(one) || undefined} />
                ),
            cell: (one) => one.verdict,
            sort: (one) => one.verdict,
        },
    ];
}

const shownSuppliers = { all: 'All', wanting: 'Need attention', open: 'Open' };
type Shown = keyof typeof shownSuppliers;

const isShown = (of: Supplier, fare: Fare, shown: Shown, text: string): boolean =>
    (shown === 'all' ||
        (shown === 'wanting' ? needsAttention(fare) : of.accounts.imported < allOf(of.accounts))) &&
    [of.code, of.name, fare.words].some((one) => one.toLowerCase().includes(text));

function Suppliers({ suppliers, series, now }: { suppliers: Supplier[]; series: Series | undefined; now: Date }) {
    const [text, setText] = useState('');
    const [shown, setShown] = useState<Shown>('all');
    const chosen = suppliers.filter((one) => isShown(one, fareOf(one, now), shown, text.trim().toLowerCase()));
    return (
        <Section
            title={chosen.length === suppliers.length ? 'Suppliers' : `${count(chosen.length)} of ${countOf(suppliers.length, 'supplier')}`}
            tools={
                <div class="tools">
                    <ActButton act={createSupplier} />
                    <Choice name="Which suppliers" words={shownSuppliers} value={shown} onChange={setShown} />
                    <input
                        type="search"
                        class="filter"
                        aria-label="Filter by name, code or state"
                        placeholder="Filter"
                        value={text}
                        onInput={(event) => setText(event.currentTarget.value)}
                    />
                </div>
            }
        >
            <Table
                look="suppliers"
                name="suppliers by state"
                columns={tableColumns(series, now)}
                rows={chosen}
                empty="No supplier is like that."
                length={25}
                sortedBy="state"
            />
        </Section>
    );
}

/** The largest number of suppliers that are shown as cards. */
const mostCards = 3;

function AllSuppliers({ suppliers, source }: { suppliers: Supplier[]; source: Source }) {
    const now = useNow();
    const activity = useLive('throughput by supplier', 10_000, source.throughputBySupplier);
    useFile('suppliers', () => file(suppliers));
    return (
        <>
            <Strip suppliers={suppliers} series={activity.value} now={now} />
            {suppliers.length <= mostCards ? (
                <Section title="Suppliers" tools={<ActButton act={createSupplier} />}>
                    <div class="cards">
                        {suppliers.map((supplier) => (
                            <Card key={supplier.code} supplier={supplier} now={now} />
                        ))}
                    </div>
                </Section>
            ) : (
                <Suppliers suppliers={suppliers} series={activity.value} now={now} />
            )}
            {source.consumers !== undefined && <Consumers ask={source.consumers} now={now} />}
        </>
    );
}

/** Leads to the only supplier that a key is for. */
function Only({ code }: { code: string }) {
    useEffect(() => location.replace(addressOf({ view: 'supplier', code })), [code]);
    return <p class="notice waiting">Loading …</p>;
}

export function Overview({ source }: { source: Source }) {
    const live = useLive('suppliers', 2000, (signal) => source.suppliers(signal));
    return (
        <Until
            live={live}
            notAvailable="The list of suppliers is not available: this version of the service does not tell it."
        >
            {(suppliers) => {
                if (suppliers.length === 0)
                    return (
                        <Notice>
                            {source.kind === 'operators' ? (
                                <>
                                    There are no import suppliers yet.{' '}
                                    <Code text="data-importctl supplier create CODE --name NAME" /> creates one. <ActButton act={createSupplier} />
                                </>
                            ) : (
                                'This API key may touch no import supplier. Ask the operator of the service to set its scope.'
                            )}
                        </Notice>
                    );
                if (source.kind === 'suppliers' && suppliers.length === 1) return <Only code={suppliers[0]!.code} />;
                return <AllSuppliers suppliers={suppliers} source={source} />;
            }}
        </Until>
    );
}
