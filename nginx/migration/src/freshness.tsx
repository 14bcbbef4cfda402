// Shows whether the page is up to date.
import { duration, time, utc } from './format';
import { useFreshness, useNow } from './live';
import { useStandstill } from './standstill';

const longestAge = 45_000;

function useAge(): { at: Date | undefined; age: number; isFailing: boolean } {
    const { at, failures } = useFreshness();
    const now = useNow();
    return { at, age: at === undefined ? 0 : now.getTime() - at.getTime(), isFailing: failures.length > 0 };
}

/** Returns whether figures of this page may be out of date. */
export function useIsStale(): boolean {
    const { age, isFailing } = useAge();
    return useStandstill() !== undefined || isFailing || age > longestAge;
}

export function Freshness() {
    const { at, age, isFailing } = useAge();
    const reason = useStandstill();
    if (at === undefined && !isFailing) return null;
    const isStale = isFailing || age > longestAge;
    if (reason !== undefined)
        return (
            <p key={reason} class="freshness stale">
                <span class="dot" aria-hidden="true" />
                <span class="words">{reason}</span>
            </p>
        );
    return (
        <p class={isStale ? 'freshness stale' : 'freshness'}>
            <span class="dot" aria-hidden="true" />
            <span class="words">
                {isStale ? 'Not fresh: ' : 'Live: '}
                {at === undefined ? (
                    'nothing has come yet'
                ) : (
                    <time dateTime={at.toISOString()} title={utc(at)}>
                        {time(at)}
                        {isStale && ` (${duration(age)} ago)`}
                    </time>
                )}
            </span>
        </p>
    );
}
