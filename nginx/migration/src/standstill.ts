// Whether something keeps the page from showing new figures.
import { useEffect, useState } from 'preact/hooks';

let reason: string | undefined;
const listeners = new Set<() => void>();

function stand(why: string): void {
    if (reason !== undefined) return;
    reason = why;
    for (const listener of listeners) listener();
}

// Browsers may translate a page although it asks them not to. They replace each text by an element of their own, so that this
// page can no longer change the text.
new MutationObserver((changes, observer) => {
    if (!changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.nodeName === 'FONT'))) return;
    observer.disconnect();
    stand('Translated');
}).observe(document.body, { childList: true, subtree: true });

// A part of the page that throws an error keeps its old figures. Errors that the browser reports about its layout have
// no `error`.
addEventListener('error', (event: ErrorEvent) => {
    if (event.error instanceof Error) stand('Failed');
});

/** Why the page stands still; undefined while it does not. */
export function useStandstill(): string | undefined {
    const [known, setKnown] = useState(reason);
    useEffect(() => {
        const listener = (): void => setKnown(reason);
        listeners.add(listener);
        listener();
        return () => {
            listeners.delete(listener);
        };
    }, []);
    return known;
}
