// The service's own health, for operators, by the figures of /metrics.
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, countOf, duration, latency as shown, rate, words } from './format';
import { useLive, useNow } from './live';
import { latency, type Latency, Metrics } from './metrics';
import { Doctor } from './doctor';
import type { Circuit, Source } from './model';
import { Code, type Column, Notice, Section, Table, Tile, Time, Until } from './parts';

const window = 60_000;

interface Pool {
    name: string;
    busy: number;
    running: number;
    configured: number;
    inFlight: number;
    longest: number;
    wait: Latency;
    latency: Latency;
}

interface Endpoint {
    path: string;
    latency: Latency;
    good: number;
    refused: number;
    failed: number;
}

function poolsOf(now: Metrics, before: Metrics | undefined): Pool[] {
    return now.all('workers').map(({ labels, value }) => {
        const name = labels['pool']!;
        const of = (metric: string): number => now.value(metric, { pool: name }) ?? 0;
        return {
            name,
            busy: of('workers_busy'),
            running: value,
            configured: of('workers_configured'),
            inFlight: of('requests_in_flight'),
            longest: of('longest_request_seconds'),
            wait: latency(now, before, 'queue_wait_seconds', { pool: name }),
            latency: latency(now, before, 'request_duration_seconds', { pool: name }),
        };
    });
}

function endpointsOf(now: Metrics, before: Metrics | undefined): Endpoint[] {
    const paths = [...new Set(now.all('endpoint_duration_seconds_count').map(({ labels }) => labels['endpoint']!))];
    const requests = (path: string, from: number, to: number): number =>
        now
            .all('requests_total')
            .filter(
                ({ labels }) =>
                    labels['endpoint'] === path && Number(labels['status']) >= from && Number(labels['status']) < to,
            )
            .reduce((sum, { labels, value }) => {
                const earlier = before?.value('requests_total', { ...labels }) ?? 0;
                return sum + value - earlier;
            }, 0);
    return paths
        .map((path) => ({
            path,
            latency: latency(now, before, 'endpoint_duration_seconds', { endpoint: path }),
            good: requests(path, 200, 400),
            refused: requests(path, 400, 500),
            failed: requests(path, 500, 600),
        }))
        .filter((endpoint) => !endpoint.path.startsWith('local:'))
        .sort((one, other) => other.latency.requests - one.latency.requests || one.path.localeCompare(other.path));
}

const poolColumns: Column<Pool>[] = [
    { name: 'pool', show: (row) => row.name, cell: (row) => row.name },
    {
        name: 'workers busy',
        show: (row) => (
            <span class="busy">
                <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="rest" width="100" height="10" />
                    <rect
                        class={row.busy >= row.running && row.name !== 'health' ? 'state-failed' : 'state-imported'}
                        width={row.running === 0 ? 0 : (row.busy / row.running) * 100}
                        height="10"
                    />
                </svg>{' '}
                {count(row.busy)} of {count(row.running)}
                {row.running < row.configured && <span class="warn"> (of {count(row.configured)} configured)</span>}
            </span>
        ),
        cell: (row) => row.busy,
        isNumber: true,
    },
    { name: 'in flight', show: (row) => count(row.inFlight), cell: (row) => row.inFlight, isNumber: true },
    {
        name: 'longest',
        show: (row) => (row.longest === 0 ? '–' : shown(row.longest)),
        cell: (row) => row.longest,
        isNumber: true,
    },
    {
        name: 'waited: half within',
        show: (row) => shown(row.wait.p50),
        cell: (row) => row.wait.p50 ?? null,
        isNumber: true,
    },
    {
        name: 'waited: 99 % within',
        show: (row) => shown(row.wait.p99),
        cell: (row) => row.wait.p99 ?? null,
        isNumber: true,
    },
    {
        name: 'requests',
        show: (row) => count(row.latency.requests),
        cell: (row) => row.latency.requests,
        isNumber: true,
    },
    {
        name: 'worked: half within',
        show: (row) => shown(row.latency.p50),
        cell: (row) => row.latency.p50 ?? null,
        isNumber: true,
    },
    {
        name: 'worked: 99 % within',
        show: (row) => shown(row.latency.p99),
        cell: (row) => row.latency.p99 ?? null,
        isNumber: true,
    },
];

const endpointColumns: Column<Endpoint>[] = [
    { name: 'endpoint', show: (row) => <Code text={row.path} />, cell: (row) => row.path },
    {
        name: 'requests',
        show: (row) => count(row.latency.requests),
        cell: (row) => row.latency.requests,
        isNumber: true,
    },
    { name: 'good', show: (row) => count(row.good), cell: (row) => row.good, isNumber: true },
    { name: 'refused', show: (row) => count(row.refused), cell: (row) => row.refused, isNumber: true },
    {
        name: 'failed',
        show: (row) => <span class={row.failed > 0 ? 'warn' : undefined}>{count(row.failed)}</span>,
        cell: (row) => row.failed,
        isNumber: true,
    },
    {
        name: 'worked: half within',
        show: (row) => shown(row.latency.p50),
        cell: (row) => row.latency.p50 ?? null,
        isNumber: true,
    },
    {
        name: 'worked: 99 % within',
        show: (row) => shown(row.latency.p99),
        cell: (row) => row.latency.p99 ?? null,
        isNumber: true,
    },
];

function Vendors({ source, metrics, now }: { source: Source; metrics: Metrics; now: Date }) {
    const live = useLive('circuits', 2000, (signal) => source.circuits!(signal));
    const isOpen = (row: Circuit): boolean => row.open_until !== null && Date.parse(row.open_until) > now.getTime();
    const columns: Column<Circuit>[] = [
        { name: 'vendor', show: (row) => row.vendor, cell: (row) => row.vendor },
        {
            name: 'for',
            show: (row) => row.organisation || 'all organisations',
            cell: (row) => row.organisation || 'all organisations',
        },
        {
            name: 'requests',
            show: (row) =>
                isOpen(row) ? (
                    <span class="mark different">
                        <span aria-hidden="true">✕</span> stopped until <Time at={row.open_until!} />
                    </span>
                ) : (
                    <span class="mark undeclared">{row.open_until === null ? 'running' : 'tries again'}</span>
                ),
            cell: (row) => row.open_until,
        },
        { name: 'failures in a row', show: (row) => count(row.failures), cell: (row) => row.failures, isNumber: true },
        { name: 'time-outs', show: (row) => count(row.time_outs), cell: (row) => row.time_outs, isNumber: true },
        { name: 'last failure', show: (row) => <Time at={row.changed_at} />, cell: (row) => row.changed_at },
    ];
    const outcomes = metrics.all('vendor_requests_total');
    return (
        <Section title="Payment vendors">
            <Until live={live} notAvailable="The state of the vendors is not available.">
                {(circuits) => (
                    <Table
                        name="payment vendors"
                        columns={columns}
                        rows={circuits}
                        empty="No vendor has failed."
                    />
                )}
            </Until>
            <p class="dim">
                Requests to vendors since the start:{' '}
                {outcomes.map(({ labels, value }) => `${count(value)} ${words(labels['outcome'] ?? '')}`).join(', ')}.
            </p>
        </Section>
    );
}

export function Health({ source }: { source: Source }) {
    const live = useLive('metrics', 2000, async (signal) => new Metrics(await source.metrics!(signal)));
    const now = useNow();
    const samples = useRef<Metrics[]>([]);
    const [before, setBefore] = useState<Metrics | undefined>(undefined);
    useEffect(() => {
        if (live.value === undefined) return;
        const known = samples.current;
        // a restarted service counts from 0, so older samples are dropped
        if (known.at(-1)?.value('start_time_seconds') !== live.value.value('start_time_seconds')) known.length = 0;
        known.push(live.value);
        while (known.length > 2 && known[1]!.at < live.value.at - window) known.shift();
        setBefore(known.length > 1 ? known[0] : undefined);
    }, [live.value]);

    return (
        <Until live={live} notAvailable="The metrics are not available.">
            {(metrics) => {
                const isUp = metrics.value('database_up') === 1;
                const schema = metrics.value('schema_version');
                const needed = metrics.value('schema_version_needed') ?? 0;
                const began = metrics.value('start_time_seconds') ?? metrics.at / 1000;
                const seconds = (metrics.at - (before?.at ?? began * 1000)) / 1000;
                const pools = poolsOf(metrics, before);
                const requests = pools.reduce((sum, pool) => sum + pool.latency.requests, 0);
                const failures = metrics.all('database_failures_total');
                const died = metrics
                    .all('worker_ends_total')
                    .filter(({ labels }) => labels['reason'] === 'died')
                    .reduce((sum, { value }) => sum + value, 0);
                const span =
                    before === undefined
                        ? 'since the start of the service'
                        : `in the last ${duration(seconds * 1000)}`;
                return (
                    <>
                        <dl class="tiles">
                            <Tile
                                name="Database"
                                note={
                                    schema === undefined
                                        ? 'it does not answer'
                                        : schema >= needed
                                          ? `schema version ${schema}`
                                          : `schema version ${schema}, ${needed} is needed: data-importctl db migrate`
                                }
                            >
                                <span class={`mark ${isUp ? 'equal' : 'different'}`}>
                                    <span aria-hidden="true">{isUp ? '✓' : '✕'}</span> {isUp ? 'up' : 'down'}
                                </span>
                            </Tile>
                            <Tile
                                name="Database failures"
                                note={`since the start${failures
                                    .filter(({ value }) => value > 0)
                                    .map(
                                        ({ labels, value }, place) =>
                                            `${place === 0 ? ':' : ','} ${count(value)} ${words(labels['kind'] ?? '')}`,
                                    )
                                    .join('')}`}
                            >
                                {count(failures.reduce((sum, { value }) => sum + value, 0))}
                            </Tile>
                            <Tile name="Requests per second" note={span}>
                                {rate(requests / Math.max(1, seconds))}
                            </Tile>
                            <Tile
                                name="Workers that died"
                                note={
                                    <>
                                        since{' '}
                                        <Time
                                            at={new Date(
                                                (metrics.value('start_time_seconds') ?? 0) * 1000,
                                            ).toISOString()}
                                        />
                                    </>
                                }
                            >
                                {count(died)}
                            </Tile>
                            <Tile name="Version" note={countOf(metrics.value('signing_keys') ?? 0, 'signing key')}>
                                {metrics.all('build_info')[0]?.labels['version'] ?? '–'}
                            </Tile>
                        </dl>
                        {(metrics.value('signing_keys') ?? 0) === 0 && (
                            <Notice kind="failure">
                                There is no signing key: no token is accepted.{' '}
                                <code>data-importctl signing-key rotate</code> creates one.
                            </Notice>
                        )}
                        {source.doctor !== undefined && <Doctor source={source} now={now} />}
                        <Section title="Workers">
                            <p class="dim">
                                Requests {span}: how long they waited in the queue for a worker, and how long it worked
                                on them.
                            </p>
                            <Table name="workers" columns={poolColumns} rows={pools} empty="" />
                        </Section>
                        <Section title="Endpoints">
                            <p class="dim">Requests and their times {span}.</p>
                            <Table
                                name="endpoints"
                                columns={endpointColumns}
                                rows={endpointsOf(metrics, before)}
                                empty="No request has come since the start."
                            />
                        </Section>
                        <Vendors source={source} metrics={metrics} now={now} />
                    </>
                );
            }}
        </Until>
    );
}
