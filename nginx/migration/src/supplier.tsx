// One supplier: its throughput, its refusals, its control totals, and the accounts that need attention.
import { count, countOf, share, words } from './format';
import { useLive, useNow } from './live';
import type { Source, Supplier } from './model';
import { DraftButton } from './draft';
import { Explained } from './explained';
import { Failed, InProgress } from './open_accounts';
import { EstimatedEnd, LastImport } from './overview';
import { allOf, type Column, Funnel, Notice, Section, Status, Table, Tile, Until, VerdictMark } from './parts';
import { RefusalsSection } from './refusals';
import { Throughput } from './throughput';
import { Totals } from './totals';
import { Without } from './without';

function Records({ supplier }: { supplier: Supplier }) {
    const columns: Column<[string, number]>[] = [
        { name: 'kind', show: ([kind]) => words(kind), cell: ([kind]) => kind },
        { name: 'records', show: ([, records]) => count(records), cell: ([, records]) => records, isNumber: true },
    ];
    return (
        <Section title="Records held">
            {supplier.differing_transactions > 0 && (
                <Notice>
                    <b>{countOf(supplier.differing_transactions, 'transaction')}</b> came again with other content than what is
                    stored, which stayed as it was.
                </Notice>
            )}
            <Table name="records" columns={columns} rows={Object.entries(supplier.records)} empty="" />
        </Section>
    );
}

export function SupplierView({ source, code }: { source: Source; code: string }) {
    const live = useLive(`supplier ${code}`, 2000, (signal) => source.supplier(code, signal));
    const now = useNow();
    const failed = useLive(`failed ${code}`, 5000, (signal) => source.failed(code, signal));
    const explanations = useLive(
        `explanations ${code}`,
        30_000,
        source.explanations === undefined ? undefined : (signal) => source.explanations!(code, signal),
    );
    const inProgress = useLive(
        `in progress ${code}`,
        2000,
        source.inProgress === undefined ? undefined : (signal) => source.inProgress!(code, signal),
    );
    return (
        <Until
            live={live}
            notAvailable={`There is no import supplier ${code}${source.kind === 'suppliers' ? ' for this API key' : ''}.`}
        >
            {(supplier) => {
                const all = allOf(supplier.accounts);
                const kinds = Object.keys(supplier.records); // all of them, always in the same order
                return (
                    <>
                        <div class="title">
                            <h2>{supplier.name}</h2>
                            <code>{supplier.code}</code>
                            <Status status={supplier.status} />
                            <VerdictMark verdict={supplier.verdict} />
                            {source.report !== undefined && <DraftButton source={source} code={code} />}
                        </div>
                        <div class="summary">
                            <dl class="tiles">
                                <Tile
                                    name="Imported"
                                    note={
                                        <>
                                            {count(supplier.accounts.imported)} of {countOf(all, 'account')}
                                        </>
                                    }
                                >
                                    {share(supplier.accounts.imported, all)}
                                </Tile>
                                <Tile
                                    name="Records in the last minute"
                                    note={countOf(supplier.rates.last_minute.accounts, 'account')}
                                >
                                    {count(supplier.rates.last_minute.records)}
                                </Tile>
                                <Tile name="Estimated end">
                                    <EstimatedEnd of={supplier} now={now} />
                                </Tile>
                                <Tile name="Last import">
                                    <LastImport at={supplier.last_import_at} now={now} />
                                </Tile>
                            </dl>
                            <Funnel accounts={supplier.accounts} />
                        </div>
                        <Throughput source={source} code={code} kinds={kinds} />
                        <div class="columns wide-first">
                            <Totals source={source} code={code} kinds={kinds} explanations={explanations} />
                            <Records supplier={supplier} />
                        </div>
                        {source.explanations !== undefined && <Explained live={explanations} code={code} />}
                        <RefusalsSection source={source} code={code} />
                        <div class="columns">
                            <Failed live={failed} code={code} />
                            {source.inProgress !== undefined && <InProgress live={inProgress} code={code} now={now} />}
                        </div>
                        {source.accountsWithout !== undefined && <Without source={source} code={code} />}
                    </>
                );
            }}
        </Until>
    );
}
