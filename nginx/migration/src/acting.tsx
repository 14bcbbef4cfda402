// Buttons of acts, for those who may act.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Act } from './acts';
import type { Person } from './model';

export const Acting = createContext<{ person: Person | undefined; begin: (act: Act, opener: HTMLElement) => void }>({
    person: undefined,
    begin: () => undefined,
});

const mayAct = ({ acts, import_suppliers }: Person, { name, supplier }: Act): boolean =>
    acts.includes(name) && (import_suppliers === null || (supplier !== undefined && import_suppliers.includes(supplier)));

/** Whether the viewer may do this. */
export function useMayAct(act: Act): boolean {
    const { person } = useContext(Acting);
    return person !== undefined && mayAct(person, act);
}

export function ActButton({ act }: { act: Act }) {
    const { begin } = useContext(Acting);
    return useMayAct(act) ? (
        <button type="button" class="quiet act" onClick={(event) => begin(act, event.currentTarget)}>
            {act.button} …<span class="hidden"> {act.title}</span>
        </button>
    ) : null;
}
