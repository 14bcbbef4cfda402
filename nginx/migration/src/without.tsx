// Imported accounts that have no records of a kind. To find them, the service looks up every account, so the page asks
// only when the viewer wants it.
import { useState } from 'preact/hooks';
import { countOf, quoted } from './format';
import type { Source } from './model';
import { AccountLink, Choice, type Column, FailureNotice, Section, Table, useOnce } from './parts';

const kindNames = { notes: 'Notes', transactions: 'Transactions' };
type KindName = keyof typeof kindNames;

function Look({ source, code, kind }: { source: Source; code: string; kind: KindName }) {
    const { value, failure, isWaiting, look } = useOnce((signal) => source.accountsWithout!(code, kind, signal));
    const columns: Column<string>[] = [
        {
            name: 'account',
            show: (number) => <AccountLink code={code} number={number} />,
            cell: (number) => number,
            isAccount: true,
        },
    ];
    return (
        <>
            {failure !== undefined && <FailureNotice failure={failure} />}
            {value !== undefined && (
                <>
                    <Table
                        name={`imported accounts without ${kind}`}
                        columns={columns}
                        rows={value.numbers}
                        empty={`Every imported account has ${kind}.`}
                    />
                    {value.hasMore && (
                        <p class="dim">
                            These are the first {countOf(value.numbers.length, 'account')}; there may be more:{' '}
                            <code>
                                data-importctl account list --without {kind} -- {quoted(code)}
                            </code>
                        </p>
                    )}
                </>
            )}
            <button type="button" class="quiet" disabled={isWaiting} onClick={() => void look()}>
                {isWaiting ? 'Looking …' : `Find accounts without ${kind}`}
            </button>
        </>
    );
}

export function Without({ source, code }: { source: Source; code: string }) {
    const [kind, setKind] = useState<KindName>('notes');
    return (
        <Section
            title="Imported accounts without records"
            tools={<Choice name="Without which records" words={kindNames} value={kind} onChange={setKind} />}
        >
            <Look key={kind} source={source} code={code} kind={kind} />
        </Section>
    );
}
