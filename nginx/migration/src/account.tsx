// One account, by its number at the supplier.
import type { ComponentChildren } from 'preact';
import { ActButton } from './acting';
import { hold, release, resetAccount, retryAccounts } from './acts';
import { Command } from './command';
import { folded } from './failures';
import { count, countOf, hasInvisible, quoted, withInvisibleNamed, words } from './format';
import { useLive, useNow } from './live';
import type { AccountDetails, Source } from './model';
import { Retry } from './open_accounts';
import {
    Code,
    type Column,
    figureName,
    figureValue,
    Long,
    Notice,
    RequestId,
    Section,
    Table,
    Time,
    Until,
    whyAndWhere,
} from './parts';
import { LastRecords } from './records';
import { addressOf } from './route';
import { longAttempt } from './state';
import { Erased, Meant, mostKept, NeverStaged, OnlyCounted, RefusedOfUnknown } from './unknown';

const meanings: Record<string, string> = {
    staged: 'The account is known; no attempt to create it is running.',
    in_progress: 'An attempt to create the account is running.',
    failed: 'The last attempt to create the account failed.',
    imported: 'The account exists on the platform; its records may still be to come.',
    UNKNOWN: 'The account is staged, or its last attempt failed: it has not been created.',
    IN_PROGRESS: 'An attempt to create the account is running.',
    COMPLETED: 'The account exists on the platform; its records may still be to come.',
};

type Records = NonNullable<AccountDetails['records']>[number];
type Step = NonNullable<AccountDetails['history']>[number];
type Refusal = NonNullable<AccountDetails['refusals']>[number];
type Import = NonNullable<AccountDetails['imports']>[number];

const stepColumns: Column<Step>[] = [
    { name: 'what', show: (row) => words(row.state), cell: (row) => row.state },
    { name: 'when', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    { name: 'by', show: (row) => row.by, cell: (row) => row.by },
    { name: 'reason', show: (row) => (row.reason === null ? <span class="dim">–</span> : <Long text={row.reason} />), isText: true, cell: (row) => row.reason },
];

/** The account that a table is about. */
interface Of {
    code: string;
    number: string;
}

const importColumns = (of: Of): Column<Import>[] => [
    { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
    { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
    { name: 'imported', show: (row) => <Time at={row.imported_at} />, cell: (row) => row.imported_at },
    { name: 'request id', show: (row) => <RequestId id={row.request_id} {...of} />, cell: (row) => row.request_id },
    { name: 'API key', show: (row) => row.api_key_id, cell: (row) => row.api_key_id, isNumber: true },
];

const refusalColumns = (of: Of): Column<Refusal>[] => [
    { name: 'refused', show: (row) => <Time at={row.at} />, cell: (row) => row.at },
    whyAndWhere(),
    {
        name: 'endpoint',
        show: (row) => <Code text={row.endpoint.replace('/v1/data-import/', '')} />,
        cell: (row) => row.endpoint,
    },
    { name: 'request id', show: (row) => <RequestId id={row.request_id} {...of} />, cell: (row) => row.request_id },
];

const documentColumns: Column<string>[] = [
    { name: 'place in the document bucket', show: (row) => <Code text={row} />, cell: (row) => row },
];

function Documents({ documents }: { documents: NonNullable<AccountDetails['documents']> }) {
    const { count: all, locations } = documents;
    return (
        <Section title="Documents">
            <Table
                name="documents of an account"
                columns={documentColumns}
                rows={locations}
                empty="No note and no statement of this account refers to a document."
            />
            {all > locations.length && (
                <p class="dim">These are the first {count(locations.length)} of {count(all)} documents.</p>
            )}
        </Section>
    );
}

function recordColumns(hasSums: boolean): Column<Records>[] {
    const sums = (row: Records): [string, string][] => Object.entries(row.sums ?? {});
    return [
        { name: 'kind', show: (row) => words(row.kind), cell: (row) => row.kind },
        { name: 'records', show: (row) => count(row.records), cell: (row) => row.records, isNumber: true },
        ...(hasSums
            ? [
                  {
                      name: 'sums',
                      show: (row: Records) => (
                          <ul class="sums">
                              {sums(row).map(([figure, value]) => (
                                  <li key={figure}>
                                      {figureName(figure)}: <b>{figureValue(figure, value)}</b>
                                  </li>
                              ))}
                          </ul>
                      ),
                      cell: (row: Records) =>
                          sums(row)
                              .map(([figure, value]) => `${figure}=${value}`)
                              .join(' '),
                  },
                  {
                      name: 'fingerprint',
                      show: (row: Records) => <code class="id">{row.fingerprint}</code>,
                      cell: (row: Records) => row.fingerprint ?? null,
                  },
              ]
            : []),
    ];
}

function Details({ source, account, code }: { source: Source; account: AccountDetails; code: string }) {
    const { records, history, imports, refusals, documents } = account;
    const of = { code, number: account.external_account_number };
    return (
        <>
            <div class="summary">
                <dl class="facts">
                    <dt>State</dt>
                    <dd>
                        <span class={`mark account-${account.state.toLowerCase()}`}>{words(account.state)}</span>{' '}
                        <span class="dim">{meanings[account.state]}</span>
                    </dd>
                    <dt>Number on the platform</dt>
                    <dd>{account.service_account_number ?? <span class="dim">none yet</span>}</dd>
                    {account.facts.map(
                        ([name, value, type]) =>
                            value !== null && [
                                <dt key={name}>{name}</dt>,
                                <dd key={`${name} value`}>{type === 'time' ? <Time at={value} /> : value}</dd>,
                            ],
                    )}
                </dl>
            </div>
            <div class="columns">
                <Section title="Records">
                    {records === undefined ? (
                        <Notice>
                            The counts of single accounts are not available: this version of the service does not tell
                            them.
                        </Notice>
                    ) : (
                        <Table
                            name="records of an account"
                            columns={recordColumns(records.some((row) => row.sums !== undefined))}
                            rows={records}
                            empty="Nothing has been imported into this account."
                        />
                    )}
                </Section>
                {history !== undefined && (
                    <Section title="History">
                        <Table
                            name="history of an account"
                            columns={stepColumns}
                            rows={history}
                            empty="There is no history."
                        />
                    </Section>
                )}
            </div>
            {refusals !== undefined && refusals.length > 0 && (
                <Section title="Last refusals">
                    <Table name="last refusals of an account" columns={refusalColumns(of)} rows={refusals} empty="" />
                </Section>
            )}
            {imports !== undefined && (
                <Section title="Last imports">
                    <Table
                        name="last imports of an account"
                        columns={importColumns(of)}
                        rows={imports}
                        empty="Nothing has been imported into this account."
                    />
                </Section>
            )}
            {source.records !== undefined && <LastRecords source={source} account={account} code={code} />}
            {documents !== undefined && <Documents documents={documents} />}
        </>
    );
}

/** Says why an account has failed, and how to stage again this account, or all accounts that failed for the same reason. */
function FailedAnswer({ source, code, number, reason }: Of & { source: Source; reason: string }) {
    const live = useLive(
        `reasons ${code}`,
        10_000,
        source.failureGroups === undefined ? undefined : (signal) => source.failureGroups!(code, '', signal),
    );
    const group = live.value?.groups.find((one) => one.reason === folded(reason));
    const others = (group?.accounts ?? 1) - 1;
    return (
        <>
            <p>
                <b>{number}</b> has failed{others > 0 && `, and ${countOf(others, 'other', 'others')} for the same reason`}:{' '}
                {reason === '' ? 'no reason was given' : <Long text={reason} />}.
            </p>
            <p class="next">
                Have it tried again: <Command text={`data-importctl account stage -- ${quoted(code)} ${quoted(number)}`} />{' '}
                <ActButton act={retryAccounts(code, [number])} />
            </p>
            {group !== undefined && others > 0 && <Retry group={group} all={live.value!} />}
        </>
    );
}

/** The state of an account in a sentence, and an operator's next command. */
function Answer({ source, account, code }: { source: Source; account: AccountDetails; code: string }) {
    const now = useNow();
    const number = account.external_account_number;
    const named = `-- ${quoted(code)} ${quoted(number)}`;
    // without the option the service would draw a number, and refuse the true one afterwards
    const completion = `data-importctl account complete --service-account-number '' ${named}`;
    const begun = account.history?.findLast((step) => step.state === 'in_progress')?.at;
    const next = (words: ComponentChildren, command: string): ComponentChildren => (
        <p class="next">
            {words} <Command text={command} />
        </p>
    );
    switch (account.state) {
        case 'failed':
            return <FailedAnswer source={source} code={code} number={number} reason={account.failure_reason ?? ''} />;
        case 'staged':
            return (
                <>
                    <p>
                        <b>{number}</b> waits for the platform to create it.
                    </p>
                    {next('If you create it by hand, mark it as in progress meanwhile:', `data-importctl account begin ${named}`)}
                    {next('When it exists on the platform, put its number there between the quotes:', completion)}
                </>
            );
        case 'in_progress':
            return (
                <>
                    <p>
                        <b>{number}</b>: an attempt to create it
                        {begun === undefined ? (
                            ' is running.'
                        ) : (
                            <>
                                {' '}
                                has been running since <Time at={begun} />.
                            </>
                        )}
                    </p>
                    {next('If you have created it by hand, put its number on the platform between the quotes:', completion)}
                    {begun !== undefined &&
                        now.getTime() - Date.parse(begun) > longAttempt &&
                        next('If no attempt is running any more, mark the account as failed:', `data-importctl account fail --reason 'attempt lost' ${named}`)}
                </>
            );
        case 'imported': {
            const refused = account.refusals?.[0];
            const imported = account.imports?.[0]?.imported_at;
            const isLast = refused !== undefined && (imported === undefined || refused.at > imported);
            const records = account.records?.reduce((sum, one) => sum + one.records, 0) ?? 0;
            return (
                <>
                    <p>
                        <b>{number}</b> is imported and has {countOf(records, 'record')}
                        {isLast && (
                            <>
                                ; the last request for it was refused: <Code text={refused.places[0]?.code ?? refused.code} />
                            </>
                        )}
                        .
                    </p>
                    {isLast &&
                        next(
                            'What it was refused for:',
                            `data-importctl request show ${refused.request_id} --supplier=${quoted(code)} --account=${quoted(number)}`,
                        )}
                </>
            );
        }
        default:
            return null;
    }
}

/** Shows an account that nobody has staged, and the refused requests for it. */
function UnknownAccount({ source, code, number }: Of & { source: Source }) {
    const live = useLive(`search ${number}`, 10_000, (signal) => source.search(number, signal));
    const ofSupplier = <Row extends { import_supplier: string }>(rows: Row[] = []): Row[] =>
        rows.filter((one) => one.import_supplier === code);
    const meant = live.value?.meant;
    const refused = ofSupplier(live.value?.refused);
    const erased = ofSupplier(live.value?.erased);
    const shares = refused.length < mostKept && erased.length === 0 ? ofSupplier(live.value?.partly_kept) : [];
    if (live.value === undefined) return <Until live={live} notAvailable="The search is not available.">{() => null}</Until>;
    return (
        <>
            <div class="answer" role="status">
                {erased.length > 0 ? (
                    <Erased number={number} erased={erased} />
                ) : refused.length > 0 ? (
                    <>
                        <Meant meant={meant} />
                        <NeverStaged number={number} refused={refused} />
                    </>
                ) : (
                    <>
                        <p>There is no account {withInvisibleNamed(number)} of {code}, and no refusal of this number is kept.</p>
                        <Meant meant={meant} />
                        <p class="next">
                            <a href={addressOf({ view: 'search', text: number })}>Search for {number}</a> everywhere
                            {!hasInvisible(number) && (
                                <>
                                    , or make it known:{' '}
                                    <Command text={`data-importctl account stage -- ${quoted(code)} ${quoted(number)}`} />
                                </>
                            )}
                        </p>
                    </>
                )}
                <OnlyCounted number={number} shares={shares} />
            </div>
            <RefusedOfUnknown refused={refused} />
        </>
    );
}

export function AccountView({ source, code, number }: Of & { source: Source }) {
    const live = useLive(`account ${code} ${number}`, 2000, (signal) => source.account(code, number, signal));
    return (
        <>
            <div class="title">
                <h2>{number}</h2>
                <span class="dim">
                    account of <a href={addressOf({ view: 'supplier', code })}>{code}</a>
                </span>
            </div>
            {live.failure?.isNotAvailable === true && source.kind === 'operators' ? (
                <UnknownAccount source={source} code={code} number={number} />
            ) : (
                <Until
                    live={live}
                    notAvailable={`There is no account ${number} of ${code}. The number is that of the supplier's own system, exactly as it was staged.`}
                >
                    {(account) => (
                        <>
                            {source.kind === 'operators' && (
                                <div class="answer" role="status">
                                    <Answer source={source} account={account} code={code} />
                                    {account.notKept && <OnlyCounted number={number} shares={[account.notKept]} />}
                                    <div class="tools acts">
                                        <ActButton act={account.isHeld ? release(code, number) : hold(code, number)} />
                                        {!account.isHeld && <ActButton act={resetAccount(code, number)} />}
                                    </div>
                                </div>
                            )}
                            <Details source={source} account={account} code={code} />
                        </>
                    )}
                </Until>
            )}
        </>
    );
}
