// Groups failed accounts by reason. Reasons that differ only in their digits are one group.
import { quoted } from './format';
import type { FailureGroup, OpenAccount } from './model';

/** The name of a reason's group. */
export const folded = (reason: string): string => reason.replaceAll(/[0-9]+/g, 'N');

/** A group's reason for readers: the digits that its accounts do not share are left out. */
export const shownReason = ({ accounts, sample }: FailureGroup): string =>
    accounts === 1 ? sample : sample.replaceAll(/[0-9]+/g, '…');

/** The groups of these accounts, the largest first. */
export function groupsOf(code: string, accounts: readonly OpenAccount[]): FailureGroup[] {
    const groups = new Map<string, FailureGroup>();
    for (const { reason } of accounts) {
        const sample = reason ?? '';
        const known = groups.get(folded(sample));
        if (known === undefined)
            groups.set(folded(sample), { import_supplier: code, reason: folded(sample), accounts: 1, sample });
        else known.accounts += 1;
    }
    return [...groups.values()].sort((one, other) => other.accounts - one.accounts);
}

/** Returns the longest text that all reasons of a group contain, without characters that a terminal would obey. */
const commonText = ({ sample }: FailureGroup): string =>
    sample
        .split(/[0-9\p{Cc}\p{Cf}\u2028\u2029]+/u)
        .map((part) => part.trim())
        .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/**
 * Returns the text by which the reasons of a group are found for a retry, the command, and the number of accounts that it
 * retries. Reasons of other groups may contain the text, too, so the command may retry their accounts. The number is a lower
 * bound if `all` lacks groups of the supplier.
 */
export function retryOf(group: FailureGroup, all: readonly FailureGroup[]): { text: string; command: string; accounts: number } | undefined {
    const text = commonText(group);
    if (text === '') return undefined;
    const wanted = text.toLowerCase();
    const taken = all.filter(
        (one) => one.import_supplier === group.import_supplier && one.sample.toLowerCase().includes(wanted),
    );
    return {
        text,
        command: `data-importctl account retry --reason-like=${quoted(text)} -- ${quoted(group.import_supplier)}`,
        accounts: taken.reduce((sum, one) => sum + one.accounts, 0),
    };
}
