// How fast a migration goes.
import { useMemo, useState } from 'preact/hooks';
import { Chart } from './chart';
import { count, words } from './format';
import { kinds } from './kinds';
import { useLive } from './live';
import type { Series, Source, Span, Supplier } from './model';
import { type Column, Section, Table, Until } from './parts';
import { pauses, SpanChoice } from './span';

const onlyAccounts = ({ counts, ...series }: Series): Series => ({
    ...series,
    counts: counts['accounts'] === undefined ? {} : { accounts: counts['accounts'] },
});
const withoutAccounts = ({ counts: { accounts: _, ...counts }, ...series }: Series): Series => ({ ...series, counts });

const accountOrder = ['accounts'] as const;

function Curves({ series, code, nothing }: { series: Series; code: string; nothing: string }) {
    const records = useMemo(() => withoutAccounts(series), [series]);
    const accounts = useMemo(() => onlyAccounts(series), [series]);
    return (
        <div class="columns wide-first">
            <div>
                <h3>Records by kind</h3>
                <Chart
                    name={`records of ${code}`}
                    series={records}
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
                    series={accounts}
                    unit="accounts imported per minute"
                    isRate
                    nameOf={words}
                    order={accountOrder}
                    empty={nothing}
                />
            </div>
        </div>
    );
}

export function Throughput({ source, code }: { source: Source; code: string }) {
    const [span, setSpan] = useState<Span>('hour');
    const throughput = source.throughput!;
    const live = useLive(`throughput ${code} ${span}`, pauses[span], (signal) => throughput(code, span, signal));
    const nothing = span === 'all' ? 'Nothing has been imported yet.' : 'Nothing was imported in this time.';
    return (
        <Section title="Throughput" tools={<SpanChoice value={span} onChange={setSpan} />}>
            <Until live={live} notAvailable="The curve is not available.">
                {(series) => <Curves series={series} code={code} nothing={nothing} />}
            </Until>
        </Section>
    );
}

/** The last day in three figures, and the curve since this page is open: for those whom nobody tells more. */
export function OwnThroughput({ source, supplier }: { source: Source; supplier: Supplier }) {
    const curve = useMemo(() => source.ownCurve?.(supplier.code), [source, supplier]);
    const { last_minute, last_hour, last_day } = supplier.rates;
    const rows = [
        { name: 'last minute', minutes: 1, ...last_minute },
        { name: 'last hour', minutes: 60, ...last_hour },
        { name: 'last day', minutes: 1440, ...last_day! },
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
            {curve !== undefined && (
                <>
                    <p class="dim">Since you have signed in:</p>
                    <Curves
                        series={curve}
                        code={supplier.code}
                        nothing="Nothing has been imported since you have signed in."
                    />
                </>
            )}
        </Section>
    );
}
