// The last lines of the audit history: persons and their acts.
import { useEffect } from 'preact/hooks';
import { words } from './format';
import { useLive } from './live';
import type { AuditLine, Source } from './model';
import { AccountLink, type Column, Long, Section, SupplierLink, Table, Time, Until } from './parts';

const none = <span class="dim">–</span>;

const columns: Column<AuditLine>[] = [
    { name: 'line', show: (row) => row.id ?? none, cell: (row) => row.id, isNumber: true },
    { name: 'when', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'by', show: (row) => row.by, cell: (row) => row.by },
    { name: 'what', show: (row) => words(row.action), cell: (row) => row.action },
    {
        name: 'supplier',
        show: (row) => (row.import_supplier === null ? none : <SupplierLink code={row.import_supplier} />),
        cell: (row) => row.import_supplier,
    },
    {
        name: 'account',
        show: (row) =>
            row.import_supplier === null || row.external_account_number === null ? none : (
                <AccountLink code={row.import_supplier} number={row.external_account_number} />
            ),
        cell: (row) => row.external_account_number,
        isAccount: true,
    },
    {
        name: 'details',
        show: (row) => (row.details === null ? none : <Long text={row.details} />),
        cell: (row) => row.details,
        isText: true,
    },
];

export function Audit({ ask, id }: { ask: NonNullable<Source['audit']>; id: string | undefined }) {
    const live = useLive('audit', 5000, ask);
    const isThere = live.value?.some((line) => String(line.id) === id) === true;
    useEffect(() => document.querySelector('tr.chosen')?.scrollIntoView({ block: 'center' }), [isThere]);
    return (
        <Section title="Audit history">
            <Until live={live} notAvailable="The audit history is not available here: data-importctl audit prints it.">
                {(lines) => (
                    <>
                        <Table
                            name="audit history"
                            columns={columns}
                            rows={lines}
                            empty="Nothing has been done yet."
                            rowClass={(line) => (String(line.id) === id ? 'chosen' : undefined)}
                            length={lines.length}
                        />
                        <p class="dim">These are the last lines; data-importctl audit prints all of them.</p>
                    </>
                )}
            </Until>
        </Section>
    );
}
