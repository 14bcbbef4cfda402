// The stored figures of each kind next to the declared ones, and whether everything has arrived.
import type { ComponentChildren } from 'preact';
import { explainsAll } from './explained';
import { count, countOf, words } from './format';
import { type Live, useLive } from './live';
import { allOf, type ControlTotals, type Explanations, type Source, type Supplier } from './model';
import { Code, type Column, figureName, figureValue, Notice, Section, Table, Time, Until, VerdictMark } from './parts';

interface Figure {
    kind: string;
    figure: string;
    declared: string | undefined;
    held: string | undefined;
    difference: string | undefined;
    /** The first figure of its kind. */
    isFirst: boolean;
    /** Records that the service has made itself. */
    byService: number;
}

/** Every figure that is stored or declared, by its name: `records`, or one of the sums. */
function figuresOf(totals: ControlTotals, stored: Record<string, number>): Figure[] {
    const differences = new Map(totals.differences.map((one) => [`${one.kind} ${one.figure}`, one.difference]));
    const figure = (kind: string, name: string, declared?: string, held?: string): Figure => ({
        kind,
        figure: name,
        declared,
        held,
        difference: differences.get(`${kind} ${name}`),
        isFirst: name === 'records' || name === 'accounts',
        byService: name === 'records' ? Math.max(0, (stored[kind] ?? 0) - Number(held ?? 0)) : 0,
    });
    const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));
    const declaredKinds = totals.declared?.kinds ?? {};
    const names = [...new Set([...Object.keys(stored), ...Object.keys(totals.kinds), ...Object.keys(declaredKinds)])];
    return [
        figure('accounts', 'accounts', text(totals.declared?.accounts), String(allOf(totals.accounts))),
        ...names.flatMap((name) => {
            const held = totals.kinds[name];
            const declared = declaredKinds[name];
            const sums = [...new Set([...Object.keys(held?.sums ?? {}), ...Object.keys(declared?.sums ?? {})])].sort();
            return [
                figure(name, 'records', text(declared?.records), text(held?.records ?? 0)),
                ...sums.map((sum) => figure(name, sum, declared?.sums?.[sum], held?.sums?.[sum] ?? '0')),
            ];
        }),
    ];
}

export function Totals({
    source,
    supplier,
    explanations,
}: {
    source: Source;
    supplier: Supplier;
    explanations: Live<Explanations>;
}) {
    const { code } = supplier;
    const isOwn = source.kind === 'suppliers';
    const live = useLive(`totals ${code}`, 4000, (signal) => source.controlTotals(code, signal));
    const isExplained = explainsAll(explanations);
    const explained = (row: Figure): boolean | undefined =>
        explanations.value?.figures.find((one) => one.kind === row.kind && one.figure === row.figure)?.explained;
    const number = (row: Figure, value: string | undefined): ComponentChildren =>
        value === undefined ? <span class="dim">–</span> : figureValue(row.figure, value);
    const columns: Column<Figure>[] = [
        {
            name: 'kind',
            show: (row) => <span class={row.isFirst ? 'kind' : 'hidden'}>{words(row.kind)}</span>,
            cell: (row) => row.kind,
        },
        {
            name: 'figure',
            show: (row) => (row.figure === 'accounts' ? 'accounts' : figureName(row.figure)),
            cell: (row) => row.figure,
        },
        {
            name: 'declared',
            show: (row) => number(row, row.declared),
            cell: (row) => row.declared ?? null,
            isNumber: true,
        },
        {
            name: 'stored',
            show: (row) => (
                <>
                    {number(row, row.held)}
                    {row.byService > 0 && <small>plus {count(row.byService)} that the service itself made (not compared)</small>}
                </>
            ),
            cell: (row) => row.held ?? null,
            isNumber: true,
        },
        {
            name: 'difference',
            show: (row) => {
                if (row.difference !== undefined)
                    return (
                        <span class="different">
                            <span aria-hidden="true">≠ </span>
                            {!row.difference.startsWith('-') && '+'}
                            {figureValue(row.figure, row.difference)}
                            {explained(row) && <small>explained</small>}
                        </span>
                    );
                if (explained(row) === false)
                    return <span class="different">equal, but the accepted differences do not add up to zero: so another account differs, and nobody has accepted it</span>;
                return row.declared === undefined ? <span class="dim">–</span> : <span class="equal">✓ equal</span>;
            },
            cell: (row) => row.difference ?? (row.declared === undefined ? null : '0'),
            isNumber: true,
        },
    ];
    return (
        <Section title="Control totals" tools={<VerdictMark verdict={live.value?.verdict} isExplained={isExplained} />}>
            <Until
                live={live}
                notAvailable="Control totals are not available: this version of the service does not have them."
            >
                {(totals) => (
                    <>
                        {totals.verdict === 'UNDECLARED' && (
                            <Notice>
                                {isOwn
                                    ? 'You have not declared your totals yet. You do so with '
                                    : 'The supplier has not declared its totals yet. It does so with '}
                                <Code text="data-import-load --totals --declare" /> or by{' '}
                                <Code text={`PUT /v1/data-import/control-totals/${code}/`} />.
                            </Notice>
                        )}
                        {totals.verdict !== 'UNDECLARED' && totals.undeclared_kinds.length > 0 && (
                            <Notice>
                                {isOwn ? 'You have' : 'The supplier has'} declared nothing of <b>{totals.undeclared_kinds.map(words).join(', ')}</b>.
                                The verdict does not count them.
                            </Notice>
                        )}
                        {supplier.differing_transactions > 0 && (
                            <Notice>
                                <b>{countOf(supplier.differing_transactions, 'transaction')}</b> came again with other content. The
                                stored ones were not changed.
                            </Notice>
                        )}
                        <Table
                            name="control totals"
                            columns={columns}
                            rows={figuresOf(totals, supplier.records)}
                            empty=""
                            rowClass={(row) =>
                                [row.isFirst && 'first', row.difference !== undefined && 'is-different']
                                    .filter(Boolean)
                                    .join(' ') || undefined
                            }
                            length={40}
                        />
                        <p class="dim">
                            As of <Time at={totals.as_of} />. The difference is the stored total minus the declared one; amounts
                            are in the main unit of the currency unless they say otherwise.
                        </p>
                    </>
                )}
            </Until>
        </Section>
    );
}
