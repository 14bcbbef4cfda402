// The refusals: how often and why.
import { useMemo, useState } from 'preact/hooks';
import { Chart } from './chart';
import { count } from './format';
import { useLive } from './live';
import type { Code, Refusals, Source, Span } from './model';
import { type Column, RequestId, Section, Table, Time, Until } from './parts';
import { pauses, SpanChoice } from './span';

const units: Record<Span, string> = {
    hour: 'refusals per minute',
    day: 'refusals in 5 minutes',
    all: 'refusals per hour',
};
const none: readonly string[] = [];
const same = (text: string): string => text;

// A code of the log that is no refusal.
const differs: Pick<Code, 'meaning' | 'action'> = {
    meaning: 'A transaction that is there came again with other content: it was answered 201, and what is stored stayed.',
    action: 'Where the new content is right, have the account reset and import it again.',
};

function RefusalTable({ refusals, codes }: { refusals: Refusals; codes: Map<string, Code> }) {
    const codeOf = (row: Refusals['kinds'][number]): string => row.item_code || row.code;
    const columns: Column<Refusals['kinds'][number]>[] = [
        {
            name: 'code',
            show: (row) => {
                const known = codeOf(row) === 'transaction_differs' ? differs : codes.get(codeOf(row));
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
        {
            name: 'example: request id',
            show: (row) => <RequestId id={row.sample_request_id} />,
            cell: (row) => row.sample_request_id,
        },
    ];
    return (
        <Table name="refusals" columns={columns} rows={refusals.kinds} empty="No request was refused in this time." />
    );
}

export function RefusalsSection({ source, code }: { source: Source; code: string }) {
    const [span, setSpan] = useState<Span>('hour');
    const live = useLive(`refusals ${code} ${span}`, pauses[span], (signal) => source.refusals(code, span, signal));
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
                            unit={units[span]}
                            nameOf={same}
                            order={none}
                            empty="No request was refused in this time."
                        />
                        {value.kinds.length > 0 && (
                            <>
                                <p class="dim">
                                    Kinds of refusals, the latest first; a request counts once for each kind of error in
                                    it, and the counts are those of whole days (UTC).
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
