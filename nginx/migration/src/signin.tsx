// The form by which suppliers sign in.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './http';
import { Notice } from './parts';
import { Session } from './suppliers';

function sentenceOf(failure: Failure): string {
    if (failure.status === 401)
        return 'This API key is not valid. Check that it is whole, and has not been revoked by the operator of the service.';
    return failure.message.replace(' This page asks again by itself.', ' Try again.');
}

export function SignIn({
    wasSignedIn,
    onSession,
    onEnd,
}: {
    wasSignedIn: boolean;
    onSession: (session: Session) => void;
    onEnd: () => void;
}) {
    const [failure, setFailure] = useState<Failure | undefined>(undefined);
    const [isWaiting, setWaiting] = useState(false);
    const field = useRef<HTMLInputElement>(null);
    useEffect(() => field.current?.focus(), []);

    const signIn = async (event: Event): Promise<void> => {
        event.preventDefault();
        const input = field.current!;
        setWaiting(true);
        try {
            const session = await Session.begin(input.value.trim(), onEnd);
            input.value = '';
            onSession(session);
        } catch (reason) {
            setFailure(reason instanceof Failure ? reason : new Failure(String(reason), 0));
            setWaiting(false);
            input.select();
        }
    };
    return (
        <section class="sign-in" aria-labelledby="sign-in">
            <h2 id="sign-in">Sign in</h2>
            {wasSignedIn && failure === undefined && (
                <Notice kind="failure">Your token has ended, or your API key has been revoked. Sign in again.</Notice>
            )}
            {failure !== undefined && <Notice kind="failure">{sentenceOf(failure)}</Notice>}
            <form onSubmit={(event) => void signIn(event)}>
                <label for="api-key">API key of your organisation</label>
                <input
                    id="api-key"
                    ref={field}
                    type="password"
                    required
                    maxLength={1000}
                    autoComplete="off"
                    spellcheck={false}
                    aria-describedby="api-key-use"
                />
                <button type="submit" disabled={isWaiting}>
                    {isWaiting ? 'Signing in …' : 'Sign in'}
                </button>
            </form>
            <p id="api-key-use" class="dim">
                The key is exchanged for a token and then forgotten; the token is kept in the memory of this page only,
                and is gone when you close or reload it. You see what the key may touch, and change nothing.
            </p>
        </section>
    );
}
