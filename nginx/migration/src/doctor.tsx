// The findings of doctor on the hosts of the service.
import { Command } from './command';
import { countOf, duration } from './format';
import { type Live, useLive } from './live';
import type { DoctorRun, Source } from './model';
import { Code, type Column, Notice, Section, Table, Time, Until, Words } from './parts';

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
    { name: 'subject', show: (row) => <Words text={row.subject} />, cell: (row) => row.subject },
    {
        name: 'finding',
        isText: true,
        show: (row) => (
            <>
                <Words text={row.finding} />
                {row.remedy !== null && (
                    <small>
                        <Code text={row.remedy} />
                    </small>
                )}
            </>
        ),
        cell: (row) => (row.remedy === null ? row.finding : `${row.finding}: ${row.remedy}`),
    },
];

/** Shows the fault that doctor has found in the control totals of a supplier. Only doctor compares them with the records. */
export function FaultsOfTotals({ live, code }: { live: Live<DoctorRun[]>; code: string }) {
    const isOfTotals = ({ subject, health }: Finding): boolean => subject === 'control totals' && health !== 'unseen';
    const [newest] = (live.value ?? [])
        .filter((run) => run.findings.some(isOfTotals))
        .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    const fault = newest?.findings.find((one) => isOfTotals(one) && one.finding.startsWith(`those of ${code} are not `));
    if (newest === undefined || fault === undefined) return null;
    return (
        <div class="answer bad">
            <p>
                Doctor on the control totals, <Time at={newest.at} />: <Words text={fault.finding} />.
            </p>
            {fault.remedy !== null && (
                <p class="next">
                    Make the totals those of the records: <Command text={fault.remedy} />
                </p>
            )}
        </div>
    );
}

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
                            Nobody has looked yet: <Code text="data-importctl doctor" />, as root on each host, finds what is
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
