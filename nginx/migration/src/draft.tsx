// The report that somebody signs at the end, as a draft.
import type { Source } from './model';
import { saveFile } from './files';
import { FailureNotice, useOnce } from './parts';

export function DraftButton({ source, code }: { source: Source; code: string }) {
    const { failure, isWaiting, look } = useOnce((signal) => source.report!(code, signal));
    const save = async (): Promise<void> => {
        const file = await look();
        if (file !== undefined) saveFile(`${code}-draft`, 'html', file);
    };
    return (
        <>
            <button type="button" class="quiet" disabled={isWaiting} onClick={() => void save()}>
                {isWaiting ? 'Drafting …' : 'Draft the report'}
            </button>
            {failure !== undefined && <FailureNotice failure={failure} />}
        </>
    );
}
