// Questions to the server that this page comes from. No other host is asked.

/** Why there is no answer, in words that say what to do. */
export class Failure extends Error {
    constructor(
        message: string,
        readonly status: number,
        readonly code = '',
    ) {
        super(message);
    }

    /** The server has no such address, or this token may not ask it. */
    get isNotAvailable(): boolean {
        return this.status === 404;
    }
}

const usualPatience = 20_000;

const sentences: Record<number, string> = {
    429: 'Too many requests at a time. This page asks again by itself.',
    502: 'The service cannot be reached behind its web server. This page asks again by itself.',
    503: 'The service or its database is not available at present. This page asks again by itself.',
    504: 'The service took too long to answer. This page asks again by itself.',
};

async function failureOf(answer: Response, isAct: boolean): Promise<Failure> {
    let body: { detail?: string; code?: string; errors?: { attr: string; detail: string }[] } = {};
    try {
        body = (await answer.json()) as typeof body;
    } catch {
        // a proxy in between may answer anything
    }
    const places = (body.errors ?? []).map(({ attr, detail }) => `${attr}: ${detail}`).join(' ');
    // only the service's sentence tells which limit of acts was reached; nginx's own limits have no sentence
    const ofAct = isAct && answer.status === 429 ? body.detail : undefined;
    const sentence = ofAct ?? sentences[answer.status] ?? (places || body.detail) ?? `The server answered with status ${answer.status}.`;
    return new Failure(sentence, answer.status, body.code);
}

/** Throws Failure, and the exception of an aborted `signal`. */
export async function ask(
    address: string,
    init: RequestInit,
    signal?: AbortSignal,
    patience = usualPatience,
): Promise<Response> {
    const late = AbortSignal.timeout(patience);
    let answer: Response;
    try {
        answer = await fetch(address, {
            ...init,
            cache: 'no-store',
            credentials: 'same-origin',
            redirect: 'error',
            signal: signal === undefined ? late : AbortSignal.any([late, signal]),
        });
    } catch (reason) {
        if (signal?.aborted === true) throw reason;
        const sentence = late.aborted
            ? `The server did not answer within ${patience / 1000} seconds.`
            : 'The server cannot be reached. Check the connection (or the tunnel).';
        throw new Failure(`${sentence} This page asks again by itself.`, 0);
    }
    if (!answer.ok) throw await failureOf(answer, init.method === 'POST');
    const isFile = answer.headers.get('Content-Disposition')?.startsWith('attachment') === true;
    if (!isFile && !/^(application\/json|text\/plain)/.test(answer.headers.get('Content-Type') ?? ''))
        throw new Failure(
            'Something else answered than the service: a sign-on in front of it may have ended. Reload this page.',
            0,
        );
    return answer;
}

const longestList = 100_000;

/** The first items of an array that may have millions, and whether there are more. */
export async function askForItems<Item>(answer: Response): Promise<{ items: Item[]; hasMore: boolean }> {
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return { items: JSON.parse(text) as Item[], hasMore: false };
        text += value;
        if (text.length > longestList) break;
    }
    await reader.cancel();
    for (let end = text.lastIndexOf('},'); end > 0; end = text.lastIndexOf('},', end - 1)) {
        try {
            return { items: JSON.parse(`${text.slice(0, end + 1)}]`) as Item[], hasMore: true };
        } catch {
            // this `}` was inside a string
        }
    }
    return { items: [], hasMore: true };
}
