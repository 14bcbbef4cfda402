// Figures that the platform has booked for a supplier, next to the declared and the stored ones.
import { ActButton } from './acting';
import { acceptBooked } from './acts';
import { countOf, quoted, words } from './format';
import { useLive } from './live';
import type { BookedFigure, Booking, Source } from './model';
import { Code, type Column, figureName, figureValue, Notice, Section, Table, Time, VerdictMark, Words } from './parts';

const value = (row: BookedFigure, text: string | null) =>
    text === null ? <span class="dim">–</span> : figureValue(row.figure, text);

const isFirst = (row: BookedFigure): boolean => row.figure === 'records' || row.figure === 'accounts';

const columns: Column<BookedFigure>[] = [
    {
        name: 'kind',
        show: (row) => <span class={isFirst(row) ? 'kind' : 'hidden'}>{words(row.kind)}</span>,
        cell: (row) => row.kind,
    },
    {
        name: 'figure',
        show: (row) => (row.figure === 'accounts' ? 'accounts' : figureName(row.figure)),
        cell: (row) => row.figure,
    },
    { name: 'declared', show: (row) => value(row, row.declared), cell: (row) => row.declared, isNumber: true },
    { name: 'stored', show: (row) => value(row, row.held ?? '0'), cell: (row) => row.held ?? '0', isNumber: true },
    { name: 'booked', show: (row) => value(row, row.booked), cell: (row) => row.booked, isNumber: true },
    {
        name: 'difference',
        show: (row) => {
            if (row.booked === null) return <span class="dim">–</span>;
            if (row.difference === null) return <span class="equal">✓ equal</span>;
            return (
                <span class="different">
                    <span aria-hidden="true">≠ </span>
                    {!row.difference.startsWith('-') && '+'}
                    {figureValue(row.figure, row.difference)}
                    {row.accepted !== null && (
                        <small>
                            accepted by {row.accepted.by}: <Words text={row.accepted.reason} />
                        </small>
                    )}
                </span>
            );
        },
        cell: (row) => row.difference ?? (row.booked === null ? null : '0'),
        isNumber: true,
    },
];

const about = {
    EQUAL: 'All totals that the consumer has declared to have booked equal the stored ones.',
    DIFFERENT: 'A total that the consumer has declared to have booked differs from the stored one.',
    UNDECLARED: 'The consumer has not declared what it has booked.',
};

function BookedBy({ of, code }: { of: Booking; code: string }) {
    return (
        <Section
            title={`Booked by ${of.consumer}`}
            tools={
                <VerdictMark
                    verdict={of.verdict}
                    isExplained={of.verdict === 'DIFFERENT' && of.explained}
                    about={about[of.verdict]}
                />
            }
        >
            {!of.ready && <Notice>The consumer is not added to the end.</Notice>}
            {of.not_taken > 0 && (
                <Notice>
                    <b>{countOf(of.not_taken, 'account')}</b> {of.not_taken === 1 ? 'waits' : 'wait'} until the consumer takes{' '}
                    {of.not_taken === 1 ? 'it' : 'them'}.
                </Notice>
            )}
            {of.declared_at === null ? (
                <Notice>
                    The platform has not declared what it has booked. It does so with <Code text="platform.declare_totals" /> or by{' '}
                    <Code text={`data-importctl consumer declare -- ${quoted(of.consumer)} ${quoted(code)} FILE`} />.
                </Notice>
            ) : (
                <>
                    {of.undeclared_kinds.length > 0 && (
                        <Notice>
                            Nothing is declared to be booked of <b>{of.undeclared_kinds.map(words).join(', ')}</b>. The verdict does
                            not count them.
                        </Notice>
                    )}
                    <Table
                        name={`booked by ${of.consumer}`}
                        columns={columns}
                        rows={of.figures}
                        empty=""
                        rowClass={(row) =>
                            [isFirst(row) && 'first', row.difference !== null && 'is-different'].filter(Boolean).join(' ') || undefined
                        }
                        length={40}
                    />
                    <p class="dim">
                        Declared by {of.declared_by}, <Time at={of.declared_at} />. The difference is the booked total minus the
                        stored one.
                    </p>
                    {of.verdict === 'DIFFERENT' && !of.explained && <ActButton act={acceptBooked(code, of.consumer)} />}
                </>
            )}
        </Section>
    );
}

/** Shows what each consumer has booked; nothing if no consumer takes the supplier. */
export function Booked({ ask, code }: { ask: NonNullable<Source['booked']>; code: string }) {
    const { value: bookings } = useLive(`booked ${code}`, 10_000, (signal) => ask(code, signal));
    return <>{bookings?.map((one) => <BookedBy key={one.consumer} of={one} code={code} />)}</>;
}
