// The control totals: held figures beside the declared ones, and whether everything arrived.
import type { ComponentChildren } from 'preact';
import { decimal, words } from './format';
import { type Live, useLive } from './live';
import type { ControlTotals, Explanations, Source } from './model';
import { allOf, type Column, figureName, Notice, Section, Table, Time, Until, VerdictMark } from './parts';

interface Figure {
    kind: string;
    figure: string;
    declared: string | undefined;
    held: string | undefined;
    difference: string | undefined;
}

/** Every figure that is held or declared, by its name: `records`, or one of the sums. */
function figuresOf(totals: ControlTotals, kinds: readonly string[]): Figure[] {
    const differences = new Map(totals.differences.map((one) => [`${one.kind} ${one.figure}`, one.difference]));
    const figure = (kind: string, name: string, declared?: string, held?: string): Figure => ({
        kind,
        figure: name,
        declared,
        held,
        difference: differences.get(`${kind} ${name}`),
    });
    const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));
    const declaredKinds = totals.declared?.kinds ?? {};
    const names = [...new Set([...kinds, ...Object.keys(totals.kinds), ...Object.keys(declaredKinds)])];
    return [
        figure('accounts', 'accounts', text(totals.declared?.accounts), String(allOf(totals.accounts))),
        ...names
            .filter((name) => totals.kinds[name] !== undefined || declaredKinds[name] !== undefined)
            .flatMap((name) => {
                const held = totals.kinds[name];
                const declared = declaredKinds[name];
                const sums = [
                    ...new Set([...Object.keys(held?.sums ?? {}), ...Object.keys(declared?.sums ?? {})]),
                ].sort();
                return [
                    figure(name, 'records', text(declared?.records), text(held?.records ?? 0)),
                    ...sums.map((sum) => figure(name, sum, declared?.sums?.[sum], held?.sums?.[sum] ?? '0')),
                ];
            }),
    ];
}

export function Totals({
    source,
    code,
    kinds,
    explanations,
}: {
    source: Source;
    code: string;
    kinds: readonly string[];
    explanations: Live<Explanations>;
}) {
    const live = useLive(`totals ${code}`, 4000, (signal) => source.controlTotals(code, signal));
    const explained = (row: Figure): boolean | undefined =>
        explanations.value?.figures.find((one) => one.kind === row.kind && one.figure === row.figure)?.explained;
    const number = (value: string | undefined): ComponentChildren =>
        value === undefined ? <span class="dim">–</span> : decimal(value);
    const columns: Column<Figure>[] = [
        { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
        { name: 'figure', show: (row) => figureName(row.figure).name, cell: (row) => row.figure },
        { name: 'unit', show: (row) => figureName(row.figure).unit, cell: (row) => figureName(row.figure).unit },
        { name: 'declared', show: (row) => number(row.declared), cell: (row) => row.declared ?? null, isNumber: true },
        { name: 'held', show: (row) => number(row.held), cell: (row) => row.held ?? null, isNumber: true },
        {
            name: 'difference',
            show: (row) => {
                if (row.difference !== undefined)
                    return (
                        <span class="different">
                            <span aria-hidden="true">≠ </span>
                            {!row.difference.startsWith('-') && '+'}
                            {decimal(row.difference)}
                            {explained(row) && <small>explained</small>}
                        </span>
                    );
                if (explained(row) === false)
                    return <span class="different">equal, but accepted differences hide others</span>;
                return row.declared === undefined ? <span class="dim">–</span> : <span class="equal">✓ equal</span>;
            },
            cell: (row) => row.difference ?? (row.declared === undefined ? null : '0'),
            isNumber: true,
        },
    ];
    return (
        <Section title="Control totals" tools={<VerdictMark verdict={live.value?.verdict} />}>
            <Until
                live={live}
                notAvailable="Control totals are not available: this version of the service does not have them."
            >
                {(totals) => (
                    <>
                        {totals.verdict === 'UNDECLARED' && (
                            <Notice>
                                Nothing to compare with yet: the supplier declares what it has with{' '}
                                <code>PUT /v1/data-import/control-totals/{code}/</code>.
                            </Notice>
                        )}
                        <Table
                            name="control totals"
                            columns={columns}
                            rows={figuresOf(totals, kinds)}
                            empty=""
                            rowClass={(row) => (row.difference === undefined ? undefined : 'is-different')}
                        />
                        <p class="dim">
                            As of <Time at={totals.as_of} />. The difference is what is held minus what was declared.
                        </p>
                    </>
                )}
            </Until>
        </Section>
    );
}
