// The consumers: programs of the platform that take what is new.
import { count } from './format';
import { useLive } from './live';
import type { Consumer, Source } from './model';
import { Ago, type Column, Section, SupplierLink, Table, Words } from './parts';

const isOfParticipants = (row: Consumer): boolean => row.import_supplier === '';

const columnsAt = (now: Date): Column<Consumer>[] => [
    {
        name: 'consumer',
        show: (row) => (
            <>
                <Words text={row.consumer} />
                {!row.ready && <small class="warn">is being added</small>}
            </>
        ),
        cell: (row) => row.consumer,
    },
    {
        name: 'supplier',
        show: (row) =>
            isOfParticipants(row) ? (
                'market participants'
            ) : row.import_supplier === null ? (
                <span class="dim">nothing has come yet</span>
            ) : (
                <SupplierLink code={row.import_supplier} />
            ),
        cell: (row) => row.import_supplier,
    },
    { name: 'waiting', show: (row) => count(row.waiting), cell: (row) => row.waiting, isNumber: true },
    {
        name: 'the oldest waits since',
        show: (row) =>
            row.oldest_waiting_since === null ? <span class="dim">–</span> : <Ago at={row.oldest_waiting_since} now={now} />,
        cell: (row) => row.oldest_waiting_since,
    },
    { name: 'taken', show: (row) => count(row.accounts_taken), cell: (row) => row.accounts_taken, isNumber: true },
    { name: 'records taken', show: (row) => count(row.records_taken), cell: (row) => row.records_taken, isNumber: true },
    {
        name: 'last taken',
        show: (row) => (row.taken_at === null ? <span class="dim">–</span> : <Ago at={row.taken_at} now={now} />),
        cell: (row) => row.taken_at,
    },
];

/** Shows the consumers; nothing if there are none. */
export function Consumers({ ask, now }: { ask: NonNullable<Source['consumers']>; now: Date }) {
    const { value } = useLive('consumers', 10_000, ask);
    if (value === undefined || value.length === 0) return null;
    return (
        <Section title="Consumers">
            <p class="dim">Programs of the platform: accounts that wait until they take them, and what they have taken.</p>
            <Table name="consumers" columns={columnsAt(now)} rows={value} empty="" />
        </Section>
    );
}
