// Curves over time, separate or stacked. Each has a colour (of Okabe and Ito's, which the colour-blind can tell apart) and a
// pattern of dashes. People who do not see the curves reach every number by the arrow keys, and in a table.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { count, rate, tick, time, utc } from './format';
import { useFile } from './files';
import type { Series } from './model';
import { Words } from './parts';
import { useTheme } from './theme';

const dashes = [[], [8, 4], [2, 3], [12, 4, 2, 4], [5, 5], [1, 5], [16, 4], [8, 3, 2, 3, 2, 3]];
const colours = 8;

interface Curve {
    key: string;
    name: string;
    values: number[]; // in units per minute, or counts
}

/** The names in an order that gives each the same colour, whatever other names are shown. */
export type Order = readonly string[];

interface ChartData {
    times: number[]; // Unix time
    end: number; // end of the last of `times`
    curves: Curve[];
    counts: Map<string, number[]>; // counts of all keys, also of those added up in one curve
}

/** The number of curves that can be told apart in a stack. All other curves are added up to one. */
const mostStacked = 5;

const sum = (values: readonly number[]): number => values.reduce((known, value) => known + value, 0);

function stacked(data: ChartData): ChartData {
    const byFrequency = [...data.curves].sort((one, other) => sum(other.values) - sum(one.values));
    const hasRest = byFrequency.length > mostStacked + 1; // a single other curve is not replaced by a sum
    const curves = hasRest ? byFrequency.slice(0, mostStacked) : byFrequency;
    const rest = byFrequency.slice(curves.length);
    if (hasRest)
        curves.push({
            key: 'others',
            name: `${rest.length} others`,
            values: data.times.map((_, place) => sum(rest.map(({ values }) => values[place]!))),
        });
    return { ...data, curves };
}

// The last time is not over, so its rate is computed from the part that has passed. A part that is too short is left
// out.
function chartData(series: Series, isRate: boolean, nameOf: (key: string) => string, order: Order): ChartData {
    const began = Date.parse(series.began_at) / 1000;
    const now = Date.parse(series.as_of) / 1000;
    const all = Math.max(0, ...Object.values(series.counts).map((values) => values.length));
    const lastLength = now - (began + (all - 1) * series.seconds);
    const length = isRate && lastLength < Math.min(20, series.seconds / 4) ? all - 1 : all;
    const times = Array.from({ length: Math.max(0, length) }, (_, place) => began + place * series.seconds);
    const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
    const keys = Object.keys(series.counts)
        .filter((key) => series.counts[key]!.some((value) => value > 0))
        .sort((one, other) => place(one) - place(other) || one.localeCompare(other));
    const minutes = (index: number): number => (index === all - 1 ? Math.max(lastLength, 1) : series.seconds) / 60;
    return {
        times,
        end: length < all ? began + length * series.seconds : now,
        counts: new Map(keys.map((key) => [key, series.counts[key]!])),
        curves: keys.map((key) => ({
            key,
            name: nameOf(key),
            values: times.map((_, index) => {
                const value = series.counts[key]![index] ?? 0;
                return isRate ? value / minutes(index) : value;
            }),
        })),
    };
}

const colourOf = (index: number): string =>
    getComputedStyle(document.documentElement)
        .getPropertyValue(`--curve-${index % colours}`)
        .trim();
const property = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axisNumber(value: number): string {
    if (value >= 1e6) return `${count(value / 1e6)} M`;
    return value >= 1e4 ? `${count(value / 1e3)} k` : count(value);
}

/** Each value is a step over its whole time, so the last one needs an end. A curve of a stack stands on the curves after it. */
function plotData({ times, end, curves }: ChartData, isStack: boolean, hidden: ReadonlySet<string>): uPlot.AlignedData {
    const heights = (place: number): number[] =>
        isStack
            ? times.map((_, time) =>
                  sum(curves.slice(place).map(({ key, values }) => (hidden.has(key) ? 0 : values[time]!))),
              )
            : curves[place]!.values;
    return [[...times, end], ...curves.map((_, place) => [...heights(place), heights(place).at(-1)!])];
}

/** The distances that lines of an axis of counts may have. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function makePlot(
    target: HTMLElement,
    data: ChartData,
    isStack: boolean,
    onMove: (index: number | undefined) => void,
): uPlot {
    const size = Number.parseFloat(getComputedStyle(target).fontSize) * 0.8;
    const axis: uPlot.Axis = {
        stroke: property('--dim'),
        grid: { stroke: property('--line'), width: 1 },
        ticks: { show: false },
        font: `${size}px ${property('--font')}`,
    };
    const stepped = uPlot.paths.stepped!({ align: 1 });
    return new uPlot(
        {
            width: Math.max(100, target.clientWidth),
            height: Math.max(100, target.clientHeight),
            legend: { show: false },
            padding: [null, size * 2.5, null, null],
            cursor: { drag: { x: false, y: false }, points: { size: 7 } },
            scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
            axes: [
                {
                    ...axis,
                    space: size * 6,
                    values: (_, splits, __, ___, step) => splits.map((at) => tick(new Date(at * 1000), step >= 86_400)),
                },
                {
                    ...axis,
                    ...(isStack && { incrs: wholeSteps }),
                    size: size * 4.6,
                    values: (_, values) => values.map((value) => (value === null ? '' : axisNumber(value))),
                },
            ],
            series: [
                {},
                ...data.curves.map((curve, index) => ({
                    label: curve.name,
                    ...(isStack
                        ? { fill: colourOf(index), stroke: property('--surface'), width: 1 }
                        : { stroke: colourOf(index), width: 2, dash: dashes[index % dashes.length]! }),
                    paths: stepped,
                    points: { show: false },
                })),
            ],
            hooks: { setCursor: [(plot) => onMove(plot.cursor.idx ?? undefined)] },
        },
        plotData(data, isStack, new Set()),
        target,
    );
}

export function Chart({
    name,
    series,
    unit,
    isRate = false,
    isStack = false,
    nameOf,
    order,
    empty,
}: {
    name: string;
    series: Series;
    unit: string;
    isRate?: boolean;
    /** Stacks the most frequent curves, and adds the others up. */
    isStack?: boolean;
    nameOf: (key: string) => string;
    order: Order;
    empty: string;
}) {
    const data = useMemo(() => {
        const all = chartData(series, isRate, nameOf, order);
        return isStack ? stacked(all) : all;
    }, [series, isRate, isStack, nameOf, order]);
    const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
    const [cursor, setCursor] = useState<number | undefined>(undefined);
    const target = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | undefined>(undefined);
    const theme = useTheme();
    const hint = useId();
    const isEmpty = data.curves.length === 0;
    const shape = data.curves.map((curve) => curve.key).join();

    useEffect(() => {
        if (target.current === null || isEmpty) return undefined;
        const made = makePlot(target.current, data, isStack, setCursor);
        plot.current = made;
        const observer = new ResizeObserver(([entry]) => {
            const { width, height } = entry!.contentRect;
            if (width > 0) made.setSize({ width, height });
        });
        observer.observe(target.current);
        return () => {
            observer.disconnect();
            made.destroy();
            plot.current = undefined;
        };
        // the effect below puts data of the same shape into this plot
    }, [shape, theme, isEmpty]);

    useEffect(() => {
        plot.current?.setData(plotData(data, isStack, hidden));
        data.curves.forEach((curve, index) =>
            plot.current?.setSeries(index + 1, { show: !hidden.has(curve.key) }, false),
        );
    }, [data, hidden, theme]);

    useFile(
        name,
        isEmpty
            ? undefined
            : () => [
                  ['began at (UTC)', 'seconds', ...data.counts.keys()],
                  ...data.times.map((began, index) => [
                      new Date(began * 1000).toISOString(),
                      series.seconds,
                      ...[...data.counts.values()].map((values) => values[index] ?? 0),
                  ]),
              ],
    );

    if (isEmpty) return <p class="notice empty">{empty}</p>;

    const place = cursor === undefined ? data.times.length - 1 : Math.min(cursor, data.times.length - 1);
    const at = data.times[place];
    const onKey = (event: KeyboardEvent): void => {
        const step = { ArrowLeft: -1, ArrowRight: 1, Home: -data.times.length, End: data.times.length }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const next = Math.min(Math.max(place + step, 0), data.times.length - 1);
        setCursor(next);
        const left = plot.current?.valToPos(data.times[next]!, 'x') ?? 0;
        plot.current?.setCursor({ left, top: 20 }, false);
    };
    const toggle = (key: string): void => {
        const next = new Set(hidden);
        if (!next.delete(key)) next.add(key);
        setHidden(next);
    };
    // without a cursor, shows the last value of a rate, or the sum of counts
    const isSum = isStack && cursor === undefined;
    const shown = ({ values }: Curve): string => (isSum ? count(sum(values)) : rate(values[place] ?? 0));
    return (
        <figure class="chart">
            {/* the keys move the cursor, and the text below describes its position */}
            <div
                class="plot"
                ref={target}
                tabIndex={0}
                role="group"
                aria-label={`${name}, ${unit}. Arrow keys move from time to time.`}
                aria-describedby={hint}
                onKeyDown={onKey}
                onBlur={() => setCursor(undefined)}
            />
            <figcaption>
                <p class="at" id={hint} aria-live="polite">
                    {isSum ? (
                        'in all'
                    ) : at !== undefined && (
                        <time dateTime={new Date(at * 1000).toISOString()} title={utc(new Date(at * 1000))}>
                            {time(new Date(at * 1000))}
                        </time>
                    )}
                    <span class="dim"> {isSum ? '' : unit}</span>
                </p>
                <ul class="legend">
                    {data.curves.map((curve, index) => (
                        <li key={curve.key}>
                            <button
                                type="button"
                                class="curve"
                                aria-pressed={!hidden.has(curve.key)}
                                onClick={() => toggle(curve.key)}
                            >
                                <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
                                    <line
                                        x1="0"
                                        x2="24"
                                        y1="4"
                                        y2="4"
                                        class={`curve-${index % colours}${isStack ? ' stacked' : ''}`}
                                        stroke-dasharray={isStack ? undefined : dashes[index % dashes.length]!.join(' ')}
                                    />
                                </svg>
                                <span>
                                    <Words text={curve.name} /> <b>{shown(curve)}</b>
                                </span>
                            </button>
                        </li>
                    ))}
                </ul>
            </figcaption>
        </figure>
    );
}
