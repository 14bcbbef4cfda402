// Reads the text of /metrics: Prometheus' format.

export interface Sample {
    name: string;
    labels: Record<string, string>;
    value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parse(text: string): Sample[] {
    const samples: Sample[] = [];
    for (const row of text.split('\n')) {
        const found = row.startsWith('#') ? null : line.exec(row);
        if (found === null) continue;
        const labels: Record<string, string> = {};
        for (const [, name, value] of (found[2] ?? '').matchAll(label))
            labels[name!] = value!.replaceAll(/\\(.)/g, '$1');
        samples.push({ name: found[1]!, labels, value: Number(found[3]!.replace('+Inf', 'Infinity')) });
    }
    return samples;
}

export class Metrics {
    readonly at = Date.now();
    #byName = new Map<string, Sample[]>();

    constructor(text: string) {
        for (const sample of parse(text)) {
            const known = this.#byName.get(sample.name);
            if (known === undefined) this.#byName.set(sample.name, [sample]);
            else known.push(sample);
        }
    }

    all(name: string): Sample[] {
        return this.#byName.get(`data_import_${name}`) ?? [];
    }

    value(name: string, labels: Record<string, string> = {}): number | undefined {
        return this.all(name).find((sample) =>
            Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
        )?.value;
    }
}

export interface Latency {
    requests: number;
    p50: number | undefined; // seconds: the upper bound of the bucket that it is in
    p99: number | undefined;
}

/**
 * Returns the times of the requests between `before` and `after`; without `before`, of all requests since the service's start.
 * Adds up all series that have these labels.
 */
export function latency(
    after: Metrics,
    before: Metrics | undefined,
    histogram: string,
    labels: Record<string, string>,
): Latency {
    const counts = (metrics: Metrics | undefined): Map<number, number> => {
        const sums = new Map<number, number>();
        for (const sample of metrics?.all(`${histogram}_bucket`) ?? []) {
            if (!Object.entries(labels).every(([key, value]) => sample.labels[key] === value)) continue;
            const bound = Number(sample.labels['le']!.replace('+Inf', 'Infinity'));
            sums.set(bound, (sums.get(bound) ?? 0) + sample.value);
        }
        return sums;
    };
    const earlier = counts(before);
    const buckets = [...counts(after)].map(([bound, value]) => [bound, value - (earlier.get(bound) ?? 0)] as const);
    const requests = buckets.at(-1)?.[1] ?? 0;
    const at = (part: number): number | undefined =>
        requests === 0 ? undefined : buckets.find(([, value]) => value >= part * requests)?.[0];
    return { requests, p50: at(0.5), p99: at(0.99) };
}
