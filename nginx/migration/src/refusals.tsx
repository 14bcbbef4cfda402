// The refusals: how often and why.
import { useMemo, useState } from 'preact/hooks';
import { Chart } from './chart';
import { Command } from './command';
import { count, quoted } from './format';
import { useLive } from './live';
import { MailButton } from './mail';
import type { Code, RefusalKind, Refusals, Source, Span } from './model';
import { Code as Marked, type Column, RequestId, Section, Sentence, Table, Time, Until } from './parts';
import { pauses, SpanChoice } from './span';

const none: readonly string[] = [];
const same = (text: string): string => text;
const units: Record<Span, string> = {
    hour: 'refusals per minute',
    day: 'refusals in 5 minutes',
    all: 'refusals per hour',
};
// The explanation of a code that the log has although nothing was refused.
type Known = Pick<Code, 'meaning' | 'action'>;
const differs: Known = {
    meaning: 'A stored transaction was sent again with other content. The answer was 201, but the stored one was not changed.',
    action: 'If the new content is right, the operator resets the account, which removes all its records, and the supplier sends all of them again.',
};

const codeOf = (row: RefusalKind): string => row.item_code || row.code;

function RefusalTable({ refusals, known: knownOf }: { refusals: Refusals; known: (row: RefusalKind) => Known | undefined }) {
    const columns: Column<RefusalKind>[] = [
        {
            name: 'code',
            show: (row) => {
                const known = knownOf(row);
                return (
                    <>
                        <Marked text={codeOf(row)} />
                        {row.detail && (
                            <small>
                                <Sentence text={row.detail} />
                            </small>
                        )}
                        {known !== undefined && (
                            <small class={row.detail ? 'dim' : undefined}>
                                <Sentence text={row.detail ? known.action : `${known.meaning} ${known.action}`} />
                            </small>
                        )}
                    </>
                );
            },
            cell: codeOf,
        },
        ...(refusals.kinds.some((row) => row.detail)
            ? [{ name: 'sentence of the last', isFileOnly: true, show: () => null, cell: (row: RefusalKind) => row.detail ?? '' }]
            : []),
        {
            name: 'where',
            show: (row) => (
                <>
                    {row.attr !== '' && <Marked text={row.attr} />}
                    <small>
                        {row.endpoint === '' ? '–' : <Marked text={row.endpoint.replace('/v1/data-import/', '')} />}
                    </small>
                </>
            ),
            cell: (row) => `${row.endpoint} ${row.attr}`.trim(),
        },
        {
            name: 'count',
            show: (row) => count(row.count),
            cell: (row) => row.count,
            isNumber: true,
            sort: (row) => row.count,
        },
        {
            name: 'last',
            show: (row) => <Time at={row.last_at} />,
            cell: (row) => row.last_at,
            sort: (row) => Date.parse(row.last_at),
        },
        {
            name: 'request of the last',
            show: (row) => <RequestId id={row.sample_request_id} />,
            cell: (row) => row.sample_request_id,
        },
    ];
    return (
        <Table
            look="refusals"
            name="kinds of refusals"
            columns={columns}
            rows={refusals.kinds}
            empty="No request was refused in this time."
            length={6}
        />
    );
}

export function RefusalsSection({ source, code }: { source: Source; code: string }) {
    const [span, setSpan] = useState<Span>('hour');
    const live = useLive(`refusals ${code} ${span}`, pauses[span], (signal) => source.refusals(code, span, signal));
    const codeList = useLive('codes', 3_600_000, (signal) => source.codes(signal));
    const codes = useMemo(() => new Map((codeList.value ?? []).map((one) => [one.code, one])), [codeList.value]);
    const knownOf = (row: RefusalKind): Known | undefined =>
        codeOf(row) === 'transaction_differs' ? differs : codes.get(codeOf(row));
    return (
        <Section title="Refusals" tools={<SpanChoice value={span} onChange={setSpan} />}>
            <Until live={live} notAvailable="The refusals are not available.">
                {(value) => (
                    <>
                        <Chart
                            name={`refusals over time of ${code}`}
                            series={value}
                            unit={units[span]}
                            isStack
                            nameOf={same}
                            order={none}
                            empty="No request was refused in this time."
                        />
                        {value.kinds.length > 0 && (
                            <>
                                <p class="dim">
                                    Kinds of refusals, the latest first. A request counts once for each kind of error in
                                    it. The counts are of whole days (UTC), also if you have chosen the last hour.
                                </p>
                                {source.kind === 'operators' &&
                                    value.kinds.some((kind) => kind.code === 'account_not_found') && (
                                        <p>
                                            The account numbers that are not known here:{' '}
                                            <Command text={`data-importctl import log --supplier=${quoted(code)} --unknown`} />
                                        </p>
                                    )}
                                {source.refusalExamples !== undefined && (
                                    <MailButton source={source} code={code} refusals={value} known={knownOf} />
                                )}
                                <RefusalTable refusals={value} known={knownOf} />
                            </>
                        )}
                    </>
                )}
            </Until>
        </Section>
    );
}
