// Requests that were refused because nobody had staged their account.
import { Command } from './command';
import { count, quoted } from './format';
import type { RefusedUnknown } from './model';
import { Code, type Column, RequestId, Section, Table, Time } from './parts';

/** The service keeps so many refusals of an account. */
const mostKept = 20;

const endpointName = (path: string): string => path.replace('/v1/data-import/', '');

const columns: Column<RefusedUnknown>[] = [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'supplier', show: (row) => row.import_supplier, cell: (row) => row.import_supplier },
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
                            <b>{number}</b>: {code} sent <Code text={endpointName(last!.endpoint)} /> at <Time at={last!.at} />
                            {requests.length > 1 &&
                                ` (${requests.length < mostKept ? '' : 'at least '}${count(requests.length)} requests)`}
                            ; no account of this number is known here.
                        </p>
                        <p class="next">
                            Stage it: <Command text={`data-importctl account stage -- ${quoted(code)} ${quoted(number)}`} />
                        </p>
                    </div>
                );
            })}
        </>
    );
}
