// The last records of an account as the supplier sent them. They are personal data, and the service records each look:
// nothing is fetched before somebody asks for it.
import { useState } from 'preact/hooks';
import { countOf, kindsWithMoney, words } from './format';
import type { AccountDetails, SeenRecord, Source } from './model';
import { Choice, Code, type Column, FailureNotice, Notice, RequestId, Section, Table, Time, useOnce } from './parts';

/** The fields of a record by their places, such as `amounts.0.quantity`. */
function fieldsOf(value: unknown, place = ''): [string, string][] {
    if (typeof value !== 'object' || value === null) return [[place, String(value)]];
    return Object.entries(value).flatMap(([name, part]) => fieldsOf(part, place === '' ? name : `${place}.${name}`));
}

/** Writes amounts of money in the main unit with at least two digits after the point, because they may have been sent so. */
function shownField(kind: string, place: string, value: string): string {
    const isMoney = kindsWithMoney.includes(kind) && /(^|\.)(gross_amount|net_amount|amount)$/.test(place);
    const [, whole, digits = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(value) ?? [];
    return isMoney && whole !== undefined ? `${whole}.${digits.padEnd(2, '0')}` : value;
}

const columnsOf = (code: string, number: string, kind: string): Column<SeenRecord>[] => [
    { name: 'imported', show: (row) => <Time at={row.imported_at} />, cell: (row) => row.imported_at },
    {
        name: 'record',
        show: (row) => (
            <dl class="record">
                {fieldsOf(row.record).map(([place, value]) => [
                    <dt key={place}>
                        <Code text={place} />
                    </dt>,
                    <dd key={`${place} value`}>{shownField(kind, place, value)}</dd>,
                ])}
                {row.moved_to !== null && [<dt key="moved">stored under the date</dt>, <dd key="moved to">{row.moved_to}</dd>]}
            </dl>
        ),
        cell: (row) =>
            fieldsOf(row.record)
                .map(([place, value]) => `${place}=${value}`)
                .join('; '),
    },
    {
        name: 'request id',
        show: (row) => <RequestId id={row.request_id} code={code} number={number} />,
        cell: (row) => row.request_id,
    },
    { name: 'API key', show: (row) => row.api_key_id, cell: (row) => row.api_key_id, isNumber: true },
];

const pageLength = 100;
const foldedLength = 10;

function OfKind({ source, code, number, kind }: { source: Source; code: string; number: string; kind: string }) {
    const [seen, setSeen] = useState<SeenRecord[]>([]);
    const [before, setBefore] = useState<string | null>(null);
    const [isAsked, setAsked] = useState(false);
    const account = { import_supplier: code, external_account_number: number };
    const { failure, isWaiting, look } = useOnce((signal) => source.records!(account, kind, before, signal));
    const ask = async (): Promise<void> => {
        const page = await look();
        if (page === undefined) return;
        setSeen([...seen, ...page.records]);
        setBefore(page.before);
        setAsked(true);
    };
    return (
        <>
            {failure !== undefined && <FailureNotice failure={failure} />}
            {isAsked && (
                <Table
                    look="records"
                    name={`last ${words(kind)} of an account`}
                    columns={columnsOf(code, number, kind)}
                    rows={seen}
                    empty={`The service itself made all ${words(kind)} of this account; the supplier has sent none.`}
                    length={seen.length > pageLength ? seen.length : foldedLength}
                />
            )}
            {isAsked && before === null ? (
                seen.length > 0 && <p class="dim">There are no older ones.</p>
            ) : (
                <button type="button" class="quiet" disabled={isWaiting} onClick={() => void ask()}>
                    {isWaiting ? 'Looking …' : isAsked ? 'Show older ones' : `Show the last ${words(kind)}`}
                </button>
            )}
        </>
    );
}

export function LastRecords({ source, account, code }: { source: Source; account: AccountDetails; code: string }) {
    const kinds = (account.records ?? []).filter((one) => one.records > 0).map((one) => one.kind);
    const [chosen, setChosen] = useState<string | undefined>(undefined);
    const kind = chosen ?? kinds[0];
    if (kind === undefined) return null;
    if (account.showsRecords !== true)
        return (
            <Section title="Records as they were sent">
                <Notice>
                    The setting <code>operators_see_records</code> is <code>no</code>: records are not shown here.
                </Notice>
            </Section>
        );
    return (
        <Section
            title="Records as they were sent"
            tools={
                <Choice
                    name="Which records"
                    words={Object.fromEntries(kinds.map((one) => [one, words(one)]))}
                    value={kind}
                    onChange={setChosen}
                />
            }
        >
            <p class="dim">
                These are personal data: the audit history notes that somebody has looked at them. The button shows the last{' '}
                {countOf(pageLength, 'record')} of a kind.
            </p>
            <OfKind key={kind} source={source} code={code} number={account.external_account_number} kind={kind} />
        </Section>
    );
}
