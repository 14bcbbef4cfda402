// The speed of a migration.
import { useMemo, useState } from 'preact/hooks';
import { Chart } from './chart';
import { words } from './format';
import { useLive } from './live';
import type { Series, Source, Span } from './model';
import { Section, Until } from './parts';
import { pauses, SpanChoice } from './span';

const onlyAccounts = ({ counts, ...series }: Series): Series => ({
    ...series,
    counts: counts['accounts'] === undefined ? {} : { accounts: counts['accounts'] },
});
const withoutAccounts = ({ counts: { accounts: _, ...counts }, ...series }: Series): Series => ({ ...series, counts });

const accountOrder = ['accounts'] as const;

interface Curve {
    series: Series;
    code: string;
    kinds: readonly string[];
    nothing: string;
}

function Curves({ series, code, kinds, nothing }: Curve) {
    const records = useMemo(() => withoutAccounts(series), [series]);
    const accounts = useMemo(() => onlyAccounts(series), [series]);
    const names = kinds.join(' ');
    const order = useMemo(() => names.split(' '), [names]); // each answer brings the kinds in a new array
    return (
        <div class="columns wide-first">
            <div>
                <h3>Records by kind</h3>
                <Chart
                    name={`stored records over time of ${code}`}
                    series={records}
                    unit="records per minute"
                    isRate
                    nameOf={words}
                    order={order}
                    empty={nothing}
                />
            </div>
            <div>
                <h3>Accounts</h3>
                <Chart
                    name={`imported accounts over time of ${code}`}
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

export function Throughput({ source, code, kinds }: { source: Source; code: string; kinds: readonly string[] }) {
    const [span, setSpan] = useState<Span>('hour');
    const live = useLive(`throughput ${code} ${span}`, pauses[span], (signal) => source.throughput(code, span, signal));
    const nothing = span === 'all' ? 'Nothing has been imported yet.' : 'Nothing was imported in this time.';
    return (
        <Section title="Throughput" tools={<SpanChoice value={span} onChange={setSpan} />}>
            <Until live={live} notAvailable="The curve is not available.">
                {(series) => <Curves series={series} code={code} kinds={kinds} nothing={nothing} />}
            </Until>
        </Section>
    );
}
