// A searched number that no account has: the refused requests for it, and the account that was perhaps meant.
import { Command } from './command';
import { count, hasInvisible, quoted, withInvisibleNamed } from './format';
import type { AccountName, FoundAccounts, PartlyKept, RefusedUnknown } from './model';
import { AccountLink, Code, type Column, RequestId, Section, SupplierLink, Table, Time } from './parts';

/** The most refusals that the service keeps for an account. */
export const mostKept = 20;

const endpointName = (path: string): string => path.replace('/v1/data-import/', '');

const columns: Column<RefusedUnknown>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'supplier', show: (row) => <SupplierLink code={row.import_supplier} />, cell: (row) => row.import_supplier },
    { name: 'code', show: (row) => <Code text={row.code} />, cell: (row) => row.code },
    { name: 'endpoint', show: (row) => <Code text={endpointName(row.endpoint)} />, cell: (row) => row.endpoint },
    { name: 'request id', show: (row) => <RequestId id={row.request_id} />, cell: (row) => row.request_id },
];

export function RefusedOfUnknown({ refused }: { refused: RefusedUnknown[] }) {
    if (refused.length === 0) return null;
    return (
        <Section title="Refused, of accounts that are not known">
            <Table name="refused of unknown accounts" columns={columns} rows={refused} empty="" />
        </Section>
    );
}

/** The suppliers that sent something for the account, and the command that stages it. */
export function NeverStaged({ number, refused }: { number: string; refused: RefusedUnknown[] }) {
    const codes = [...new Set(refused.map((one) => one.import_supplier))];
    return (
        <>
            {codes.map((code) => {
                const requests = refused.filter((one) => one.import_supplier === code);
                const [last] = requests;
                return (
                    <div key={code}>
                        <p>
                            <b>{withInvisibleNamed(number)}</b>: {code} sent <Code text={endpointName(last!.endpoint)} /> at <Time at={last!.at} />
                            {requests.length > 1 &&
                                ` (${requests.length < mostKept ? '' : 'at least '}${count(requests.length)} requests)`}
                            ; no account of this number is known here.
                        </p>
                        <p class="next">
                            {hasInvisible(number) ? (
                                'It cannot be staged: it has a character that nobody sees.'
                            ) : (
                                <>
                                    Stage it:{' '}
                                    <Command text={`data-importctl account stage -- ${quoted(code)} ${quoted(number)}`} />
                                </>
                            )}
                        </p>
                    </div>
                );
            })}
        </>
    );
}

/** The only account with a similar number. */
export function Meant({ meant = [] }: { meant: AccountName[] | undefined }) {
    const [one] = meant;
    if (one === undefined) return null;
    return (
        <p>
            Did you mean <AccountLink code={one.import_supplier} number={one.external_account_number} /> of{' '}
            <SupplierLink code={one.import_supplier} />?
        </p>
    );
}

export function Erased({ number, erased = [] }: { number: string; erased: FoundAccounts['erased'] | undefined }) {
    return (
        <>
            {erased.map(({ import_supplier, at, by }) => (
                <p key={import_supplier}>
                    <b>{number}</b> of {import_supplier} was erased at <Time at={at} /> by {by}; imports into it are answered{' '}
                    <Code text="account_not_found" />, and these refusals are not kept.
                </p>
            ))}
        </>
    );
}

/** Says that refusals of an account may be missing, because more requests were refused for its supplier than are kept. */
export function OnlyCounted({ number, shares = [] }: { number: string; shares: PartlyKept[] | undefined }) {
    const [first] = shares;
    if (first === undefined) return null;
    const refusals = shares.reduce((sum, one) => sum + one.refusals, 0);
    const only = refusals - shares.reduce((sum, one) => sum + one.kept, 0);
    const since = shares.map((one) => one.since).sort()[0];
    const field = shares.length > 1 ? '' : `IMPORT_SUPPLIER=${quoted(first.import_supplier)} `;
    return (
        <p class="next">
            {count(only)} of the {count(refusals)} refusals {shares.length === 1 && `of ${first.import_supplier} `}since{' '}
            {since} {only === 1 ? 'was' : 'were'} only counted: more came than are kept.{' '}
            <InJournals fields={`${field}ACCOUNT=${quoted(number)}`} />
        </p>
    );
}

/** The command that finds all refusals in the journals. Each host has those of the requests that it took. */
export const InJournals = ({ fields }: { fields: string }) => (
    <>
        The journals of the hosts together have them all: <Command text={`journalctl -u data-import ${fields}`} />
    </>
);
