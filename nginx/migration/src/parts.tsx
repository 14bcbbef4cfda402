// Parts that all views are made of.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFile } from './files';
import { ago, type Cell, count, decimal, end, shares, time, utc, words } from './format';
import { Failure } from './http';
import type { Live } from './live';
import { type Accounts, allOf, type Place, type State, states, type Verdict } from './model';
import { addressOf } from './route';

/** Shows a time in the viewer's zone, and in UTC under the pointer. HTML allows at most three decimal places of a second. */
export function Time({ at, isToCome = false }: { at: string; isToCome?: boolean }) {
    const date = new Date(at);
    return (
        <time dateTime={date.toISOString()} title={utc(date)}>
            {isToCome ? end(date) : time(date)}
        </time>
    );
}

/** Shows how long ago something was, and its time under the pointer. */
export function Ago({ at, now }: { at: string; now: Date }) {
    const date = new Date(at);
    return (
        <time dateTime={date.toISOString()} title={`${time(date)} (${utc(date)})`}>
            {ago(at, now)}
        </time>
    );
}

export function Notice({ kind = 'empty', children }: { kind?: 'empty' | 'failure'; children: ComponentChildren }) {
    return (
        <p class={`notice ${kind}`} role={kind === 'failure' ? 'alert' : undefined}>
            {children}
        </p>
    );
}

/** Shows a notice until the view has data. `Failures` names each failure once, above the view. */
export function Until<Value>({
    live,
    notAvailable,
    children,
}: {
    live: Live<Value>;
    notAvailable: string;
    children: (value: Value) => ComponentChildren;
}) {
    const { value, failure } = live;
    if (failure?.isNotAvailable === true) return <Notice>{notAvailable}</Notice>;
    if (value !== undefined) return <>{children(value)}</>;
    return failure === undefined ? (
        <p class="notice waiting">Loading …</p>
    ) : (
        <Notice>There is no answer yet.</Notice>
    );
}

export function FailureNotice({ failure }: { failure: Failure }) {
    return <Notice kind="failure">{failure.message}</Notice>;
}

const verdicts: Record<Verdict, { sign: string; text: string; explanation: string }> = {
    EQUAL: { sign: '✓', text: 'Equal', explanation: 'All totals that the supplier has declared equal the stored ones.' },
    DIFFERENT: { sign: '≠', text: 'Different', explanation: 'A total that the supplier has declared differs from the stored one.' },
    UNDECLARED: {
        sign: '?',
        text: 'Undeclared',
        explanation: 'The supplier has not declared its totals.',
    },
};

/**
 * Shows the verdict by a sign and a word, not by colour alone. `isExplained`: accepted differences explain all differences;
 * `undefined`: not known.
 */
export function VerdictMark({
    verdict,
    isExplained,
    about,
}: {
    verdict: Verdict | undefined;
    isExplained?: boolean | undefined;
    /** The sentence under the pointer, in place of the one on declared totals. */
    about?: string;
}) {
    if (verdict === undefined) return <span class="mark unknown">Not available</span>;
    const { sign, text, explanation } = verdicts[verdict];
    const isAccepted = verdict === 'DIFFERENT' && isExplained === true;
    return (
        <span class={`mark ${isAccepted ? 'explained' : verdict.toLowerCase()}`} title={about ?? explanation}>
            <span aria-hidden="true">{sign}</span> {text}
            {isAccepted && ', explained'}
        </span>
    );
}

export const stateNames: Record<State, string> = {
    imported: 'imported',
    in_progress: 'in progress',
    failed: 'failed',
    staged: 'staged',
};
const order: State[] = ['imported', 'in_progress', 'failed', 'staged'];
const orderOfReports = states.toReversed(); // decides between equal remainders

function sharesOf(accounts: Accounts): Record<State, string> {
    const parts = shares(orderOfReports.map((state) => accounts[state]));
    return Object.fromEntries(orderOfReports.map((state, place) => [state, parts[place]!])) as Record<State, string>;
}

/** Returns the share of imported accounts, as the bar shows it. */
export const importedShare = (accounts: Accounts): string => sharesOf(accounts).imported;

/** How many accounts are in each state, as a bar and in numbers. */
export function Funnel({ accounts }: { accounts: Accounts }) {
    const all = allOf(accounts);
    const parts = sharesOf(accounts);
    const text = order.map((state) => `${count(accounts[state])} ${stateNames[state]}`).join(', ');
    return (
        <div class="funnel">
            <svg
                class="bar"
                viewBox="0 0 1000 10"
                preserveAspectRatio="none"
                role="img"
                aria-label={`Accounts: ${text}`}
            >
                <rect class="rest" width="1000" height="10" />
                {all > 0 &&
                    order.map((state, place) => {
                        const before = order.slice(0, place).reduce((sum, one) => sum + accounts[one], 0);
                        return (
                            <rect
                                key={state}
                                class={`state-${state}`}
                                x={(before / all) * 1000}
                                width={(accounts[state] / all) * 1000}
                                height="10"
                            />
                        );
                    })}
            </svg>
            <ul class="legend">
                {order.map((state) => (
                    <li key={state} class={accounts[state] === 0 ? 'none' : undefined}>
                        <svg class="key" viewBox="0 0 10 10" aria-hidden="true">
                            <rect class={`state-${state}`} width="10" height="10" rx="2" />
                        </svg>
                        <b>{count(accounts[state])}</b> {stateNames[state]}
                        {all > 0 && <span class="dim"> {parts[state]}</span>}
                    </li>
                ))}
            </ul>
        </div>
    );
}

export const AboutImported = () => (
    <p class="dim">Imported means: created on the platform. Records may still come.</p>
);

export function Tile({
    name,
    children,
    note,
}: {
    name: string;
    children: ComponentChildren;
    note?: ComponentChildren;
}) {
    return (
        <div class="tile">
            <dt>{name}</dt>
            <dd>
                <div class="figure">{children}</div>
                {note !== undefined && <div class="note">{note}</div>}
            </dd>
        </div>
    );
}

export interface Column<Row> {
    name: string;
    show: (row: Row) => ComponentChildren;
    cell: (row: Row) => Cell;
    isNumber?: boolean;
    isAccount?: boolean;
    /** The column is only in the file of the table. */
    isFileOnly?: boolean;
    /** The column has text, which takes a whole line if there is no room for columns. */
    isText?: boolean;
    /** Returns the value by which the table can be sorted. Numbers are sorted with the largest first. */
    sort?: (row: Row) => string | number | number[];
}

/** The most rows that a table shows before it is folded. */
const usualLength = 10;

/** Data that is fetched once, by a button, because it takes long. */
export function useOnce<Value>(fetchValue: (signal: AbortSignal) => Promise<Value>) {
    const [state, setState] = useState<{ value?: Value; failure?: Failure; isWaiting: boolean }>({ isWaiting: false });
    const stop = useRef<AbortController | undefined>(undefined);
    useEffect(() => () => stop.current?.abort(), []);
    const look = async (): Promise<Value | undefined> => {
        stop.current?.abort();
        const { signal } = (stop.current = new AbortController());
        setState({ isWaiting: true });
        try {
            const value = await fetchValue(signal);
            setState({ value, isWaiting: false });
            return value;
        } catch (reason) {
            if (signal.aborted) return undefined;
            const failure = reason instanceof Failure ? reason : new Failure(String(reason), 0);
            setState({ failure, isWaiting: false });
            return undefined;
        }
    };
    return { ...state, look };
}

/** The code of a supplier, which leads to it. */
export const SupplierLink = ({ code }: { code: string }) => (
    <a href={addressOf({ view: 'supplier', code })}>
        <Words text={code} />
    </a>
);

/** A link to an account's details. */
export function AccountLink({ code, number }: { code: string; number: string }) {
    return (
        <a href={addressOf({ view: 'account', code, number })} title={number}>
            {number}
        </a>
    );
}

/** The code of a refused request, and the codes of its items. */
export const whyAndWhere = <Row extends { code: string; detail?: string | null; places: Place[] }>(): Column<Row> => ({
    name: 'why and where',
    isText: true,
    show: (row) => (
        <>
            <Code text={row.code} />
            {row.detail && <small>{row.detail}</small>}
            {row.places.map(({ code, attr, detail }) => (
                <small key={`${code} ${attr}`}>
                    <Code text={code} /> {attr === '' ? 'of the request as a whole' : <>at <Code text={attr} /></>}
                    {detail && `: ${detail}`}
                </small>
            ))}
        </>
    ),
    cell: (row) =>
        [
            [row.code, row.detail].filter(Boolean).join(': '),
            ...row.places.map(({ code, attr, detail }) => `${code} ${attr}${detail ? `: ${detail}` : ''}`),
        ].join('; '),
});

/** The id of a request, with a link to its details if they are available. */
export function RequestId({ id, code, number }: { id: string; code?: string; number?: string }) {
    const text = (
        <code class="id" title={id}>
            {id}
        </code>
    );
    if (!useContext(TellsRequests)) return text;
    const of = code === undefined || number === undefined ? {} : { code, number };
    return <a href={addressOf({ view: 'request', id, ...of })}>{text}</a>;
}

/** Whether details of requests are available to the viewer. */
export const TellsRequests = createContext(false);

/** The most characters of a word that never breaks. */
const longestWord = 18;

/** Lets a word break after its slashes and points. A long part between them may also break after its other marks. */
const breakable = (word: string): ComponentChildren =>
    word
        .split(/(?<=[./])/)
        .flatMap((part) => (part.length > longestWord ? part.split(/(?<=[_,:=-])/) : [part]))
        .map((part, place) => [
            place > 0 && <wbr key={place} />,
            part.length > longestWord ? part : <span key={part} class="nowrap">{part}</span>,
        ]);

/** A text of which only long words break, after the marks in them. */
export function Words({ text }: { text: string }) {
    return (
        <>
            {text.split(' ').map((word, place) => [
                place > 0 && ' ',
                word.length > longestWord ? breakable(word) : /[/-]/.test(word) ? <span class="nowrap">{word}</span> : word,
            ])}
        </>
    );
}

/** A path, the place of a field, a code, a command. */
export const Code = ({ text }: { text: string }) => (
    <code>
        <Words text={text} />
    </code>
);

/** The most characters of a text that is not folded to some lines. */
const longestFolded = 240;

/** A text from outside, of which only some lines are shown until the viewer asks for the rest. */
export function Long({ text }: { text: string }) {
    const [isWhole, setWhole] = useState(false);
    if (text.length <= longestFolded) return <Words text={text} />;
    return (
        <>
            <span class={isWhole ? 'long' : 'long folded'}>
                <Words text={text} />
            </span>
            <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                {isWhole ? 'Show less' : 'Show all'}
            </button>
        </>
    );
}

/** A sentence in which text between backquotes is shown as code. */
export const Sentence = ({ text }: { text: string }) => (
    <>{text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}</>
);

interface Sorting {
    name: string;
    isReversed: boolean;
}

/** Compares values for sorting: larger numbers come first. Of several numbers, the first ones that differ decide. */
function compare(one: string | number | number[], other: string | number | number[]): number {
    if (typeof one === 'string') return one.localeCompare(String(other));
    const [first, second] = [[one].flat(), [other].flat() as number[]];
    const place = first.findIndex((value, at) => value !== second[at]);
    return place < 0 ? 0 : second[place]! - first[place]!;
}

function sorted<Row>(rows: Row[], columns: Column<Row>[], by: Sorting | undefined): Row[] {
    const value = columns.find((column) => column.name === by?.name)?.sort;
    if (by === undefined || value === undefined) return rows;
    const direction = by.isReversed ? -1 : 1;
    return [...rows].sort((one, other) => compare(value(one), value(other)) * direction);
}

function Head<Row>({
    column,
    sorting,
    onSort,
}: {
    column: Column<Row>;
    sorting: Sorting | undefined;
    onSort: (sorting: Sorting) => void;
}) {
    const isChosen = sorting?.name === column.name;
    const kind = column.isNumber === true ? 'number' : undefined;
    if (column.sort === undefined)
        return (
            <th scope="col" class={kind}>
                {column.name}
            </th>
        );
    const isUp = (typeof sorting === 'object' && sorting.isReversed) === (column.isNumber === true);
    return (
        <th scope="col" class={kind} aria-sort={isChosen ? (isUp ? 'ascending' : 'descending') : undefined}>
            <button
                type="button"
                class="sort"
                onClick={() => onSort({ name: column.name, isReversed: isChosen && !sorting.isReversed })}
            >
                {column.name}
                <span aria-hidden="true">{isChosen ? (isUp ? ' ↑' : ' ↓') : ''}</span>
            </button>
        </th>
    );
}

function classOf<Row>({ isNumber, isAccount, isText }: Column<Row>): string | undefined {
    if (isNumber === true) return 'number';
    if (isAccount === true) return 'account';
    return isText === true ? 'text' : undefined;
}

/** A table, also in the menu of files. Shows one card per row if there is no room for columns. */
export function Table<Row>({
    name,
    columns,
    rows,
    empty,
    rowClass,
    length = usualLength,
    sortedBy,
    look,
}: {
    name: string;
    columns: Column<Row>[];
    rows: Row[];
    empty: ComponentChildren;
    rowClass?: (row: Row) => string | undefined;
    /** The number of rows that a folded table shows. */
    length?: number;
    sortedBy?: string;
    /** Its class in the style sheet. */
    look?: string;
}) {
    const [isWhole, setWhole] = useState(false);
    const [sorting, setSorting] = useState<Sorting | undefined>(
        sortedBy === undefined ? undefined : { name: sortedBy, isReversed: false },
    );
    const caption = useId();
    const inOrder = sorted(rows, columns, sorting);
    const shown = columns.filter(({ isFileOnly }) => isFileOnly !== true);
    useFile(
        name,
        rows.length === 0
            ? undefined
            : () => [
                  columns.map((column) => column.name),
                  ...inOrder.map((row) => columns.map((column) => column.cell(row))),
              ],
    );
    if (rows.length === 0) return <Notice>{empty}</Notice>;
    const isFolded = !isWhole && rows.length > length + 2;
    return (
        <div class={`table ${look ?? ''}`}>
            <table aria-labelledby={caption} class={shown.length > 2 ? 'wide' : undefined}>
                <caption id={caption} class="hidden">
                    {name}
                </caption>
                <thead>
                    <tr>
                        {shown.map((column) => (
                            <Head key={column.name} column={column} sorting={sorting} onSort={setSorting} />
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {(isFolded ? inOrder.slice(0, length) : inOrder).map((row, place) => (
                        <tr key={place} class={rowClass?.(row)}>
                            {shown.map((column) => (
                                <td
                                    key={column.name}
                                    data-name={column.name}
                                    class={classOf(column)}
                                >
                                    <div>{column.show(row)}</div>
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
            {(isFolded || isWhole) && (
                <div class="below">
                    <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                        {isWhole ? `Show the first ${count(length)}` : `Show all ${count(rows.length)}`}
                        <span class="hidden"> {name}</span>
                    </button>
                </div>
            )}
        </div>
    );
}

/** One of several words. */
export function Choice<Word extends string>({
    name,
    words: all,
    value,
    onChange,
}: {
    name: string;
    words: Record<Word, string>;
    value: Word;
    onChange: (word: Word) => void;
}) {
    return (
        <div class="choice" role="group" aria-label={name}>
            {(Object.entries(all) as [Word, string][]).map(([word, text]) => (
                <button key={word} type="button" aria-pressed={word === value} onClick={() => onChange(word)}>
                    {text}
                </button>
            ))}
        </div>
    );
}

export function Section({
    title,
    tools,
    children,
}: {
    title: string;
    tools?: ComponentChildren;
    children: ComponentChildren;
}) {
    const id = useId();
    return (
        <section aria-labelledby={id}>
            <header>
                <h2 id={id}>{title}</h2>
                {tools}
            </header>
            {children}
        </section>
    );
}

/** The name of a figure of control totals. */
export function figureName(figure: string): string {
    const [kind = '', of] = figure.split(/:(.*)/s);
    if (kind === 'quantity') return `quantity in ${of ?? ''}`;
    if (kind === 'amount') return `amount of ${of ?? ''}`;
    return figure === 'amount_total' ? 'amount total in the minor unit' : words(figure);
}

/** A figure's value: amounts of money with the digits of their minor unit. */
export const figureValue = (figure: string, value: string): string =>
    decimal(value, figure.startsWith('amount:') || figure === 'gross_amount' ? 2 : 0);
