// What the reference implementation answers, and whether another answer agrees with it.
import { execute, parse, validate } from 'graphql';

const placesOf = (error) => JSON.stringify({ locations: error.locations ?? [], path: error.path ?? [] });

// Names and order of members, and types of values: tokens differ each time.
function formOf(value) {
    if (Array.isArray(value)) return value.map(formOf);
    if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
    return Object.entries(value).map(([key, member]) => [key, formOf(member)]);
}

// The GraphQL response as the reference gives it.
export async function referenceAnswer(schema, rootValue, request) {
    let document;
    try {
        document = parse(request.query);
    } catch (error) {
        return { errors: [error] };
    }
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const { variables: variableValues, operationName } = request;
    const result = await execute({ schema, document, rootValue, variableValues, operationName });
    return JSON.parse(JSON.stringify(result));
}

// What differs, as lines; none where the answers agree.
export function differences(expected, actual) {
    const [wanted, found] = [expected, actual].map((one) => (one.errors ?? []).map(placesOf).sort());
    const faults = [];
    if (JSON.stringify(wanted) !== JSON.stringify(found)) {
        faults.push(`errors at ${found.join(' ') || 'no place'}, the reference has ${wanted.join(' ') || 'none'}`);
        for (const { message } of expected.errors ?? []) faults.push(`the reference says: ${message}`);
        for (const { message } of actual.errors ?? []) faults.push(`the answer says: ${message}`);
    }
    // The reference executes to null where this service refuses the request as a whole.
    const [wantedData, foundData] = [expected, actual].map((one) => JSON.stringify(formOf(one.data ?? null)));
    if (wantedData !== foundData) faults.push(`data of the form ${foundData}, the reference has ${wantedData}`);
    return faults;
}
