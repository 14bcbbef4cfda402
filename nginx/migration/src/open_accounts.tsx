// Accounts that need attention.
import { count, countOf, duration } from './format';
import type { Live } from './live';
import type { OpenAccount, OpenAccounts } from './model';
import { AccountLink, type Column, Section, Table, Time, Until } from './parts';

function byReason(accounts: OpenAccount[]): [string, number][] {
    const reasons = new Map<string, number>();
    for (const { reason } of accounts) reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1);
    return [...reasons].sort((one, other) => other[1] - one[1]);
}

export function Failed({ live, code }: { live: Live<OpenAccounts>; code: string }) {
    const columns: Column<OpenAccount>[] = [
        {
            name: 'account',
            show: (row) => <AccountLink code={code} number={row.external_account_number} />,
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        {
            name: 'reason',
            show: (row) => row.reason || <span class="dim">none was given</span>,
            cell: (row) => row.reason,
        },
        { name: 'failed', show: (row) => <Time at={row.since} />, cell: (row) => row.since },
        ...(live.value?.items.some((row) => row.attempts !== undefined) === true
            ? [
                  {
                      name: 'attempts',
                      show: (row: OpenAccount) => row.attempts,
                      cell: (row: OpenAccount) => row.attempts ?? null,
                      isNumber: true,
                  },
              ]
            : []),
    ];
    return (
        <Section title="Failed accounts">
            <Until
                live={live}
                notAvailable="The list of failed accounts is not available: this version of the service does not tell it."
            >
                {({ items, hasMore }) => {
                    const reasons = byReason(items);
                    return (
                        <>
                            {reasons.length > 1 && (
                                <ul class="reasons">
                                    {reasons.slice(0, 5).map(([reason, accounts]) => (
                                        <li key={reason}>
                                            <b>{count(accounts)}</b> {reason || 'without a reason'}
                                        </li>
                                    ))}
                                </ul>
                            )}
                            <Table
                                name="failed accounts"
                                columns={columns}
                                rows={items}
                                empty="No account has failed."
                            />
                            {hasMore && (
                                <p class="dim">These are {countOf(items.length, 'account')}; there may be more.</p>
                            )}
                        </>
                    );
                }}
            </Until>
        </Section>
    );
}

export function InProgress({ live, code, now }: { live: Live<OpenAccounts>; code: string; now: Date }) {
    const age = (row: OpenAccount): number => now.getTime() - Date.parse(row.since);
    const long = 3_600_000;
    const columns: Column<OpenAccount>[] = [
        {
            name: 'account',
            show: (row) => <AccountLink code={code} number={row.external_account_number} />,
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        { name: 'in progress since', show: (row) => <Time at={row.since} />, cell: (row) => row.since },
        {
            name: 'for',
            show: (row) => (
                <span class={age(row) > long ? 'warn' : undefined}>
                    {duration(age(row))}
                    {age(row) > long && ' – stuck?'}
                </span>
            ),
            cell: (row) => Math.round(age(row) / 1000),
        },
    ];
    return (
        <Section title="Accounts in progress">
            <Until live={live} notAvailable="The list of accounts in progress is not available.">
                {({ items, hasMore }) => (
                    <>
                        <Table
                            name="accounts in progress"
                            columns={columns}
                            rows={items}
                            empty="No account is in progress."
                        />
                        {hasMore && (
                            <p class="dim">
                                These are the {countOf(items.length, 'account')} that have been in progress for longest.
                            </p>
                        )}
                    </>
                )}
            </Until>
        </Section>
    );
}
