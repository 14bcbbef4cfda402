// The accounts of a supplier that need attention: those that failed, by reason, and those in progress.
import { useState } from 'preact/hooks';
import { ActButton, useMayAct } from './acting';
import { retryAccounts, retryAll, retryReason } from './acts';
import { Command } from './command';
import { groupsOf, retryOf, shownReason } from './failures';
import { count, countOf, duration } from './format';
import { type Live, useLive } from './live';
import type { FailureGroup, FailureGroups, OpenAccount, OpenAccounts, Source } from './model';
import { AccountLink, type Column, Long, Section, Words, Table, Time, Until } from './parts';
import { longAttempt } from './state';

/** The accounts that are chosen for another try. */
interface Chosen {
    numbers: ReadonlySet<string>;
    toggle: (number: string) => void;
}

function failedColumns(code: string, accounts: OpenAccount[], chosen: Chosen | undefined): Column<OpenAccount>[] {
    const attempts: Column<OpenAccount>[] = [
        {
            name: 'attempts',
            show: (row) => row.attempts,
            cell: (row) => row.attempts ?? null,
            isNumber: true,
        },
    ];
    return [
        {
            name: 'account',
            show: ({ external_account_number: number }) => (
                <>
                    {chosen !== undefined && (
                        <input
                            type="checkbox"
                            aria-label={`Choose ${number}`}
                            checked={chosen.numbers.has(number)}
                            onChange={() => chosen.toggle(number)}
                        />
                    )}
                    <AccountLink code={code} number={number} />
                </>
            ),
            cell: (row) => row.external_account_number,
            isAccount: true,
        },
        {
            name: 'reason',
            show: (row) => (row.reason ? <Long text={row.reason} /> : <span class="dim">none was given</span>),
            isText: true,
            cell: (row) => row.reason,
        },
        { name: 'failed', show: (row) => <Time at={row.since} />, cell: (row) => row.since },
        ...(accounts.some((row) => row.attempts !== undefined) ? attempts : []),
    ];
}

const mostGroups = 8;

/** Lists the groups of reasons. The chosen one filters the list below. */
export function Reasons({
    groups,
    chosen,
    canRetry = false,
    onChoose,
}: {
    groups: FailureGroup[];
    chosen: string | undefined;
    /** The chosen group is shown with the command that retries it. */
    canRetry?: boolean;
    onChoose: (reason: string | undefined) => void;
}) {
    const [isWhole, setWhole] = useState(false);
    return (
        <>
            <p class="dim">Choose a reason to list its accounts{canRetry && ', with the command that has them tried again'}.</p>
            <ul class="reasons">
                {(isWhole ? groups : groups.slice(0, mostGroups)).map((group) => (
                    <li key={group.reason}>
                        <button
                            type="button"
                            aria-pressed={group.reason === chosen}
                            onClick={() => onChoose(group.reason === chosen ? undefined : group.reason)}
                        >
                            <b>{count(group.accounts)}</b>{' '}
                            <span class={group.reason === chosen ? undefined : 'folded'}>
                                <Words text={shownReason(group) || 'no reason was given'} />
                            </span>
                        </button>
                    </li>
                ))}
            </ul>
            {groups.length > mostGroups && (
                <div class="below">
                    <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                        {isWhole ? `Show the first ${count(mostGroups)} reasons` : `Show all ${countOf(groups.length, 'reason')}`}
                    </button>
                </div>
            )}
        </>
    );
}

/** The command by which operators have a group tried again. */
export function Retry({ group, all: { groups, hasMore } }: { group: FailureGroup; all: FailureGroups }) {
    const retry = retryOf(group, groups);
    if (retry === undefined) return null;
    const atLeast = hasMore ? 'at least ' : '';
    return (
        <p class="next">
            {retry.accounts > group.accounts
                ? `This command stages these accounts again, and ${atLeast}${countOf(retry.accounts - group.accounts, 'other', 'others')} with the same words in the reason: `
                : `Have ${group.accounts === 1 ? 'it' : `all ${count(group.accounts)}`} tried again: `}
            <Command text={retry.command} /> <ActButton act={retryReason(group.import_supplier, retry.text)} />
        </p>
    );
}

export function Failed({ source, code }: { source: Source; code: string }) {
    const [reason, setReason] = useState<string | undefined>(undefined);
    const [numbers, setNumbers] = useState<ReadonlySet<string>>(new Set());
    const toggle = (number: string): void =>
        setNumbers((before) => new Set(before.has(number) ? [...before].filter((one) => one !== number) : [...before, number]));
    const chosen = useMayAct(retryAll(code)) ? { numbers, toggle } : undefined;
    const everything = useLive(`failed ${code}`, 5000, (signal) => source.failed(code, undefined, signal));
    const ofGroup = useLive(
        `failed ${code} ${reason}`,
        5000,
        reason === undefined ? undefined : (signal) => source.failed(code, reason, signal),
    );
    const told = useLive(
        `reasons ${code}`,
        5000,
        source.failureGroups === undefined ? undefined : (signal) => source.failureGroups!(code, '', signal),
    );
    const listed = everything.value ?? { items: [], hasMore: false };
    const all = told.value ?? { groups: groupsOf(code, listed.items), hasMore: listed.hasMore };
    const { groups } = all;
    const group = groups.find((one) => one.reason === reason) ?? (groups.length === 1 ? groups[0] : undefined);
    const stillFailed = listed.items.map((one) => one.external_account_number).filter((one) => numbers.has(one));
    return (
        <Section
            title="Failed accounts"
            tools={groups.length > 0 && <ActButton act={stillFailed.length > 0 ? retryAccounts(code, stillFailed) : retryAll(code)} />}
        >
            {(groups.length > 1 || (groups[0]?.accounts ?? 0) > 1) && (
                <Reasons groups={groups} chosen={reason} canRetry={source.kind === 'operators'} onChoose={setReason} />
            )}
            {all.hasMore && (
                <p class="dim">
                    {told.value === undefined
                        ? `Counted among the first ${countOf(listed.items.length, 'failed account')}; there are more.`
                        : `These are the ${countOf(groups.length, 'most frequent reason')}; there may be more.`}
                </p>
            )}
            {group !== undefined && source.kind === 'operators' && <Retry group={group} all={all} />}
            <Until
                live={reason === undefined ? everything : ofGroup}
                notAvailable="The list of failed accounts is not available: this version of the service does not tell it."
            >
                {({ items, hasMore }) => (
                    <>
                        <Table
                            name="failed accounts"
                            columns={failedColumns(code, items, chosen)}
                            rows={items}
                            empty={reason === undefined ? 'No account has failed.' : 'No account has this reason any more.'}
                        />
                        {hasMore && <p class="dim">These are {countOf(items.length, 'account')}; there may be more.</p>}
                    </>
                )}
            </Until>
        </Section>
    );
}

export function InProgress({ live, code, now }: { live: Live<OpenAccounts>; code: string; now: Date }) {
    const age = (row: OpenAccount): number => now.getTime() - Date.parse(row.since);
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
                <span class={age(row) > longAttempt ? 'warn' : undefined}>
                    {duration(age(row))}
                    {age(row) > longAttempt && ' – stuck?'}
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
