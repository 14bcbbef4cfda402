// The findings of doctor on the hosts of the service.
import { countOf, duration } from './format';
import { useLive } from './live';
import type { DoctorRun, Source } from './model';
import { type Column, Notice, Section, Table, Time, Until } from './parts';

type Finding = DoctorRun['findings'][number];

const marks: Record<Finding['health'], { sign: string; text: string; look: string }> = {
    ok: { sign: '✓', text: 'ok', look: 'equal' },
    warning: { sign: '!', text: 'warning', look: 'warning' },
    fault: { sign: '✕', text: 'fault', look: 'different' },
    unseen: { sign: '?', text: 'not checked', look: 'undeclared' },
};
const order: Finding['health'][] = ['fault', 'warning', 'unseen'];

const columns: Column<Finding>[] = [
    {
        name: 'health',
        show: ({ health }) => (
            <span class={`mark ${marks[health].look}`}>
                <span aria-hidden="true">{marks[health].sign}</span> {marks[health].text}
            </span>
        ),
        cell: (row) => row.health,
    },
    { name: 'subject', show: (row) => row.subject, cell: (row) => row.subject },
    {
        name: 'finding',
        show: (row) => (
            <>
                {row.finding}
                {row.remedy !== null && (
                    <small>
                        <code>{row.remedy}</code>
                    </small>
                )}
            </>
        ),
        cell: (row) => (row.remedy === null ? row.finding : `${row.finding}: ${row.remedy}`),
    },
];

/** The findings of one host. Findings that are right are only counted. */
function Host({ run, now }: { run: DoctorRun; now: Date }) {
    const right = run.findings.filter((one) => one.health === 'ok').length;
    const others = run.findings
        .filter((one) => one.health !== 'ok')
        .sort((one, other) => order.indexOf(one.health) - order.indexOf(other.health));
    return (
        <>
            <h3>{run.host}</h3>
            <p class="dim">
                Looked at by {run.system_user} <Time at={run.at} />, {duration(now.getTime() - Date.parse(run.at))} ago:{' '}
                {countOf(right, 'thing is', 'things are')} right.
            </p>
            <Table
                name={`findings of doctor on ${run.host}`}
                columns={columns}
                rows={others}
                empty="Nothing is wrong."
            />
        </>
    );
}

export function Doctor({ source, now }: { source: Source; now: Date }) {
    const live = useLive('doctor', 30_000, (signal) => source.doctor!(signal));
    return (
        <Section title="Findings of doctor">
            <Until live={live} notAvailable="The findings of doctor are not available.">
                {(runs) =>
                    runs.length === 0 ? (
                        <Notice>
                            Nobody has looked yet: <code>data-importctl doctor</code>, as root on each host, finds what is
                            wrong, and this page shows it.
                        </Notice>
                    ) : (
                        <>
                            {runs.map((run) => (
                                <Host key={run.host} run={run} now={now} />
                            ))}
                        </>
                    )
                }
            </Until>
        </Section>
    );
}
