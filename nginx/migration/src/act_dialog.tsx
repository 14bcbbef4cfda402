// The dialog of an act: what will happen, and what has happened.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Act, Field } from './acts';
import { CopyField } from './copy_field';
import { Differences, differencesOf, reasonsOf } from './differences';
import { useIsStale } from './freshness';
import { Failure } from './http';
import { askAgain } from './live';
import type { Outcome, Source } from './model';
import { Notice } from './parts';
import { addressOf } from './route';
import { Signed } from './signed';

type Stage =
    | { is: 'asked'; isWaiting: boolean }
    | { is: 'foreseen'; isWaiting: boolean; outcome: Outcome; body: Record<string, unknown>; key: string }
    | { is: 'done'; outcome: Outcome };

async function valueOf({ type }: Field, value: FormDataEntryValue | null): Promise<unknown> {
    if (value instanceof File) return value.text();
    if (type === 'flag') return value !== null;
    const text = String(value);
    if (type === 'number') return Number(text);
    if (type === 'numbers') return text.split('\n').map((line) => line.trim()).filter(Boolean);
    return text;
}

async function bodyOf(act: Act, form: HTMLFormElement): Promise<Record<string, unknown>> {
    const data = new FormData(form);
    const values = (act.fields ?? []).map(async (one) => [one.name, await valueOf(one, data.get(one.name))]);
    return { ...act.body, ...(Object.fromEntries(await Promise.all(values)) as Record<string, unknown>) };
}

/** Returns whether the act may have happened in spite of the failure. */
const isUnknown = ({ status }: Failure): boolean => status === 0 || status >= 500;

function sentenceOf(failure: Failure, wasActing: boolean): string {
    const sentence = failure.message.replace(' This page asks again by itself.', '');
    return wasActing && isUnknown(failure) ? `${sentence} It may have happened or not. Try again: it happens once.` : sentence;
}

function FieldInput({ field: { name, label, type } }: { field: Field }) {
    if (type === 'flag')
        return (
            <label class="flag">
                <input name={name} type="checkbox" /> {label}
            </label>
        );
    return (
        <label>
            {label}
            {type === 'numbers' ? (
                <textarea name={name} rows={6} required spellcheck={false} />
            ) : (
                <input name={name} type={type as 'text'} required maxLength={1000} autoComplete="off" />
            )}
        </label>
    );
}

function Done({ outcome: { sentence, audit_id, api_key, mail, report }, onLeave }: { outcome: Outcome; onLeave: () => void }) {
    return (
        <>
            <p>
                Done: {sentence}.{' '}
                {audit_id !== null && (
                    <a href={addressOf({ view: 'audit', id: String(audit_id) })} onClick={onLeave}>
                        Line {audit_id} of the audit history
                    </a>
                )}
            </p>
            {api_key != null && <CopyField label="API key: it is shown only now" text={api_key} rows={2} />}
            {mail != null && <CopyField label="Mail for the supplier; send the key another way" text={mail} rows={8} />}
            {report !== undefined && <Signed report={report} />}
        </>
    );
}

export function ActDialog({
    act,
    opener,
    source,
    onEnd,
}: {
    act: Act;
    /** The button that was pressed; gets the focus back. */
    opener: HTMLElement;
    source: Source;
    onEnd: () => void;
}) {
    const [stage, setStage] = useState<Stage>({ is: 'asked', isWaiting: false });
    const [told, setTold] = useState('');
    const isStale = useIsStale();
    const dialog = useRef<HTMLDialogElement>(null);
    const form = useRef<HTMLFormElement>(null);
    const next = useRef<HTMLButtonElement>(null);
    const close = useRef<HTMLButtonElement>(null);
    const title = useId();
    const isWaiting = stage.is !== 'done' && stage.isWaiting;

    /** Asks what the act would do. `before` is shown until the answer comes, and also after a failure. */
    const foresee = async (body: Record<string, unknown>, note = '', before: Stage = { is: 'asked', isWaiting: false }): Promise<void> => {
        setStage({ ...before, isWaiting: true } as Stage);
        setTold(note);
        try {
            const outcome = await source.act!(act.name, body);
            // keeps the first differences: with reasons, this outcome shows them as accepted already
            const { differences } = before.is === 'foreseen' ? before.outcome : outcome;
            setStage({ is: 'foreseen', isWaiting: false, outcome: { ...outcome, ...(differences && { differences }) }, body, key: crypto.randomUUID() });
        } catch (reason) {
            setStage(before);
            setTold(sentenceOf(reason as Failure, false));
        }
    };
    const carryOut = async (foreseen: Stage & { is: 'foreseen' }): Promise<void> => {
        const { body, outcome, key } = foreseen;
        const reasons = reasonsOf(outcome, form.current!);
        if (JSON.stringify(reasons) !== JSON.stringify(body['reasons'] ?? []))
            return foresee({ ...body, reasons: reasons.length > 0 ? reasons : undefined }, '', foreseen);
        setStage({ ...foreseen, isWaiting: true });
        setTold('');
        try {
            setStage({ is: 'done', outcome: await source.act!(act.name, { ...body, basis: outcome.basis }, key) });
            askAgain();
        } catch (reason) {
            const failure = reason as Failure;
            if (failure.code === 'changed_meanwhile') return foresee(body, 'Something has changed meanwhile, and nothing was done.');
            setStage(isUnknown(failure) || failure.status === 429 ? foreseen : { is: 'asked', isWaiting: false });
            setTold(sentenceOf(failure, true));
        }
    };
    const submit = (event: Event): void => {
        event.preventDefault();
        if (isStale || isWaiting) return;
        if (stage.is === 'foreseen') void carryOut(stage);
        else if (stage.is === 'asked') void bodyOf(act, form.current!).then((body) => foresee(body));
    };

    // moves the focus as soon as the text is shown, so that Enter acts on what is seen
    useLayoutEffect(() => {
        dialog.current?.showModal();
        if (act.fields === undefined && !isStale) void foresee(act.body);
        // the button may be gone, because the act is done
        return () => (opener.isConnected ? opener : document.getElementById('main'))?.focus();
    }, []);
    useLayoutEffect(() => {
        if (!isWaiting && (stage.is !== 'asked' || act.fields === undefined)) (next.current ?? close.current)?.focus();
    }, [stage.is, isWaiting]);

    return (
        <dialog
            ref={dialog}
            aria-labelledby={title}
            onCancel={(event) => {
                if (isWaiting) event.preventDefault();
            }}
            onClose={onEnd}
        >
            <form ref={form} onSubmit={submit}>
                <h2 id={title}>{act.title}</h2>
                {act.fields !== undefined && (
                    <fieldset disabled={stage.is !== 'asked' || isWaiting}>
                        <legend class="hidden">{act.title}</legend>
                        {act.fields.map((field) => (
                            <FieldInput key={field.name} field={field} />
                        ))}
                    </fieldset>
                )}
                <div role="status">
                    {told !== '' && <Notice>{told}</Notice>}
                    {isStale && stage.is !== 'done' && <Notice>This page is not fresh: nothing is done before its figures are.</Notice>}
                    {stage.is === 'foreseen' && <p>This {stage.outcome.sentence}.</p>}
                    {stage.is === 'done' && <Done outcome={stage.outcome} onLeave={() => dialog.current?.close()} />}
                </div>
                {stage.is === 'foreseen' && <Differences of={differencesOf(stage.outcome)} />}
                <div class="below">
                    <button
                        type="button"
                        class="quiet"
                        ref={close}
                        disabled={isWaiting}
                        onClick={() => dialog.current?.close()}
                    >
                        {stage.is === 'done' ? 'Close' : 'Cancel'}
                    </button>
                    {stage.is !== 'done' && (
                        <button type="submit" ref={next} disabled={isWaiting || isStale}>
                            {isWaiting ? 'Waiting …' : stage.is === 'asked' ? 'What will happen' : act.button}
                        </button>
                    )}
                </div>
            </form>
        </dialog>
    );
}
