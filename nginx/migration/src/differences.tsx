// Accounts that differ from a file of the supplier, with a field for the reason of each.
import { count, countOf, words } from './format';
import type { Difference, Outcome } from './model';

const figures = (of: Difference['declared']): string =>
    of === null ? 'nothing' : countOf(of.records, 'record') + (of.amount === null ? '' : `, ${of.amount}`);

export interface Reason {
    external_account_number: string;
    kind: string;
    reason: string;
}

export const differencesOf = ({ differences }: Outcome): Difference[] => (Array.isArray(differences) ? differences : []);

const nameOf = (place: number): string => `reason ${place}`;

/** The reasons that were typed. */
export function reasonsOf(outcome: Outcome, form: HTMLFormElement): Reason[] {
    const data = new FormData(form);
    return differencesOf(outcome).flatMap(({ external_account_number, kind }, place) => {
        const reason = String(data.get(nameOf(place)) ?? '').trim();
        return reason === '' ? [] : [{ external_account_number, kind, reason }];
    });
}

export function Differences({ of }: { of: Difference[] }) {
    return (
        <ul class="differences">
            {of.map(({ external_account_number, kind, declared, held, accepted }, place) => (
                <li key={`${external_account_number} ${kind}`}>
                    <b>{external_account_number}</b>, {words(kind)}: {figures(declared)} declared, {figures(held)} stored
                    {accepted === null ? (
                        <label>
                            Why it may differ, if it is accepted
                            <input name={nameOf(place)} maxLength={1000} autoComplete="off" />
                        </label>
                    ) : (
                        <p class="dim">
                            Accepted by {accepted.by}: {accepted.reason}
                        </p>
                    )}
                </li>
            ))}
            {of.length >= 500 && <li class="dim">These are the first {count(of.length)}.</li>}
        </ul>
    );
}
