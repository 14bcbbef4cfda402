// Files for spreadsheets, made in the browser. One menu has the files of all tables and curves that are shown.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Cell, csv, words } from './format';

type Rows = () => Cell[][];

const files = new Map<string, Rows>();
const listeners = new Set<() => void>();
const tell = (): void => {
    for (const listener of listeners) listener();
};

/** Puts a table into the menu for as long as it is shown. */
export function useFile(name: string, rows: Rows | undefined): void {
    const latest = useRef(rows);
    latest.current = rows;
    const isWanted = rows !== undefined;
    useEffect(() => {
        if (!isWanted) return undefined;
        const file: Rows = () => latest.current?.() ?? [];
        files.set(name, file);
        tell();
        return () => {
            if (files.get(name) === file) files.delete(name);
            tell();
        };
    }, [name, isWanted]);
}

/** Saves a file under exactly this name. */
export function saveAs(name: string, file: Blob): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves a file under a name with the time: `name`, the time, and `ending`. */
export const saveFile = (name: string, ending: string, file: Blob): void =>
    saveAs(`${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.${ending}`, file);

const save = (name: string, rows: Rows): void =>
    saveFile(name, 'csv', new Blob(['\ufeff', csv(rows())], { type: 'text/csv;charset=utf-8' }));

export function FileMenu() {
    const [, setNames] = useState('');
    useEffect(() => {
        const listener = (): void => setNames([...files.keys()].join());
        listeners.add(listener);
        listener();
        return () => {
            listeners.delete(listener);
        };
    }, []);
    const menu = useRef<HTMLDetailsElement>(null);
    useEffect(() => {
        const close = (event: Event): void => {
            if (event instanceof KeyboardEvent ? event.key === 'Escape' : !menu.current?.contains(event.target as Node))
                menu.current?.removeAttribute('open');
        };
        document.addEventListener('click', close);
        document.addEventListener('keydown', close);
        return () => {
            document.removeEventListener('click', close);
            document.removeEventListener('keydown', close);
        };
    }, []);
    if (files.size === 0) return null;
    return (
        <details class="menu" ref={menu}>
            <summary>CSV</summary>
            <ul>
                {[...files].map(([name, rows]) => (
                    <li key={name}>
                        <button type="button" onClick={() => save(name, rows)}>
                            {words(name)}
                        </button>
                    </li>
                ))}
            </ul>
        </details>
    );
}
