// How a supplier's migration fares, in words, and an operator's next step.
import { Command } from './command';
import { age, ago, countOf, quoted } from './format';
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

/** A report was signed, and nothing has become of the migration since. */
const isSigned = (of: Supplier): boolean =>
    of.signed_at != null && (of.last_import_at === null || Date.parse(of.signed_at) >= Date.parse(of.last_import_at));

/** The reasons why somebody has to look, the gravest first. */
function troubles(of: Supplier, now: Date): string[] {
    const oldest = of.oldest_in_progress;
    const isStuck = oldest !== null && now.getTime() - Date.parse(oldest.since) > longAttempt;
    return [
        of.accounts.failed > 0 && countOf(of.accounts.failed, 'failed', 'failed'),
        isStuck && `an account in progress for ${age(oldest.since, now)}`,
        of.refused_last_hour > 0 && countOf(of.refused_last_hour, 'refused', 'refused'),
    ].filter((one) => one !== false);
}

export function fareOf(of: Supplier, now: Date): Fare {
    const all = allOf(of.accounts);
    const { imported, failed, staged, in_progress } = of.accounts;
    const trouble = troubles(of, now).join(', ');
    if (of.status === 'Paused') {
        const by = of.status_by == null ? '' : ` by ${of.status_by}`;
        return { rank: 2, look: 'warning', words: `paused${by} ${ago(of.status_since, now)}` };
    }
    if (of.status === 'Complete' || (all > 0 && imported === all)) {
        if (isSigned(of)) return { rank: 8, look: 'plain', words: 'signed' };
        if (of.verdict === 'DIFFERENT')
            return { rank: 1, look: 'bad', words: 'needs attention: control totals differ' };
        if (of.status === 'Complete') return { rank: 7, look: 'plain', words: 'complete' };
        if (of.verdict === 'EQUAL') return { rank: 4, look: 'good', words: readyToSign };
        return { rank: 4, look: 'plain', words: 'all imported, nothing declared' };
    }
    if (of.stands_still_since !== null) {
        const still = `has stood still for ${age(of.stands_still_since, now)}`;
        return { rank: 0, look: 'bad', words: failed > 0 ? `${still}, ${countOf(failed, 'failed', 'failed')}` : still };
    }
    if (trouble !== '') return { rank: failed > 0 ? 1 : 3, look: 'warning', words: `needs attention: ${trouble}` };
    if (all === 0) return { rank: 6, look: 'plain', words: 'no accounts yet' };
    if (of.last_import_at === null && imported === 0 && staged + in_progress > 0)
        return { rank: 6, look: 'plain', words: 'not begun' };
    return { rank: 5, look: 'good', words: 'running' };
}

/** Whether somebody has to look. */
export const needsAttention = ({ look }: Fare): boolean => look === 'bad' || look === 'warning';

/** The next command, where the state has one. */
export function NextStep({ of, now }: { of: Supplier; now: Date }) {
    const code = quoted(of.code);
    const isReady = fareOf(of, now).words === readyToSign;
    if (!isReady && of.status !== 'Paused') return null;
    return (
        <p class={`answer ${isReady ? 'good' : ''}`}>
            {isReady ? 'Everything that was declared has arrived. Sign the report, with your name between the quotes: ' : 'Take up the migration again: '}
            <Command
                text={
                    isReady
                        ? `data-importctl report --signed-by '' -- ${code}`
                        : `data-importctl supplier set --status Ongoing -- ${code}`
                }
            />
        </p>
    );
}

const looks: Record<Fare['look'], { mark: string; sign: string }> = {
    bad: { mark: 'different', sign: '✕' },
    warning: { mark: 'warning', sign: '!' },
    good: { mark: 'equal', sign: '✓' },
    plain: { mark: 'undeclared', sign: '·' },
};

export function FareMark({ of, now }: { of: Supplier; now: Date }) {
    const { look, words } = fareOf(of, now);
    return (
        <span class={`mark fare ${looks[look].mark}`}>
            <span aria-hidden="true">{looks[look].sign}</span> {words}
        </span>
    );
}
