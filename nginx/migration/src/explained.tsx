// The reasons why stored figures differ from declared ones, account by account.
import { ActButton } from './acting';
import { reconcile } from './acts';
import { count, countOf, decimal, kindsWithMoney, quoted, words } from './format';
import type { Live } from './live';
import type { Explanations } from './model';
import { AccountLink, Code, type Column, Long, Notice, Section, Table, Time, Until } from './parts';

type Accepted = Explanations['accepted']['accounts'][number];

const amount = (kind: string, value: string): string => decimal(value, kindsWithMoney.includes(kind) ? 2 : 0);

/** Whether accepted differences explain all differences; `undefined` while no difference is known. */
export const explainsAll = ({ value }: Live<Explanations>): boolean | undefined =>
    value === undefined || value.figures.length === 0 ? undefined : value.figures.every((one) => one.explained);

const both = (declared: string, held: string): string => (declared === held ? held : `${declared} → ${held}`);

export function Explained({ live, code }: { live: Live<Explanations>; code: string }) {
    const columns: Column<Accepted>[] = [
        {
            name: 'account',
            show: (row) => <AccountLink code={code} number={row.external_account_number} />,
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
        {
            name: 'records: declared → stored',
            show: (row) => both(count(row.declared.records), count(row.held.records)),
            cell: (row) => both(String(row.declared.records), String(row.held.records)),
            isNumber: true,
        },
        {
            name: 'amount: declared → stored',
            show: (row) =>
                row.declared.amount === null
                    ? '–'
                    : both(amount(row.kind, row.declared.amount), amount(row.kind, row.held.amount ?? '0')),
            cell: (row) => (row.declared.amount === null ? null : both(row.declared.amount, row.held.amount ?? '0')),
            isNumber: true,
        },
        { name: 'why', show: (row) => <Long text={row.reason} />, isText: true, cell: (row) => row.reason },
        { name: 'accepted by', show: (row) => row.by, cell: (row) => row.by },
        { name: 'when', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    ];
    return (
        <Section title="Accepted differences of accounts" tools={<ActButton act={reconcile(code)} />}>
            <Until live={live} notAvailable="Accepted differences are not available.">
                {({ accepted: { accounts, count: all, lapsed } }) => (
                    <>
                        {accounts.length === 0 ? (
                            <Notice>
                                No difference of an account has been accepted. To accept some, write them into a file reasons.csv
                                (external_account_number, kind, reason):{' '}
                                <Code text={`data-importctl reconcile --accept reasons.csv -- ${quoted(code)} totals.csv`} />
                            </Notice>
                        ) : (
                            <Table name="accepted differences" columns={columns} rows={accounts} empty="" />
                        )}
                        {all > accounts.length && (
                            <p class="dim">
                                These are the first {count(accounts.length)} of {count(all)}.
                            </p>
                        )}
                        {lapsed > 0 && (
                            <p class="dim">
                                {countOf(lapsed, 'more was accepted once and holds', 'more were accepted once and hold')} no
                                longer: the account has changed since.
                            </p>
                        )}
                    </>
                )}
            </Until>
        </Section>
    );
}
