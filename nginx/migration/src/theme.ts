// Light or dark: as the viewer's system is, unless the viewer chooses.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme | undefined;

export const theme = (): Theme => chosen ?? (dark.matches ? 'dark' : 'light');

export function choose(next: Theme): void {
    chosen = next;
    document.documentElement.dataset.theme = next;
    for (const listener of listeners) listener();
}

dark.addEventListener('change', () => {
    for (const listener of listeners) listener();
});

export function useTheme(): Theme {
    const [known, setKnown] = useState(theme);
    useEffect(() => {
        const listener = (): void => setKnown(theme());
        listeners.add(listener);
        return () => {
            listeners.delete(listener);
        };
    }, []);
    return known;
}
