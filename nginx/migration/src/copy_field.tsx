// A text to copy.
import { useRef, useState } from 'preact/hooks';

export function CopyField({ label, text, rows = 1 }: { label: string; text: string; rows?: number }) {
    const [isCopied, setCopied] = useState(false);
    const field = useRef<HTMLTextAreaElement>(null);
    const copy = async (): Promise<void> => {
        try {
            await navigator.clipboard.writeText(text);
            setCopied(true);
        } catch {
            field.current?.select(); // selects the text if the browser does not let the page copy
        }
    };
    return (
        <div class="copy">
            <label>
                {label}
                <textarea ref={field} readOnly rows={rows} value={text} />
            </label>
            <button type="button" class="quiet" onClick={() => void copy()}>
                {isCopied ? 'Copied' : 'Copy'}
                <span class="hidden"> {label}</span>
            </button>
        </div>
    );
}
