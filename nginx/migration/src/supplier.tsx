// One supplier: its throughput, its refusals, its control totals, and the accounts that need attention.
import { count, countOf } from './format';
import { useLive, useNow } from './live';
import { allOf, type Source, type Supplier } from './model';
import { ActButton } from './acting';
import { pause, planEnd, planNoEnd, resetAccounts, resume } from './acts';
import { Booked } from './booked';
import { FaultsOfTotals } from './doctor';
import { DraftButton } from './draft';
import { Explained, explainsAll } from './explained';
import { NextStep } from './next_step';
import { Keys } from './keys';
import { Failed, InProgress } from './open_accounts';
import { EstimatedEnd, LastImport, PlannedEnd } from './overview';
import { AboutImported, Funnel, importedShare, Tile, Until, VerdictMark } from './parts';
import { RefusalsSection } from './refusals';
import { FareMark } from './state';
import { Throughput } from './throughput';
import { Totals } from './totals';
import { Without } from './without';

/** The acts that are possible at any time; the next step has its own buttons. */
function Acts({ of: { code, status, planned_end } }: { of: Supplier }) {
    return (
        <div class="tools acts">
            {status === 'Ongoing' && <ActButton act={pause(code)} />}
            {status === 'Complete' && <ActButton act={resume(code)} />}
            <ActButton act={planEnd(code)} />
            {planned_end != null && <ActButton act={planNoEnd(code)} />}
            <ActButton act={resetAccounts(code)} />
        </div>
    );
}

export function SupplierView({ source, code }: { source: Source; code: string }) {
    const live = useLive(`supplier ${code}`, 2000, (signal) => source.supplier(code, signal));
    const now = useNow();
    const explanations = useLive(
        `explanations ${code}`,
        30_000,
        source.explanations === undefined ? undefined : (signal) => source.explanations!(code, signal),
    );
    const isExplained = explainsAll(explanations);
    const inProgress = useLive(
        `in progress ${code}`,
        2000,
        source.inProgress === undefined ? undefined : (signal) => source.inProgress!(code, signal),
    );
    const doctor = useLive('doctor', 30_000, source.doctor === undefined ? undefined : (signal) => source.doctor!(signal));
    return (
        <Until
            live={live}
            notAvailable={`There is no import supplier ${code}${source.kind === 'suppliers' ? ' for this API key' : ''}.`}
        >
            {(supplier) => {
                const all = allOf(supplier.accounts);
                const kinds = Object.keys(supplier.records); // all kinds, always in the same order
                return (
                    <>
                        <div class="title">
                            <h2>{supplier.name}</h2>
                            <code>{supplier.code}</code>
                            <FareMark of={supplier} now={now} isExplained={isExplained} />
                            <VerdictMark verdict={supplier.verdict} isExplained={isExplained} />
                            {source.report !== undefined && <DraftButton source={source} code={code} />}
                        </div>
                        <FaultsOfTotals live={doctor} code={code} />
                        {source.kind === 'operators' && <NextStep of={supplier} now={now} isExplained={isExplained} />}
                        <Acts of={supplier} />
                        <div class="summary">
                            <dl class="tiles">
                                <Tile
                                    name="Accounts imported"
                                    note={
                                        <>
                                            {count(supplier.accounts.imported)} of {countOf(all, 'account')}
                                        </>
                                    }
                                >
                                    {importedShare(supplier.accounts)}
                                </Tile>
                                <Tile
                                    name="Records in the last minute"
                                    note={`and ${countOf(supplier.rates.last_minute.accounts, 'account')} imported`}
                                >
                                    {count(supplier.rates.last_minute.records)}
                                </Tile>
                                <Tile name="Estimated end" note={<PlannedEnd of={supplier} now={now} />}>
                                    <EstimatedEnd of={supplier} now={now} />
                                </Tile>
                                <Tile name="Last import">
                                    <LastImport at={supplier.last_import_at} now={now} />
                                </Tile>
                            </dl>
                            <Funnel accounts={supplier.accounts} />
                            <AboutImported />
                        </div>
                        <Throughput source={source} code={code} kinds={kinds} />
                        <RefusalsSection source={source} code={code} />
                        <div class={source.inProgress === undefined ? undefined : 'columns wide-first'}>
                            <Failed source={source} code={code} />
                            {source.inProgress !== undefined && <InProgress live={inProgress} code={code} now={now} />}
                        </div>
                        <Totals source={source} supplier={supplier} explanations={explanations} />
                        {source.booked !== undefined && <Booked ask={source.booked} code={code} />}
                        {source.explanations !== undefined && supplier.erasure == null && <Explained live={explanations} code={code} />}
                        {source.apiKeys !== undefined && <Keys ask={source.apiKeys} code={code} />}
                        {source.accountsWithout !== undefined && <Without source={source} code={code} />}
                    </>
                );
            }}
        </Until>
    );
}
