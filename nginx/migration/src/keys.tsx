// The API keys by which a supplier imports.
import { ActButton } from './acting';
import { createKey, revokeKey } from './acts';
import { useLive } from './live';
import type { ApiKey, Source } from './model';
import { type Column, Section, Table, Time, Until } from './parts';

const columnsOf = (code: string): Column<ApiKey>[] => [
    { name: 'API key', show: (row) => row.id, cell: (row) => row.id, isNumber: true },
    { name: 'organisation', show: (row) => row.organisation, cell: (row) => row.organisation },
    { name: 'suppliers', show: (row) => row.import_suppliers.join(', '), cell: (row) => row.import_suppliers.join(' ') },
    { name: 'created', show: (row) => <Time at={row.created_at} />, cell: (row) => row.created_at },
    { name: 'created by', show: (row) => row.created_by ?? '–', cell: (row) => row.created_by },
    { name: 'last used', show: (row) => row.last_used_on ?? <span class="dim">never</span>, cell: (row) => row.last_used_on },
    {
        name: 'revoked',
        show: (row) => (row.revoked_at === null ? <ActButton act={revokeKey(code, row.id)} /> : <Time at={row.revoked_at} />),
        cell: (row) => row.revoked_at,
    },
];

export function Keys({ ask, code }: { ask: NonNullable<Source['apiKeys']>; code: string }) {
    const live = useLive('keys', 10_000, ask);
    return (
        <Section title="API keys" tools={<ActButton act={createKey(code)} />}>
            <Until live={live} notAvailable="API keys are not available here.">
                {(keys) => (
                    <Table
                        name="API keys"
                        columns={columnsOf(code)}
                        rows={keys.filter((key) => key.import_suppliers.includes(code))}
                        empty="No key of yours reaches this supplier alone."
                    />
                )}
            </Until>
        </Section>
    );
}
