// The files of a report that was just signed. The service keeps only their SHA-256.
import { saveAs } from './files';
import type { SignedReport } from './model';
import { Code } from './parts';

function SignedFile({ name, text, sha256 }: { name: string; text: string | null; sha256: string }) {
    return (
        <li>
            {text === null ? (
                `${name} was told with the first answer only: sign again. `
            ) : (
                <button type="button" onClick={() => saveAs(name, new Blob([text]))}>
                    Save {name}
                </button>
            )}
            <p>
                SHA-256 <Code text={sha256} />
            </p>
        </li>
    );
}

export function Signed({ report: { file, html, html_sha256, json, json_sha256 } }: { report: SignedReport }) {
    return (
        <>
            <p>Save both files now: the service does not keep them. The audit history keeps their SHA-256.</p>
            <ul class="files">
                <SignedFile name={`${file}.html`} text={html} sha256={html_sha256} />
                <SignedFile name={`${file}.json`} text={json} sha256={json_sha256} />
            </ul>
        </>
    );
}
