// Requests to the running service.

export const url = `${process.env.BASE_URL}/v1/graphql/`;

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// Like fetch, but waits when the limit on requests is reached: these tests send more requests than a client may send in a minute.
export async function patientFetch(address, options) {
    for (let attempt = 1; ; attempt += 1) {
        const answer = await fetch(address, options);
        if (answer.status !== 429 || attempt === 20) return answer;
        await pause(Number(answer.headers.get('retry-after') ?? 1));
    }
}

export async function post(request, accept = 'application/json') {
    const { query, variables, operationName } = request;
    const answer = await patientFetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: accept },
        body: JSON.stringify({ query, variables, operationName }),
    });
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.json() };
}

// Tries a token at an endpoint and returns its faults; none if the token works.
export async function faultsOfToken(token, body) {
    const answer = await patientFetch(`${process.env.BASE_URL}/v1/data-import/notes/create/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Token ${token}` },
        body: JSON.stringify({
            import_supplier: process.env.SUPPLIER,
            external_account_number: '4711',
            notes: [{ body }],
        }),
    });
    return answer.status === 201 ? [] : [`the token was answered ${answer.status} ${await answer.text()}`];
}
