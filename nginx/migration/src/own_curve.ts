// The curve of what comes in while somebody looks, from figures of progress: for those whom nobody tells an older one.
import type { Progress, Series } from './model';

const seconds = 10;
const longest = 360; // times that are kept

export class OwnCurve {
    #began: number; // Unix time, as all here
    #at: number;
    #totals: Record<string, number>;
    #counts: Record<string, number[]> = {};

    constructor(first: Progress) {
        this.#at = OwnCurve.#timeOf(first);
        this.#began = this.#at - (this.#at % seconds);
        this.#totals = OwnCurve.#totalsOf(first);
    }

    static #timeOf = (progress: Progress): number => Math.floor(Date.parse(progress.as_of) / 1000);
    static #totalsOf = (progress: Progress): Record<string, number> => ({
        ...progress.records,
        accounts: progress.accounts.imported,
    });

    /** What came while nobody looked is spread over that time. */
    add(progress: Progress): void {
        const at = OwnCurve.#timeOf(progress);
        if (at < this.#at) return;
        const first = Math.min(this.#placeOf(this.#at) + 1, this.#placeOf(at));
        const places = this.#placeOf(at) - first + 1;
        const totals = OwnCurve.#totalsOf(progress);
        for (const [kind, total] of Object.entries(totals)) {
            const counts = (this.#counts[kind] ??= []);
            const more = Math.max(0, total - (this.#totals[kind] ?? 0));
            for (let place = 0; place < places; place += 1) {
                const before = Math.floor((more * place) / places);
                counts[first + place] =
                    (counts[first + place] ?? 0) + Math.floor((more * (place + 1)) / places) - before;
            }
        }
        this.#totals = totals;
        this.#at = at;
        this.#forget();
    }

    series(): Series {
        const length = this.#placeOf(this.#at) + 1;
        return {
            as_of: new Date(this.#at * 1000).toISOString(),
            began_at: new Date(this.#began * 1000).toISOString(),
            seconds,
            counts: Object.fromEntries(
                Object.entries(this.#counts).map(([kind, counts]) => [
                    kind,
                    Array.from({ length }, (_, place) => counts[place] ?? 0),
                ]),
            ),
        };
    }

    #placeOf(at: number): number {
        return Math.floor((at - this.#began) / seconds);
    }

    #forget(): void {
        const tooMany = this.#placeOf(this.#at) + 1 - longest;
        if (tooMany <= 0) return;
        this.#began += tooMany * seconds;
        for (const counts of Object.values(this.#counts)) counts.splice(0, tooMany);
    }
}
