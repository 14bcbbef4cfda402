// The state of a supplier's migration in words. The operator's next step is in next_step.tsx.
import { age, ago, countOf, day, time } from './format';
import { allOf, type Supplier } from './model';

/** An attempt that takes longer than this is taken to be stuck. */
export const longAttempt = 3_600_000;

/** The next thing to do. */
export type Step =
    | 'resume'
    | 'restart'
    | 'sign again'
    | 'look at failures'
    | 'look at refusals'
    | 'look at attempts'
    | 'compare'
    | 'book'
    | 'explain'
    | 'finish accounts'
    | 'declare'
    | 'sign'
    | 'complete'
    | 'stage'
    | 'invite'
    | 'none';

export interface Fare {
    /** The urgency: somebody has to look at lower ranks first. */
    rank: number;
    /** The urgency among suppliers of one rank: larger weights first. */
    weight: number;
    look: 'bad' | 'warning' | 'good' | 'plain';
    words: string;
    step: Step;
}

const readyToSign = 'ready to sign';
const readyWithDifferences = `${readyToSign}, all differences explained`;

/** Returns whether a report was signed whose figures are still the current ones. */
export const isSigned = (of: Supplier): boolean => of.signed_at != null && of.has_changed_since_signed !== true;

const hasAllAccounts = ({ accounts }: Supplier): boolean => allOf(accounts) > 0 && accounts.imported === allOf(accounts);

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** `1 Dec` of a planned end, which is a day in UTC. */
export const plannedDay = (of: Supplier): string => day(of.planned_end!);

/**
 * Returns whether the planned day is over before the migration is done. `data-importctl supplier list` decides in the same way:
 * src/tools/ctl/supplier_state.cc.
 */
export function isLate(of: Supplier, now: Date, isExplained?: boolean): boolean {
    if (of.planned_end == null || of.status === 'Complete' || dayOf(now) <= of.planned_end) return false;
    return !hasAllAccounts(of) || (of.verdict === 'DIFFERENT' && !isSigned(of) && isExplained !== true);
}

/** The estimate is after the planned day. */
export const isExpectedLate = (of: Supplier): boolean =>
    of.planned_end != null && of.estimated_end_at !== null && dayOf(new Date(of.estimated_end_at)) > of.planned_end;

/** How many accounts have failed, or requests were refused in the last hour. */
const figureOf = (of: Supplier, figure: 'failed' | 'refused'): number =>
    figure === 'failed' ? of.accounts.failed : of.refused_last_hour;

/** Returns whether somebody has to look: the figure reaches the supplier's threshold, and has grown since it was acknowledged. */
export function wantsAttention(of: Supplier, figure: 'failed' | 'refused'): boolean {
    const value = figureOf(of, figure);
    return value > (of.acknowledged?.[figure] ?? 0) && value >= (of.attention ?? 1);
}

/** The class of a figure: it stands out only where somebody has to look. */
export const lookOf = (of: Supplier, figure: 'failed' | 'refused'): string | undefined =>
    wantsAttention(of, figure) ? 'warn' : figureOf(of, figure) === 0 ? 'dim' : undefined;

const listed = (...parts: (string | false)[]): string => parts.filter((one) => one !== false && one !== '').join(', ');

/** Says why the signed report is out of date; empty if it is not. An accepted difference may lapse although no figure changes. */
function outdated(of: Supplier, isExplained: boolean | undefined): string {
    if (of.signed_at == null || (isSigned(of) && isExplained !== false)) return '';
    const reason = isExplained === false ? 'differences are not explained' : 'changed since';
    return `signed ${time(new Date(of.signed_at))}, ${reason}`;
}

const isStuck = (of: Supplier, now: Date): boolean =>
    of.oldest_in_progress !== null && now.getTime() - Date.parse(of.oldest_in_progress.since) > longAttempt;

/** The reasons why somebody has to look, the gravest first. */
const troubles = (of: Supplier, now: Date): string =>
    listed(
        wantsAttention(of, 'failed') && countOf(of.accounts.failed, 'failed', 'failed'),
        isStuck(of, now) && `an account in progress for ${age(of.oldest_in_progress!.since, now)}`,
        wantsAttention(of, 'refused') && countOf(of.refused_last_hour, 'refused', 'refused'),
    );

/** Failures and refusals that nobody has to look at. */
const quiet = (of: Supplier): string =>
    listed(
        of.accounts.failed > 0 && !wantsAttention(of, 'failed') && countOf(of.accounts.failed, 'failed', 'failed'),
        of.refused_last_hour > 0 && !wantsAttention(of, 'refused') && countOf(of.refused_last_hour, 'refused', 'refused'),
    );

/** Multiplies a number of accounts by their share of all: many accounts of a large supplier outweigh a few of a small one. */
const weightOf = (of: Supplier, number: number): number => number * Math.min(1, number / Math.max(1, allOf(of.accounts)));

type Words = Omit<Fare, 'weight'>;

/** The state of a migration for which no more records are expected. */
function fareAtEnd(of: Supplier, isExplained: boolean | undefined): Words {
    const isComplete = of.status === 'Complete';
    const open = allOf(of.accounts) - of.accounts.imported;
    const stillOpen = open > 0 && `${countOf(open, 'account')} open`;
    if (isSigned(of)) {
        const step = open > 0 ? 'finish accounts' : isComplete ? 'none' : 'complete';
        return { rank: 8, look: 'plain', words: listed(isComplete && 'complete', 'signed', stillOpen), step };
    }
    const isUndeclared = of.verdict === 'UNDECLARED' && 'no totals declared';
    if (isExplained === false)
        return {
            rank: 1,
            look: 'bad',
            words: `needs attention: ${listed('differences are not explained', stillOpen)}`,
            step: 'explain',
        };
    if (isComplete && stillOpen !== false) {
        const by = of.status_by == null ? '' : ` by ${of.status_by}`;
        return { rank: 1, look: 'warning', words: `complete${by}: ${listed(stillOpen, isUndeclared)}`, step: 'finish accounts' };
    }
    if (of.verdict === 'DIFFERENT' && isExplained === undefined)
        return { rank: 1, look: 'warning', words: listed(isComplete && 'complete', 'control totals differ'), step: 'compare' };
    if (of.booked_verdict === 'DIFFERENT')
        return { rank: 1, look: 'warning', words: listed(isComplete && 'complete', 'booked totals differ'), step: 'book' };
    if (isComplete)
        return { rank: 7, look: 'plain', words: listed('complete', isUndeclared), step: isUndeclared === false ? 'none' : 'declare' };
    if (isUndeclared !== false)
        return { rank: 4, look: 'plain', words: listed('all accounts imported', isUndeclared), step: 'declare' };
    return { rank: 4, look: 'good', words: of.verdict === 'EQUAL' ? readyToSign : readyWithDifferences, step: 'sign' };
}

/** The state of an erased supplier: nobody has to look, because its figures and its verdict are from before the erasure. */
function fareOfErased({ began_at, by, ended_at, accounts }: NonNullable<Supplier['erasure']>): Words {
    const extent = `${countOf(accounts, 'account')} by ${by}`;
    const words =
        ended_at === null ? `is being erased since ${time(new Date(began_at))}: ${extent}` : `erased ${time(new Date(ended_at))}: ${extent}`;
    return { rank: 9, look: 'plain', words, step: 'none' };
}

/** The state of a migration, apart from its planned end. */
function fareWithoutPlan(of: Supplier, now: Date, isExplained: boolean | undefined): Words {
    if (of.erasure != null) return fareOfErased(of.erasure);
    const all = allOf(of.accounts);
    const { imported, failed, staged, in_progress } = of.accounts;
    const trouble = troubles(of, now);
    const stepOfTrouble: Step = wantsAttention(of, 'failed')
        ? 'look at failures'
        : isStuck(of, now)
          ? 'look at attempts'
          : 'look at refusals';
    if (of.status === 'Paused') {
        const by = of.status_by == null ? '' : ` by ${of.status_by}`;
        return { rank: 2, look: 'warning', words: `paused${by} ${ago(of.status_since, now)}`, step: 'resume' };
    }
    const isAtEnd = of.status === 'Complete' || hasAllAccounts(of);
    const signed = outdated(of, isExplained);
    if (isAtEnd && signed === '') return fareAtEnd(of, isExplained);
    if (!isAtEnd && of.stands_still_since !== null) {
        const still = `has stood still for ${age(of.stands_still_since, now)}`;
        return { rank: 0, look: 'bad', words: listed(still, failed > 0 && countOf(failed, 'failed', 'failed')), step: 'restart' };
    }
    if (signed !== '')
        return {
            rank: 1,
            look: 'warning',
            words: listed(signed, !isAtEnd && trouble),
            step: isExplained === false ? 'explain' : 'sign again',
        };
    if (trouble !== '')
        return { rank: wantsAttention(of, 'failed') ? 1 : 3, look: 'warning', words: `needs attention: ${trouble}`, step: stepOfTrouble };
    if (all === 0) return { rank: 6, look: 'plain', words: 'no accounts yet', step: 'stage' };
    if (of.last_import_at === null && imported === 0 && staged + in_progress > 0)
        return { rank: 6, look: 'plain', words: listed('not begun', quiet(of)), step: 'invite' };
    return { rank: 5, look: 'good', words: listed('running', quiet(of)), step: 'none' };
}

/** The state of a migration. `isExplained`: accepted differences explain all of the control totals; `undefined`: not known. */
export function fareOf(of: Supplier, now: Date, isExplained?: boolean): Fare {
    const fare = fareWithoutPlan(of, now, isExplained);
    const open = allOf(of.accounts) - of.accounts.imported;
    const wanting = Math.max(
        wantsAttention(of, 'failed') ? of.accounts.failed : 0,
        wantsAttention(of, 'refused') ? of.refused_last_hour : 0,
    );
    const weight = weightOf(of, fare.rank === 0 || wanting === 0 ? open : wanting);
    if (isLate(of, now, isExplained)) {
        if (of.status === 'Paused') return { ...fare, weight, words: `${fare.words}, late: planned for ${plannedDay(of)}` };
        const words = listed(`late: planned for ${plannedDay(of)}`, fare.words);
        return { ...fare, rank: 0, look: 'bad', words, weight: weightOf(of, open) };
    }
    if (fare.look === 'good' && isExpectedLate(of))
        return { ...fare, rank: 3, look: 'warning', words: `expected late: planned for ${plannedDay(of)}`, weight };
    return { ...fare, weight };
}

/** The key for sorting with the worst first: by rank, then by the share and the number of accounts. */
export const gravityOf = (of: Supplier, now: Date): number[] => {
    const { rank, weight } = fareOf(of, now);
    return [-rank, weight];
};

/** Whether somebody has to look. */
export const needsAttention = ({ look }: Fare): boolean => look === 'bad' || look === 'warning';

const looks: Record<Fare['look'], { mark: string; sign: string }> = {
    bad: { mark: 'different', sign: '✕' },
    warning: { mark: 'warning', sign: '!' },
    good: { mark: 'equal', sign: '✓' },
    plain: { mark: 'undeclared', sign: '·' },
};

export function FareMark({ of, now, isExplained }: { of: Supplier; now: Date; isExplained?: boolean | undefined }) {
    const { look, words } = fareOf(of, now, isExplained);
    return (
        <span class={`mark fare ${looks[look].mark}`}>
            <span aria-hidden="true">{looks[look].sign}</span> {words}
        </span>
    );
}
