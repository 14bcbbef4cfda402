// How a supplier's migration fares, in words, and an operator's next step.
import { Command } from './command';
import { age, ago, countOf, quoted, time } from './format';
import { allOf, type Supplier } from './model';

/** An attempt that runs for longer is taken to be stuck. */
export const longAttempt = 3_600_000;

export interface Fare {
    /** The lower, the sooner somebody has to look. */
    rank: number;
    look: 'bad' | 'warning' | 'good' | 'plain';
    words: string;
}

const readyToSign = 'ready to sign';
const readyWithDifferences = `${readyToSign}, all differences explained`;

/** A report was signed, and its figures are those of the present. */
export const isSigned = (of: Supplier): boolean => of.signed_at != null && of.has_changed_since_signed !== true;

const listed = (...parts: (string | false)[]): string => parts.filter((one) => one !== false).join(', ');

/** Why the signed report does not tell the present; empty if it does. An accepted difference may lapse although no figure changes. */
function outdated(of: Supplier, isExplained: boolean | undefined): string {
    if (of.signed_at == null || (isSigned(of) && isExplained !== false)) return '';
    const reason = isExplained === false ? 'differences are not explained' : 'changed since';
    return `signed ${time(new Date(of.signed_at))}, ${reason}`;
}

/** The reasons why somebody has to look, the gravest first. */
function troubles(of: Supplier, now: Date): string {
    const oldest = of.oldest_in_progress;
    const isStuck = oldest !== null && now.getTime() - Date.parse(oldest.since) > longAttempt;
    return listed(
        of.accounts.failed > 0 && countOf(of.accounts.failed, 'failed', 'failed'),
        isStuck && `an account in progress for ${age(oldest.since, now)}`,
        of.refused_last_hour > 0 && countOf(of.refused_last_hour, 'refused', 'refused'),
    );
}

/** How a migration fares of which nothing is to come any more. */
function fareAtEnd(of: Supplier, isExplained: boolean | undefined): Fare {
    const isComplete = of.status === 'Complete';
    const open = allOf(of.accounts) - of.accounts.imported;
    const stillOpen = open > 0 && `${countOf(open, 'account')} open`;
    if (isSigned(of))
        return { rank: 8, look: 'plain', words: listed(isComplete && 'complete', 'signed', stillOpen) };
    const isUndeclared = of.verdict === 'UNDECLARED' && 'no totals declared';
    if (isExplained === false)
        return { rank: 1, look: 'bad', words: `needs attention: ${listed('differences are not explained', stillOpen)}` };
    if (isComplete && stillOpen !== false) {
        const by = of.status_by == null ? '' : ` by ${of.status_by}`;
        return { rank: 1, look: 'warning', words: `complete${by}: ${listed(stillOpen, isUndeclared)}` };
    }
    if (of.verdict === 'DIFFERENT' && isExplained === undefined)
        return { rank: 1, look: 'warning', words: listed(isComplete && 'complete', 'control totals differ') };
    if (isComplete) return { rank: 7, look: 'plain', words: listed('complete', isUndeclared) };
    if (isUndeclared !== false) return { rank: 4, look: 'plain', words: listed('all accounts imported', isUndeclared) };
    return { rank: 4, look: 'good', words: of.verdict === 'EQUAL' ? readyToSign : readyWithDifferences };
}

/** `isExplained`: whether accepted differences explain all of the control totals; `undefined` where that is not known. */
export function fareOf(of: Supplier, now: Date, isExplained?: boolean): Fare {
    const all = allOf(of.accounts);
    const { imported, failed, staged, in_progress } = of.accounts;
    const trouble = troubles(of, now);
    if (of.status === 'Paused') {
        const by = of.status_by == null ? '' : ` by ${of.status_by}`;
        return { rank: 2, look: 'warning', words: `paused${by} ${ago(of.status_since, now)}` };
    }
    const isAtEnd = of.status === 'Complete' || (all > 0 && imported === all);
    const signed = outdated(of, isExplained);
    if (isAtEnd && signed === '') return fareAtEnd(of, isExplained);
    if (!isAtEnd && of.stands_still_since !== null) {
        const still = `has stood still for ${age(of.stands_still_since, now)}`;
        return { rank: 0, look: 'bad', words: failed > 0 ? `${still}, ${countOf(failed, 'failed', 'failed')}` : still };
    }
    if (signed !== '') return { rank: 1, look: 'warning', words: listed(signed, !isAtEnd && trouble !== '' && trouble) };
    if (trouble !== '') return { rank: failed > 0 ? 1 : 3, look: 'warning', words: `needs attention: ${trouble}` };
    if (all === 0) return { rank: 6, look: 'plain', words: 'no accounts yet' };
    if (of.last_import_at === null && imported === 0 && staged + in_progress > 0)
        return { rank: 6, look: 'plain', words: 'not begun' };
    return { rank: 5, look: 'good', words: 'running' };
}

/** Whether somebody has to look. */
export const needsAttention = ({ look }: Fare): boolean => look === 'bad' || look === 'warning';

/** The next commands, where the state has some. */
export function NextStep({ of, now, isExplained }: { of: Supplier; now: Date; isExplained: boolean | undefined }) {
    const code = quoted(of.code);
    const { words } = fareOf(of, now, isExplained);
    if (of.status === 'Paused')
        return (
            <p class="answer">
                Take up the migration again: <Command text={`data-importctl supplier set --status Ongoing -- ${code}`} />
            </p>
        );
    if (of.has_changed_since_signed === true && isExplained !== false)
        return (
            <p class="answer">
                Accounts, records, declared totals or accepted differences have changed since the report was signed. If they are
                right, sign a new one, with your name between the quotes: <Command text={`data-importctl report --signed-by '' -- ${code}`} />
            </p>
        );
    if (words !== readyToSign && words !== readyWithDifferences) return null;
    return (
        <div class="answer good">
            <p>
                {words === readyToSign
                    ? 'All declared totals equal the stored ones.'
                    : 'Accepted differences explain all differences of the control totals.'}
            </p>
            <p class="next">
                First compare account by account, with a file of the supplier:{' '}
                <Command text={`data-importctl reconcile -- ${code} totals.csv`} />
            </p>
            <p class="next">
                Then sign the report, with your name between the quotes:{' '}
                <Command text={`data-importctl report --signed-by '' -- ${code}`} />
            </p>
        </div>
    );
}

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
