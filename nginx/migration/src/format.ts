// Numbers, times and files for people. Numbers are exact, and in the manner of the viewer's language; times are in the
// viewer's zone, by a clock of 24 hours. A number and its unit stay on one line.

const counts = new Intl.NumberFormat();
const oneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const hours = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const clock = new Intl.DateTimeFormat(undefined, { ...hours, second: '2-digit' });
const clockShort = new Intl.DateTimeFormat(undefined, hours);
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const axisDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** A space at which no line breaks. */
const space = '\u00a0';

export const count = (value: number): string => counts.format(value);

/** Kinds of records whose amounts are money in the main unit of the currency. */
export const kindsWithMoney = ['transactions', 'historical_statements'];

/** Writes a decimal string with all of its digits, and at least `digits` after the point. It never becomes a binary number. */
export const decimal = (text: string, digits = 0): string =>
    new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: 20 }).format(
        text as Intl.StringNumericLiteral,
    );

/** `1 account`, `2,000 accounts`. */
export const countOf = (value: number, one: string, several = `${one}s`): string =>
    `${count(value)}${space}${value === 1 ? one : several}`;

const wholeShare = 1000; // in tenths of a percent

/**
 * Returns the shares of parts in their sum. The first share is rounded independently of the other parts. The others are rounded
 * so that all shares of at least 0.1 % add up to the share of their sum. Smaller ones are `< 0.1 %`, and a part that is not the
 * whole is at most 99.9 %. Reports compute the same shares: src/data/report/html.cc.
 */
export function shares(parts: readonly number[]): string[] {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    if (whole === 0) return parts.map(() => '–');
    const rounded = (part: number): number => Math.round((part * wholeShare) / whole);
    const tenths = parts.map((part) => Math.floor((part * wholeShare) / whole));
    const remainder = (place: number): number => (parts[place]! * wholeShare) % whole;
    const large = parts.flatMap((_, place) => (tenths[place]! > 0 ? [place] : []));
    if (tenths[0]! > 0) tenths[0] = rounded(parts[0]!);
    const left =
        rounded(large.reduce((sum, place) => sum + parts[place]!, 0)) - large.reduce((sum, place) => sum + tenths[place]!, 0);
    const others = large.filter((place) => place > 0).sort((one, other) => remainder(other) - remainder(one));
    for (const place of others.slice(0, Math.max(0, left))) tenths[place]! += 1;
    return parts.map((part, place) => {
        if (part > 0 && tenths[place] === 0) return `<${space}0.1${space}%`;
        const shown = part < whole ? Math.min(tenths[place]!, wholeShare - 1) : wholeShare;
        return `${oneDigit.format(shown / 10)}${space}%`;
    });
}

/** Writes a rate with few digits. */
export function rate(value: number): string {
    if (value === 0 || value >= 100) return count(Math.round(value));
    return value < 0.1 ? '< 0.1' : oneDigit.format(value);
}

/** The viewer's zone, of all times on the page: `Europe/Berlin (CET)`. */
export function zone(): string {
    const { timeZone } = clock.resolvedOptions();
    const short = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
        .formatToParts(new Date())
        .find((part) => part.type === 'timeZoneName')?.value;
    return short === undefined || short === timeZone ? timeZone : `${timeZone} (${short})`;
}

const sameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** Writes a time of today with seconds, any other time with its day. */
export function time(at: Date, now = new Date()): string {
    if (sameDay(at, now)) return clock.format(at);
    const day = at.getFullYear() === now.getFullYear() ? weekday : longDay;
    return `${day.format(at)}, ${clockShort.format(at)}`;
}

/** Writes a time at an axis: the day at midnight, or if each step is a day; otherwise the time of the day. */
export function tick(at: Date, isDay: boolean): string {
    return isDay || (at.getHours() === 0 && at.getMinutes() === 0) ? axisDay.format(at) : clockShort.format(at);
}

const utcDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longUtcDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Writes a day without a time zone, such as `2026-12-01`; with the year if that is not the current one. */
export const day = (date: string, now = new Date()): string =>
    (date.startsWith(String(now.getUTCFullYear())) ? utcDay : longUtcDay).format(new Date(date));

/** A time in the future: the day, and the time of the day. */
export function end(at: Date, now = new Date()): string {
    const tomorrow = new Date(now);
    tomorrow.setDate(now.getDate() + 1);
    if (sameDay(at, now)) return `today ${clockShort.format(at)}`;
    if (sameDay(at, tomorrow)) return `tomorrow ${clockShort.format(at)}`;
    return time(at, now);
}

export const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `3 h 20 min`: the two largest units, or only the largest one. */
export function duration(milliseconds: number, units = 2): string {
    const seconds = Math.max(0, Math.round(milliseconds / 1000));
    const parts: [number, string][] = [
        [Math.floor(seconds / 86400), 'd'],
        [Math.floor(seconds / 3600) % 24, 'h'],
        [Math.floor(seconds / 60) % 60, 'min'],
        [seconds % 60, 's'],
    ];
    const first = parts.findIndex(([value]) => value > 0);
    if (first < 0) return `0${space}s`;
    return parts
        .slice(first, first + units)
        .filter(([value], place) => place === 0 || value > 0)
        .map(([value, unit]) => `${count(value)}${space}${unit}`)
        .join(space);
}

/** How long ago something was: seconds count only in the first minutes. */
export const age = (since: string, now: Date): string => {
    const milliseconds = now.getTime() - Date.parse(since);
    return duration(milliseconds, milliseconds < 3_600_000 ? 1 : 2);
};

export const ago = (since: string, now: Date): string => `${age(since, now)}${space}ago`;

/** A request's time in seconds. */
export function latency(seconds: number | undefined): string {
    if (seconds === undefined) return '–';
    if (!Number.isFinite(seconds)) return `> 60${space}s`;
    return seconds < 1 ? `${count(Math.round(seconds * 1000))}${space}ms` : `${oneDigit.format(seconds)}${space}s`;
}

/** `market_participant_invoices` in words. */
export const words = (name: string): string => name.replaceAll('_', ' ');

// Invisible characters, and white space that looks like a blank.
const invisible = /(?! )[\p{Cc}\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;

const hexadecimal = (character: string, digits: number): string =>
    character.codePointAt(0)!.toString(16).toUpperCase().padStart(digits, '0');

export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0;

/** Writes each invisible character as its name: `4711<U+200B>`. */
export const withInvisibleNamed = (text: string): string =>
    text.replace(invisible, (character) => `<U+${hexadecimal(character, 4)}>`);

// Quotes a text with invisible characters in the form of bash, `$'...'`.
const withEscapes = (text: string): string =>
    `$'${text
        .replace(/[\\']/g, String.raw`\$&`)
        .replace(invisible, (character) => String.raw`\U` + hexadecimal(character, 8))}'`;

/** Quotes an argument of a command line. One that begins with `-` has to stand after `--` or `--option=`. */
export function quoted(text: string): string {
    if (/^[\w.:@/+-]+$/.test(text)) return text;
    return hasInvisible(text) ? withEscapes(text) : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export type Cell = string | number | null;

// A spreadsheet would calculate a text that begins like a formula; numbers may begin with a minus.
function csvCell(cell: Cell): string {
    const text = cell === null ? '' : String(cell);
    const safe = typeof cell === 'string' && /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^-?[0-9.]+$/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes CSV by RFC 4180. */
export const csv = (rows: Cell[][]): string => rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
