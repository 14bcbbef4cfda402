// Parts that all views are made of.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Cell, count, csv, decimal, end, share, time, utc, words } from './format';
import { Failure } from './http';
import type { Live } from './live';
import { type Accounts, type State, states, type Verdict } from './model';
import { addressOf } from './route';

/** In the viewer's zone; UTC under the pointer. HTML has no more than three digits of a second. */
export function Time({ at, isToCome = false }: { at: string; isToCome?: boolean }) {
    const date = new Date(at);
    return (
        <time dateTime={date.toISOString()} title={utc(date)}>
            {isToCome ? end(date) : time(date)}
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

/** A view's notice until there is something to show, and above the view while it is not fresh. */
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
    if (value === undefined && failure === undefined) return <p class="notice waiting">Loading …</p>;
    return (
        <>
            {failure !== undefined && <FailureNotice failure={failure} />}
            {value !== undefined && children(value)}
        </>
    );
}

export function FailureNotice({ failure }: { failure: Failure }) {
    return <Notice kind="failure">{failure.message}</Notice>;
}

const verdicts: Record<Verdict, { sign: string; text: string; explanation: string }> = {
    EQUAL: { sign: '✓', text: 'Equal', explanation: 'What is held is what the supplier has declared.' },
    DIFFERENT: { sign: '≠', text: 'Different', explanation: 'Something else is held than the supplier has declared.' },
    UNDECLARED: {
        sign: '?',
        text: 'Undeclared',
        explanation: 'The supplier has not declared what there is to compare.',
    },
};

/** Shows the verdict by a sign and a word, not by colour alone. */
export function VerdictMark({ verdict }: { verdict: Verdict | undefined }) {
    if (verdict === undefined) return <span class="mark unknown">Not available</span>;
    const { sign, text, explanation } = verdicts[verdict];
    return (
        <span class={`mark ${verdict.toLowerCase()}`} title={explanation}>
            <span aria-hidden="true">{sign}</span> {text}
        </span>
    );
}

export function Status({ status }: { status: string }) {
    return <span class={`mark status-${status.toLowerCase()}`}>{status}</span>;
}

export const stateNames: Record<State, string> = {
    imported: 'imported',
    in_progress: 'in progress',
    failed: 'failed',
    staged: 'staged',
};
const order: State[] = ['imported', 'in_progress', 'failed', 'staged'];

export const allOf = (accounts: Accounts): number => states.reduce((sum, state) => sum + accounts[state], 0);

/** How many accounts are in each state, as a bar and in numbers. */
export function Funnel({ accounts }: { accounts: Accounts }) {
    const all = allOf(accounts);
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
                        {all > 0 && <span class="dim"> {share(accounts[state], all)}</span>}
                    </li>
                ))}
            </ul>
        </div>
    );
}

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

/** `ending` is the end of the file's name, which has the time, too. */
export function saveFile(name: string, ending: string, file: Blob): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A file for spreadsheets, made in the browser. */
export function CsvButton({ name, rows }: { name: string; rows: () => Cell[][] }) {
    const save = (): void =>
        saveFile(name, 'csv', new Blob(['\ufeff', csv(rows())], { type: 'text/csv;charset=utf-8' }));
    return (
        <button type="button" class="quiet" onClick={save}>
            Save as CSV<span class="hidden">: {words(name)}</span>
        </button>
    );
}

export interface Column<Row> {
    name: string;
    show: (row: Row) => ComponentChildren;
    cell: (row: Row) => Cell;
    isNumber?: boolean;
    isAccount?: boolean;
}

const pageLength = 50;

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

/** A link to an account's details. */
export function AccountLink({ code, number }: { code: string; number: string }) {
    return (
        <a href={addressOf({ view: 'account', code, number })} title={number}>
            {number}
        </a>
    );
}

/** The code of a refused request, and the codes of its items. */
export const whyAndWhere = <Row extends { code: string; places: { code: string; attr: string }[] }>(): Column<Row> => ({
    name: 'why and where',
    show: (row) => (
        <>
            <code>{row.code}</code>
            {row.places.map(({ code, attr }) => (
                <small key={`${code} ${attr}`}>
                    <code>{code}</code> at <code>{attr || 'the whole'}</code>
                </small>
            ))}
        </>
    ),
    cell: (row) => [row.code, ...row.places.map(({ code, attr }) => `${code} ${attr}`)].join('; '),
});

/** The id of a request, with a link to its details if they are available. */
export function RequestId({ id, code, number }: { id: string; code?: string; number?: string }) {
    const text = <code class="id">{id}</code>;
    if (!useContext(TellsRequests)) return text;
    const of = code === undefined || number === undefined ? {} : { code, number };
    return <a href={addressOf({ view: 'request', id, ...of })}>{text}</a>;
}

/** Whether details of requests are available to the viewer. */
export const TellsRequests = createContext(false);

/** A table with its file. Becomes one card per row where there is no room for columns. */
export function Table<Row>({
    name,
    columns,
    rows,
    empty,
    rowClass,
}: {
    name: string;
    columns: Column<Row>[];
    rows: Row[];
    empty: ComponentChildren;
    rowClass?: (row: Row) => string | undefined;
}) {
    const [shown, setShown] = useState(pageLength);
    const caption = useId();
    if (rows.length === 0) return <Notice>{empty}</Notice>;
    const file = (): Cell[][] => [
        columns.map((column) => column.name),
        ...rows.map((row) => columns.map((column) => column.cell(row))),
    ];
    const more = rows.length - shown;
    return (
        <div class="table">
            <table aria-labelledby={caption} class={columns.length > 2 ? 'wide' : undefined}>
                <caption id={caption} class="hidden">
                    {name}
                </caption>
                <thead>
                    <tr>
                        {columns.map((column) => (
                            <th key={column.name} scope="col" class={column.isNumber === true ? 'number' : undefined}>
                                {column.name}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.slice(0, shown).map((row, place) => (
                        <tr key={place} class={rowClass?.(row)}>
                            {columns.map((column) => (
                                <td
                                    key={column.name}
                                    data-name={column.name}
                                    class={
                                        column.isNumber === true
                                            ? 'number'
                                            : column.isAccount === true
                                              ? 'account'
                                              : undefined
                                    }
                                >
                                    <div>{column.show(row)}</div>
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
            <div class="below">
                {more > 0 && (
                    <button type="button" class="quiet" onClick={() => setShown(shown + 10 * pageLength)}>
                        Show {count(Math.min(more, 10 * pageLength))} more of {count(rows.length)}
                    </button>
                )}
                <CsvButton name={name} rows={file} />
            </div>
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

const units: Record<string, string> = {
    records: 'records',
    accounts: 'accounts',
    amounts: 'amounts',
    line_items: 'line items',
    gross_amount: 'main unit of the currency',
    amount_total: 'minor unit of the currency',
};

/** The name of a figure of control totals, and its unit. */
export function figureName(figure: string): { name: string; unit: string } {
    const [kind = '', of] = figure.split(/:(.*)/s);
    if (kind === 'quantity') return { name: `quantity in ${of ?? ''}`, unit: of ?? '' };
    if (kind === 'amount') return { name: `amount of ${of ?? ''}`, unit: 'main unit of the currency' };
    return { name: words(figure), unit: units[figure] ?? '' };
}

export const Decimal = ({ text }: { text: string }) => <>{decimal(text)}</>;
