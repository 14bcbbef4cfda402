// All suppliers at a glance.
import { type Cell, count, countOf, duration, share, words } from './format';
import { useLive, useNow } from './live';
import { type Source, states, type Supplier } from './model';
import { addressOf } from './route';
import { allOf, CsvButton, Funnel, Notice, Section, Status, Time, Until, VerdictMark } from './parts';

const columns: [string, (supplier: Supplier) => Cell | undefined][] = [
    ['code', (one) => one.code],
    ['name', (one) => one.name],
    ['status', (one) => one.status],
    ['as of (UTC)', (one) => one.as_of],
    ...states.map((state): (typeof columns)[number] => [words(state), (one) => one.accounts[state]]),
    ['accounts imported in the last minute', (one) => one.rates.last_minute.accounts],
    ['records stored in the last minute', (one) => one.rates.last_minute.records],
    ['records stored in the last hour', (one) => one.rates.last_hour.records],
    ['estimated end (UTC)', (one) => one.estimated_end_at],
    ['last import (UTC)', (one) => one.last_import_at],
    ['control totals', (one) => one.verdict],
    ['refusals of the last hour', (one) => one.refused_last_hour],
    ['oldest account in progress', (one) => one.oldest_in_progress?.external_account_number],
    ['in progress since (UTC)', (one) => one.oldest_in_progress?.since],
];

const table = (suppliers: Supplier[]): Cell[][] => [
    columns.map(([name]) => name),
    ...suppliers.map((supplier) => columns.map(([, cell]) => cell(supplier) ?? null)),
];

/** The estimate, or the reason why there is none. */
export function EstimatedEnd({ of, now }: { of: Supplier; now: Date }) {
    if (of.estimated_end_at !== null)
        return (
            <>
                <Time at={of.estimated_end_at} isToCome />{' '}
                <span class="dim">in {duration(Date.parse(of.estimated_end_at) - now.getTime())}</span>
            </>
        );
    if (allOf(of.accounts) === 0) return <span class="dim">no accounts yet</span>;
    if (of.accounts.imported === allOf(of.accounts)) return <>all imported</>;
    if (of.status !== 'Ongoing') return <span class="dim">{of.status.toLowerCase()}</span>;
    return <span class="dim">none imported in the last hour</span>;
}

export function LastImport({ at, now }: { at: string | null; now: Date }) {
    if (at === null) return <span class="dim">nothing yet</span>;
    return (
        <>
            <Time at={at} /> <span class="dim">{duration(now.getTime() - Date.parse(at))} ago</span>
        </>
    );
}

function Card({ supplier, now }: { supplier: Supplier; now: Date }) {
    const all = allOf(supplier.accounts);
    const { last_minute, last_hour } = supplier.rates;
    const oldest = supplier.oldest_in_progress;
    return (
        <article class="card" aria-label={`${supplier.name} (${supplier.code})`}>
            <header>
                <h3>
                    <a href={addressOf({ view: 'supplier', code: supplier.code })}>{supplier.name}</a>
                </h3>
                <Status status={supplier.status} />
            </header>
            <p class="dim subtitle">
                <code>{supplier.code}</code>
            </p>
            <p class="done">
                <span class="figure">{share(supplier.accounts.imported, all)}</span> of {countOf(all, 'account')}{' '}
                imported
            </p>
            <Funnel accounts={supplier.accounts} />
            <dl class="facts">
                <dt>Estimated end</dt>
                <dd>
                    <EstimatedEnd of={supplier} now={now} />
                </dd>
                <dt>Last minute</dt>
                <dd>
                    {countOf(last_minute.records, 'record')}, {countOf(last_minute.accounts, 'account')}
                </dd>
                <dt>Last hour</dt>
                <dd>
                    {countOf(last_hour.records, 'record')}, {countOf(last_hour.accounts, 'account')}
                </dd>
                <dt>Last import</dt>
                <dd>
                    <LastImport at={supplier.last_import_at} now={now} />
                </dd>
                <dt>Control totals</dt>
                <dd>
                    <VerdictMark verdict={supplier.verdict} />
                </dd>
                <dt>Refusals, last hour</dt>
                <dd class={supplier.refused_last_hour > 0 ? 'warn' : undefined}>{count(supplier.refused_last_hour)}</dd>
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
                            <span class="dim">for {duration(now.getTime() - Date.parse(oldest.since))}</span>
                        </>
                    )}
                </dd>
            </dl>
        </article>
    );
}

export function Overview({ source }: { source: Source }) {
    const live = useLive('suppliers', 2000, (signal) => source.suppliers(signal));
    const now = useNow();
    return (
        <Until
            live={live}
            notAvailable="The list of suppliers is not available: this version of the service does not tell it."
        >
            {(suppliers) => (
                <Section title="Suppliers" tools={<CsvButton name="suppliers" rows={() => table(suppliers)} />}>
                    {suppliers.length === 0 ? (
                        <Notice>
                            {source.kind === 'operators' ? (
                                <>
                                    There are no import suppliers yet.{' '}
                                    <code>data-importctl supplier create CODE --name NAME</code> creates one.
                                </>
                            ) : (
                                'This API key may touch no import supplier. Ask the operator of the service to set its scope.'
                            )}
                        </Notice>
                    ) : (
                        <div class="cards">
                            {suppliers.map((supplier) => (
                                <Card key={supplier.code} supplier={supplier} now={now} />
                            ))}
                        </div>
                    )}
                </Section>
            )}
        </Until>
    );
}
