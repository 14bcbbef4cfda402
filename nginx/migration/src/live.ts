// Figures that stay fresh while somebody looks.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './http';

export interface Live<Value> {
    value: Value | undefined;
    failure: Failure | undefined; // of the last try; `value` is then older
    at: Date | undefined; // when `value` came
}

const longestPause = 30_000;

/** The longest interval of questions that tell how fresh the page is. */
const frequently = 10_000;

/** The questions whose last answer was a failure, by name. */
const failing = new Map<string, Failure>();
/** The times at which the last answers of frequent questions came. */
const answers = new Map<string, Date>();
const oldestAnswer = (): Date | undefined => [...answers.values()].sort((one, other) => one.getTime() - other.getTime())[0];
const listeners = new Set<() => void>();
const tell = (): void => {
    for (const listener of listeners) listener();
};

/** Functions that ask each question of the page now. */
const askers = new Set<() => void>();
/** Asks all questions now, because something was done. */
export const askAgain = (): void => askers.forEach((ask) => ask());

/** Returns how fresh the page is: the questions that fail now, and the time at which the oldest of its figures came. */
export function useFreshness(): { failures: Failure[]; at: Date | undefined } {
    const present = () => ({ failures: [...failing.values()], at: oldestAnswer() });
    const [state, setState] = useState(present);
    useEffect(() => {
        const listener = (): void => setState(present());
        listeners.add(listener);
        return () => {
            listeners.delete(listener);
        };
    }, []);
    return state;
}

/**
 * Asks at once, and then again every `every` milliseconds while the page is visible. Asks more rarely if the answer takes
 * long, to spare a busy database, and ever more rarely after repeated failures. `name` identifies the question: a call with
 * another name begins anew, without the old value.
 */
export function useLive<Value>(
    name: string,
    every: number,
    fetchValue: ((signal: AbortSignal) => Promise<Value>) | undefined,
): Live<Value> {
    const [state, setState] = useState<Live<Value> & { name: string }>({
        name,
        value: undefined,
        failure: undefined,
        at: undefined,
    });
    const fetching = useRef(fetchValue);
    fetching.current = fetchValue;
    const isWanted = fetchValue !== undefined;

    useEffect(() => {
        if (!isWanted) return undefined;
        const stop = new AbortController();
        let timer: ReturnType<typeof setTimeout> | undefined;
        let isAsking = false;
        let failures = 0;

        const next = (pause: number): void => {
            clearTimeout(timer);
            if (!document.hidden) timer = setTimeout(() => void look(), pause);
        };
        const look = async (): Promise<void> => {
            if (isAsking || stop.signal.aborted) return;
            isAsking = true;
            const began = performance.now();
            let failure: Failure | undefined;
            try {
                const value = await fetching.current!(stop.signal);
                const at = new Date();
                if (!stop.signal.aborted) setState({ name, value, failure: undefined, at });
                failing.delete(name);
                if (every <= frequently && !stop.signal.aborted) answers.set(name, at);
                tell();
            } catch (reason) {
                failure = reason instanceof Failure ? reason : new Failure(String(reason), 0);
                if (!stop.signal.aborted) {
                    const known = failure;
                    setState((before) =>
                        before.name === name
                            ? { ...before, failure: known }
                            : { name, value: undefined, failure: known, at: undefined },
                    );
                    if (failure.isNotAvailable) {
                        failing.delete(name);
                        answers.delete(name);
                    } else failing.set(name, failure);
                    tell();
                }
            }
            isAsking = false;
            if (stop.signal.aborted) return;
            failures = failure === undefined ? 0 : failures + 1;
            const pause = failure === undefined ? every : Math.min(every * 2 ** failures, longestPause);
            next(Math.max(failure?.isNotAvailable === true ? longestPause : pause, 10 * (performance.now() - began)));
        };
        const onVisibility = (): void => next(document.hidden ? longestPause : 0);
        document.addEventListener('visibilitychange', onVisibility);
        askers.add(onVisibility);
        void look();
        return () => {
            askers.delete(onVisibility);
            document.removeEventListener('visibilitychange', onVisibility);
            clearTimeout(timer);
            stop.abort();
            failing.delete(name);
            answers.delete(name);
            tell();
        };
    }, [name, every, isWanted]);

    return state.name === name ? state : { value: undefined, failure: undefined, at: undefined };
}

/** Returns the current time, anew every second. */
export function useNow(): Date {
    const [now, setNow] = useState(() => new Date());
    useEffect(() => {
        const timer = setInterval(() => {
            if (!document.hidden) setNow(new Date());
        }, 1000);
        return () => clearInterval(timer);
    }, []);
    return now;
}
