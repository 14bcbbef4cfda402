// A command of data-importctl to copy.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Words } from './parts';

/** Control characters act on a terminal, and invisible ones hide from the reader. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

export function Command({ text }: { text: string }) {
    const [isCopied, setCopied] = useState(false);
    const code = useRef<HTMLElement>(null);
    useEffect(() => setCopied(false), [text]);
    const copy = async (): Promise<void> => {
        try {
            await navigator.clipboard.writeText(text);
            setCopied(true);
        } catch {
            getSelection()?.selectAllChildren(code.current!); // selects the text if the browser does not let the page copy
        }
    };
    return (
        <span class="command">
            <code ref={code}>
                <Words text={text} />
            </code>
            {unseen.test(text) ? (
                <span class="dim">has invisible characters: type it</span>
            ) : (
                <button type="button" class="quiet" onClick={() => void copy()}>
                    {isCopied ? 'Copied' : 'Copy'}
                    <span class="hidden"> the command {text}</span>
                </button>
            )}
        </span>
    );
}
