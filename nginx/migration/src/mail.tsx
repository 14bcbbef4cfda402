// A mail to a supplier that says what was refused, for which accounts, and what to do.
import { useState } from 'preact/hooks';
import { count, utc } from './format';
import type { Code, RefusalExamples, RefusalKind, Refusals, Source } from './model';
import { FailureNotice, useOnce } from './parts';

const isSame = (one: RefusalExamples, other: RefusalKind): boolean =>
    (['endpoint', 'code', 'item_code', 'attr'] as const).every((member) => one[member] === other[member]);

/** Removes the marks of code, which only pages show. */
const plain = (text: string): string => text.replaceAll('`', '');

function paragraphOf(kind: RefusalKind, known: Pick<Code, 'meaning' | 'action'> | undefined, examples: RefusalExamples[]): string {
    const numbers = examples.find((one) => isSame(one, kind))?.external_account_numbers ?? [];
    const where = [kind.endpoint, kind.attr].filter((part) => part !== '').join(', ');
    return [
        `${count(kind.count)} x ${kind.item_code || kind.code} (${where})`,
        kind.detail || known?.meaning,
        known !== undefined && `What to do: ${known.action}`,
        numbers.length > 0 && `Accounts, for example: ${numbers.join(', ')}`,
        `Last: ${utc(new Date(kind.last_at))}, request ${kind.sample_request_id}`,
    ]
        .filter((line): line is string => typeof line === 'string' && line !== '')
        .map((line, place) => (place === 0 ? `- ${line}` : `  ${plain(line)}`))
        .join('\n');
}

/** Writes the mail, which begins with the most frequent refusals. */
export function mailOf(
    code: string,
    { kinds, began_at }: Refusals,
    examples: RefusalExamples[],
    known: (kind: RefusalKind) => Pick<Code, 'meaning' | 'action'> | undefined,
): string {
    const listed = kinds.filter((kind) => kind.code !== 'throttled').sort((one, other) => other.count - one.count);
    return [
        `Refused requests of ${code}`,
        `Since ${began_at.slice(0, 10)} (UTC) these requests of ${code} were refused. What was refused is not stored: please mend it and send it again.`,
        ...listed.map((kind) => paragraphOf(kind, known(kind), examples)),
        'To find such mistakes before you send: data-import-load --check FILES',
    ].join('\n\n');
}

/** Copies the mail, and shows it, so that people can read it, or copy it by hand if the browser does not let the page copy. */
export function MailButton({
    source,
    code,
    refusals,
    known,
}: {
    source: Source;
    code: string;
    refusals: Refusals;
    known: (kind: RefusalKind) => Pick<Code, 'meaning' | 'action'> | undefined;
}) {
    const { value, failure, isWaiting, look } = useOnce((signal) => source.refusalExamples!(code, signal));
    const [isCopied, setCopied] = useState(false);
    const copy = async (): Promise<void> => {
        const examples = await look();
        if (examples === undefined) return;
        try {
            await navigator.clipboard.writeText(mailOf(code, refusals, examples, known));
            setCopied(true);
        } catch {
            setCopied(false);
        }
    };
    return (
        <div class="mail">
            <button type="button" class="quiet" disabled={isWaiting} onClick={() => void copy()}>
                {isCopied ? 'Copied' : 'Copy as mail'}
            </button>
            {failure !== undefined && <FailureNotice failure={failure} />}
            {value !== undefined && (
                <textarea readOnly rows={10} aria-label="The mail" value={mailOf(code, refusals, value, known)} />
            )}
        </div>
    );
}
